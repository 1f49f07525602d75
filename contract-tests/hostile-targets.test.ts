import { expect, test } from 'vitest';
import { compareReports } from './compare/compare.ts';
import { renderComparison } from './compare/render.ts';
import { learn } from './learn.ts';
import { profileText } from './learned-profile.ts';
import { renderAnnotations } from './report/github.ts';
import { renderHtml } from './report/html.ts';
import { renderJunit } from './report/junit.ts';
import { renderMarkdown } from './report/markdown.ts';
import { renderPlan } from './report/plan.ts';
import { renderTerminal } from './report/terminal.ts';
import { readRunInput } from './run-input.ts';
import { withFiles } from './testing/fixtures.ts';
import { CANARIES, echoed, HOSTILE_TARGETS, hostileTarget, startHostile } from './testing/hostile-targets.ts';
import { planOf, verify } from './verify.ts';

// bench/attack/targets.test.ts runs the built suite at every one of them; here is the one that attacks what is written.

const SECRETS = [CANARIES.password, CANARIES.edgePass, CANARIES.oid, String(CANARIES.pin)].flatMap(echoed);

async function at<T>(id: string, use: (targetFile: string) => Promise<T>): Promise<T> {
  const hostile = HOSTILE_TARGETS.find((each) => each.id === id);
  if (!hostile) throw new Error(`There is no hostile target ${id}.`);
  const { baseUrl, close } = await startHostile(hostile);
  const url = baseUrl.replace('//', `//qa:${encodeURIComponent(CANARIES.password)}@`);
  return withFiles({ 'target.yaml': hostileTarget(url) }, (path) => use(path('target.yaml'))).finally(close);
}

test('no artefact tells a credential that a target echoes, however it spells it', () =>
  at('echo', async (targetFile) => {
    const report = await verify({ targetFile, quick: true });
    const plan = await planOf(readRunInput({ targetFile }));
    const learned = await learn({ targetFile }).then(profileText, (error: Error) => error.message);
    const artefacts = {
      json: JSON.stringify(report),
      html: renderHtml(report),
      markdown: renderMarkdown(report),
      junit: renderJunit(report),
      terminal: renderTerminal(report),
      annotations: renderAnnotations(report),
      comparison: renderComparison(report, report, compareReports(report, report)),
      plan: JSON.stringify(plan) + renderPlan(plan),
      learned,
    };
    expect(artefacts.json).toContain('‹');
    for (const [name, text] of Object.entries(artefacts))
      expect({ name, told: SECRETS.filter((secret) => text.includes(secret)) }).toEqual({ name, told: [] });
  }));
