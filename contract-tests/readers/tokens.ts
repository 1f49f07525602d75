import { OPERATIONS } from '../api/operations.ts';
import { partsOfPat } from '../api/token-forms.ts';
import { findPats } from '../api/tokens-in-answers.ts';
import { type Entry, isOk, jsonIn, sentObject } from '../log/entry.ts';
import { findStrings } from '../values/json.ts';
import { askerOf } from './questions.ts';
import { isRefusedAsInvalid, type Look, objectIn, type Read, Undetermined } from './reader.ts';
import { lifetimeIn, patRequestShape, patShape, scopeNames, scopesShape } from './shapes.ts';
import { looksSecret } from './vocabulary.ts';

/** What is before the id of a PAT: the id, where the answer has it, shows where the prefix ends. */
function prefixOf(pat: string, ids: readonly string[]): string {
  const head = partsOfPat(pat)?.head.slice(0, -1) ?? '';
  const id = ids.find((one) => head.endsWith(`_${one}`));
  const [prefix = '', ...others] = id === undefined ? head.split('_') : [head.slice(0, -id.length - 1), id];
  if (others.length === 1) return prefix;
  throw new Undetermined('the PAT has more than one underscore before its secret');
}

/** Answers of which a recording shows more than are needed. */
const ENOUGH = 10;

/** The answers of the token scopes to callers of whom it is known whether they are administrators. */
const listedTo = (look: Look, asker: 'admin' | 'member'): Entry[] =>
  look
    .any('scopes')
    .filter((entry) => isOk(entry) && askerOf(entry, look.log) === asker)
    .slice(0, ENOUGH);

/** Personal access tokens (5) and token scopes (4.4). */
export const tokens: Readonly<Record<string, Read>> = {
  'pat-create-request': (look) => {
    const made = look.success('pat');
    const sent = sentObject(made);
    const leaner = look.any('pat').filter((entry) => entry.n < made.n && isRefusedAsInvalid(entry));
    // The leanest bodies come first, so what precedes the success was refused.
    if (Object.keys(sent).length > 0 && !leaner.some((entry) => Object.keys(sentObject(entry)).length === 0))
      throw new Undetermined('leaner bodies were not tried before the PAT was made');
    return patRequestShape(sent);
  },
  'pat-create-response': (look) => {
    const made = look.success('pat');
    return patShape(objectIn(OPERATIONS.pat.name, made), sentObject(made));
  },
  'pat-prefix': (look) => {
    const given = look.log.actors.admin?.pat;
    if (given !== undefined) return prefixOf(given, []);
    const made = look.success('pat');
    const ids = findStrings(jsonIn(made)).flatMap(({ path, value }) => (path.at(-1) === 'id' ? [value] : []));
    return prefixOf(findPats(made.answer)[0] ?? '', ids);
  },
  'pat-lifetime': (look) => {
    const lifetime = lifetimeIn(objectIn(OPERATIONS.pat.name, look.success('pat')));
    if (lifetime !== undefined) return lifetime;
    throw new Undetermined('the answer does not say when the PAT expires');
  },
  'scopes-path': (look) => {
    const entry = look.success('scopes');
    if (jsonIn(entry) !== undefined) return entry.path;
    throw new Undetermined(`${entry.path} is not answered with JSON`);
  },
  'scopes-response': (look) => {
    look.any('scopes-as-member');
    const answered = (['admin', 'member'] as const).flatMap((asker) =>
      listedTo(look, asker).map((entry) => ({ body: jsonIn(entry), isAdmin: asker === 'admin' })),
    );
    if (answered[0]?.isAdmin) return scopesShape(answered);
    throw new Undetermined('nothing shows what an administrator is answered');
  },
  'scope-values': (look) => {
    // Every scope is available to an administrator, so what admin sees is all.
    const [entry] = listedTo(look, 'admin');
    const names = [...new Set(scopeNames(entry && jsonIn(entry)))];
    if (names.length === 0) throw new Undetermined('no scope was recognised in what an administrator is answered');
    if (names.some(looksSecret)) throw new Undetermined('a scope looks like a credential');
    return names.toSorted();
  },
};
