import { type Command, Option } from 'commander';

interface Flags {
  profile?: string;
  format: 'yaml' | 'json';
}

/** `spec`: prints the resolved OpenAPI document. */
export function registerSpec(program: Command): void {
  program
    .command('spec')
    .description('print the OpenAPI document that the answers in force come to')
    .option('--profile <file|name>', 'answers to gaps')
    .addOption(new Option('--format <format>', 'how to write it').choices(['yaml', 'json']).default('yaml'))
    .action(async ({ profile, format }: Flags) => {
      const { loadProfile } = await import('../profiles/load.ts');
      const { resolve } = await import('../spec/resolve.ts');
      const document = resolve(loadProfile(profile).all);
      const { stringify } = await import('yaml');
      const text =
        format === 'json'
          ? `${JSON.stringify(document, null, 2)}\n`
          : stringify(document, { aliasDuplicateObjects: false, lineWidth: 120 });
      process.stdout.write(text);
    });
}
