import type { OwnTarget } from '../../contract-tests/commands/verify.ts';
import type { Target } from '../../contract-tests/session/target-file.ts';
import { targetOf } from '../control/target.ts';
import { startMock } from '../index.ts';

export interface OwnMock extends OwnTarget {
  close(): Promise<void>;
}

/** Starts a mock on a free port. `profile`: a shipped profile's name, or a file. */
export async function startOwnMock(profile: string | undefined): Promise<OwnMock> {
  const mock = await startMock({ port: 0, ...(profile === undefined ? {} : { profile }) });
  return {
    target: JSON.parse(JSON.stringify(targetOf(mock.world, mock.baseUrl))) as Target,
    pass: (milliseconds) => mock.world.clock.advance(milliseconds),
    close: mock.close,
  };
}
