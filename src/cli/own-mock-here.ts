import type { Target } from '../../contract-tests/session/target-file.ts';
import { targetOf } from '../control/target.ts';
import { startMock } from '../index.ts';
import type { OwnMock } from './own-mock.ts';

/**
 * Starts a mock in this thread. What refuses requests is loaded once it listens, since the suite soon sends some that are
 * not valid.
 */
export async function startHere(profile: string | undefined): Promise<OwnMock> {
  const mock = await startMock({ port: 0, ...(profile === undefined ? {} : { profile }) });
  setImmediate(() => void mock.prepare());
  return {
    target: JSON.parse(JSON.stringify(targetOf(mock.world, mock.baseUrl))) as Target,
    pass: async (milliseconds) => mock.world.clock.advance(milliseconds),
    close: mock.close,
  };
}
