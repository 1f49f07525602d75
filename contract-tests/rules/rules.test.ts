/** What each rule says of small logs (testing/small-log.ts): shown, violated, open, or nothing at all. */
import { describe, expect, test } from 'vitest';
import { type Field, fieldsOf, READ_ONLY_FIELDS, type RecordName } from '../api/records.ts';
import { FLAWS } from '../log/entry.ts';
import { judgeLog } from '../run/judge.ts';
import { smallLog } from '../testing/small-log.ts';
import { allRules } from './rules.ts';

const CASES = `
sso-without-authorization
  shown     admin sso
  violated  admin sso -> 401; admin.login sso
  open      admin.login sso
sso-claims-accepted
  shown     admin sso
  violated  admin sso -> 422
  open      recorded: stranger sso -> 422
  shown     admin sso -> 503; admin sso
  nothing   admin sso {oid: x, tid: y} -> 422 ! identity
sso-identities-differ
  shown     admin sso; member sso
  violated  admin sso; member sso -> {user: {id: u-admin}}
  violated  admin sso -> {access_token: x.y.z}; member sso -> {access_token: x.y.z}
  violated  admin sso; member sso -> {user: {email: Admin@example.test}}
  shown     admin sso -> {user: {email: a@b.test}}; member sso -> {user: {email: a@b.test}}
  nothing   admin sso; admin sso
sso-strangers
  shown     admin sso; stranger sso {oid: new, tid: tid} ! identity
  shown     admin sso; stranger sso {oid: new, tid: tid} -> 403 ! identity
  violated  admin sso; stranger sso {oid: new, tid: tid} -> {user: {id: u-admin}} ! identity
  shown     admin sso; stranger sso {oid: oid-admin, tid: tid} -> {user: {id: u-admin}} ! identity
  violated  admin sso; stranger sso {oid: new, tid: tid} -> 401 ={access_token: eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2lnbg} ! identity
sso-overlapping
  shown     admin sso; & member sso; admin sso; & member sso
  violated  admin sso; admin sso; & member sso; admin sso -> {user: {id: u-member}}; & member sso
sso-identity-stable
  shown     admin sso; admin sso
  violated  admin sso; admin sso -> {user: {id: u-2}}
  violated  admin sso; admin sso -> {user: {created_at: 2026-03-01T10:00:00Z}}
  violated  admin sso; admin sso -> 401
  violated  admin sso; admin sso -> {user: {username: b}}; admin sso; admin sso -> {user: {username: b}}
  shown     admin sso; admin sso -> {user: {username: renamed}}
  shown     admin sso -> {user: {created_at: '2026-03-01T10:00:00.123Z'}}; admin sso -> {user: {created_at: '2026-03-01T10:00:00Z'}}
sso-access-token-jwt
  shown     admin sso
  violated  admin sso -> {access_token: opaque}
  open      admin sso -> {access_token: 7}
sso-expires-in-seconds
  shown     admin sso
  violated  admin sso -> {expires_in: 3600, access_token: AS_OF_A_MINUTE}
  violated  admin sso -> {expires_in: 0}
  open      admin sso -> {access_token: opaque}
recording-answered
  shown     admin patch
  violated  admin patch -> ={id: r1}
  violated  admin patch -> ok
recording-addressed
  shown     admin patch
  violated  admin patch -> {id: r2}
  nothing   admin patch r1x -> {id: r1} ! recording
  open      admin patch -> ok
recording-title-exact
  shown     admin patch {title: A}
  shown     admin.pat patch {title: A}
  violated  admin patch {title: "A "} -> {title: A} ! title
  nothing   admin patch {title: "A\\0"} -> {title: A}
  nothing   admin patch {title: A} -> 422 ! title
recording-title-kept
  shown     admin patch {title: A}; admin patch -> {title: Before}; admin patch
  nothing   admin patch {title: A}; admin patch -> {title: B}; & admin patch {title: B}
  violated  recorded: admin patch; admin patch {title: A}; admin patch -> {title: Before}
  open      recorded: admin patch; admin patch {title: A}; admin patch -> {title: By somebody else}
  nothing   admin patch; admin patch {title: A run 00000001}; admin patch -> {title: B run 00000002}
  open      admin patch -> {title: B run 00000002}; admin patch {title: A}; admin patch -> {title: B run 00000002}
  violated  admin patch -> {title: B run 00000002}; admin patch {title: A1}; admin patch -> {title: B run 00000002}; admin patch {title: A2}; admin patch -> {title: B run 00000002}; admin patch {title: A3}; admin patch -> {title: B run 00000002}
  open      admin patch r2 {title: "2024"}; admin patch r1 {title: A run 00000001}; admin patch r1 -> {title: "2024"}
recording-others-kept
  violated  admin patch; admin patch -> {created_at: 2026-02-02T00:00:00Z}
  violated  admin patch; admin patch -> {language: fr}
  violated  admin patch -> {status: failed}; admin patch {title: a.mp3} -> {status: failed, filename: a.mp3}
  shown     admin patch -> {status: processing}; admin patch -> {status: completed, language: fr}; admin patch -> {language: fr}
  violated  admin patch {title: A}; admin patch; admin patch {analysis: {a: 1}} -> {title: Lost}; admin patch -> {title: Lost}
  violated  admin patch r1 {title: A run 00000001}; admin patch r2; admin patch r2 -> {title: A run 00000001}
recording-status-untouched
  shown     admin patch; admin patch
  violated  admin patch; admin patch {title: A} -> {status: processing}; admin patch -> {status: processing}
  open      admin patch; admin patch; admin patch -> {status: failed}
  open      admin patch {title: A}; admin patch {title: B}; admin patch -> {status: failed}; admin patch {title: C}; admin patch {title: D} -> {status: failed}; admin patch {kb_folder_id: f} -> {status: failed}; admin patch {title: A}; admin patch {title: B} -> {status: failed}; admin patch {title: C}
  nothing   admin patch -> {status: processing}; admin patch -> {status: failed}
recording-carried
  nothing   admin patch {summary: One} -> {summary: unrelated}
  shown     admin patch {analysis: {a: 1}} -> {analysis: {a: 1}}; admin patch {analysis: {a: 1, more: 1}} -> {analysis: {a: 1}}
  violated  admin patch {analysis: {a: [1]}} -> {analysis: {a: [1]}}; admin patch {analysis: {a: [1, 1]}} -> {analysis: {a: [1]}}
  shown     admin patch {summary: One} -> {summary: One}; admin patch {title: A} -> {summary: null}
  violated  admin patch {summary: One} -> {summary: One}; admin patch {title: A} -> {summary: One}; admin patch {title: A} -> {summary: null}
refused-update-changes-nothing
  shown     admin patch {title: A} -> 403; admin patch
  violated  admin patch; admin patch {title: A} -> 403; admin patch -> {title: A}
  nothing   admin patch {title: A} -> 500; admin patch -> {title: A}
recording-update-title
  shown     admin patch {title: A}
  violated  admin patch; admin patch {title: A} -> 422
  open      admin patch; admin patch {title: A} -> 422 ! title
  nothing   admin patch; member patch {title: A} -> 403
  nothing   recorded: admin patch {title: Weekly} -> 422
  violated  recorded: admin patch; admin patch {title: Weekly} -> 422
  open      recorded: admin patch; admin patch {title: A} -> 422
recording-update-kb-folder-id
  shown     admin patch {kb_folder_id: f}
  violated  admin patch; admin patch {kb_folder_id: f} -> 400
  open      admin patch; admin patch {kb_folder_id: made-up} -> 404
recording-update-kb-document-id
  shown     admin patch {kb_document_id: d}
  violated  admin patch; admin patch {kb_document_id: d} -> 400
recording-update-summary
  shown     admin patch
  violated  admin patch {title: A}; admin patch -> 500
  open      admin patch {title: A}; admin patch -> 422 ! summary
  violated  admin patch {title: A}; admin patch -> 500 ! framing
  open      admin patch {title: A}; admin patch -> 501 ! framing
recording-update-analysis
  shown     admin patch {analysis: {}}
  violated  admin patch; admin patch {analysis: {a: 1}} -> 422
  violated  admin patch; admin patch {analysis: {a: 1}} -> 500 ! analysis
  open      admin patch; admin patch {analysis: {b: 2}} -> 422
recording-update-all
  shown     admin patch {title: A, kb_folder_id: f, kb_document_id: d, summary: s, analysis: {a: 1}}
  violated  admin patch; admin patch {title: A, kb_folder_id: f, kb_document_id: d, summary: s, analysis: {a: 1}} -> 422
recording-update-some
  shown     admin patch {title: A, summary: s}
  violated  admin patch; admin patch {title: A, summary: s} -> 422
keys-array
  shown     admin keys
  violated  admin keys -> ok
  violated  admin keys ?status=active -> "{}"
keys-no-secret
  shown     admin keys
  violated  admin keys -> [{id: k1, secret: sk-0123456789abcdefghij}]
  nothing   admin keys -> []
keys-provider-lower-case
  shown     admin keys
  violated  admin keys -> [{id: k1, provider: OpenAI}]
keys-unique
  shown     admin keys
  violated  admin keys -> [k1, k1]
keys-seven-providers
  shown     admin keys
  violated  admin keys -> [{provider: a}, {provider: b}, {provider: c}, {provider: d}]; admin keys -> [{provider: e}, {provider: f}, {provider: g}, {provider: h}]
keys-list
  shown     admin keys
  violated  admin keys ?status=active; admin keys -> 400
  nothing   member keys -> 403
keys-of-the-tenant
  shown     admin keys; admin keys t2 ! tenant
  shown     admin keys; admin keys t2 -> 404 ! tenant
  violated  admin keys; admin keys t2 -> [k1] ! tenant
  nothing   admin keys; admin keys
keys-filter-provider-only
  violated  admin keys; admin keys ?provider=openai -> 422
  shown     admin keys; admin keys ?provider=OPENAI -> [k1, k2] ! provider
  open      admin keys -> [k1, k2]; admin keys ?provider=openai -> [k1, k2]
  nothing   admin keys; admin keys ?provider=other -> 422 ! provider
keys-filter-provider-whole
  shown     admin keys; admin keys ?provider=openai; admin keys
  violated  admin keys; admin keys ?provider=openai -> [k1]; admin keys
  open      admin keys; admin keys ?provider=openai -> [k1]; admin keys -> [k1, k3, k4]
  open      admin keys ?provider=openai -> [k1]; admin keys
  nothing   admin keys; admin keys ?provider=other; admin keys
keys-filter-status-only
  shown     admin keys; admin keys ?status=active
  violated  admin keys; admin.pat keys ?status=none -> [k1] ! status
keys-filter-status-whole
  shown     admin keys; admin keys ?status=active; admin keys
  violated  admin keys; admin keys ?status=active -> [k1]; admin keys
keys-filter-both
  violated  admin keys; admin keys ?provider=openai&status=active -> [k1, k2]; admin keys
  violated  admin keys; admin keys ?status=active&provider=openai -> []; admin keys
  open      admin keys; admin keys ?provider=openai&status=active
  shown     admin keys -> x-next-page=2 [k3]; admin keys ?status=active; admin keys ?provider=openai&status=active; admin keys -> x-next-page=2 [k3]
  open      admin keys -> [k1]; admin keys ?provider=openai&status=active -> [k1]; admin keys -> [k1]
keys-filters-partition
  shown     admin keys; admin keys ?status=active; admin keys
  violated  admin keys -> [k1, k2, k4]; admin keys ?status=active; admin keys -> [k1, k2, k4]
  violated  admin keys; admin keys -> [k1, k2, k4]; admin keys
  violated  admin keys; admin keys ?provider=openai -> [k2]; admin keys ?status=active -> [k3]; admin keys
  open      admin keys -> x-next-page=2 [k1, k2]; admin keys ?status=active; admin keys -> x-next-page=2 [k1, k2]
  open      admin keys -> [TEN]; admin keys ?status=active -> [k3]; admin keys -> [TEN]
  nothing   admin keys -> []; admin keys ?status=active -> []; admin keys -> []
keys-overlapping
  shown     admin keys ?status=active; & admin keys ?status=revoked
  violated  admin keys; admin keys ?status=active; & admin keys ?status=revoked -> [k2]; admin keys
  violated  member sso; admin keys; member keys -> 403; & admin keys -> 403
  nothing   member sso; admin keys; member keys -> 403; & admin keys
  violated  member keys -> 403; admin keys; & member keys
keys-one-record
  shown     admin keys; admin keys ?status=active
  violated  admin keys; admin keys ?status=active -> [{id: k1, name: Other}]; admin keys; admin keys ?status=active -> [{id: k1, name: Other}]
  shown     admin keys; admin keys ?status=active -> [{id: k1, name: Renamed}]; admin keys -> [{id: k1, name: Renamed}]
pat-api-keys
  shown     admin keys; admin.pat keys; admin keys
  violated  admin keys; admin.pat keys -> [k1]; admin keys
  nothing   admin keys; admin.pat keys -> [k1]; admin keys -> [k1]
  violated  member keys -> 403; member.pat keys
  nothing   member keys -> 403; member.pat keys -> []
  nothing   member keys -> 403; member.pat keys -> 403
  nothing   admin keys -> x-next-page=2 [k1]; admin.pat keys; admin keys -> x-next-page=2 [k1]
scopes-available
  shown     admin scopes
  violated  admin scopes -> {scopes: null, is_admin: true}
scopes-answered
  shown     admin scopes
  violated  admin scopes; member scopes -> 403
  violated  admin scopes; member scopes -> 404
  violated  admin scopes; admin scopes -> 500 ! expiry
  shown     admin scopes; admin scopes -> 419 ! expiry
  open      admin scopes -> 403
scopes-administrator
  shown     admin scopes
  violated  admin scopes -> {is_admin: false}
  violated  admin scopes; admin.pat scopes -> {is_admin: x}
  violated  admin scopes; admin.login scopes -> ={scopes: [a]}
  violated  admin scopes -> {is_admin: x}; member scopes -> {is_admin: x}
  shown     admin scopes -> {is_admin: x, kind: boss}; member scopes -> {is_admin: x, kind: worker}
  open      admin scopes -> {is_admin: x}
  open      admin keys -> 403; admin scopes -> {is_admin: false}
scopes-no-administrator
  shown     member scopes
  violated  member scopes -> {is_admin: true}
  shown     admin scopes; member scopes; member.login scopes -> ={scopes: [a]}
  open      member scopes -> {is_admin: x}
scopes-of-each-caller
  shown     member sso; admin scopes; admin scopes; & member scopes
  violated  member sso; admin scopes; admin scopes -> {is_admin: false}; & member scopes
  violated  admin scopes; admin scopes -> {scopes: ['a:b']}; admin scopes
  shown     admin scopes; admin scopes -> {scopes: ['a:b']}
  violated  admin scopes; admin.refreshed scopes -> {scopes: []}
  shown     admin scopes; admin.refreshed scopes
pat-administrator
  shown     admin scopes; admin.pat scopes
  violated  admin scopes; admin.pat scopes -> {is_admin: false}
  violated  admin scopes; admin.pat scopes -> {scopes: []}
  violated  admin scopes -> {scopes: [all:do]}; member scopes; member.pat scopes -> {scopes: [keys:list, all:do]}
  shown     admin scopes -> {scopes: [all:do]}; member scopes; member.pat scopes -> {scopes: [keys:list, mine:do]}
  shown     admin scopes -> {scopes: [all:do]}; member scopes; admin.pat scopes -> {scopes: [keys:list]}
login-user
  shown     admin scopes; admin.login scopes
  violated  admin scopes; admin.login scopes -> {is_admin: false}
  open      member scopes; member.login scopes -> {is_admin: true}
  shown     admin sso; admin login -> {user: {id: u-admin, email: admin@example.test}}
  violated  admin sso; admin login -> {user: {id: no-1, email: admin@example.test}}
  nothing   admin sso; admin login -> {user: {id: no-1, email: other@example.test}}
sso-identity-kept
  shown     admin scopes; admin sso; admin scopes
  violated  admin scopes; admin sso; admin scopes -> {is_admin: false}
scopes-later
  shown     admin scopes; admin scopes
  violated  admin scopes; admin scopes -> {is_admin: false}
sso-token-works
  shown     admin keys
  violated  admin keys -> 401
  nothing   admin keys -> 403
sso-refresh
  shown     admin.refreshed keys
  violated  admin.refreshed keys -> 401
  violated  admin sso -> {access_token: AS_OF_A_MINUTE}; +9s admin refresh -> {access_token: AS_OF_A_MINUTE}
  open      admin sso -> {access_token: AS_OF_A_MINUTE}; admin sso -> {access_token: AS_OF_A_MINUTE}; +9s admin refresh -> {access_token: AS_OF_A_MINUTE}
  nothing   admin sso -> {access_token: AS_OF_A_MINUTE}; admin refresh -> {access_token: AS_OF_A_MINUTE}
sso-refresh-token
  violated  admin sso -> {access_token: AS_OF_A_MINUTE, refresh_token: AS_OF_A_MINUTE}
login-jwt
  shown     admin.login keys
  violated  admin.login keys -> 401
  violated  admin login -> 500
  violated  admin login -> {access_token: opaque}
  open      admin login -> 422
  open      admin login -> {access_token: null, step: two}
pat-created
  shown     admin.pat keys
  violated  admin.pat keys -> 401
  violated  admin pat -> 404
  open      admin pat -> 422 ! body
pat-later-ones
  shown     member.pat keys
  violated  member.pat keys -> 401
pat-update
  shown     admin.pat patch
  violated  admin patch; admin.pat patch -> 422
  nothing   admin patch; admin.pat patch -> 403
pat-form
  shown     admin pat
  violated  admin pat -> {token: opaque}
after-a-pause
  shown     admin keys; +9s admin keys
  violated  admin keys; +9s admin keys -> 401
  violated  admin.pat keys; +9s admin.pat keys -> 401
  violated  admin keys; +9s admin keys -> 401; admin keys
  shown     admin keys; admin keys -> 401; admin keys
  nothing   admin keys; admin sso; +9s admin keys -> 401
  nothing   admin sso -> {expires_in: 5}; admin keys; +9s admin keys -> 401
  nothing   recorded: admin.pat keys; +9s admin.pat keys -> 401
auth-expired-jwt
  shown     admin sso -> {expires_in: 5}; admin keys; +9s admin keys -> 401
  violated  admin sso -> {expires_in: 5}; admin keys; +90s admin keys
  violated  admin sso -> {expires_in: 5}; +9s admin keys -> 401; admin patch
  open      admin sso -> {expires_in: 5}; admin keys; +9s admin keys
`;

type State = 'shown' | 'violated' | 'open' | 'nothing';
interface Row {
  id: string;
  state: State;
  log: string;
}

/** A value that a format does not admit. */
const BAD: Record<string, string> = {
  string: '7',
  'non-empty string': "''",
  boolean: 'maybe',
  integer: '1.5',
  object: 'x',
  'date-time': 'yesterday',
  'e-mail address': 'nobody',
  'token type': 'Bearer',
  'recording status': 'done',
};
/** Another value of a format. */
const OTHER: Partial<Record<string, string>> = {
  boolean: 'false',
  'date-time': '2001-02-03T04:05:06Z',
  'recording status': 'failed',
};
const dashed = (name: string): string => name.replaceAll('_', '-');
const asked = { 'api-keys': 'keys', scopes: 'scopes', recording: 'patch' };

/** The rules that come in families: a field each, a credential and an operation each. */
function families(): Row[] {
  const rows: Row[] = [];
  const add = (id: string, cases: Partial<Record<State, string>>): void => {
    for (const [state, log] of Object.entries(cases)) rows.push({ id, state: state as State, log });
  };
  const fields = (record: RecordName, prefix: string, ask: string, wrap: (change: string) => string): void => {
    for (const [field, { format }] of Object.entries(fieldsOf(record)))
      add(`${prefix}-${dashed(field)}`, {
        shown: ask,
        violated: `${ask} -> ${wrap(`{${field}: ${BAD[format]}}`)}`,
        ...(ask === 'admin sso' && record === 'User' ? { open: 'admin sso -> {user: nobody}' } : {}),
      });
  };
  fields('TokenGrant', 'sso', 'admin sso', (change) => change);
  fields('User', 'sso-user', 'admin sso', (change) => `{user: ${change}}`);
  fields('Recording', 'recording', 'admin patch', (change) => change);
  fields('TenantApiKey', 'keys', 'admin keys', (change) => `[${change}]`);
  for (const field of Object.keys(READ_ONLY_FIELDS)) {
    const { format } = fieldsOf('Recording')[field] as Field;
    const sent = `admin patch; admin patch {summary: s, ${field}: ${OTHER[format] ?? 'other'}}`;
    add(`recording-${dashed(field)}-read-only`, {
      shown: `${sent}; admin patch`,
      violated: `${sent} -> {${field}: ${OTHER[format] ?? 'other'}}`,
      nothing: `admin patch {summary: s, ${field}: ${OTHER[format] ?? 'other'}} -> {${field}: ${OTHER[format] ?? 'other'}}`,
    });
  }
  for (const [operation, ask] of Object.entries(asked)) {
    for (const flaw of Object.keys(FLAWS)) {
      const start = flaw === 'pat-wrong-secret' ? 'admin pat; ' : '';
      add(`auth-${flaw}-${operation}`, {
        shown: `${start}admin ${ask}; ${flaw} ${ask} -> 401`,
        violated: `${start}admin ${ask}; ${flaw} ${ask}`,
        open: `${start}admin ${ask} -> 401; ${flaw} ${ask} -> 401`,
        nothing: `${start}admin ${ask}; ${flaw} ${ask} -> 429`,
      });
    }
    const elsewhere = ask === 'scopes' ? 'keys' : 'scopes';
    for (const [name, kind] of [
      ['auth-accepts-jwt', ''],
      ['auth-accepts-pat', '.pat'],
      ['login-accepted-by', '.login'],
    ])
      add(`${name}-${operation}`, {
        shown: `admin${kind} ${ask}`,
        violated: `admin${kind} ${elsewhere}; admin${kind} ${ask} -> 401`,
        nothing: `admin${kind} ${ask} -> 401`,
        ...(kind === '' ? {} : { open: `admin ${ask}; admin${kind} ${ask} -> 403` }),
      });
  }
  for (const [operation, ask] of Object.entries({ ...asked, sso: 'sso', login: 'login', pat: 'pat' })) {
    add(`${operation === 'api-keys' ? 'keys' : operation}-json`, {
      shown: `admin ${ask}`,
      violated: `admin ${ask} -> content-type=text/plain`,
      nothing: `admin ${ask} -> 404 <html>`,
    });
    if (['sso', 'recording', 'api-keys'].includes(operation))
      add(`path-${operation}`, { shown: `admin ${ask}`, violated: `admin ${ask} -> 404`, open: `admin ${ask} -> 422` });
  }
  add('login-accepted-by-recording', {
    nothing: 'admin sso -> {expires_in: 3}; admin.login scopes; +9s admin scopes; admin.login patch -> 401',
  });
  return rows;
}

/** Ten keys: as many as a page usually has. */
const TEN = Array.from({ length: 10 }, (_, at) => `{id: x${at}, provider: openai, name: n, status: revoked}`).join(
  ', ',
);
/** A token that states another lifetime than the answer. */
const AS_OF_A_MINUTE = `${['{"alg":"HS256"}', '{"iat":1772359200,"exp":1772359260}'].map((part) => Buffer.from(part).toString('base64url')).join('.')}.c2lnbmF0dXJl`;

function rowsOf(text: string): Row[] {
  let id = '';
  return text.split('\n').flatMap((line) => {
    const [, state, log] = /^ {2}(\w+) +(.*)$/.exec(line) ?? [];
    if (!state || !log) {
      id = line.trim() || id;
      return [];
    }
    return [
      { id, state: state as State, log: log.replaceAll('TEN', TEN).replaceAll('AS_OF_A_MINUTE', AS_OF_A_MINUTE) },
    ];
  });
}

const rows = [...rowsOf(CASES), ...families()];

/** What a rule says of a log: a violation, else what shows that it holds, else why that is open. */
function stateOf(id: string, log: string): State {
  const rule = allRules.find((each) => each.id === id);
  if (!rule) throw new Error(`there is no rule ${id}`);
  const states = [...rule.judge(smallLog(log))].map(({ state }) => state);
  return (['violated', 'shown', 'open'] as const).find((state) => states.includes(state)) ?? 'nothing';
}

describe('a rule says of a log', () => {
  test.each(rows)('$id: $state: $log', ({ id, state, log }) => expect(stateOf(id, log)).toBe(state));
});

test('each rule is shown and violated by some log', () => {
  const without = (state: State): string[] =>
    allRules.map(({ id }) => id).filter((id) => !rows.some((row) => row.id === id && row.state === state));
  expect(without('shown')).toEqual([]);
  expect(without('violated')).toEqual([]);
});

test.each([
  ['Elsewhere', 'untested'],
  ['Before', 'untested'],
  ['A TITLE, THAT IS KEPT', 'violation'],
  ['A title that is k', 'violation'],
])('a title that became %s once, although such updates keep titles, is %s', (title, outcome) => {
  const looks = 'admin patch; '.repeat(8);
  const once = `admin patch {title: A title that is kept}; & admin patch; admin patch -> {title: ${title}}`;
  const rules = allRules.filter(({ id }) => id === 'recording-title-kept');
  const log = smallLog(`admin patch; admin patch {title: Other}; ${looks}${once}`);
  expect(judgeLog(rules, log)).toEqual([expect.objectContaining({ outcome })]);
});
