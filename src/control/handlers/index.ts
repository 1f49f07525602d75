import type { Handlers } from '../call.ts';
import { aboutHandlers } from './about.ts';
import { clockHandlers } from './clock.ts';
import { faultHandlers } from './faults.ts';
import { journalHandlers } from './journal.ts';
import { operationHandlers } from './operation.ts';
import { profileHandlers } from './profile.ts';
import { routeHandlers } from './routes.ts';
import { sandboxHandlers } from './sandboxes.ts';
import { stateHandlers } from './state.ts';
import { tokenHandlers } from './tokens.ts';

export const handlers: Handlers = {
  ...aboutHandlers,
  ...sandboxHandlers,
  ...stateHandlers,
  ...tokenHandlers,
  ...clockHandlers,
  ...faultHandlers,
  ...profileHandlers,
  ...routeHandlers,
  ...journalHandlers,
  ...operationHandlers,
};
