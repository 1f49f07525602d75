import { withoutWaiting } from '../../contract-tests/wire/time.ts';
import { startMock } from '../index.ts';

/** Starts a mock on a free port. `profile`: a shipped profile's name, or a file. */
export async function startOwnMock(profile: string | undefined) {
  const { baseUrl, world, close } = await startMock({ port: 0, ...(profile === undefined ? {} : { profile }) });
  return {
    baseUrl,
    close,
    /** Runs something while time passes on the clock of the mock alone: the suite waits for nothing. */
    withoutWaiting: <T>(run: () => Promise<T>): Promise<T> =>
      withoutWaiting((milliseconds) => world.clock.advance(milliseconds), run),
  };
}
