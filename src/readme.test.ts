import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { allChecks } from '../contract-tests/checks/catalogue.ts';
import { loadGaps, loadRequirements, packageRoot } from '../contract-tests/spec-data.ts';
import { checkAnswers } from '../contract-tests/target/profile.ts';
import { loadTargetFile } from '../contract-tests/target/target-file.ts';

const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text);

describe('the README says what is so', () => {
  test('the numbers of checks, requirements and gaps', () => {
    const excluded = loadRequirements().filter((requirement) => requirement.excluded !== undefined);
    expect(readme).toContain(
      `${allChecks.length} checks of ${loadRequirements().length - excluded.length} requirements`,
    );
    expect(readme).toContain(`named **gap**: ${loadGaps().length} of them`);
    expect(readme).toContain(`at all (${excluded.length}, each with its reason`);
  });

  test('the measure of the suite', () => {
    const score = JSON.parse(readFileSync(join(packageRoot, 'spec/score.json'), 'utf8')) as Record<string, number>;
    const { killed, faults, falseAlarms, variants, metaFaultsConforming, metaFaults } = score;
    expect(readme).toContain(
      `${killed} of ${faults} faults caught, ${falseAlarms} false alarms at ${variants} conforming variants, ${metaFaultsConforming} of ${metaFaults} broken servers green`,
    );
  });

  test('the profiles that ship', () => {
    const shipped = readdirSync(join(packageRoot, 'spec/profiles')).map((name) => name.replace('.yaml', ''));
    for (const name of shipped.filter((name) => name !== 'default')) expect(readme).toContain(`\`${name}\``);
  });

  test('the profile holds allowed answers', () => {
    const profile = parse(blocks.find((block) => block.includes('answers:')) ?? '') as {
      answers: Record<string, unknown>;
    };
    expect(Object.keys(profile.answers).length).toBeGreaterThan(1);
    checkAnswers(profile.answers, () => 'README.md');
  });

  test('the target file is one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'platform-mock-readme-'));
    const file = join(folder, 'target.yaml');
    writeFileSync(join(folder, 'ca.pem'), '');
    writeFileSync(file, blocks.find((block) => block.startsWith('baseUrl:')) ?? '');
    const target = loadTargetFile(file, { QA_PASSWORD: 'from the environment' });
    expect(target.actors?.admin?.login?.password).toBe('from the environment');
  });

  test('the requirements and checks that it names exist', () => {
    const ids = new Set([...loadRequirements().map(({ id }) => id), ...allChecks.map(({ id }) => id)]);
    for (const [id] of readme.matchAll(/\b(SSO|REC|KEY|SCO|AUT|GEN)-\d\d\b/g)) expect(ids).toContain(id);
  });
});
