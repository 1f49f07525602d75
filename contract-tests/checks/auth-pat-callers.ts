import { untested, violation } from '../failure.ts';
import { adminClaim, statementsOf } from '../session/admin-claim.ts';
import { listsScopes } from '../session/scope-listing.ts';
import type { Session } from '../session/session.ts';
import { type Answer, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject, type JsonObject, show } from '../wire/json.ts';
import { whileUnchanged } from './changing-lists.ts';
import type { Check } from './check.ts';
import { sameValue } from './field-rules.ts';
import { sameId } from './formats.ts';
import { allKeys, filtered, keysOf } from './key-lists.ts';
import { missingFrom } from './listed-keys.ts';
import { PROTECTED } from './operations.ts';
import { isPaged, mayBePage } from './pages.ts';
import { acceptedAnswer, MAKES_PAT, patHeader, refusedToPat } from './pat-answers.ts';

const { scopes, 'api-keys': apiKeys } = PROTECTED;

/** A PAT that was given may be somebody else's. */
async function whose(session: Session): Promise<string> {
  const { source } = await session.pats.of('admin');
  return source.startsWith('actors.') ? ` Check that ${source} is of the user that admin signs in as.` : '';
}

const administrator: Check = {
  id: 'pat-administrator',
  requirements: ['AUT-02'],
  title:
    'the scopes answer says to a PAT what it says to a JWT: that there are scopes, and whether its user is an administrator',
  needs: scopes.needs,
  writes: [MAKES_PAT],
  async run(session) {
    const toPat = await acceptedAnswer(session, scopes);
    const toJwt = await session.scopes.of('admin');
    const [pat, jwt] = [jsonOf(toPat), jsonOf(toJwt)];
    if (listsScopes(jwt) && !listsScopes(pat)) {
      throw violation('The scopes answer lists no scopes to a PAT.', 'those that a JWT gets', show(pat))
        .of('SCO-02')
        .seenIn(toPat);
    }
    const [said, expected] = [adminClaim(pat), adminClaim(jwt)];
    if (!expected || (said?.isWeak && !expected.isWeak)) {
      if (statementsOf(pat) === statementsOf(jwt)) return;
      throw untested('nothing in the answers is named after administrators, and they differ in what may be about them');
    }
    if (said?.isAdmin === expected.isAdmin) return;
    throw violation(
      said
        ? `The scopes answer says another thing of administrators to a PAT than to a JWT of its user.${await whose(session)}`
        : 'The scopes answer does not say to a PAT whether its user is an administrator.',
      { [expected.path.join('.')]: expected.value },
      said ? { [said.path.join('.')]: said.value } : show(pat),
    )
      .of(expected.isAdmin ? 'SCO-03' : 'SCO-04')
      .seenIn(toPat);
  },
};

const sameKeys: Check = {
  id: 'pat-api-keys',
  requirements: ['AUT-02'],
  isThorough: true,
  title: 'the API keys listed to a PAT, with filters and without, are those listed to a JWT of its user',
  needs: apiKeys.needs,
  writes: [MAKES_PAT],
  run: (session) => whileUnchanged(session, () => compareKeys(session)),
};

async function compareKeys(session: Session): Promise<void> {
  const whole = await acceptedAnswer(session, apiKeys);
  const all = await session.apiKeys.all();
  const keys = await allKeys(session);
  const toPat = keysOf(whole, 'keys-every-list');
  const more = missingFrom(toPat, keys);
  if (isPaged(all, keys) || mayBePage(keys, more, [toPat])) {
    if (more.length > 0) throw untested('the list may be one page of more, and how pages work is not documented');
  }
  assertSameKeys(toPat, keys, whole, 'KEY-17', await whose(session));
  const query = narrowest(keys);
  const headers = await patHeader(session);
  const answer = await session.recorder.once(`api keys by PAT ${new URLSearchParams(query)}`, () =>
    session.apiKeys.of(session.resource('tenantId'), query, headers),
  );
  if (!isSuccess(answer)) throw await refusedToPat(session, apiKeys, answer);
  assertSameKeys(keysOf(answer, 'keys-every-list'), await filtered(session, query), answer, 'KEY-15', '');
}

/** Both filters, with the values of the API key for which each filter excludes the most others. */
function narrowest(keys: JsonObject[]): { provider: string; status: string } {
  const others = (key: JsonObject, field: 'provider' | 'status', other: 'provider' | 'status'): number =>
    keys.filter((each) => each[field] === key[field] && each[other] !== key[other]).length;
  const weight = (key: JsonObject): number =>
    Math.min(others(key, 'provider', 'status'), others(key, 'status', 'provider'));
  const [key] = keys.toSorted((a, b) => weight(b) - weight(a));
  return { provider: String(key?.provider), status: String(key?.status) };
}

function assertSameKeys(
  toPat: JsonObject[],
  toJwt: JsonObject[],
  shown: Answer,
  requirement: string,
  hint: string,
): void {
  const [more, left] = [missingFrom(toPat, toJwt), missingFrom(toJwt, toPat)];
  const other = toPat.flatMap((key) => {
    const same = toJwt.find(({ id }) => sameId(id, key.id));
    const fields = same
      ? ['provider', 'name', 'status', 'created_at'].filter((each) => !sameValue(each, key[each], same[each]))
      : [];
    return fields.map((field) => ({ id: key.id, [field]: key[field], toJwt: same?.[field] }));
  });
  if (more.length === 0 && left.length === 0 && other.length === 0) return;
  throw violation(
    `The API keys listed to a PAT are not those listed to a JWT of its user.${hint}`,
    toJwt.map(({ id }) => id),
    { more, missing: left, ...(isObject(other[0]) ? { other: other[0] } : {}) },
  )
    .of(requirement)
    .seenIn(shown);
}

/**
 * What a caller with a PAT is answered. Both types of token are accepted alike (part 5), so it is the same as with a JWT. Without a
 * PAT the requirements are judged all the same, so that they are named only where a PAT breaks them.
 */
export const patCallerChecks: Check[] = [administrator, sameKeys];
