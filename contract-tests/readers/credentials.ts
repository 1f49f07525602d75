import { partsOfPat } from '../api/token-forms.ts';
import { findPats, refreshTokenIn } from '../api/tokens-in-answers.ts';
import { isOk, jsonIn, sentObject, statusOf } from '../log/entry.ts';
import { findStrings, type JsonObject } from '../values/json.ts';
import { askerOf, claimsOf } from './questions.ts';
import { isRefusedAsInvalid, type Look, type Read, undetermined, unexpected } from './reader.ts';
import { learned, looksSecret, scopesShape, shapeBy, valuesAt } from './shapes.ts';

/** What is before the id of a PAT: the id, where the answer has it, shows where the prefix ends. */
function prefixOf(pat: string, ids: readonly string[]): string {
  const head = partsOfPat(pat)?.head.slice(0, -1) ?? '';
  const id = ids.find((one) => head.endsWith(`_${one}`));
  const [prefix = '', ...others] = id === undefined ? head.split('_') : [head.slice(0, -id.length - 1), id];
  return others.length === 1 ? prefix : undetermined('the PAT has more than one underscore before its secret');
}

/** The answers of the token scopes to callers of whom it is known whether they are administrators: these come first. */
function scopesIn(look: Look): { body: unknown; isAdmin: boolean }[] {
  look.any('scopes-as-member');
  return (['admin', 'member'] as const).flatMap((asker) => {
    const answers = look.any('scopes').filter((entry) => isOk(entry) && askerOf(entry, look.log) === asker);
    return answers.map((entry) => ({ body: jsonIn(entry), isAdmin: asker === 'admin' }));
  });
}

/** Single sign-on (4.1), the password login, the exchange of refresh tokens and PATs (5), and token scopes (4.4). */
export const credentials: Readonly<Record<string, Read>> = {
  'sso-required-claims': (look) =>
    ['oid', 'tid', 'upn'].filter((claim) => {
      if (claimsOf(look.log)[claim] === undefined) return undetermined(`actors.admin.sso has no ${claim}`);
      const entry = look.take(`sso-without-${claim}`);
      return !isOk(entry) && (statusOf(entry) < 500 || unexpected(entry));
    }),
  // The fields are those of the target file: that the login with them succeeds shows that they are right.
  'login-request': (look) => {
    const entry = look.take('login');
    if (!isOk(entry)) unexpected(entry);
    const shape = shapeBy('login-request', sentObject(entry));
    const whole = Object.values(shape.template as JsonObject).filter((meaning) => meaning !== '${any}');
    if (whole.length === 2) return learned(shape, '${password}');
    return undetermined(`the login accepts ${Object.keys(sentObject(entry)).join(', ')}`);
  },
  'refresh-path': (look) => look.take('refresh').path,
  'refresh-request': (look) => {
    const { template } = look.take('refresh').refresh ?? {};
    if (!template) return 'bearer-header';
    // What else is sent may be a secret of a client.
    const others = Object.entries(template).filter(([, value]) => value !== '${refreshToken}');
    if (others.some(([name, value]) => name !== 'grant_type' || value !== 'refresh_token'))
      return undetermined(`it is sent with ${others.map(([name]) => name).join(', ')}`);
    return { template };
  },
  'refresh-rotation': (look) => {
    look.any('refresh');
    const again = look.take('refresh-again');
    if (isOk(again)) return 'reuse';
    if (statusOf(again) >= 500) unexpected(again);
    const { token, exchanged } = again.refresh ?? {};
    const next = exchanged && refreshTokenIn(exchanged);
    if (next !== undefined && next !== token) return 'rotate';
    return undetermined('the token is refused the second time, but the first answer carried no new one');
  },
  // What expires_in says; a rule compares it with the JWT.
  'access-token-lifetime': (look) => {
    const { expires_in: lifetime } = (jsonIn(look.take('sso')) ?? {}) as JsonObject;
    return Number.isInteger(lifetime) ? lifetime : undetermined('the SSO login states no lifetime');
  },
  'pat-create-request': (look) => {
    const made = look.success('pat');
    const sent = sentObject(made);
    const leaner = look.any('pat').filter((entry) => entry.n < made.n && isRefusedAsInvalid(entry));
    // The leanest bodies come first, so what precedes the success was refused.
    if (Object.keys(sent).length > 0 && !leaner.some((entry) => Object.keys(sentObject(entry)).length === 0))
      return undetermined('leaner bodies were not tried before the PAT was made');
    const { template } = shapeBy('pat-create-request', sent);
    // Scopes may be added where they are not needed: nothing shows otherwise.
    const optional = {
      ...(Object.keys(sent).length === 0 && { 'name?': '${name}' }),
      ...(!('scopes' in sent) && (Object.keys(sent).length === 0 || 'name' in sent) && { 'scopes?': '${scopes}' }),
    };
    return { template: { ...(template as JsonObject), ...optional } };
  },
  'pat-prefix': (look) => {
    const made = look.success('pat');
    const ids = findStrings(jsonIn(made)).flatMap(({ path, value }) => (path.at(-1) === 'id' ? [value] : []));
    return prefixOf(findPats(made.answer)[0] ?? '', ids);
  },
  'pat-lifetime': (look) => {
    const made = jsonIn(look.success('pat'));
    const { template } = shapeBy('pat-create-response', made as JsonObject);
    const [[expires], [created]] = [valuesAt('${expiresAt}', template, made), valuesAt('${createdAt}', template, made)];
    if (expires === null) return 0;
    const seconds = (Date.parse(String(expires)) - Date.parse(String(created))) / 1000;
    return seconds > 0 ? Math.round(seconds) : undetermined('the answer does not say when the PAT expires');
  },
  'scopes-path': (look) => {
    const entry = look.success('scopes');
    return jsonIn(entry) !== undefined ? entry.path : undetermined(`${entry.path} is not answered with JSON`);
  },
  'scopes-response': (look) => {
    const answered = scopesIn(look);
    if (answered[0]?.isAdmin) return learned(scopesShape(answered), '${scope}', '${isAdmin}');
    return undetermined('nothing shows what an administrator is answered');
  },
  'scope-values': (look) => {
    // Every scope is available to an administrator, so what admin sees is all.
    const answered = scopesIn(look).filter(({ isAdmin }) => isAdmin);
    const found = answered.flatMap(({ body }) => valuesAt('${scope}', scopesShape(answered).template, body));
    const names = [...new Set(found)].filter((name) => typeof name === 'string');
    if (names.length === 0 || names.some((name) => /\s/.test(name)))
      return undetermined('no scope was recognised in what an administrator is answered');
    if (names.some(looksSecret)) return undetermined('a scope looks like a credential');
    return names.toSorted();
  },
};
