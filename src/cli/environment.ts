import { Command, type Option } from 'commander';
import { repeated } from './options.ts';

/** What says in the environment that a switch is off, as no variable does. */
const off = /^(0|false|no|off)$/i;

/**
 * A command whose options can also be given by the environment: `--control-token` as PLATFORM_MOCK_CONTROL_TOKEN. The
 * command line comes first. Of an option that may be repeated, the variable holds all values, separated by spaces. An empty
 * value is an error: a variable that is not set where it should be must not look like an option that was left out.
 */
export class EnvironmentCommand extends Command {
  override createCommand(name?: string): Command {
    return new EnvironmentCommand(name);
  }

  override addOption(option: Option): this {
    const own = `PLATFORM_MOCK_${option.name().toUpperCase().replaceAll('-', '_')}`;
    // Hosting platforms name the port so.
    const isPort =
      this.name() === 'serve' && option.long === '--port' && !(own in process.env) && 'PORT' in process.env;
    const name = isPort ? 'PORT' : own;
    const value = process.env[name];
    // Commander takes a variable as given whatever it holds.
    if (!(option.isBoolean() && off.test(value ?? ''))) option.env(name);
    if (option.variadic || option.parseArg === repeated)
      option.argParser<string[]>((text, before) =>
        (text === value ? text.trim().split(/\s+/) : [text]).reduce(
          (all: string[], one) => repeated(one, all),
          before ?? [],
        ),
      );
    const refuseEmpty = (given: string | null | undefined, where = ''): void => {
      if (given?.trim() === '')
        this.error(`option '${option.flags}' is empty${where}; leave it out, or give it a value`);
    };
    // Before the listeners of Commander, which parse.
    this.on(`option:${option.name()}`, refuseEmpty);
    this.on(`optionEnv:${option.name()}`, () => refuseEmpty(value, ` in the environment (${name})`));
    return super.addOption(option);
  }
}
