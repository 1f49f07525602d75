import { apiKeysPath } from '../api/operations.ts';
import type { Answer } from '../values/answer.ts';
import type { Connection } from './connection.ts';
import type { SigningIn } from './signing-in.ts';

/** The provider API keys of tenants (4.3). */
export class TenantApiKeys {
  readonly #connection: Connection;
  readonly #signIn: SigningIn;

  constructor(connection: Connection, signIn: SigningIn) {
    this.#connection = connection;
    this.#signIn = signIn;
  }

  /** GET of a tenant's API keys as admin. */
  async of(tenantId: string, query: Record<string, string> = {}, headers?: Record<string, string>): Promise<Answer> {
    const search = new URLSearchParams(query).toString().replaceAll('+', '%20');
    const path = `${apiKeysPath(tenantId)}${search ? `?${search}` : ''}`;
    const answer = await this.#connection.send({
      method: 'GET',
      path,
      headers: headers ?? (await this.#signIn.authorization('admin')),
    });
    return headers ? answer : this.#connection.noteSuccess('admin', answer);
  }

  /** The unfiltered list of the target's tenant. */
  async all(): Promise<Answer> {
    return this.#connection.recorder.once('all api keys', () => this.of(this.#connection.resource('tenantId')));
  }
}
