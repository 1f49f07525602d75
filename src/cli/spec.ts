import { type Command, Option } from 'commander';
import type { Answers } from '../core/profiles/answers.ts';
import type { Overlay } from './overlay.ts';

interface Flags {
  profile?: string;
  format: 'yaml' | 'json';
  overlay?: boolean;
}

/** `spec`: prints the resolved OpenAPI document, or an overlay over the default one. */
export function registerSpec(program: Command): void {
  program
    .command('spec')
    .description('print the OpenAPI document under the answers in force')
    .option('--profile <file|name>', 'answers to gaps')
    .option('--overlay', 'as an OpenAPI Overlay 1.0 document over the default document')
    .addOption(new Option('--format <format>', 'output format').choices(['yaml', 'json']).default('yaml'))
    .action(async ({ profile, format, overlay }: Flags) => {
      const { loadProfile } = await import('../server/files/profile-file.ts');
      const { resolve } = await import('../core/spec/resolve.ts');
      const answers = loadProfile(profile);
      const document = overlay ? await overlayOf(answers) : resolve(answers.all);
      const { stringify } = await import('yaml');
      const text =
        format === 'json'
          ? `${JSON.stringify(document, null, 2)}\n`
          : stringify(document, { aliasDuplicateObjects: false, lineWidth: 120 });
      process.stdout.write(text);
    });
}

async function overlayOf(answers: Answers): Promise<Overlay> {
  const { resolve } = await import('../core/spec/resolve.ts');
  const { defaultAnswers } = await import('../core/spec/gaps.ts');
  const { overlayBetween } = await import('./overlay.ts');
  const { packageVersion } = await import('../server/files/package-root.ts');
  return overlayBetween(resolve(defaultAnswers()), resolve(answers.all), {
    title: `Platform API under the profile ${answers.profile}, over the default one`,
    version: packageVersion,
    'x-answers': { ...answers.differences() } as Overlay['info'],
  });
}
