import { recordingPath } from '../api/operations.ts';
import type { Actor } from '../model.ts';
import { UNKNOWN_KEY } from '../session/disposable-recording.ts';
import type { Session } from '../session/session.ts';
import { type Answer, isSuccess, jsonOf } from '../values/answer.ts';
import { isObject, type JsonObject, parseJson } from '../values/json.ts';
import { sleep } from '../wire/time.ts';
import { type Probe, statusProbe, Undetermined, unexpected } from './probe.ts';
import { asObject, forbiddenStatus, isAccepted, isRefusedAsInvalid, unknownRecording } from './requests.ts';

const needs: Probe['needs'] = ['actors.admin', 'resources.recordingId'];

/** The update of the disposable recording; undetermined where a harmless update of it fails. */
async function update(session: Session, body: JsonObject): Promise<Answer> {
  const control = await session.recording.original();
  if (!isSuccess(control)) throw unexpected('A harmless update of the recording', control);
  return session.recording.update(body);
}

/** A probe whose answer is whether one update is accepted or refused as invalid. */
const updateProbe = (gap: string, sends: string, body: JsonObject, accepted: string): Probe => ({
  gap,
  repeats: true,
  sends,
  writes: true,
  needs,
  observe: async (session) => (isAccepted('The update', await update(session, body)) ? accepted : 'refuse'),
});

const NUMBER = 12345;

/** What the target makes of a number as title: undefined where it refuses it, else the title that it then answers. */
async function numberAsTitle(session: Session): Promise<{ title: unknown } | undefined> {
  return session.recorder.once('probe: number as title', async () => {
    // A number that was refused at the place of another text says as much.
    const refused = session.recall(
      ({ request, response }) =>
        isRefusedAsInvalid({ response }) &&
        session.signIn.actorOf(request.headers.Authorization ?? '') === 'admin' &&
        asObject(parseJson(request.body ?? '')).summary === NUMBER,
    );
    const answer = refused ?? (await update(session, { title: NUMBER }));
    const body = jsonOf(answer);
    return isAccepted('The update', answer) ? { title: isObject(body) ? body.title : undefined } : undefined;
  });
}

function updatedAt(answer: Answer): unknown {
  const body = jsonOf(answer);
  return isObject(body) ? body.updated_at : undefined;
}

/** Whose the recording is: by the user_id that its update answers, and the users who signed in. */
async function ownerOf(session: Session, recording: Answer): Promise<Actor | undefined> {
  const owner = jsonOf(recording);
  if (!isObject(owner) || owner.user_id === undefined) return undefined;
  for (const actor of ['admin', 'member'] as const) {
    if (!session.credentials(actor).sso) continue;
    const { user } = await session.signIn.ssoGrant(actor).catch(() => ({ user: undefined }));
    if (isObject(user) && user.id === owner.user_id) return actor;
  }
  return undefined;
}

/** The refusal of an update by admin of the other recording, where that is member's. */
async function refusedAtMembers(session: Session): Promise<Answer | undefined> {
  const { otherRecordingId } = session.target.resources ?? {};
  if (otherRecordingId === undefined) return undefined;
  const isOther = ({ request }: Answer): boolean => request.url.endsWith(recordingPath(otherRecordingId));
  const shown = session.successes.findLast(isOther);
  if (!shown || (await ownerOf(session, shown)) !== 'member') return undefined;
  return session.recall(
    (answer) =>
      isOther(answer) &&
      [403, 404].includes(answer.response.status) &&
      session.signIn.actorOf(answer.request.headers.Authorization ?? '') === 'admin',
  );
}

/** Updates of recordings (4.2). */
export const recordingProbes: Probe[] = [
  {
    gap: 'empty-update',
    sends: 'PATCH of the disposable recording with {}, and where it shows no new time, once more a second later',
    writes: true,
    needs,
    async observe(session) {
      await session.recording.original();
      const { pathname } = new URL(recordingPath(session.recording.id), session.target.baseUrl);
      const shown = () => session.successes.filter(({ request }) => request.url.endsWith(pathname));
      const known = shown();
      const at = known.findLastIndex(({ request }) => request.body === '{}');
      const recalled = at > 0 ? session.recall((answer) => answer === known[at]) : undefined;
      // From here on an earlier answer would show the same time each time.
      session.recalls = false;
      let before = recalled ? known[at - 1] : known.at(-1);
      let answer = recalled ?? (await update(session, {}));
      if (!isAccepted('The update', answer)) return 'refuse';
      // Times may be written in whole seconds.
      if (before && updatedAt(answer) === updatedAt(before)) {
        before = shown().at(-1) ?? before;
        await sleep(1100);
        answer = await session.recording.update({});
      }
      const after = updatedAt(answer);
      return after === (before && updatedAt(before)) || after === undefined ? 'unchanged' : 'accept';
    },
  },
  updateProbe(
    'unknown-field',
    'PATCH of the disposable recording with summary and an unknown field',
    { summary: 'Summary by the contract suite.', no_such_field_probe: 'x' },
    'ignore',
  ),
  {
    gap: 'wrong-type',
    sends: 'PATCH of the disposable recording with a number as title; the title is put back',
    writes: true,
    needs,
    async observe(session) {
      const accepted = await numberAsTitle(session);
      if (!accepted) return 'refuse';
      if (accepted.title === String(NUMBER)) return 'coerce';
      throw new Undetermined(`the update was accepted, but the title is ${JSON.stringify(accepted.title)}`);
    },
  },
  {
    gap: 'null-field',
    sends: 'PATCH of the disposable recording with null as summary',
    writes: true,
    needs,
    async observe(session) {
      if (!isAccepted('The update', await update(session, { summary: null }))) return 'refuse';
      // Nothing reads the summary back. Where a wrong type is ignored as well, null may be ignored, too.
      const accepted = await numberAsTitle(session);
      if (accepted && accepted.title !== String(NUMBER)) {
        throw new Undetermined('the update was accepted, as is one with a number as title, which is ignored');
      }
      return 'clear';
    },
  },
  {
    gap: 'analysis-structure',
    sends: 'PATCH of the disposable recording with analysis holding made-up keys, then the known ones',
    writes: true,
    needs,
    async observe(session) {
      // One that the checks sent beside other keys says as much, where it was accepted.
      const known = session.recall((answer) => {
        const { analysis } = asObject(parseJson(answer.request.body ?? ''));
        return isSuccess(answer) && isObject(analysis) && UNKNOWN_KEY in analysis;
      });
      const anything = known ?? (await update(session, { analysis: { [UNKNOWN_KEY]: { nested: [1] } } }));
      if (isAccepted('The update', anything)) return 'any-object';
      // The refusal of other keys counts only where the known ones are accepted.
      const both = await update(session, { analysis: { key_topics: ['topic'], action_items: ['item'] } });
      if (isAccepted('The update with key_topics and action_items', both)) return 'known-keys';
      throw new Undetermined('neither made-up keys nor key_topics and action_items are accepted');
    },
  },
  statusProbe({
    gap: 'unknown-recording-status',
    sends: 'PATCH of a recording with a made-up id',
    writes: true,
    needs,
    async send(session) {
      const control = await session.recording.original();
      if (!isSuccess(control)) throw unexpected('The update of the known recording', control);
      return unknownRecording(session);
    },
  }),
  {
    gap: 'foreign-recording',
    repeats: true,
    sends: 'PATCH of the disposable recording as member, and of one with a made-up id',
    writes: true,
    needs: ['actors.admin', 'actors.member', 'resources.recordingId'],
    async observe(session) {
      // The recording is one that admin may update; member is somebody else of the tenant.
      const control = await session.recording.original();
      if (!isSuccess(control)) throw unexpected('The update by admin', control);
      if ((await ownerOf(session, control)) === 'member')
        throw new Undetermined("the recording is member's own (user_id), and admin may update it as an administrator");
      // Where admin is refused at member's recording, so is member at admin's.
      const refusedToAdmin = await refusedAtMembers(session);
      const body = { summary: 'Summary by the contract suite.' };
      const foreign =
        refusedToAdmin ?? (await session.recording.update(body, await session.signIn.authorization('member')));
      if (isSuccess(foreign)) return 'allow';
      const { status } = foreign.response;
      const forbidden = await forbiddenStatus(session);
      const isForbidding = status === 403 || status === forbidden;
      // Where it does not look like what admin gets for an unknown one, member need not ask for that as well.
      if (isForbidding && status !== (await unknownRecording(session)).response.status) return 'forbid';
      const unknown = refusedToAdmin ? unknownRecording(session) : session.recording.updateUnknown('member');
      const other = (await unknown).response.status;
      if (status === other) {
        // It looks like an unknown one. Where that is what "not permitted" looks like as well, 404 is called hidden.
        if (status === 404 || (forbidden !== undefined && status !== forbidden)) return 'hide';
        if (status === forbidden) return 'forbid';
        throw new Undetermined(`both somebody else's and an unknown recording get ${status}`);
      }
      if (isForbidding) return 'forbid';
      throw new Undetermined(`it is refused with ${status}, an unknown recording with ${other}`);
    },
  },
];
