import type { Hooks } from '../hooks.ts';

interface Window {
  opened: number;
  count: number;
}

/** A fixed window per caller (Authorization header, or everybody without one). */
export const throttle = (limit: number, windowMs: number) => (): Hooks => {
  const windows = new Map<string, Window>();
  return {
    http: async (c, next) => {
      const caller = c.req.header('authorization') ?? 'anonymous';
      const now = Date.now();
      let window = windows.get(caller);
      if (!window || now - window.opened >= windowMs) {
        window = { opened: now, count: 0 };
        windows.set(caller, window);
      }
      window.count += 1;
      const reset = String(Math.max(1, Math.ceil((window.opened + windowMs - now) / 1000)));
      c.header('RateLimit-Limit', String(limit));
      c.header('RateLimit-Remaining', String(Math.max(0, limit - window.count)));
      c.header('RateLimit-Reset', reset);
      if (window.count > limit) {
        c.header('Retry-After', reset);
        return c.json({ message: 'Too Many Requests' }, 429);
      }
      return next();
    },
  };
};
