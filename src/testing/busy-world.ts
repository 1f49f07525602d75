import { callerOf, claimsOfAda, field } from './client.ts';

/** Sends a mock what a working day would, so that every view has something to show. */
export async function busyWorld(baseUrl: string): Promise<void> {
  const call = callerOf(baseUrl);
  const token = String(field((await call('POST /v1/auth/sso', { json: claimsOfAda })).body, 'access_token'));
  const update = (json: object) => call('PATCH /v1/echo/recordings/rec_kickoff', { token, json });
  await update({ title: 'Kick-off, with the customer' });
  const terms = { operation: 'updateRecording', times: 3, probability: 1 };
  await call('PUT /_mock/faults/title-lower-cased', { json: terms });
  await update({ title: 'Weekly, with Grace', summary: 'Short.' });
  await call('GET /v1/admin/tenants/ten_analytical/api-keys?provider=openai', { token });
  await update({ title: 17 });
  await call('GET /v1/nowhere');
  await call('PUT /_mock/snapshots/signed-in');
  await call('PUT /_mock/sandboxes/test-1', { json: { profile: 'strict' } });
  await call('PUT /_mock/sandboxes/checkout-flow');
  await call('PATCH /_mock/profile', { json: { answers: { 'validation-status': 422 } } });
}
