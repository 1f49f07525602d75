/** Conforming implementations raise no alarm, and as many checks pass as are pinned. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type DefectId, STYLE_NAMES, type Style, type StyleName } from '../../fixtures/servers/second/server.ts';
import { resolveStyle } from '../../fixtures/servers/second/styles.ts';
import { alarmsOf, coverageChanges } from '../commands/alarms.ts';
import { judge, runAtSecond, violatedIn } from '../testing/judge.ts';

/** Of a whole run, repeated ones included. */
const MOST_REQUESTS = 240;

/** Without the path of the token scopes. */
const NO_SCOPES = /(^|-)scopes(-|$)/;
/** With keys whose status moves meanwhile. */
const MOVING_KEYS = /^keys-filter(-both|-.*-whole|s-partition)$/;
/** A login that hands out a cookie. */
const NO_LOGIN = /^login-(jwt|accepted-by)/;

/** Checks that cannot pass at a style, apart from those whose needs its target file does not meet. */
const NOT_PASSING: Partial<Record<StyleName | `mixture ${number}`, RegExp>> = {
  // No PAT can be made there without knowing what its request needs.
  strict: /(^|-)pat-/,
  minimal: NO_SCOPES,
  guarded: NO_LOGIN,
  'other-scopes': NO_SCOPES,
  'tokens-by-id': NO_SCOPES,
  welcome: NO_SCOPES,
  'something-everywhere': NO_SCOPES,
  'restless-tenant': MOVING_KEYS,
  'linked-pages': /^keys-filters-partition$/,
  postgresql: /^recording-update-(kb-|analysis|all)/,
  'mixture 2': NO_SCOPES,
  'mixture 3': NO_SCOPES,
  'mixture 7': NO_SCOPES,
  'mixture 13': NO_SCOPES,
  'mixture 16': MOVING_KEYS,
  'mixture 22': NO_SCOPES,
};

/** A style in which each answer is that of a named style, chosen by `seed`: a new style or field leaves the other choices as they are. */
function mixedStyle(seed: number): Style {
  const chosenFor = (field: string): unknown => {
    const weight = (name: StyleName): string => createHash('sha256').update(`${seed} ${field} ${name}`).digest('hex');
    const heaviest = STYLE_NAMES.reduce((best, name) => (weight(name) > weight(best) ? name : best));
    return Reflect.get(resolveStyle(heaviest), field);
  };
  const mixed = Object.keys(resolveStyle()).map((field) => [field, chosenFor(field)]);
  return { ...(Object.fromEntries(mixed) as Style), burst: 0 };
}

const named = STYLE_NAMES.map((name) => ({ name, style: name }));
const mixtures = Array.from({ length: 24 }, (_, seed) => ({
  name: `mixture ${seed}` as const,
  style: mixedStyle(seed),
}));

// Side by side, since some of them wait more than they compute: slow answers, and 429 for bursts.
test.concurrent.each([...named, ...mixtures])('$name is judged without an alarm', async ({ name, style }) => {
  const { checks, requests } = await runAtSecond({ style });
  expect(alarmsOf(checks)).toEqual([]);
  expect(coverageChanges(checks, NOT_PASSING[name])).toEqual([]);
  expect(requests.total).toBeLessThanOrEqual(MOST_REQUESTS);
});

test.concurrent.each<[style: StyleName, defect: DefectId, requirement: string]>([
  ['encrypted', 'auth-alg-none-accepted', 'AUT-06'],
  ['encrypted', 'pat-any-secret-of-members', 'AUT-07'],
  ['shared-tenant', 'keys-status-in-part', 'KEY-13'],
  ['shared-tenant', 'keys-filters-status-first', 'KEY-15'],
  ['silent-pages', 'keys-provider-ignored-for-pats', 'KEY-11'],
  ['silent-pages', 'keys-tenant-remembered', 'KEY-17'],
])('a defect is caught with any other decisions: %s with %s', async (style, defect, requirement) => {
  expect(violatedIn(await judge({ style, defects: [defect] }))).toContain(requirement);
});

test('a second run at the same deployment is judged as far as the first one', async () => {
  const checks = await judge({ style: 'postgresql', times: 2 });
  expect(coverageChanges(checks, NOT_PASSING.postgresql)).toEqual([]);
});
