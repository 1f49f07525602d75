import { defineRoutes } from 'platform-mock';

export default defineRoutes({
  routes: [
    {
      method: 'POST',
      path: '/v1/echo/recordings',
      auth: 'required',
      answer({ request, world, caller }) {
        const { title } = (request.body ?? {}) as { title?: string };
        if (!title || !caller) return { status: 400, body: { error: 'A recording needs a title.' } };
        const recording = world.recordings.create({ title, user_id: caller.user.id });
        world.table('uploads').create({ id: `upl_${recording.id}`, recording: recording.id, bytes: 0 });
        return { status: 201, headers: { Location: `/v1/echo/recordings/${recording.id}` }, body: recording };
      },
    },
    {
      path: '/v1/uploads/{recording}',
      auth: 'required',
      answer({ request, world }) {
        const upload = world.table('uploads').get(`upl_${request.params.recording}`);
        return upload ? { body: upload } : { status: 404 };
      },
    },
  ],
});
