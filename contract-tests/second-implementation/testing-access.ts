/** Looks for broken statements about single sign-on, authentication and token scopes. */
import { randomUUID } from 'node:crypto';
import { isObject, type JsonObject } from './http.ts';
import { type Answer, type Client, claimsOf, isDateTime, isJwt, strings, type Tokens } from './testing-client.ts';

const PAT = /^.+_[^_.]+\..+$/;

function checkUser(user: unknown, { findings }: Client): void {
  findings.expect(isObject(user), 'SSO-09');
  if (!isObject(user)) return;
  findings.expect(typeof user.id === 'string', 'SSO-10');
  findings.expect(typeof user.email === 'string' && /^\S+@\S+\.\w+$/.test(user.email), 'SSO-11');
  findings.expect(typeof user.username === 'string', 'SSO-12');
  findings.expect(typeof user.confirmed === 'boolean', 'SSO-13');
  findings.expect(isDateTime(user.created_at), 'SSO-14');
}

/** Checks the answer to an SSO login of any user. */
function checkGrant(grant: JsonObject, client: Client): void {
  const { findings } = client;
  const { access_token, refresh_token, token_type, expires_in, user } = grant;
  const claims = claimsOf(access_token);
  findings.expect(typeof access_token === 'string', 'SSO-03');
  if (typeof access_token === 'string') findings.expect(isJwt(access_token), 'SSO-04');
  findings.expect(typeof refresh_token === 'string', 'SSO-05');
  findings.expect(token_type === 'bearer', 'SSO-06');
  findings.expect(Number.isInteger(expires_in), 'SSO-07');
  if (claims?.exp !== undefined && typeof expires_in === 'number') {
    const from = typeof claims.iat === 'number' ? claims.iat : Date.now() / 1000;
    findings.expect(Math.abs(Number(claims.exp) - from - expires_in) <= 2, 'SSO-08');
  }
  checkUser(user, client);
}

/** Signs in the admin by SSO and checks the answer; gives the access token. */
export async function checkSso(client: Client): Promise<string | undefined> {
  const { findings, service } = client;
  const { admin, member } = service.target.actors;
  const answer = await client.sso(admin);
  if (!answer.ok || !isObject(answer.json)) {
    const authorized = await client.ask('POST', '/v1/auth/sso', { body: admin.sso, token: 'anything' });
    findings.add(authorized.ok ? 'SSO-01' : 'SSO-02');
    return undefined;
  }
  checkGrant(answer.json, client);
  const { access_token } = answer.json;
  const idOf = (one: Answer): unknown => (isObject(one.json) && isObject(one.json.user) ? one.json.user.id : undefined);
  const id = idOf(answer);
  if (id === undefined) return typeof access_token === 'string' ? access_token : undefined;
  findings.expect(idOf(await client.sso(admin)) === id, 'SSO-17');
  if (member?.sso) {
    const other = await client.sso(member);
    if (isObject(other.json)) checkGrant(other.json, client);
    findings.expect(idOf(other) !== id, 'SSO-16');
  }
  return typeof access_token === 'string' ? access_token : undefined;
}

export async function checkLogin(client: Client): Promise<string | undefined> {
  const answer = await client.ask('POST', '/v1/auth/login', { body: client.service.target.actors.admin.login });
  const jwts = strings(answer.json).filter(([, text]) => isJwt(text));
  for (const [, text] of jwts) {
    const answers = [await client.scopes(text), await client.protectedCall('update', text)];
    if (answers.some((one) => one.ok)) return text;
  }
  client.findings.add('AUT-08');
  return undefined;
}

/** Creates a personal access token and checks its form. */
export async function checkPat(client: Client, jwt: string | undefined): Promise<string | undefined> {
  if (jwt === undefined) return undefined;
  const answer = await client.createPat(jwt);
  const candidates = strings(answer.json).filter(([name]) => /token$|value|personal/.test(name));
  const pat = candidates[0]?.[1];
  client.findings.expect(answer.ok && pat !== undefined, 'AUT-09');
  if (pat === undefined) return undefined;
  client.findings.expect(PAT.test(pat), 'AUT-10');
  return pat;
}

function tampered(jwt: string): string {
  const [header, payload, signature] = jwt.split('.');
  const claims = { ...claimsOf(jwt), admin: true };
  return [header, payload && Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
}

function unsigned(jwt: string): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(claimsOf(jwt))}.`;
}

/** Which credentials each protected operation takes and refuses. */
export async function checkAuthentication(client: Client, tokens: Tokens): Promise<void> {
  const { findings } = client;
  let createdPatWorks = false;
  for (const op of ['update', 'keys', 'scopes'] as const) {
    const accepted = async (token: string | undefined): Promise<boolean> => (await client.protectedCall(op, token)).ok;
    const works = {
      sso: tokens.sso !== undefined && (await accepted(tokens.sso)),
      login: tokens.login !== undefined && (await accepted(tokens.login)),
      pat: tokens.pat !== undefined && (await accepted(tokens.pat)),
    };
    createdPatWorks ||= works.pat;
    if (!works.sso && !works.login && !works.pat) continue;
    const anyJwt = tokens.sso ?? tokens.login;
    if (anyJwt !== undefined) findings.expect(works.sso || works.login, 'AUT-01');
    if (tokens.sso !== undefined && works.login) findings.expect(works.sso, 'SSO-15');
    if (tokens.pat !== undefined) findings.expect(works.pat, 'AUT-02');
    findings.expect(!(await accepted(undefined)), 'AUT-03');
    findings.expect(!(await accepted(`garbage-${randomUUID()}`)), 'AUT-04');
    const jwt = works.sso ? tokens.sso : tokens.login;
    if (claimsOf(jwt) !== undefined && jwt !== undefined) {
      findings.expect(!(await accepted(tampered(jwt))), 'AUT-05');
      findings.expect(!(await accepted(unsigned(jwt))), 'AUT-06');
    }
    if (tokens.pat?.includes('.') && works.pat) {
      findings.expect(
        !(await accepted(`${tokens.pat.slice(0, tokens.pat.lastIndexOf('.'))}.${randomUUID()}`)),
        'AUT-07',
      );
    }
  }
  if (tokens.pat !== undefined) findings.expect(createdPatWorks, 'AUT-09');
}

/** What an answer of the token scopes says: whether there are scopes in it, and the flag. */
function readScopes(answer: JsonObject): { listed: boolean; administrator: boolean | undefined } {
  const flags = JSON.stringify(answer).match(/"(?:is_)?admin(?:istrator)?":(true|false)|"role":"(admin|user)"/);
  const value = flags?.[1] ?? flags?.[2];
  return {
    listed: JSON.stringify(answer).includes('recordings:write'),
    administrator: value === undefined ? undefined : value === 'true' || value === 'admin',
  };
}

export async function checkScopes(client: Client, token: string, memberToken: string | undefined): Promise<void> {
  const { findings } = client;
  const answer = await client.scopes(token);
  if (answer.status === 405) findings.add('SCO-01');
  if (!answer.ok) return;
  const said = isObject(answer.json) ? readScopes(answer.json) : undefined;
  findings.expect(said?.listed === true, 'SCO-02');
  findings.expect(said?.administrator === true, 'SCO-03');
  if (memberToken === undefined) return;
  const other = await client.scopes(memberToken);
  if (other.ok) findings.expect(isObject(other.json) && readScopes(other.json).administrator === false, 'SCO-04');
}
