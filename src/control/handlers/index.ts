import type { Handlers } from '../call.ts';
import { aboutHandlers, upstreamHandlers } from './about.ts';
import { clockHandlers } from './clock.ts';
import { faultHandlers } from './faults.ts';
import { journalHandlers } from './journal.ts';
import { operationHandlers } from './operation.ts';
import { profileHandlers } from './profile.ts';
import { routeHandlers } from './routes.ts';
import { sandboxHandlers, snapshotHandlers } from './sandboxes.ts';
import { processingHandlers, stateHandlers } from './state.ts';
import { tokenHandlers } from './tokens.ts';

export const handlers: Handlers = {
  ...aboutHandlers,
  ...snapshotHandlers,
  ...sandboxHandlers,
  ...stateHandlers,
  ...processingHandlers,
  ...tokenHandlers,
  ...clockHandlers,
  ...faultHandlers,
  ...profileHandlers,
  ...routeHandlers,
  ...upstreamHandlers,
  ...journalHandlers,
  ...operationHandlers,
};
