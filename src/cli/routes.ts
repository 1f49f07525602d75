import type { Command } from 'commander';
import type { outlet as Out, Outgoing } from '../../contract-tests/commands/outlet.ts';
import { UsageError } from '../../contract-tests/errors.ts';
import { count } from '../../contract-tests/report/text.ts';
import { yamlText } from './options.ts';
import type { RecordedRoutes } from './routes-from-har.ts';

type Outlet = typeof Out;

interface Flags {
  from: string;
  baseUrl?: string;
  out?: string;
}

export function registerRoutes(program: Command): void {
  program
    .command('routes')
    .description('make a file of routes for `serve --routes` from recorded traffic: what the API does not document')
    .requiredOption(
      '--from <har>',
      'HAR file of a browser, or of `serve --upstream URL` or `proxy` with `--record FILE`',
    )
    .option('--base-url <url>', 'where the API is in it; needed where it is at several places')
    .option('--out <file>', 'where to write; without it, it is printed')
    .action(async (flags: Flags) => {
      const { routesFromHar } = await import('./routes-from-har.ts');
      const found = await routesFromHar(flags.from, flags.baseUrl);
      if (found.routes.length === 0)
        throw new UsageError(`${flags.from} holds nothing for custom routes: ${countsOf(found).join(', ')}.`);
      const { outlet, rendered } = await import('../../contract-tests/commands/outlet.ts');
      const yaml = await fileOf(flags.from, found);
      const text = rendered(found, () => yaml);
      if (flags.out === undefined) outlet.print('stdout', text);
      else write(flags.out, text, found, outlet);
    });
}

/** Never overwrites a file, which may have been edited. */
function write(file: string, text: Outgoing, { routes, used }: RecordedRoutes, outlet: Outlet): void {
  try {
    outlet.write(file, text, 'wx');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new UsageError(`--out ${file}: there is such a file; name another one, or delete it.`);
    throw new UsageError(`--out ${file}: it cannot be written (${code}).`);
  }
  outlet.print(
    'stderr',
    `${file}: ${count(routes.length, 'route')} of ${count(used, 'exchange')}. Serve them: platform-mock serve --routes ${file}\n`,
  );
}

const countsOf = ({ leftOut }: RecordedRoutes): string[] => [...leftOut].map(([why, count]) => `${count} ${why}`);

async function fileOf(from: string, found: RecordedRoutes): Promise<string> {
  const left = countsOf(found);
  const head = [
    `# From ${from.split(/[\\/]/).at(-1)}: ${count(found.used, 'exchange')} below ${found.baseUrl}.`,
    ...(left.length > 0 ? [`# Left out: ${left.join(', ')}.`] : []),
    '# Secrets are replaced. Make paths templates where ids vary, and bodies where they follow the world: docs/routes.md.',
  ].map((line) => line.replaceAll(/[\r\n]+/g, ' '));
  return `${head.join('\n')}\n${await yamlText({ routes: found.routes })}`;
}
