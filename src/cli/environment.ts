import { Command, type Option } from 'commander';
import { hasMember, memberOf } from '../../contract-tests/values/json.ts';
import { repeated } from './options.ts';

/** Values of a variable that switch an option off. */
const off = /^(0|false|no|off)$/i;
const on = /^(1|true|yes|on)$/i;

// An empty value is an error: a variable that was not set must not look like an omitted option.
/** A command whose options can also come from the environment: `--control-token` as PLATFORM_MOCK_CONTROL_TOKEN. */
export class EnvironmentCommand extends Command {
  override createCommand(name?: string): Command {
    return new EnvironmentCommand(name);
  }

  override addOption(option: Option): this {
    const own = `PLATFORM_MOCK_${option.name().toUpperCase().replaceAll('-', '_')}`;
    // Hosting platforms use this name.
    const isPort =
      this.name() === 'serve' && option.long === '--port' && !hasMember(process.env, own) && 'PORT' in process.env;
    const name = isPort ? 'PORT' : own;
    const value = memberOf(process.env, name);
    const isSwitch = !(option.required || option.optional);
    // Commander takes any value of a variable as given.
    if (!(isSwitch && off.test(value ?? ''))) option.env(name);
    // Off differs from not given where `--no-…` does.
    if (option.negate && off.test(memberOf(process.env, name.replace('_NO_', '_')) ?? ''))
      this.setOptionValueWithSource(option.attributeName(), false, 'env');
    if (option.variadic || option.parseArg === repeated)
      option.argParser<string[]>((text, before = []) => [
        ...before,
        ...(text === value ? text.trim().split(/\s+/) : [text]),
      ]);
    const refuseEmpty = (given: string | null | undefined, where = ''): void => {
      if (given?.trim() === '')
        this.error(`option '${option.flags}' is empty${where}; leave it out, or give it a value`);
    };
    // Before the listeners of Commander, which parse.
    this.on(`option:${option.name()}`, refuseEmpty);
    this.on(`optionEnv:${option.name()}`, () => {
      refuseEmpty(value, ` in the environment (${name})`);
      if (isSwitch && !on.test(value ?? ''))
        this.error(`option '${option.flags}' is ${value} in the environment (${name}); set it to true or false`);
    });
    return super.addOption(option);
  }
}
