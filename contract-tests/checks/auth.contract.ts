import { blocked, setUpError, untested, violation } from '../failure.ts';
import type { Answer } from '../target/request.ts';
import type { Session } from '../target/session.ts';
import { findPat } from '../target/tokens-in-answers.ts';
import { describe, isSuccess, jsonOf, notSuccessful } from './answers.ts';
import type { Check } from './check.ts';
import { emptiedJwts, GARBAGE_TOKENS, tamperedJwts, wrongSecretPats } from './forged-tokens.ts';
import { findStrings, isObject, isPatForm, show } from './formats.ts';
import {
  acceptedControl,
  firstAccepting,
  PROTECTED_OPERATIONS,
  type ProtectedOperation,
} from './protected-operations.ts';
import { registerChecks } from './register.ts';
import { assertKnownResource, WRITES_TO_MADE_UP } from './unknown-resources.ts';

/** A request that must be refused: the same as the successful control but for its credentials. */
interface Forgery {
  what: string;
  headers: Record<string, string>;
}

interface Refusal {
  id: string;
  requirement: string;
  title: string;
  writes?: string[];
  forge(session: Session, operation: ProtectedOperation): Promise<Forgery[]>;
}

const bearer = (what: string, token: string): Forgery => ({ what, headers: { Authorization: `Bearer ${token}` } });

const REFUSALS: Refusal[] = [
  {
    id: 'no-credentials',
    requirement: 'AUT-03',
    title: 'a request without credentials',
    forge: async () => [{ what: 'no Authorization header', headers: {} }],
  },
  {
    id: 'garbage',
    requirement: 'AUT-04',
    title: 'a bearer token that is neither a JWT nor a PAT',
    forge: async () => GARBAGE_TOKENS.map((token) => bearer(`the made-up token ${token}`, token)),
  },
  {
    id: 'tampered-jwt',
    requirement: 'AUT-05',
    title: 'a JWT that was tampered with',
    forge: async (session) => {
      const { token, source } = await session.signIn.accessToken('admin');
      return tamperedJwts(token, source).map(({ what, token }) => bearer(what, token));
    },
  },
  {
    id: 'unsigned-jwt',
    requirement: 'AUT-06',
    title: 'a JWT without a signature',
    forge: async (session) => {
      const { token, source } = await session.signIn.accessToken('admin');
      return emptiedJwts(token, source).map(({ what, token }) => bearer(what, token));
    },
  },
  {
    id: 'pat-wrong-secret',
    requirement: 'AUT-07',
    title: 'a PAT with a wrong secret',
    writes: ['POST /v1/api-tokens, once a run, unless the target file gives actors.admin.pat'],
    forge: async (session, operation) => {
      const { token } = await session.pats.of('admin');
      // The one-delta control: the whole PAT is accepted by this operation.
      const accepted = await operation.withHeaders(session, { Authorization: `Bearer ${token}` });
      if (!isSuccess(accepted))
        throw blocked(
          `auth-accepts-pat-${operation.id}`,
          `The whole PAT is not accepted either (${describe(accepted)})`,
        );
      return wrongSecretPats(token).map(({ what, token }) => bearer(what, token));
    },
  },
];

/** A title that only a refused update carries. */
const REFUSED_TITLE = 'written by a request that must be refused';

function refusalCheck(operation: ProtectedOperation, refusal: Refusal): Check {
  const writes = [...(operation.writes ?? []), ...(refusal.writes ?? [])];
  return {
    id: `auth-${refusal.id}-${operation.id}`,
    requirements: [refusal.requirement],
    title: `${operation.name} refuses ${refusal.title}`,
    needs: operation.needs,
    ...(writes.length > 0 ? { writes } : {}),
    async run(session) {
      await acceptedControl(operation, session);
      for (const { what, headers } of await refusal.forge(session, operation)) {
        const answer = await operation.withHeaders(session, headers, REFUSED_TITLE);
        assertRefused(answer, operation, what);
      }
    },
  };
}

/** Refused is what HTTP calls a client error (or sends elsewhere): the status itself is not documented. */
function assertRefused(answer: Answer, operation: ProtectedOperation, what: string): void {
  const { status } = answer.response;
  if (status === 429)
    throw setUpError('The target limits requests more than the suite waits for; lower limits.requestsPerSecond.');
  if (status >= 300 && status < 500) return;
  const problem = isSuccess(answer) ? 'accepts' : 'fails on';
  throw violation(
    `${operation.name} ${problem} ${what}.`,
    'a refusal (4xx)',
    `${describe(answer)}: ${show(answer.response.body)}`,
  );
}

function acceptsJwt(operation: ProtectedOperation): Check {
  return {
    id: `auth-accepts-jwt-${operation.id}`,
    requirements: ['AUT-01'],
    title: `${operation.name} accepts a JWT access token`,
    needs: operation.needs,
    ...(operation.writes ? { writes: ['PATCH of the disposable recording: summary', WRITES_TO_MADE_UP] } : {}),
    async run(session) {
      const { token, source } = await session.signIn.accessToken('admin');
      const answer = await operation.withHeaders(session, { Authorization: `Bearer ${token}` });
      if (isSuccess(answer)) return;
      if (operation.resource) await assertKnownResource(operation.resource, session);
      throw notSuccessful(
        answer,
        `${operation.name} with the JWT of ${source}`,
        operation.hint,
        await session.isProven(),
      );
    },
  };
}

function acceptsPat(operation: ProtectedOperation): Check {
  return {
    id: `auth-accepts-pat-${operation.id}`,
    requirements: ['AUT-02'],
    title: `${operation.name} accepts a personal access token`,
    needs: operation.needs,
    writes: [
      'POST /v1/api-tokens, once a run, unless the target file gives actors.admin.pat',
      ...(operation.writes ? ['PATCH of the disposable recording: summary'] : []),
    ],
    async run(session) {
      await acceptedControl(operation, session);
      const { token, source } = await session.pats.of('admin');
      const answer = await operation.withHeaders(session, { Authorization: `Bearer ${token}` });
      if (isSuccess(answer)) return;
      const subject = `${operation.name} with the PAT of ${source}`;
      if (answer.response.status !== 403)
        throw notSuccessful(answer, subject, 'A JWT of the same user is accepted.', true);
      // A 403 may mean that the PAT lacks a scope, which is not documented; unless the target says the same to nonsense.
      const nonsense = await operation.withHeaders(session, { Authorization: `Bearer ${GARBAGE_TOKENS[0]}` });
      const same = nonsense.response.status === 403 && nonsense.response.body === answer.response.body;
      if (!same)
        throw untested(
          `${subject} was refused with 403: it may lack a scope; set actors.admin.pat to one that may do all that admin may`,
        );
      throw violation(`${subject} was refused like a token that means nothing.`, 'a success (2xx)', describe(answer));
    },
  };
}

async function assertTitleNotWritten(session: Session, refused: Answer, how: string): Promise<void> {
  const answer = await session.recording.update({ summary: 'After a refused update.' });
  if (!isSuccess(answer)) throw blocked('recording-update-summary', `The next update answered ${describe(answer)}`);
  const next = jsonOf(answer);
  if (!isObject(next) || typeof next.title !== 'string')
    throw blocked('recording-title', 'The recording answered has no title');
  if (next.title === REFUSED_TITLE) {
    throw violation(
      `An update ${how} was refused with ${refused.response.status}, and its title was written all the same.`,
      'the title as before',
      next.title,
    );
  }
}

export const authChecks: Check[] = [
  ...PROTECTED_OPERATIONS.map(acceptsJwt),
  {
    id: 'pat-created',
    requirements: ['AUT-09'],
    title: 'POST /v1/api-tokens yields a PAT that protected operations accept',
    needs: ['actors.admin'],
    writes: ['POST /v1/api-tokens, once a run'],
    async run(session) {
      const answer = await session.pats.created('admin');
      if (!isSuccess(answer)) throw notSuccessful(answer, 'POST /v1/api-tokens', 'The path is documented.', true);
      const token = findPat(answer);
      if (!token) throw blocked('pat-form', 'The answer holds no PAT of the documented form');
      await firstAccepting(session, token, 'The PAT created');
    },
  },
  {
    id: 'pat-form',
    requirements: ['AUT-10'],
    title: 'a PAT has the form <token_prefix>_<tokenId>.<secret>',
    needs: ['actors.admin'],
    async run(session) {
      const given = session.credentials('admin').pat;
      const form = '<token_prefix>_<tokenId>.<secret>';
      if (given !== undefined) {
        if (!isPatForm(given)) throw violation('The PAT in actors.admin.pat has another form.', form, given);
        return;
      }
      const answer = await session.pats.created('admin');
      if (!isSuccess(answer)) throw blocked('pat-created', `POST /v1/api-tokens answered ${describe(answer)}`);
      if (findPat(answer)) return;
      const json = jsonOf(answer);
      const strings =
        isObject(json) || Array.isArray(json)
          ? findStrings(json).map(({ path }) => path.join('.'))
          : show(answer.response.body);
      throw violation('POST /v1/api-tokens answered no PAT of the documented form.', form, {
        'strings answered in': strings,
      });
    },
  },
  ...PROTECTED_OPERATIONS.map(acceptsPat),
  ...PROTECTED_OPERATIONS.flatMap((operation) => REFUSALS.map((refusal) => refusalCheck(operation, refusal))),
  {
    id: 'refused-update-changes-nothing',
    requirements: ['AUT-11'],
    title: 'an update that is refused changes nothing',
    needs: ['actors.admin', 'resources.recordingId'],
    writes: [
      'PATCH of the disposable recording: summary; title, in requests that must be refused (put back if one is not)',
    ],
    async run(session) {
      const recording = PROTECTED_OPERATIONS.find(({ id }) => id === 'recording') as ProtectedOperation;
      await acceptedControl(recording, session);
      for (const { what, headers, by } of [
        { what: 'no Authorization header', headers: {}, by: 'auth-no-credentials-recording' },
        { ...bearer('a made-up token', GARBAGE_TOKENS[0]), by: 'auth-garbage-recording' },
      ]) {
        const refused = await recording.withHeaders(session, headers, REFUSED_TITLE);
        if (isSuccess(refused)) throw blocked(by, `An update with ${what} was not refused`);
        await assertTitleNotWritten(session, refused, `with ${what}`);
      }
      // What is invalid is not documented. Where the target refuses one of these, it must not have written the title.
      for (const invalid of [
        { summary: { not: 'text' } },
        { analysis: 'not an object' },
        { kb_folder_id: ['not text'] },
        { status: 'no such status' },
      ]) {
        const answer = await session.recording.update({ title: REFUSED_TITLE, ...invalid });
        if (!isSuccess(answer)) await assertTitleNotWritten(session, answer, `with ${JSON.stringify(invalid)}`);
        else await session.recording.restoreTitle();
      }
    },
  },
];

await registerChecks('authentication', authChecks);
