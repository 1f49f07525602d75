import type { Actor } from '../model.ts';
import { recordingPath } from '../session/operations.ts';
import type { Session } from '../session/session.ts';
import { type Answer, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject, type JsonObject } from '../wire/json.ts';
import { sleep } from '../wire/time.ts';
import { type Probe, statusProbe, Undetermined, unexpected } from './probe.ts';
import { forbiddenStatus, isAccepted, unknownRecording } from './requests.ts';

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
    const answer = await update(session, { title: NUMBER });
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

/** Updates of recordings (4.2). */
export const recordingProbes: Probe[] = [
  {
    gap: 'empty-update',
    sends: 'PATCH of the disposable recording with {}, and where it shows no new time, once more a second later',
    writes: true,
    needs,
    async observe(session) {
      // What an earlier request was answered would show the same time each time.
      session.recalls = false;
      await session.recording.original();
      const { pathname } = new URL(recordingPath(session.recording.id), session.target.baseUrl);
      const last = session.successes.findLast(({ request }) => request.url.endsWith(pathname));
      const answer = await update(session, {});
      if (!isAccepted('The update', answer)) return 'refuse';
      const before = last && updatedAt(last);
      let after = updatedAt(answer);
      // Times may be written in whole seconds.
      if (after === before) {
        await sleep(1100);
        after = updatedAt(await session.recording.update({}));
      }
      return after === before || after === undefined ? 'unchanged' : 'accept';
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
      const anything = await update(session, { analysis: { no_such_key_probe: { nested: [1] } } });
      if (isAccepted('The update', anything)) return 'any-object';
      // The refusal of other keys counts only where the known ones are accepted.
      const known = await update(session, { analysis: { key_topics: ['topic'], action_items: ['item'] } });
      if (isAccepted('The update with key_topics and action_items', known)) return 'known-keys';
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
      const headers = await session.signIn.authorization('member');
      const body = { summary: 'Summary by the contract suite.' };
      const foreign = await session.recording.update(body, headers);
      if (isSuccess(foreign)) return 'allow';
      const { status } = foreign.response;
      const forbidden = await forbiddenStatus(session);
      const isForbidding = status === 403 || status === forbidden;
      // Where it does not look like what admin gets for an unknown one, member need not ask for that as well.
      if (isForbidding && status !== (await unknownRecording(session)).response.status) return 'forbid';
      const other = (await session.recording.updateUnknown('member')).response.status;
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
