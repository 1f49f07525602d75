import { type Command, InvalidArgumentError, Option } from 'commander';
import type { JsonObject } from '../core/spec/document.ts';
import { yamlText } from './options.ts';
import type { Overlay } from './overlay.ts';

interface Flags {
  profile?: string;
  format: 'yaml' | 'json';
  overlay?: boolean;
  documentedOnly?: boolean;
  server?: string;
}

export function registerSpec(program: Command): void {
  program
    .command('spec')
    .description('print the OpenAPI document under the answers in force, with examples from the seed data')
    .option('--profile <file|name>', 'answers to gaps')
    .option('--server <url>', 'base URL of the API, for tools that call it', baseUrl)
    .option('--overlay', 'as an OpenAPI Overlay 1.0 document over the default document')
    .addOption(
      new Option('--documented-only', 'only what the source document states: no answer to a gap, no example').conflicts(
        ['profile', 'overlay'],
      ),
    )
    .addOption(new Option('--format <format>', 'output format').choices(['yaml', 'json']).default('yaml'))
    .action(async (flags: Flags) => {
      const document = await documentFor(flags);
      const isJson = flags.format === 'json';
      process.stdout.write(isJson ? `${JSON.stringify(document, null, 2)}\n` : await yamlText(document));
    });
}

function baseUrl(text: string): string {
  const { protocol } = URL.canParse(text) ? new URL(text) : { protocol: '' };
  if (!/^https?:$/.test(protocol)) throw new InvalidArgumentError('Expected a URL such as http://127.0.0.1:4010.');
  return text.replace(/\/$/, '');
}

async function documentFor({ profile, overlay, documentedOnly, server }: Flags): Promise<JsonObject | Overlay> {
  if (documentedOnly) {
    const { documentedOnly: documented } = await import('../core/publish/documented.ts');
    return { ...documented(), ...(server !== undefined && { servers: [{ url: server }] }) };
  }
  const { loadProfile } = await import('../server/files/profile-file.ts');
  const { publishedWithSeed } = await import('../core/publish/with-seed.ts');
  const answers = loadProfile(profile);
  const document = await publishedWithSeed(answers, server);
  if (!overlay) return document;
  const { Answers } = await import('../core/profiles/answers.ts');
  const { overlayBetween } = await import('./overlay.ts');
  const { packageVersion } = await import('../server/files/package-root.ts');
  const before = await publishedWithSeed(Answers.of());
  return overlayBetween(before, document, {
    title: `Platform API under the profile ${answers.profile}, over the default one`,
    version: packageVersion,
    'x-answers': { ...answers.differences() } as Overlay['info'],
  });
}
