import { Command, type Option } from 'commander';
import { repeated } from './options.ts';

/** What says in the environment that a switch is off, as no variable does. */
const off = /^(|0|false|no|off)$/i;

/**
 * A command whose options can also be given by the environment: `--control-token` as PLATFORM_MOCK_CONTROL_TOKEN. The
 * command line comes first. Of an option that may be repeated, the variable holds all values, separated by spaces.
 */
export class EnvironmentCommand extends Command {
  override createCommand(name?: string): Command {
    return new EnvironmentCommand(name);
  }

  override addOption(option: Option): this {
    const own = `PLATFORM_MOCK_${option.name().toUpperCase().replaceAll('-', '_')}`;
    // Hosting platforms name the port so.
    const isPort = this.name() === 'serve' && option.long === '--port' && !process.env[own] && process.env.PORT;
    const name = isPort ? 'PORT' : own;
    const value = process.env[name];
    const isOff = option.isBoolean() ? off.test(value ?? 'unset') : value === '';
    // Commander takes a variable as given whatever it holds.
    if (!isOff) option.env(name);
    if (option.variadic || option.parseArg === repeated)
      option.argParser<string[]>((text, before) =>
        (text === value ? text.split(/\s+/) : [text]).reduce((all: string[], one) => repeated(one, all), before ?? []),
      );
    return super.addOption(option);
  }
}
