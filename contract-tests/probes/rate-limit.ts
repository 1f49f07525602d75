import { agreeing, type Probe, Undetermined } from './probe.ts';

/** The limit that the headers tell, in requests a minute; 0 when they tell none. */
function perMinute(headers: Record<string, string>): number {
  const policy = headers['ratelimit-policy'] ?? headers.ratelimit ?? '';
  const told = headers['ratelimit-limit'] ?? headers['x-ratelimit-limit'] ?? headers['x-rate-limit-limit'] ?? policy;
  const limit = /(?:^|limit=|q=)\s*(\d+)/.exec(told)?.[1];
  if (limit === undefined) return 0;
  const window = /\bw=(\d+)/.exec(`${told};${policy}`)?.[1];
  if (window !== undefined) return Math.round((Number(limit) * 60) / Number(window));
  const reset = Number(headers['ratelimit-reset'] ?? headers['x-ratelimit-reset'] ?? 0);
  // A moment in time rather than a number of seconds says nothing about the window.
  if (reset > 60 && reset < 1_000_000)
    throw new Undetermined(`${limit} requests, in a time that is longer than a minute`);
  return Number(limit);
}

/** A limit that no header tells and no request meets cannot be seen: it counts as none. */
export const rateLimit: Probe = {
  gap: 'rate-limit',
  sends: 'nothing of its own: the headers of the API keys and of the token scopes',
  writes: false,
  needs: ['actors.admin', 'resources.tenantId'],
  async observe(session) {
    const keys = await session.apiKeys.all();
    const scopes = await session.scopes.of('admin').catch(() => undefined);
    const seen = [keys, ...(scopes ? [scopes] : [])].map((answer) => ({
      what: answer.request.url.split('/').at(-1) ?? '',
      value: perMinute(answer.response.headers),
    }));
    const limit = agreeing(seen, 'nothing was answered');
    if (limit === 0 && session.limited)
      throw new Undetermined('the target limits requests, but no header says to how many');
    return limit;
  },
};
