// Each shipped profile resolves to a valid document. docs/reference/profile.md describes them.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { testFolder } from '../../../contract-tests/testing/folder.ts';
import { overlayBetween } from '../../cli/overlay.ts';
import { targetOf } from '../../control/target.ts';
import { Answers } from '../../core/profiles/answers.ts';
import { shippedProfiles } from '../../core/profiles/load.ts';
import { publishedWithSeed } from '../../core/publish/with-seed.ts';
import { createMock } from '../../index.ts';
import { packageFile } from './package-root.ts';
import { loadProfile } from './profile-file.ts';

const names = shippedProfiles();

// `npm run score` judges the mock under each of them.
test.each(names)('%s: the mock tells its target file the answers that differ', async (name) => {
  const { world } = await createMock({ profile: name });
  const { profile } = targetOf(world, 'http://mock.test');
  expect(typeof profile === 'object' ? profile.answers : {}).toEqual(loadProfile(name).differences());
});

test("Redocly's lint accepts the documents and overlays", async () => {
  const folder = testFolder();
  const base = await publishedWithSeed(Answers.of());
  const documents = names.map(async (name) => ({ name, document: await publishedWithSeed(loadProfile(name)) }));
  const files = (await Promise.all(documents)).flatMap(({ name, document }) => {
    const overlay = overlayBetween(base, document, { title: name, version: '1' });
    return [
      { file: join(folder, `${name}.openapi.json`), document },
      { file: join(folder, `${name}.overlay.json`), document: overlay },
    ];
  });
  for (const { file, document } of files) await writeFile(file, JSON.stringify(document));
  const config = packageFile('redocly.yaml');
  const redocly = packageFile('node_modules', '@redocly', 'cli', 'bin', 'cli.js');
  const args = [redocly, 'lint', '--format=stylish', `--config=${config}`, ...files.map(({ file }) => file)];
  // Exits with 1 on any error; execFile then throws with the output.
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { stderr } = await promisify(execFile)(process.execPath, args, { env });
  expect(stderr.match(/validated in/g)).toHaveLength(files.length);
});
