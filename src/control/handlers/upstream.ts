import { withoutUserInfo } from '../../../contract-tests/values/url.ts';
import { ConfigError } from '../../core/spec/config-error.ts';
import type { UpstreamSplit } from '../../core/upstream-split.ts';
import type { Worlds } from '../../core/world/worlds.ts';
import type { Handlers } from '../call.ts';
import type { components } from '../control-types.ts';
import { notFound, Refusal } from '../refusal.ts';

/** The service behind the mock. */
export const upstreamHandlers: Handlers<'getUpstream' | 'splitUpstream'> = {
  getUpstream: ({ worlds }) => shown(upstreamOf(worlds)),
  splitUpstream: ({ worlds, body }) => {
    const upstream = upstreamOf(worlds);
    try {
      upstream.set(body);
    } catch (error) {
      if (error instanceof ConfigError) throw new Refusal('invalid', `${error.message}.`);
      throw error;
    }
    return shown(upstream);
  },
};

/** @throws Refusal not_found */
function upstreamOf({ services }: Worlds): UpstreamSplit {
  if (services.upstream) return services.upstream;
  throw notFound('No service is behind this mock. Name one at its start: serve --upstream URL.');
}

/** Description of the upstream for clients. */
export const shown = ({ url, allowsWrites, current }: UpstreamSplit): components['schemas']['Upstream'] => ({
  url: withoutUserInfo(url),
  allowsWrites,
  only: [...(current.only ?? [])],
  ...(current.mockOnly && { mockOnly: [...current.mockOnly] }),
});
