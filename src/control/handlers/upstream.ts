import { withoutUserInfo } from '../../../contract-tests/values/url.ts';
import { ConfigError } from '../../core/spec/config-error.ts';
import { splitOf } from '../../core/upstream-split.ts';
import type { Upstream } from '../../core/world/upstream.ts';
import type { Worlds } from '../../core/world/worlds.ts';
import type { Handlers } from '../call.ts';
import type { components } from '../control-types.ts';
import { notFound, Refusal } from '../refusal.ts';

export const upstreamHandlers: Handlers<'getUpstream' | 'splitUpstream'> = {
  getUpstream: ({ worlds }) => shown(upstreamOf(worlds)),
  splitUpstream: ({ worlds, body }) => {
    const upstream = upstreamOf(worlds);
    try {
      upstream.split = splitOf(worlds.main, body);
    } catch (error) {
      if (error instanceof ConfigError) throw new Refusal('invalid', `${error.message}.`);
      throw error;
    }
    return shown(upstream);
  },
};

/** @throws Refusal not_found */
function upstreamOf({ services }: Worlds): Upstream {
  if (services.upstream) return services.upstream;
  throw notFound('No service is behind this mock. Name one at its start: serve --upstream URL.');
}

/** Description of the upstream for clients. */
export const shown = ({ url, allowsWrites, split }: Upstream): components['schemas']['Upstream'] => ({
  url: withoutUserInfo(url),
  allowsWrites,
  only: [...(split.only ?? [])],
  ...(split.mockOnly && { mockOnly: [...split.mockOnly] }),
});
