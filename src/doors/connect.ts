// Disposal is newer than the library that many projects compile with.
/// <reference lib="esnext.disposable" preserve="true" />

import { randomText } from '../core/crypto.ts';
import type { components } from '../core/spec/control-types.ts';
import { callsOf, type WaitForCalls } from './calls/index.ts';
import { type ClientFetch, type ControlClient, ControlRefusal, controlClient } from './control-client.ts';

/** Options of a new sandbox: profile, seed, recordings, faults, or a fork of another world or a snapshot. */
export type SandboxOptions = components['schemas']['SandboxOptions'];

interface WorldConnection {
  readonly baseUrl: string;
  readonly control: ControlClient;
  /** Waits for requests to the world. */
  readonly calls: WaitForCalls;
  /** The gaps that decided responses of the world, as its journal has them. */
  gaps(): Promise<readonly components['schemas']['Gap'][]>;
}

/** An isolated world on a running mock. `await using` deletes it. */
export interface Sandbox extends WorldConnection, AsyncDisposable {
  readonly name: string;
}

/** The main world of a running mock, wherever it was started. */
export interface MockConnection extends WorldConnection {
  /** Creates a sandbox, by default with a unique name; an existing one is restarted. @throws ControlRefusal for invalid options */
  sandbox(name?: string, options?: SandboxOptions): Promise<Sandbox>;
}

export interface ConnectOptions {
  readonly controlToken?: string | undefined;
  /** Replaces the global fetch, e.g. by that of a mock without a port. */
  readonly fetch?: ClientFetch | undefined;
}

/** Connects to a mock that runs in another process or test file. Sends nothing yet. */
export function connectMock(baseUrl: string, { controlToken, fetch }: ConnectOptions = {}): MockConnection {
  const worldAt = (url: string): WorldConnection => {
    const control = controlClient(url, { token: controlToken, fetch });
    const gaps = async () => (await control.GET('/profile')).data.gaps.filter(({ responses }) => responses > 0);
    return { baseUrl: url, control, calls: callsOf(control, url), gaps };
  };
  const main = worldAt(baseUrl);
  return {
    ...main,
    async sandbox(name = `test-${randomText()}`, options = {}) {
      const params = { path: { sandbox: name } };
      await main.control.PUT('/sandboxes/{sandbox}', { params, body: options });
      return {
        name,
        ...worldAt(`${baseUrl}/~${name}`),
        async [Symbol.asyncDispose]() {
          await main.control.DELETE('/sandboxes/{sandbox}', { params }).catch((error: unknown) => {
            // A test, or --sandbox-ttl, was faster.
            if (!(error instanceof ControlRefusal && error.status === 404)) throw error;
          });
        },
      };
    },
  };
}
