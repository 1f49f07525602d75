/** Servers that answer in order to harm the client: the suite must end in time, tell nothing, and be commanded by none of them. */
import type { IncomingMessage, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { jwtOf } from './fixtures.ts';
import { ODD_OBJECT } from './odd-json.ts';
import { SPELLINGS } from './spelled.ts';

interface Asked {
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

interface Answered {
  status?: number;
  headers?: Record<string, string | string[]>;
  body: string;
}

export interface HostileTarget {
  id: string;
  /** "A server that …" */
  description: string;
  answer(asked: Asked): Answered;
}

/** What the target file gives: none of it may be seen in anything that is written. */
export const CANARIES = {
  email: 'canary-admin@example.test',
  password: 'Kq7<w/"Vx+9 Zt&üE4',
  pin: 987_654_321_012,
  oid: 'oid-7f3a9c51-canary',
  edgePass: 'edge-Pw-51c8e0',
} as const;

/** A target file for a hostile server, with the canaries as credentials. */
export const hostileTarget = (baseUrl: string) => ({
  baseUrl,
  headers: { 'X-Env-Pass': CANARIES.edgePass },
  actors: {
    admin: {
      sso: { oid: CANARIES.oid, tid: 'tid-of-the-tenant', upn: CANARIES.email },
      login: { email: CANARIES.email, password: CANARIES.password, device: { pin: CANARIES.pin } },
    },
    member: { sso: { oid: 'oid-of-the-member-1', tid: 'tid-of-the-tenant', upn: 'member@example.test' } },
  },
  resources: { recordingId: 'rec-1', tenantId: 'ten-1' },
});

const megabyte = 1_000_000;
const user = { id: 'u1', email: 'a@b.test', username: 'a', confirmed: true, created_at: '2026-01-01T00:00:00Z' };
const terms = { refresh_token: 'refresh-1f9d2c', token_type: 'Bearer', expires_in: 3600, user };
const grant = (token: string): string => JSON.stringify({ access_token: token, ...terms });
const isSignIn = ({ path }: Asked): boolean => /\/auth\/|login/.test(path);
const token = jwtOf({ sub: 'u1', exp: 4_000_000_000 }, 'c2lnbmF0dXJlLW9mLXRoZS10b2tlbg');

/** Signs everybody in, and answers everything else with this: text as it is, anything else as JSON. */
const withBody = (
  id: string,
  description: string,
  value: unknown,
  { status = 200, tokenOf = () => token } = {},
): HostileTarget => {
  const body = typeof value === 'string' ? value : JSON.stringify(value);
  return { id, description, answer: (asked) => (isSignIn(asked) ? { body: grant(tokenOf()) } : { status, body }) };
};
const times = <T>(count: number, of: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => of(at));

const RECORD = ['id', 'title', 'status', 'user_id', 'created_at', 'updated_at', 'filename', 'data', 'error', 'message'];

const commands =
  '\u001b[2J\u001b]0;owned\u0007\n::error file=a.js::owned\n##[error]owned\r\n::set-output name=a::b\u009b31m';

/** A text in spellings in which servers echo it. */
export const echoed = (text: string): string[] => [
  ...Object.values(SPELLINGS).map((spell) => spell(text)),
  text.slice(2),
  text.slice(0, -2),
];

export const HOSTILE_TARGETS: readonly HostileTarget[] = [
  withBody('huge-token', 'signs in with an access token of 3.9 MB', [], { tokenOf: () => 'eyJ-'.repeat(975_000) }),
  withBody('new-tokens', 'signs in with another access token of 300 KB each time', [], {
    tokenOf: () => `${Math.random()}`.repeat(16_000),
  }),
  withBody('objects', 'answers with a megabyte of empty objects', `[${'{},'.repeat(megabyte / 3)}{}]`),
  withBody('nested', 'answers with a megabyte of nested lists', '['.repeat(megabyte / 2) + ']'.repeat(megabyte / 2)),
  withBody(
    'members',
    'answers with 8,000 members that are called secrets',
    Object.fromEntries(times(8000, (at) => [`secret${at}`, `value-${at}-${at * 7919}`])),
  ),
  withBody(
    'keys',
    'lists 600 API keys, each with its own provider and status',
    times(600, (at) => ({ id: `k${at}`, provider: `p${at}`, status: `s${at}` })),
  ),
  withBody('names', 'answers with a record whose members have no text, and names that every object has', {
    ...Object.fromEntries(RECORD.map((name) => [name, ODD_OBJECT])),
    ...(ODD_OBJECT as object),
  }),
  withBody('lists of names', 'lists API keys whose members have no text', [
    ODD_OBJECT,
    { id: ODD_OBJECT },
    [ODD_OBJECT],
  ]),
  withBody('long', 'answers everything with 4 MB', { title: 'x'.repeat(4 * megabyte) }),
  {
    id: 'commands',
    description: 'answers with what commands terminals and CI',
    answer: () => ({
      status: 400,
      headers: { 'X-Command': commands.replace(/[^ -~]/g, ' ') },
      body: JSON.stringify({ error: commands, title: commands, [commands]: commands }),
    }),
  },
  {
    id: 'echo',
    description: 'echoes what it was sent, in other spellings',
    answer: ({ headers, body }) => {
      const { password, edgePass, oid, pin } = CANARIES;
      const texts = [body, password, edgePass, oid, String(pin), headers.authorization ?? ''].flatMap(echoed);
      const error = texts.join(' ');
      return {
        status: 400,
        headers: { 'X-Echo': error.replace(/[^ -~]/g, '?').slice(0, 6000), [`X-${edgePass}`]: '1' },
        body: JSON.stringify({ error, pin, [password]: texts }),
      };
    },
  },
];

/** Answers as a hostile server does. */
export const listenerOf =
  ({ answer }: HostileTarget): RequestListener =>
  async (request, response) => {
    const { url: path = '', headers: sent } = request;
    const { status = 200, headers, body } = answer({ path, headers: sent, body: await text(request) });
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);
  };
