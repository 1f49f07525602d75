import type { Register } from './command-line.ts';
import { registerFaults } from './faults.ts';
import { registerGaps } from './gaps.ts';
import { registerLearn } from './learn.ts';
import { registerProxy } from './proxy.ts';
import { registerReplay } from './replay.ts';
import { registerRoutes } from './routes.ts';
import { registerScore } from './score.ts';
import { registerServe } from './serve.ts';
import { registerSpec } from './spec.ts';
import { registerVary } from './vary.ts';
import { registerVerify } from './verify.ts';

export const commands: readonly Register[] = [
  registerServe,
  registerVerify,
  registerLearn,
  registerReplay,
  registerVary,
  registerGaps,
  registerRoutes,
  registerSpec,
  registerFaults,
  registerScore,
  registerProxy,
];
