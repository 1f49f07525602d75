// The mock with an inspection channel: it replies to each message of the parent process with its state.
import { createHash } from 'node:crypto';
import { issueAccessToken } from '../../src/core/operations/tokens.ts';
import { startMock } from '../../src/index.ts';
import type { FuzzedState } from '../fuzz.ts';

const mock = await startMock();
const admin = mock.world.store.users.get('usr_ada');
if (!admin) throw new Error('The seed has no usr_ada.');
const token = issueAccessToken(mock.world, admin);

process.on('message', () => {
  const state: FuzzedState = {
    port: mock.port,
    token,
    state: createHash('sha256').update(JSON.stringify(mock.world)).digest('hex'),
    sandboxes: mock.worlds.count,
    ownViolations: mock.world.ownViolations,
  };
  process.send?.(state);
});
