/** Sends a mock what a working day would, so that every view has something to show. */
export async function busyWorld(baseUrl: string): Promise<void> {
  const call = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const json = body && { 'Content-Type': 'application/json' };
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { ...json, ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    return response.headers.get('content-type')?.includes('json') ? response.json() : undefined;
  };
  const { actors, resources } = await call('GET', '/_mock/target');
  const { access_token } = await call('POST', '/v1/auth/sso', actors.admin.sso);
  const headers = { Authorization: `Bearer ${access_token}` };
  const recording = `/v1/echo/recordings/${resources.recordingId}`;
  await call('PATCH', recording, { title: 'Kick-off, with the customer' }, headers);
  await call('PUT', '/_mock/faults/title-lower-cased', { operation: 'updateRecording', times: 3, probability: 1 });
  await call('PATCH', recording, { title: 'Weekly, with Grace', summary: 'Short.' }, headers);
  await call('GET', `/v1/admin/tenants/${resources.tenantId}/api-keys?provider=openai`, undefined, headers);
  await call('PATCH', recording, { title: 17 }, headers);
  await call('GET', '/v1/nowhere');
  await call('PUT', '/_mock/snapshots/signed-in');
  await call('PUT', '/_mock/sandboxes/test-1', { profile: 'strict' });
  await call('PUT', '/_mock/sandboxes/checkout-flow');
  await call('PATCH', '/_mock/profile', { answers: { 'validation-status': 422 } });
}
