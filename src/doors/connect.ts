// Disposal is newer than the library that many projects compile with.
/// <reference lib="esnext.disposable" preserve="true" />

import type { components } from '../control/control-types.ts';
import { randomText } from '../core/crypto.ts';
import { type ClientFetch, type ControlClient, controlClient } from './control-client.ts';

/** How a sandbox begins: profile, seed, recordings, faults, or from another world or a snapshot. */
export type SandboxOptions = components['schemas']['SandboxOptions'];

/** A world of its own on a mock that runs. `await using` deletes it. */
export interface Sandbox extends AsyncDisposable {
  readonly name: string;
  readonly baseUrl: string;
  readonly control: ControlClient;
}

/** A mock that runs, wherever it was started. */
export interface MockConnection {
  readonly baseUrl: string;
  /** The control plane of the main world. */
  readonly control: ControlClient;
  /**
   * Makes a sandbox, under a name of its own where none is given; one that exists begins anew.
   * @throws ControlRefusal when the options cannot be used
   */
  sandbox(name?: string, options?: SandboxOptions): Promise<Sandbox>;
}

export interface ConnectOptions {
  readonly controlToken?: string | undefined;
  /** In the place of the global one: that of a mock without a port. */
  readonly fetch?: ClientFetch | undefined;
}

/** Connects to a mock that runs in another process, or in another test file. Nothing is sent yet. */
export function connectMock(baseUrl: string, { controlToken, fetch }: ConnectOptions = {}): MockConnection {
  const clientFor = (url: string): ControlClient => controlClient(url, { token: controlToken, fetch });
  const control = clientFor(baseUrl);
  return {
    baseUrl,
    control,
    async sandbox(name = `test-${randomText()}`, options = {}) {
      const params = { path: { sandbox: name } };
      await control.PUT('/sandboxes/{sandbox}', { params, body: options });
      const itsUrl = `${baseUrl}/~${name}`;
      return {
        name,
        baseUrl: itsUrl,
        control: clientFor(itsUrl),
        async [Symbol.asyncDispose]() {
          await control.DELETE('/sandboxes/{sandbox}', { params });
        },
      };
    },
  };
}
