import { after, counter } from '../advice.ts';
import { unauthorized } from '../errors.ts';
import type { Ctx, Hooks } from '../hooks.ts';
import { bearer } from '../services/credentials.ts';

interface Birth {
  instance: number;
  at: number;
}

/** Two replicas taken in turn; what one hands out reaches the other after `lagMs`. */
export const replicas = (lagMs: number) => (): Hooks => {
  const request = counter();
  const births = new Map<string, Birth>();
  const born = (c: Ctx, token: string): void => {
    births.set(token, { instance: c.get('instance'), at: Date.now() });
  };
  return {
    http: async (c, next) => {
      c.set('instance', request() % 2);
      await next();
      c.header('X-Replica', `r${c.get('instance')}`);
    },
    grant: after<'grant'>((grant, { c }) => {
      born(c, grant.access_token);
      return grant;
    }),
    createPat: after<'createPat'>((pat, { c }) => {
      born(c, pat.token);
      return pat;
    }),
    async authenticate(input, next) {
      const birth = births.get(bearer(input.header) ?? '');
      if (birth && birth.instance !== input.c.get('instance') && Date.now() - birth.at < lagMs)
        throw unauthorized('unknown');
      return next(input);
    },
  };
};
