import { OPERATIONS } from '../api/operations.ts';
import { partsOfPat } from '../api/token-forms.ts';
import { findPats } from '../api/tokens-in-answers.ts';
import { type Entry, isOk, jsonIn, sentObject } from '../log/entry.ts';
import { findStrings } from '../values/json.ts';
import { askerOf } from './questions.ts';
import { isRefusedAsInvalid, type Look, objectIn, type Reader, reader, Undetermined } from './reader.ts';
import { lifetimeIn, patRequestShape, patShape, scopeNames, scopesShape } from './shapes.ts';
import { looksSecret } from './vocabulary.ts';

/** The answer that holds the first PAT. */
const made = (look: Look): Entry => look.success('pat', OPERATIONS.pat.name);

/** What is before the id of a PAT: the id, where the answer has it, shows where the prefix ends. */
function prefixOf(pat: string, ids: readonly string[]): string {
  const head = partsOfPat(pat)?.head.slice(0, -1) ?? '';
  const id = ids.find((one) => head.endsWith(`_${one}`));
  const [prefix = '', ...others] = id === undefined ? head.split('_') : [head.slice(0, -id.length - 1), id];
  if (others.length === 1) return prefix;
  throw new Undetermined('the PAT has more than one underscore before its secret');
}

/** Personal access tokens (5). */
const patReaders: readonly Reader[] = [
  reader({ gap: 'pat-create-request', of: ['pat'] }, (look) => {
    const created = made(look);
    const sent = sentObject(created);
    const leaner = look
      .all('pat')
      .filter((entry) => entry.n < created.n && isRefusedAsInvalid(entry))
      .map(sentObject);
    // The leanest bodies come first, so what precedes the success was refused.
    if (Object.keys(sent).length > 0 && !leaner.some((body) => Object.keys(body).length === 0))
      throw new Undetermined('leaner bodies were not tried before the PAT was made');
    return patRequestShape(sent);
  }),
  reader({ gap: 'pat-create-response', of: ['pat'] }, (look) => {
    const created = made(look);
    return patShape(objectIn(OPERATIONS.pat.name, created), sentObject(created));
  }),
  reader({ gap: 'pat-prefix', of: ['pat'] }, (look) => {
    const given = look.log.actors.admin?.pat;
    if (given !== undefined) return prefixOf(given, []);
    const created = made(look);
    const ids = findStrings(jsonIn(created)).filter(({ path }) => path.at(-1) === 'id');
    return prefixOf(
      findPats(created.answer)[0] ?? '',
      ids.map(({ value }) => value),
    );
  }),
  reader({ gap: 'pat-lifetime', of: ['pat'] }, (look) => {
    const lifetime = lifetimeIn(objectIn(OPERATIONS.pat.name, made(look)));
    if (lifetime !== undefined) return lifetime;
    throw new Undetermined('the answer does not say when the PAT expires');
  }),
];

/** Successes of which a recording shows more than are needed. */
const ENOUGH = 10;

/** The answers of the token scopes to callers of whom it is known whether they are administrators. */
function answersTo(look: Look, asker: 'admin' | 'member'): Entry[] {
  const own = look.log.entries.filter(
    (entry) =>
      entry.operation === 'scopes' && isOk(entry) && entry.query.length === 0 && askerOf(entry, look.log) === asker,
  );
  return own.slice(0, ENOUGH);
}

/** Token scopes (4.4). */
const scopeReaders: readonly Reader[] = [
  reader({ gap: 'scopes-path', of: ['scopes'] }, (look) => {
    const entry = look.success('scopes', OPERATIONS.scopes.name);
    if (jsonIn(entry) === undefined) throw new Undetermined(`${entry.path} is not answered with JSON`);
    return entry.path;
  }),
  reader({ gap: 'scopes-response', of: ['scopes'], may: ['scopes-as-member'] }, (look) => {
    look.success('scopes', OPERATIONS.scopes.name);
    look.any('scopes-as-member');
    const asAdmin = answersTo(look, 'admin').map((entry) => ({
      body: objectIn(OPERATIONS.scopes.name, entry),
      isAdmin: true,
    }));
    const asMember = answersTo(look, 'member').map((entry) => ({ body: jsonIn(entry), isAdmin: false }));
    if (asAdmin.length === 0) throw new Undetermined('nothing shows who is an administrator');
    return scopesShape([...asAdmin, ...asMember]);
  }),
  reader({ gap: 'scope-values', of: ['scopes'] }, (look) => {
    look.success('scopes', OPERATIONS.scopes.name);
    // Every scope is available to an administrator, so what admin sees is all.
    const [entry] = answersTo(look, 'admin');
    const names = [...new Set(scopeNames(entry && jsonIn(entry)))];
    if (names.length === 0) throw new Undetermined('no scope was recognised in what an administrator is answered');
    if (names.some(looksSecret)) throw new Undetermined('a scope looks like a credential');
    return names.toSorted();
  }),
];

export const tokenReaders: readonly Reader[] = [...patReaders, ...scopeReaders];
