import type { Target } from './contract.ts';
import type { Json } from './model.ts';
import type { World } from './world.ts';

/** What a deployment decides where the document leaves it open. Styles override these. */
export interface Settings {
  /** In front of every path, part of the base URL. */
  basePath: string;
  accessTokenSeconds: number;
  signing: 'HS256' | 'ES256';
  patPrefix: string;
  refreshPath: string;
  scopesPath: string;
  /** Refuse unknown body fields (422) instead of ignoring them. */
  strictBodies: boolean;
  timestamp(ms: number): string;
  /** JSON body of a refusal. */
  problem(status: number, message: string): Json;
  problemType: string;
  /** Last word on what the judge of the server is told. */
  describe(target: Target, world: World): Target;
}

export const faithful: Settings = {
  basePath: '',
  accessTokenSeconds: 3600,
  signing: 'HS256',
  patPrefix: 'plat',
  refreshPath: '/v1/auth/refresh',
  scopesPath: '/v1/api-tokens/scopes',
  strictBodies: false,
  timestamp: (ms) => new Date(ms).toISOString(),
  problem: (_status, message) => ({ message }),
  problemType: 'application/json',
  describe: (target) => target,
};
