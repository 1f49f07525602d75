import { randomUUID } from 'node:crypto';
import { isSuccess, jsonOf, objectOf } from '../checks/answers.ts';
import { decodeJwt, findStrings, isJwt, isObject, isPatForm, type JsonObject } from '../checks/formats.ts';
import { TransportError } from '../errors.ts';
import { blocked, CheckFailure, setUpError, untested } from '../failure.ts';
import type { Undo } from '../interruption.ts';
import type { Actor, Exchange } from '../model.ts';
import { loadGaps } from '../spec-data.ts';
import { Client } from './client.ts';
import { Recorder } from './recorder.ts';
import type { Answer, ClientRequest } from './request.ts';
import type { ActorCredentials, Target } from './target-file.ts';
import { PAT_CREATION_PATH, WriteNotAllowed, type WritePolicy } from './write-guard.ts';

export const SSO_PATH = '/v1/auth/sso';
export const LOGIN_PATH = '/v1/auth/login';

/** What a session works with: serialisable, since it is handed to the worker that runs the checks. */
export interface SessionConfig {
  target: Target;
  /** Answers to gaps that somebody gave (profile), as against those that are only assumed. */
  answers: Record<string, unknown>;
  allowWrites: boolean;
  /** Whether gaps are probed in this run. */
  probing?: boolean;
  /**
   * Whether the one PAT is asked for with as little as the target takes, so that its request can be told; else with all
   * scopes, so that it may do what the checks want to see it do.
   */
  leanPat?: boolean;
  /** Whether a violation is asked for once more before it is reported; true unless said otherwise. */
  repeatViolations?: boolean;
}

/** As many violations are repeated in a run. */
const MAX_REPEATS = 20;

/** How SSO went: the answer, and whether it took an Authorization header that the document says is not used. */
export interface SsoOutcome {
  answer: Answer;
  withoutHeader: Answer;
  neededHeader: boolean;
}

/** A credential that the target took, and where it came from. */
export interface Bearer {
  token: string;
  source: string;
  /** When it was answered, by this process's clock in milliseconds; absent where it was given. */
  receivedAt?: number;
}

/** Whether four fifths of the lifetime that a JWT states are over. Counted from its receipt: clocks may differ. */
function isNearlySpent({ token, receivedAt }: Bearer): boolean {
  const { exp, iat } = decodeJwt(token)?.payload ?? {};
  if (receivedAt === undefined || typeof exp !== 'number' || typeof iat !== 'number') return false;
  return exp > iat && performance.now() - receivedAt > (exp - iat) * 800;
}

const WRITES_LEFT =
  'summary, analysis, kb_folder_id and kb_document_id of the recording hold what the suite wrote last: no documented operation reads them back';

/**
 * The suite's dealings with one target: acts as its actors, and keeps what several checks share (a sign-in, a list), so
 * that the target sees few requests. Knows nothing of what is right: checks judge the answers.
 */
export class Session {
  readonly config: SessionConfig;
  readonly recorder = new Recorder();
  readonly leftovers = new Set<string>();
  /** Told what puts the title back while it is another one, and undefined once it is back. */
  onUndo: (undo: Undo | undefined) => void = () => {};
  readonly #client: Client;
  readonly #policy: WritePolicy;
  /** The access token that each actor works with. */
  readonly #inUse = new Map<Actor, Bearer>();
  #titleDirty = false;
  /** Whether the target ever took a title: otherwise there is none to put back. */
  #titleWritten = false;
  #originalTitle: unknown;
  #repeats = 0;
  #findingScopes = false;
  /** Which of the target's resources took the bearer of an actor: proof that the credential as such is good. */
  readonly #proven = new Set<Actor>();
  /** Authorization headers that a protected operation took. */
  readonly #acceptedHeaders = new Set<string>();
  readonly #actors = new Map<string, Actor>();
  /** Whether the target ever answered that there were too many requests. */
  limited = false;
  /** Every success of the run so far. */
  readonly successes: Answer[] = [];

  constructor(config: SessionConfig) {
    this.config = config;
    const recordingId = config.target.resources?.recordingId;
    this.#policy = {
      allowWrites: config.allowWrites,
      recordingPaths: new Set(recordingId ? [recordingPath(recordingId)] : []),
      signInPaths: new Set([SSO_PATH, LOGIN_PATH]),
      refreshPaths: new Set(),
    };
    this.#client = new Client(config.target, this.#policy, (exchange: Exchange) => {
      if (exchange.response?.status === 429) this.limited = true;
      this.#noteAccepted(exchange);
      const { response } = exchange;
      if (response && isSuccess({ response })) this.successes.push(exchange as Answer);
      this.recorder.record(exchange);
    });
  }

  get target(): Target {
    return this.config.target;
  }

  close(): void {
    this.#client.close();
  }

  /** Sends nothing from now on; resolves once nothing is under way any more. */
  halt(): Promise<void> {
    return this.#client.halt();
  }

  /** Whether one more violation may be repeated: a target that is broken throughout is not asked everything twice. */
  mayRepeat(): boolean {
    this.#repeats += 1;
    return this.#repeats <= MAX_REPEATS;
  }

  /** Forgets sign-ins and lists, so that they are asked for anew. A PAT made is kept: there is at most one a run. */
  startAfresh(): void {
    this.recorder.forget((key) => key.startsWith('pat '));
    this.#inUse.clear();
  }

  credentials(actor: Actor): ActorCredentials {
    return this.target.actors?.[actor] ?? {};
  }

  resource(name: 'recordingId' | 'tenantId' | 'otherTenantId'): string {
    const value = this.target.resources?.[name];
    if (!value) throw untested(`the target file has no resources.${name}`);
    return value;
  }

  /** Whose Authorization header this is; undefined when it is nobody's. */
  actorOf(authorization: string): Actor | undefined {
    return this.#actors.get(authorization);
  }

  /** Any request that the write guard lets through. */
  async send(request: ClientRequest): Promise<Answer> {
    return this.#client.send(request);
  }

  /** The answer to a gap that the profile gives, else the ledger's default. */
  assumed<T>(gapId: string): T {
    if (gapId in this.config.answers) return this.config.answers[gapId] as T;
    const gap = loadGaps().find(({ id }) => id === gapId);
    if (!gap) throw new Error(`There is no gap ${gapId}.`);
    return gap.default as T;
  }

  // ---- signing in ----

  /** POST /v1/auth/sso with the actor's claims, sent as 4.1 says; once more with a header if that is refused with 401 or 403. */
  async sso(actor: Actor): Promise<SsoOutcome> {
    return this.recorder.once(`sso ${actor}`, async () => {
      const withoutHeader = await this.#postSso(actor);
      if (isSuccess(withoutHeader) || ![401, 403].includes(withoutHeader.response.status)) {
        return { answer: withoutHeader, withoutHeader, neededHeader: false };
      }
      const answer = await this.#postSso(actor, {
        Authorization: `Bearer ${(await this.#tokenWithoutSso(actor)) ?? 'none'}`,
      });
      return isSuccess(answer)
        ? { answer, withoutHeader, neededHeader: true }
        : { answer: withoutHeader, withoutHeader, neededHeader: false };
    });
  }

  /** An SSO login of an actor beside the one that is shared. */
  async sendSso(actor: Actor, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#signInAgain(actor, () => this.#postSso(actor, headers));
  }

  async #postSso(actor: Actor, headers: Record<string, string> = {}): Promise<Answer> {
    const { sso } = this.credentials(actor);
    if (!sso) throw untested(`the target file has no actors.${actor}.sso`);
    return this.#client.send({ method: 'POST', path: SSO_PATH, json: sso, headers });
  }

  /**
   * Signs in once more. A target may allow one session a user, so that this ends the session before; the document does not
   * say. Where the token in use was taken, and is not any more, one of the new sign-in's takes its place.
   */
  async #signInAgain(actor: Actor, signIn: () => Promise<Answer>): Promise<Answer> {
    const { tenantId } = this.target.resources ?? {};
    const used = await this.#signIn(actor).catch(() => undefined);
    const isTaken = async ({ token }: { token: string }): Promise<boolean> =>
      tenantId !== undefined && isSuccess(await this.apiKeys(tenantId, {}, { Authorization: `Bearer ${token}` }));
    const wasTaken = used !== undefined && (await isTaken(this.#inUse.get(actor) ?? used));
    const answer = await signIn();
    if (!wasTaken || !isSuccess(answer) || (await isTaken(this.#inUse.get(actor) ?? used))) return answer;
    for (const token of findJwts(answer)) {
      if (await isTaken({ token })) this.#inUse.set(actor, { ...used, token });
    }
    return answer;
  }

  /** The JSON object that the SSO login of an actor answered. */
  async ssoGrant(actor: Actor): Promise<JsonObject> {
    const { answer } = await this.sso(actor);
    return objectOf(
      answer,
      isSuccess(answer) ? 'sso-access-token' : 'sso-claims-accepted',
      `The SSO login of ${actor}`,
    );
  }

  /** POST /v1/auth/login with the fields that the target file gives; once a run. */
  async login(actor: Actor): Promise<Answer> {
    return this.recorder.once(`login of ${actor} beside SSO`, () =>
      this.#signInAgain(actor, () => this.#postLogin(actor)),
    );
  }

  /** The same without a look at other sessions: signing in rests on it, and must not wait for itself. */
  async #postLogin(actor: Actor): Promise<Answer> {
    const { login } = this.credentials(actor);
    if (!login) throw untested(`the target file has no actors.${actor}.login`);
    return this.recorder.once(`login ${actor}`, () =>
      this.#client.send({ method: 'POST', path: LOGIN_PATH, json: login }),
    );
  }

  /** A JWT access token of the actor: given, from SSO, or from the password login. */
  async accessToken(actor: Actor): Promise<Bearer> {
    const used = this.#inUse.get(actor) ?? (await this.#signIn(actor));
    const fresh = isNearlySpent(used) ? await this.#renewed(actor, used) : used;
    this.#inUse.set(actor, fresh);
    return fresh;
  }

  /** A run may take longer than a token lives: then the actor signs in anew, by the same way. */
  async #renewed(actor: Actor, used: Bearer): Promise<Bearer> {
    const { sso, login } = this.credentials(actor);
    const again = sso
      ? () => this.#postSso(actor)
      : () => this.#client.send({ method: 'POST', path: LOGIN_PATH, json: login });
    const answer = await again();
    const token = isSuccess(answer) ? findJwts(answer)[0] : undefined;
    return token === undefined ? used : { ...used, token, receivedAt: performance.now() };
  }

  #signIn(actor: Actor): Promise<Bearer> {
    return this.recorder.once(`access token ${actor}`, async () => {
      const { accessToken, sso, login } = this.credentials(actor);
      if (accessToken) return { token: accessToken, source: `actors.${actor}.accessToken` };
      const problems: CheckFailure[] = [];
      for (const obtain of [sso && (() => this.#ssoToken(actor)), login && (() => this.#loginToken(actor))]) {
        if (!obtain) continue;
        try {
          return await obtain();
        } catch (error) {
          if (!(error instanceof CheckFailure || error instanceof TransportError)) throw error;
          problems.push(error instanceof CheckFailure ? error : setUpError(error.message));
        }
      }
      throw (
        problems[0] ??
        untested(`the target file gives ${actor} neither sso, login nor accessToken under actors.${actor}`)
      );
    });
  }

  async #ssoToken(actor: Actor): Promise<Bearer> {
    const token = (await this.ssoGrant(actor)).access_token;
    if (typeof token !== 'string' || token === '')
      throw blocked('sso-access-token', `The SSO login of ${actor} gave no access_token`);
    return { token, source: 'POST /v1/auth/sso', receivedAt: performance.now() };
  }

  async #loginToken(actor: Actor): Promise<Bearer> {
    const answer = await this.#postLogin(actor);
    const token = isSuccess(answer) ? findJwts(answer)[0] : undefined;
    if (!token) throw blocked('login-jwt', `The password login of ${actor} gave no JWT`);
    return { token, source: 'POST /v1/auth/login', receivedAt: performance.now() };
  }

  async #tokenWithoutSso(actor: Actor): Promise<string | undefined> {
    const { accessToken, pat, login } = this.credentials(actor);
    if (accessToken ?? pat) return accessToken ?? pat;
    if (!login) return undefined;
    try {
      return (await this.#loginToken(actor)).token;
    } catch {
      return undefined; // only a better second try was wanted; what failed here is judged by its own check
    }
  }

  /** Whatever bearer token the actor has: an access token, else a given PAT. */
  async bearer(actor: Actor): Promise<Bearer> {
    const { accessToken, sso, login, pat } = this.credentials(actor);
    if (pat && !accessToken && !sso && !login) return { token: pat, source: `actors.${actor}.pat` };
    try {
      return await this.accessToken(actor);
    } catch (error) {
      if (pat) return { token: pat, source: `actors.${actor}.pat` };
      throw error;
    }
  }

  /** The Authorization header of an actor. */
  async authorization(actor: Actor): Promise<Record<string, string>> {
    const Authorization = `Bearer ${(await this.bearer(actor)).token}`;
    this.#actors.set(Authorization, actor);
    return { Authorization };
  }

  /** Whether the target takes the bearer token of admin at any protected operation: then the credential as such is good. */
  async isProven(): Promise<boolean> {
    const attempts = [() => this.allApiKeys(), () => this.scopes('admin'), () => this.originalRecording()];
    for (const attempt of attempts) {
      if (this.#proven.has('admin') || (await this.#wasAccepted('admin'))) return true;
      try {
        await attempt();
      } catch (error) {
        if (!(error instanceof CheckFailure || error instanceof TransportError || error instanceof WriteNotAllowed))
          throw error;
      }
    }
    return this.#proven.has('admin');
  }

  /** A check may send the actor's own token in headers of its own: that, too, shows that the credential is good. */
  async #wasAccepted(actor: Actor): Promise<boolean> {
    const { Authorization = '' } = await this.authorization(actor).catch(() => ({ Authorization: undefined }));
    return this.#acceptedHeaders.has(Authorization);
  }

  #noteAccepted({ request, response }: Exchange): void {
    const { Authorization } = request.headers;
    const isSignIn = [...this.#policy.signInPaths].some((path) => new URL(request.url).pathname.endsWith(path));
    if (Authorization && !isSignIn && response && response.status >= 200 && response.status < 300)
      this.#acceptedHeaders.add(Authorization);
  }

  #noteSuccess(actor: Actor, answer: Answer): Answer {
    if (isSuccess(answer)) this.#proven.add(actor);
    return answer;
  }

  // ---- personal access tokens ----

  /**
   * The PAT that the suite works with: the one given, else the one created. At most one is created in a run, since no
   * documented operation revokes it.
   */
  async pat(actor: Actor): Promise<Bearer> {
    const given = this.credentials(actor).pat;
    if (given) return { token: given, source: `actors.${actor}.pat` };
    const created = await this.createdPat(actor);
    const token = isSuccess(created) ? findPat(created) : undefined;
    if (!token) throw blocked('pat-form', 'POST /v1/api-tokens answered no PAT of the documented form');
    return { token, source: 'POST /v1/api-tokens' };
  }

  /**
   * What POST /v1/api-tokens answered: a success, or that there is no such operation. The request's body is not
   * documented, so few likely ones are tried; refusing them all proves nothing.
   */
  async createdPat(actor: Actor): Promise<Answer> {
    return this.recorder.once(`pat ${actor}`, async () => {
      const headers = await this.authorization(actor);
      const bodies = patBodies(await this.#scopeNames(actor), this.config.leanPat ?? false);
      const refusals: string[] = [];
      for (const json of bodies) {
        const answer = await this.#client.send({ method: 'POST', path: PAT_CREATION_PATH, json, headers });
        if (isSuccess(answer)) {
          const which = 'name' in json ? `named "${json.name}"` : `without a name, made at ${new Date().toISOString()}`;
          this.leftovers.add(`a personal access token ${which}: no documented operation revokes it`);
          return answer;
        }
        if ([404, 405, 501].includes(answer.response.status)) return answer;
        refusals.push(`${answer.response.status} for {${Object.keys(json).join(', ')}}`);
        if ([401, 403, 429].includes(answer.response.status)) break;
      }
      const advice = this.credentials(actor).pat ? 'waive it with --allow-untested' : `set actors.${actor}.pat`;
      throw untested(
        `POST /v1/api-tokens, whose body is not documented, refused what the suite tried (${refusals.join('; ')}); ${advice}`,
      );
    });
  }

  /** The names of the scopes, as a request would list them: a list of each member that may hold them. */
  async #scopeNames(actor: Actor): Promise<string[][]> {
    if (this.#findingScopes) return []; // the PAT is wanted to find the scopes in the first place
    try {
      const found = findStrings(jsonOf(await this.scopes(actor))).filter(({ value }) => /^\S+$/.test(value));
      const lists = [/^\d+$/, /^name$/i, /^scope$/i, /^key$/i, /^(value|code|slug)$/i, /^id$/i].map((member) => [
        ...new Set(found.filter(({ path }) => member.test(path.at(-1) ?? '')).map(({ value }) => value)),
      ]);
      return lists.filter((names) => names.length > 0).map((names) => names.slice(0, 100));
    } catch {
      return []; // without the scopes a PAT is asked for by its name alone
    }
  }

  // ---- protected operations ----

  /** PATCH of the disposable recording. Without `authorization` the actor admin's own is used. */
  async update(body: JsonObject, headers?: Record<string, string>): Promise<Answer> {
    if ('title' in body) {
      await this.originalRecording();
      this.#titleDirty = true;
      const title = this.#originalTitle;
      if (typeof title === 'string') {
        const path = recordingPath(this.resource('recordingId'));
        this.onUndo({ path, json: { title }, headers: await this.authorization('admin') });
      }
    }
    const answer = await this.#sendUpdate(body, headers);
    this.#titleWritten ||= 'title' in body && isSuccess(answer);
    return answer;
  }

  async #sendUpdate(json: JsonObject, headers?: Record<string, string>): Promise<Answer> {
    const path = recordingPath(this.resource('recordingId'));
    const answer = await this.#client.send({
      method: 'PATCH',
      path,
      json: this.#withExistingIds(json),
      headers: headers ?? (await this.authorization('admin')),
    });
    if (isSuccess(answer)) this.leftovers.add(WRITES_LEFT);
    return headers ? answer : this.#noteSuccess('admin', answer);
  }

  /** The made-up knowledge-base identifiers replaced by those that the target file gives. */
  #withExistingIds(json: JsonObject): JsonObject {
    const { kbFolderId, kbDocumentId } = this.target.resources ?? {};
    return {
      ...json,
      ...(kbFolderId && json.kb_folder_id === SAMPLE_ID ? { kb_folder_id: kbFolderId } : {}),
      ...(kbDocumentId && json.kb_document_id === SAMPLE_ID ? { kb_document_id: kbDocumentId } : {}),
    };
  }

  /** The recording as it was found: what the first update answers that leaves the title alone. */
  async originalRecording(): Promise<Answer> {
    return this.recorder.once('original recording', async () => {
      let first: Answer | undefined;
      // The emptiest update first: what any other one might change by mistake, it must not have changed already.
      for (const body of [
        {},
        { kb_document_id: SAMPLE_ID },
        { summary: 'Summary by the contract suite.' },
        { kb_folder_id: SAMPLE_ID },
        { analysis: {} },
      ]) {
        const answer = await this.#sendUpdate(body);
        first ??= answer;
        if (!isSuccess(answer)) continue;
        const record = jsonOf(answer);
        // What an update of nothing answers is not documented: one that succeeds without the recording is as good as none.
        if (Object.keys(body).length === 0 && !(isObject(record) && 'title' in record)) continue;
        // Only the first one shows the title as it was found: a later one is of a repeated check.
        this.#originalTitle ??= isObject(record) ? record.title : undefined;
        return answer;
      }
      return first as Answer;
    });
  }

  /** Puts the title back that the recording had; called after each check, and does nothing when no title was written. */
  async restoreTitle(): Promise<void> {
    if (!this.#titleDirty) return;
    this.#titleDirty = false;
    const title = this.#originalTitle;
    let restored = false;
    try {
      restored = typeof title === 'string' && isSuccess(await this.#sendUpdate({ title }));
    } finally {
      if (restored) this.onUndo(undefined);
      else if (this.#titleWritten) this.leftovers.add('the title of the recording: it could not be put back');
    }
  }

  /** PATCH, as an actor, of a recording that nobody has: its id is made up for this one request. */
  async updateUnknown(actor: Actor): Promise<Answer> {
    return this.#updateAt(recordingPath(randomUUID()), actor);
  }

  /** PATCH, as admin, of paths that nobody has, since they are made up: one beside and one below the recording's. */
  async updateNowhere(): Promise<Answer[]> {
    const below = `${recordingPath(this.resource('recordingId'))}/${randomUUID()}`;
    const beside = `/v1/echo/${randomUUID()}/${randomUUID()}`;
    return [await this.#updateAt(beside, 'admin'), await this.#updateAt(below, 'admin')];
  }

  async #updateAt(path: string, actor: Actor): Promise<Answer> {
    this.#policy.recordingPaths.add(path);
    try {
      const json = { summary: 'Summary by the contract suite.' };
      return await this.#client.send({ method: 'PATCH', path, json, headers: await this.authorization(actor) });
    } finally {
      this.#policy.recordingPaths.delete(path);
    }
  }

  /** POST to a path at which refresh tokens may be exchanged. */
  async refresh(path: string, request: Pick<ClientRequest, 'json' | 'headers'>): Promise<Answer> {
    if (path === PAT_CREATION_PATH)
      throw untested(`${path} is where PATs are created, so no refresh token is sent there`);
    this.#policy.refreshPaths.add(path);
    return this.#client.send({ method: 'POST', path, ...request });
  }

  /** Lets the disposable recording be addressed by the id that a broken target gave it, to put it right again. */
  async repair(recordingId: string, body: JsonObject): Promise<void> {
    this.#policy.recordingPaths.add(recordingPath(recordingId));
    await this.#client.send({
      method: 'PATCH',
      path: recordingPath(recordingId),
      json: body,
      headers: await this.authorization('admin'),
    });
  }

  /** GET of a tenant's API keys as admin. */
  async apiKeys(
    tenantId: string,
    query: Record<string, string> = {},
    headers?: Record<string, string>,
  ): Promise<Answer> {
    const search = new URLSearchParams(query).toString().replaceAll('+', '%20');
    const path = `/v1/admin/tenants/${encodeURIComponent(tenantId)}/api-keys${search ? `?${search}` : ''}`;
    const answer = await this.#client.send({
      method: 'GET',
      path,
      headers: headers ?? (await this.authorization('admin')),
    });
    return headers ? answer : this.#noteSuccess('admin', answer);
  }

  /** The unfiltered list of the target's tenant. */
  async allApiKeys(): Promise<Answer> {
    return this.recorder.once('all api keys', () => this.apiKeys(this.resource('tenantId')));
  }

  /** GET of the token scopes, wherever they are. */
  async scopes(actor: Actor, headers?: Record<string, string>): Promise<Answer> {
    const path = await this.scopesPath();
    if (headers) return this.#client.send({ method: 'GET', path, headers });
    return this.recorder.once(`scopes ${actor}`, async () => {
      const answer = await this.#client.send({ method: 'GET', path, headers: await this.authorization(actor) });
      return this.#noteSuccess(actor, answer);
    });
  }

  /** Where the token scopes are: the path of 4.4 is not shown, so the profile's, else the likely ones are tried. */
  async scopesPath(): Promise<string> {
    return this.recorder.once('scopes path', async () => {
      if ('scopes-path' in this.config.answers) {
        const path = this.assumed<string>('scopes-path');
        // Where the profile is wrong about the path, that is no violation: then the likely ones are tried as well.
        const { response } = await this.#get(path, await this.authorization('admin'));
        if (response.status !== 404) return path;
      }
      const gap = loadGaps().find(({ id }) => id === 'scopes-path');
      const candidates = [...new Set([gap?.default, ...(gap?.examples ?? [])])] as string[];
      this.#findingScopes = true;
      try {
        return await this.#firstThatAnswers(candidates);
      } finally {
        this.#findingScopes = false;
      }
    });
  }

  async #firstThatAnswers(candidates: string[]): Promise<string> {
    const tried: { path: string; answer: Answer }[] = [];
    for (const path of candidates) {
      const answer = await this.#get(path, await this.authorization('admin')).catch((error: unknown) => {
        // Where nobody answers, the scopes are not; the next candidate may still be the one.
        if (error instanceof TransportError) return undefined;
        throw error;
      });
      if (!answer) continue;
      if (isSuccess(answer) && jsonOf(answer) !== undefined) return path;
      tried.push({ path, answer });
    }
    // A path that refuses the JWT may still be the one: a PAT tells.
    const refusing = tried.filter(({ answer }) => [401, 403].includes(answer.response.status));
    if (refusing.length > 0 && refusing.length < tried.length) {
      const pat = await this.pat('admin').catch(() => undefined);
      for (const { path } of pat ? refusing : []) {
        const answer = await this.#get(path, { Authorization: `Bearer ${pat?.token}` });
        if (isSuccess(answer) && jsonOf(answer) !== undefined) return path;
      }
    }
    // A page is an answer only where a path that nobody has gets another one.
    const page = tried.find(({ answer }) => isSuccess(answer));
    if (page && !isSuccess(await this.#get(`/v1/${SAMPLE_ID}`, await this.authorization('admin')))) return page.path;
    const answers = tried.map(({ path, answer }) => `${path} ${answer.response.status}`);
    throw untested(
      `the path of the token scopes is not documented, and none of the likely ones answered (${answers.join(', ')}); ` +
        'set answers.scopes-path in a profile',
    );
  }

  #get(path: string, headers: Record<string, string>): Promise<Answer> {
    return this.#client.send({ method: 'GET', path, headers });
  }
}

/** An identifier that every usual format of identifiers lets through. */
export const SAMPLE_ID = '7d0d4a52-5f2c-4b1e-9c1d-0e6f8a3b2c4d';

/**
 * Bodies to ask for a PAT with, since none is documented: with scopes first, so that the PAT may do much; but where the
 * gap is probed, the leanest first, since what is refused tells what is needed.
 */
function patBodies(scopeLists: string[][], leanestFirst: boolean): JsonObject[] {
  const name = 'platform-mock contract run';
  const withScopes = scopeLists.slice(0, 3).map((scopes) => ({ name, scopes }));
  const last = { name, scopes: [], expires_in_days: 1 };
  return leanestFirst ? [{}, { name }, ...withScopes, last] : [...withScopes, { name }, last, {}];
}

/** The path of 4.2 for one recording. */
export function recordingPath(recordingId: string): string {
  return `/v1/echo/recordings/${encodeURIComponent(recordingId)}`;
}

/** The JWTs in an answer whose shape is not documented, in its body and headers: the likeliest access token first. */
export function findJwts(answer: Answer): string[] {
  const inBody = findStrings(jsonOf(answer)).filter(({ value }) => isJwt(value));
  const rank = ({ path }: { path: string[] }): number => {
    const name = path.join('.');
    if (/refresh|id_?token/i.test(name)) return 2;
    return /access|token|jwt/i.test(name) ? 0 : 1;
  };
  const inHeaders = Object.values(answer.response.headers).flatMap((value) => value.split(/[\s=;,]+/));
  const ranked = inBody.toSorted((a, b) => rank(a) - rank(b)).map(({ value }) => value);
  return [...new Set([...ranked, ...inHeaders.filter(isJwt)])];
}

/** The PAT in an answer whose shape is not documented. */
export function findPat(answer: Answer): string | undefined {
  const found = findStrings(jsonOf(answer)).filter(({ value }) => isPatForm(value) && !/[@/]|:\/\//.test(value));
  const rank = ({ path }: { path: string[] }): number => {
    const name = path.at(-1) ?? '';
    if (/^(token|pat|secret|value|key|access_?token|plain_?text_?token|api_?token|raw_?token)$/i.test(name)) return 0;
    return /token|key|secret|pat|value/i.test(name) ? 1 : 2;
  };
  return found.toSorted((a, b) => rank(a) - rank(b))[0]?.value;
}
