/**
 * What rules say of small logs (testing/small-log.ts): shown, violated, open, or nothing at all. That each rule is shown by a target that
 * conforms, and violated by one that does not, is for the styles, defects and faults to show: here are the cases in between.
 */
import { describe, expect, test } from 'vitest';
import { judgeLog } from '../run/judge.ts';
import { smallLog } from '../testing/small-log.ts';
import { allRules, alternates } from './rules.ts';

const CASES = `
sso-without-authorization
  open      admin.login sso
sso-claims-accepted
  open      recorded: stranger sso -> 422
  shown     admin sso -> 503; admin sso
  nothing   admin sso {oid: x, tid: y} -> 422 ! identity
sso-identities-differ
  violated  admin sso; member sso -> {user: {email: Admin@example.test}}
  shown     admin sso -> {user: {email: a@b.test}}; member sso -> {user: {email: a@b.test}}
  nothing   admin sso; admin sso
sso-strangers
  violated  admin sso; stranger sso {oid: new, tid: tid} -> {user: {id: u-admin}} ! identity
  shown     admin sso; stranger sso {oid: oid-admin, tid: tid} -> {user: {id: u-admin}} ! identity
  violated  admin sso; stranger sso {oid: new, tid: tid} -> 401 ={access_token: eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2lnbg} ! identity
sso-overlapping
  violated  admin sso; admin sso; & member sso; admin sso -> {user: {id: u-member}}; & member sso
sso-identity-stable
  violated  admin sso; admin sso -> {user: {username: b}}; admin sso
  violated  admin sso; admin sso -> {user: {username: b}}; admin sso -> {user: {username: c}}
  shown     admin sso; admin sso -> {user: {username: renamed}}
  shown     admin sso -> {user: {created_at: '2026-03-01T10:00:00.123Z'}}; admin sso -> {user: {created_at: '2026-03-01T10:00:00Z'}}
  violated  admin sso; admin sso -> 401 ! overlap
  nothing   admin sso; admin sso -> 409 ! overlap
sso-access-token-jwt
  open      admin sso -> {access_token: 7}
sso-expires-in-seconds
  violated  admin sso -> {expires_in: 3600, access_token: AS_OF_A_MINUTE}
  violated  admin sso -> {expires_in: 0}
  open      admin sso -> {access_token: opaque}
recording-addressed
  nothing   admin patch r1x -> {id: r1} ! recording
  open      admin patch -> ok
recording-title-exact
  nothing   admin patch {title: "A\\0"} -> {title: A}
  nothing   admin patch {title: A} -> 422 ! title
  shown     admin patch {title: A} -> {title: B}; & admin patch {title: B}
recording-title-kept
  shown     admin patch {title: A}; admin patch -> {title: Before}; admin patch
  nothing   admin patch {title: A}; admin patch -> {title: B}; & admin patch {title: B}
  violated  recorded: admin patch; admin patch {title: A}; admin patch -> {title: Before}
  open      recorded: admin patch; admin patch {title: A}; admin patch -> {title: By somebody else}
  nothing   admin patch; admin patch {title: A run 00000001}; admin patch -> {title: B run 00000002}
  open      admin patch -> {title: B run 00000002}; admin patch {title: A}; admin patch -> {title: B run 00000002}
  violated  admin patch -> {title: B run 00000002}; admin patch {title: A1}; admin patch -> {title: B run 00000002}; admin patch {title: A2}; admin patch -> {title: B run 00000002}; admin patch {title: A3}; admin patch -> {title: B run 00000002}
  open      admin patch r2 {title: "2024"}; admin patch r1 {title: A run 00000001}; admin patch r1 -> {title: "2024"}
  violated  admin patch {title: ""}; admin patch; admin patch {title: B}; admin patch; admin patch {title: A}; admin patch -> {title: ""}
  shown     admin patch {title: ""}; admin patch; admin patch {title: B}; admin patch; admin patch {title: A}; +1s admin patch -> {title: ""}
recording-others-kept
  violated  admin patch; admin patch -> {created_at: 2026-02-02T00:00:00Z}
  violated  admin patch -> {status: failed}; admin patch {title: a.mp3} -> {status: failed, filename: a.mp3}
  shown     admin patch -> {status: processing}; admin patch -> {status: completed, language: fr}; admin patch -> {language: fr}
  violated  admin patch {title: A}; admin patch; admin patch {analysis: {a: 1}} -> {title: Lost}; admin patch -> {title: Lost}
  violated  admin patch r1 {title: A run 00000001}; admin patch r2; admin patch r2 -> {title: A run 00000001}
recording-status-untouched
  open      admin patch; admin patch; admin patch -> {status: failed}
  open      admin patch {title: A}; admin patch {title: B}; admin patch -> {status: failed}; admin patch {title: C}; admin patch {title: D} -> {status: failed}; admin patch {kb_folder_id: f} -> {status: failed}; admin patch {title: A}; admin patch {title: B} -> {status: failed}; admin patch {title: C}
  nothing   admin patch -> {status: processing}; admin patch -> {status: failed}
  violated  admin patch; admin patch; admin patch {title: A} -> {status: failed}; admin patch; admin patch {title: B} -> {status: failed}; admin patch; admin patch
recording-carried
  nothing   admin patch {summary: One} -> {summary: unrelated}
  shown     admin patch {analysis: {a: 1}} -> {analysis: {a: 1}}; admin patch {analysis: {a: 1, more: 1}} -> {analysis: {a: 1}}
  violated  admin patch {analysis: {a: [1]}} -> {analysis: {a: [1]}}; admin patch {analysis: {a: [1, 1]}} -> {analysis: {a: [1]}}
  shown     admin patch {summary: One} -> {summary: One}; admin patch {title: A} -> {summary: null}
  violated  admin patch {summary: One} -> {summary: One}; admin patch {title: A} -> {summary: One}; admin patch {title: A} -> {summary: null}
  violated  admin patch {analysis: {a: [1]}} -> {analysis: {a: [1]}}; admin patch {analysis: {a: [1]}} -> {analysis: {a: "1"}}
refused-update-changes-nothing
  nothing   admin patch {title: A} -> 500; admin patch -> {title: A}
recording-update-title
  open      admin patch; admin patch {title: A} -> 422 ! title
  nothing   admin patch; member patch {title: A} -> 403
  nothing   recorded: admin patch {title: Weekly} -> 422
  violated  recorded: admin patch; admin patch {title: Weekly} -> 422
  open      recorded: admin patch; admin patch {title: A} -> 422
recording-update-kb-folder-id
  open      admin patch; admin patch {kb_folder_id: made-up} -> 404
recording-update-summary
  open      admin patch {title: A}; admin patch -> 422 ! summary
  violated  admin patch {title: A}; admin patch -> 500 ! framing
  open      admin patch {title: A}; admin patch -> 501 ! framing
recording-update-analysis
  violated  admin patch; admin patch {analysis: {a: 1}} -> 500 ! analysis
  open      admin patch; admin patch {analysis: {b: 2}} -> 422
keys-array
  violated  admin keys ?status=active -> "{}"
keys-no-secret
  nothing   admin keys -> []
keys-seven-providers
  violated  admin keys -> [{provider: a}, {provider: b}, {provider: c}, {provider: d}]; admin keys -> [{provider: e}, {provider: f}, {provider: g}, {provider: h}]
keys-list
  nothing   member keys -> 403
  nothing   admin scopes; admin keys t2 -> 400
  open      admin keys -> 300
  open      admin keys -> 401
  violated  admin scopes; admin keys -> 401
  open      admin keys -> 429
keys-of-the-tenant
  nothing   admin keys; admin keys
keys-filter-provider-only
  shown     admin keys; admin keys ?provider=OPENAI -> [k1, k2] ! provider
  open      admin keys -> [k1, k2]; admin keys ?provider=openai -> [k1, k2]
  nothing   admin keys; admin keys ?provider=other -> 422 ! provider
  nothing   admin keys; admin keys ?provider=other -> [k1, k2, k3, k4] ! provider
  violated  admin keys; admin keys ?provider=open -> [k1, k2] ! provider
  violated  admin keys; admin keys t2 -> [{id: x1, provider: mistral}] ! tenant; admin keys ?provider=mistral -> 400
  nothing   admin keys; admin keys t2 -> [{id: x1, provider: mistral}] ! tenant; admin keys ?provider=other -> 400
keys-filter-provider-whole
  open      admin keys; admin keys ?provider=openai -> [k1]; admin keys -> [k1, k3, k4]
  open      admin keys ?provider=openai -> [k1]; admin keys
  nothing   admin keys; admin keys ?provider=other; admin keys
keys-filter-status-only
  violated  admin keys; admin.pat keys ?status=none -> [k1] ! status
keys-filter-both
  open      admin keys; admin keys ?provider=openai&status=active
  shown     admin keys -> x-next-page=2 [k3]; admin keys ?status=active; admin keys ?provider=openai&status=active; admin keys -> x-next-page=2 [k3]
  open      admin keys -> [k1]; admin keys ?provider=openai&status=active -> [k1]; admin keys -> [k1]
keys-filters-partition
  violated  admin keys; admin keys -> [k1, k2, k4]; admin keys
  violated  admin keys; admin keys ?provider=openai -> [k2]; admin keys ?status=active -> [k3]; admin keys
  open      admin keys -> x-next-page=2 [k1, k2]; admin keys ?status=active; admin keys -> x-next-page=2 [k1, k2]
  open      admin keys -> [TEN]; admin keys ?status=active -> [k3]; admin keys -> [TEN]
  nothing   admin keys -> []; admin keys ?status=active -> []; admin keys -> []
  violated  admin keys; admin keys ?provider=openai; admin keys -> [{id: k1, provider: openai}, {id: k2, provider: openai}, {id: k3, provider: openai}, {id: k4, provider: openai}]
  nothing   admin keys -> [k1, k2]; admin keys -> [k3, k4]
  violated  admin keys -> [k1, k2, k3]; admin keys -> [k4, {id: y2}, {id: y3}]
  violated  admin keys -> [TEN]; admin keys ?provider=openai -> [TEN, k1]; admin keys -> [TEN]
  violated  admin keys -> x-total=2 x-next-page=2 [k1, k2]; admin keys ?status=active; admin keys -> x-total=2 x-next-page=2 [k1, k2]
keys-overlapping
  violated  admin keys; admin keys ?status=active; & admin keys ?status=revoked -> [k2]; admin keys
  violated  member sso; admin keys; member keys -> 403; & admin keys -> 403
  nothing   member sso; admin keys; member keys -> 403; & admin keys
  violated  member keys -> 403; admin keys; & member keys
  violated  member sso; admin keys -> 403; admin keys; & member keys
keys-one-record
  shown     admin keys; admin keys ?status=active -> [{id: k1, name: Renamed}]; admin keys -> [{id: k1, name: Renamed}]
  violated  admin keys; admin keys ?status=active -> [{id: k1, name: B}]; admin keys ?status=active -> [{id: k1, name: C}]
  shown     admin keys; admin keys ?status=active -> [{id: k1, name: B}]; admin keys ?status=active -> [{id: k1, name: B}]; admin keys -> [{id: k1, name: C}]
  shown     admin keys; admin keys ?provider=openai -> [{id: k1, status: revoked}]; admin keys -> [{id: k1, status: revoked}]; admin keys ?provider=openai -> [k1]
  violated  admin keys; admin keys ?provider=openai -> [{id: k1, status: revoked}]; admin keys; admin keys ?provider=openai -> [{id: k1, status: revoked}]
pat-api-keys
  violated  admin keys; admin.pat keys -> [k1]; admin keys
  nothing   admin keys; admin.pat keys -> [k1]; admin keys -> [k1]
  violated  member keys -> 403; member.pat keys
  nothing   member keys -> 403; member.pat keys -> []
  nothing   member keys -> 403; member.pat keys -> 403
  nothing   admin keys -> x-next-page=2 [k1]; admin.pat keys; admin keys -> x-next-page=2 [k1]
  nothing   admin keys; admin.pat keys ?status=none -> [k1] ! status; admin keys
  violated  admin keys; admin.pat keys ?status=none -> [k1]; admin keys
scopes-answered
  violated  admin scopes; member scopes -> 404
  violated  admin scopes; admin scopes -> 500 ! expiry
  shown     admin scopes; admin scopes -> 419 ! expiry
  open      admin scopes -> 403
scopes-administrator
  violated  admin scopes; admin.pat scopes -> {is_admin: x}
  violated  admin scopes; admin.login scopes -> ={scopes: [a]}
  violated  admin scopes -> {is_admin: x}; member scopes -> {is_admin: x}
  shown     admin scopes -> {is_admin: x, kind: boss}; member scopes -> {is_admin: x, kind: worker}
  open      admin scopes -> {is_admin: x}
  open      admin keys -> 403; admin scopes -> {is_admin: false}
  open      admin scopes -> {is_admin: false}; admin keys -> 404; member keys
  violated  admin scopes -> {is_admin: false}; admin keys -> 404
scopes-no-administrator
  shown     admin scopes; member scopes; member.login scopes -> ={scopes: [a]}
  open      member scopes -> {is_admin: x}
scopes-of-each-caller
  violated  admin scopes; admin scopes -> {scopes: ['a:b']}; admin scopes
  shown     admin scopes; admin scopes -> {scopes: ['a:b']}
  shown     admin scopes -> {trace: a-b}; admin scopes -> {trace: c-d}; admin scopes -> {trace: e-f}
  violated  admin scopes; admin.refreshed scopes -> {scopes: []}
  violated  member sso; admin scopes; admin scopes -> {is_admin: false}; & member scopes
  shown     recorded: admin scopes; admin scopes -> {scopes: ['a:b']}; admin scopes
pat-administrator
  violated  admin scopes -> {scopes: [all:do]}; member scopes; member.pat scopes -> {scopes: [keys:list, all:do]}
  shown     admin scopes -> {scopes: [all:do]}; member scopes; member.pat scopes -> {scopes: [keys:list, mine:do]}
  shown     admin scopes -> {scopes: [all:do]}; member scopes; admin.pat scopes -> {scopes: [keys:list]}
login-user
  open      member scopes; member.login scopes -> {is_admin: true}
  shown     admin sso; admin login -> {user: {id: u-admin, email: admin@example.test}}
  violated  admin sso; admin login -> {user: {id: no-1, email: admin@example.test}}
  nothing   admin sso; admin login -> {user: {id: no-1, email: other@example.test}}
sso-identity-kept
  violated  admin scopes; admin sso; admin scopes -> {is_admin: false}
scopes-later
  violated  admin scopes; admin scopes -> {is_admin: false}
sso-token-works
  nothing   admin keys -> 403
  violated  admin sso; admin keys -> 401; admin scopes -> 401
  open      admin sso; admin keys -> 401
  nothing   garbage keys -> 401; admin sso; admin keys -> 401; admin scopes -> 401
sso-refresh
  violated  admin sso -> {access_token: AS_OF_A_MINUTE}; +9s admin refresh -> {access_token: AS_OF_A_MINUTE}
  open      admin sso -> {access_token: AS_OF_A_MINUTE}; admin sso -> {access_token: AS_OF_A_MINUTE}; +9s admin refresh -> {access_token: AS_OF_A_MINUTE}
  nothing   admin sso -> {access_token: AS_OF_A_MINUTE}; admin refresh -> {access_token: AS_OF_A_MINUTE}
  nothing   admin sso; admin refresh -> 500; admin sso; admin refresh
  violated  admin sso; admin refresh -> 401; admin sso; admin refresh
login-jwt
  open      admin login -> 422
  open      admin login -> {access_token: null, step: two}
  violated  admin login; admin login -> 500
  nothing   admin login; admin login -> 429
pat-created
  open      admin pat -> 422 ! body
  violated  admin pat -> 500; member pat
  open      admin pat -> 503; member pat
pat-update
  nothing   admin patch; admin.pat patch -> 403
after-a-pause
  violated  KEPT; DIES; admin sso; DIES
  open      DIES; admin sso; DIES
  open      KEPT; DIES; admin sso; admin keys
  nothing   admin keys; +9s admin keys -> 401; admin sso; admin keys; +9s admin keys -> 401
  open      KEPT; admin keys; admin pat; +9s admin keys -> 401; +4s admin keys -> 401; admin sso; DIES
  shown     admin keys; +9s admin keys -> 401; admin keys
  nothing   admin keys; admin sso; +9s admin keys -> 401
  nothing   admin sso -> {expires_in: 5}; admin keys; +9s admin keys -> 401
  nothing   recorded: admin.pat keys; +9s admin.pat keys -> 401
  nothing   admin keys; admin refresh; +9s admin keys -> 401
auth-expired-jwt
  shown     admin sso -> {expires_in: 5}; admin keys; +9s admin keys -> 401
  violated  admin sso -> {expires_in: 5}; +9s admin keys -> 401; admin patch
  open      admin sso -> {expires_in: 5}; admin keys; +305s admin keys
  violated  admin sso -> {expires_in: 5}; admin keys; +309s admin keys
  nothing   admin sso -> {expires_in: 5}; admin keys; +2s admin keys -> 401
sso-user-email
  open      admin sso -> {user: nobody}
recording-filename-read-only
  nothing   admin patch {summary: s, filename: other} -> {filename: other}
auth-garbage-api-keys
  open      admin keys -> 401; garbage keys -> 401
  nothing   admin keys; garbage keys -> 429
  violated  admin keys; garbage keys -> 401 =[{id: k1}]
  violated  admin keys; garbage keys -> 500
  open      garbage keys -> 401; garbage keys -> 500
auth-accepts-jwt-api-keys
  nothing   admin keys -> 401
auth-accepts-pat-api-keys
  open      admin keys; admin.pat keys -> 403
login-accepted-by-recording
  nothing   admin sso -> {expires_in: 3}; admin.login scopes; +9s admin scopes; admin.login patch -> 401
keys-json
  nothing   admin keys -> 404 <html>
path-api-keys
  open      admin keys -> 422
path-recording
  open      admin patch -> 409; admin patch r1x -> 404 ! recording
recording-answered
  violated  admin patch -> ={ok: true}
  nothing   admin patch {other: 1} -> ={ok: true} ! body
`;

/** Ten keys: as many as a page usually has. */
const TEN = Array.from({ length: 10 }, (_, at) => `{id: x${at}, provider: openai, name: n, status: revoked}`).join(
  ', ',
);
/** A session that another sign-in of its user leaves alone; a token that is accepted, and then refused twice. */
const KEPT = 'admin.login keys; admin sso; admin.login scopes';
const DIES = 'admin keys; +9s admin keys -> 401; +4s admin keys -> 401';
/** A token that states another lifetime than the answer. */
const AS_OF_A_MINUTE = `${['{"alg":"HS256"}', '{"iat":1772359200,"exp":1772359260}'].map((part) => Buffer.from(part).toString('base64url')).join('.')}.c2lnbmF0dXJl`;

const rows = CASES.split(/\n(?=\S)/).flatMap((text) => {
  const [id = '', ...lines] = text.trim().split('\n');
  return lines.map((line) => {
    const [, state = '', log = ''] = /^ {2}(\w+) +(.*)$/.exec(line) ?? [];
    const whole = log.replaceAll('KEPT', KEPT).replaceAll('DIES', DIES);
    return { id, state, log: whole.replaceAll('TEN', TEN).replaceAll('AS_OF_A_MINUTE', AS_OF_A_MINUTE) };
  });
});

/** What a rule says of a log: a violation, else what shows that it holds, else why that is open. */
function stateOf(id: string, log: string): string {
  const rule = allRules.find((each) => each.id === id);
  if (!rule) throw new Error(`there is no rule ${id}`);
  const states = [...rule.judge(smallLog(log))].map(({ state }) => state);
  return (['violated', 'shown', 'open'] as const).find((state) => states.includes(state)) ?? 'nothing';
}

describe('a rule says of a log', () => {
  test.each(rows)('$id: $state: $log', ({ id, state, log }) => expect(stateOf(id, log)).toBe(state));
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

test.each([
  ['admin patch; admin.pat patch -> 401; admin patch; admin.pat patch -> 401', false],
  ['admin patch; admin patch -> 401; admin patch; admin patch -> 401; admin patch', true],
])('that several instances answer %s: %s', (line, expected) => expect(alternates(smallLog(line))).toBe(expected));
