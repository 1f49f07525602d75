// Disposal is newer than the library that many projects compile with.
/// <reference lib="esnext.disposable" preserve="true" />

import type { components } from '../control/control-types.ts';
import { randomText } from '../core/crypto.ts';
import { callsOf, type WaitForCalls } from './calls/index.ts';
import { type ClientFetch, type ControlClient, controlClient } from './control-client.ts';

/** Options of a new sandbox: profile, seed, recordings, faults, or a fork of another world or a snapshot. */
export type SandboxOptions = components['schemas']['SandboxOptions'];

/** A gap that decided responses of a world. */
export type DecidingGap = components['schemas']['DecidingGap'];

/** An isolated world on a running mock. `await using` deletes it. */
export interface Sandbox extends AsyncDisposable {
  readonly name: string;
  readonly baseUrl: string;
  readonly control: ControlClient;
  /** Waits for requests to this world. */
  readonly calls: WaitForCalls;
  /** The gaps that decided this world's responses so far. */
  gaps(): Promise<readonly DecidingGap[]>;
}

/** A running mock, wherever it was started. */
export interface MockConnection {
  readonly baseUrl: string;
  /** The control plane of the main world. */
  readonly control: ControlClient;
  /** Waits for requests to the main world. */
  readonly calls: WaitForCalls;
  /** The gaps that decided the main world's responses so far. */
  gaps(): Promise<readonly DecidingGap[]>;
  /**
   * Creates a sandbox, by default with a unique name; an existing one is restarted.
   * @throws ControlRefusal for invalid options
   */
  sandbox(name?: string, options?: SandboxOptions): Promise<Sandbox>;
}

export interface ConnectOptions {
  readonly controlToken?: string | undefined;
  /** Replaces the global fetch, e.g. by that of a mock without a port. */
  readonly fetch?: ClientFetch | undefined;
}

/** Connects to a mock that runs in another process or test file. Sends nothing yet. */
export function connectMock(baseUrl: string, { controlToken, fetch }: ConnectOptions = {}): MockConnection {
  const clientFor = (url: string): ControlClient => controlClient(url, { token: controlToken, fetch });
  const control = clientFor(baseUrl);
  return {
    baseUrl,
    control,
    calls: callsOf(control, baseUrl),
    gaps: () => gapsOf(control),
    async sandbox(name = `test-${randomText()}`, options = {}) {
      const params = { path: { sandbox: name } };
      await control.PUT('/sandboxes/{sandbox}', { params, body: options });
      const itsUrl = `${baseUrl}/~${name}`;
      const itsControl = clientFor(itsUrl);
      return {
        name,
        baseUrl: itsUrl,
        control: itsControl,
        calls: callsOf(itsControl, itsUrl),
        gaps: () => gapsOf(itsControl),
        async [Symbol.asyncDispose]() {
          await control.DELETE('/sandboxes/{sandbox}', { params });
        },
      };
    },
  };
}

const gapsOf = async (control: ControlClient): Promise<readonly DecidingGap[]> =>
  (await control.GET('/gaps')).data.gaps;
