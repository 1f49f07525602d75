import { SAMPLE_ID } from '../api/operations.ts';
import { adminClaim, namesScopes } from '../api/scopes-answer.ts';
import { CannotAsk, ifAnswered } from '../errors.ts';
import type { Actor } from '../model.ts';
import { type Answer, describe, isSuccess, jsonOf } from '../values/answer.ts';
import { asText, isObject } from '../values/json.ts';
import { candidatePaths } from './gap-answers.ts';
import type { SignedIn } from './signing-in.ts';

type Headers = Record<string, string>;

/** The list of token scopes (4.4), whose path is not shown and has to be found. */
export class TokenScopes {
  foundPath: string | undefined;

  constructor(private readonly session: SignedIn & { readonly pats: { of(actor: Actor): Promise<string> } }) {}

  async of(actor: Actor): Promise<Answer> {
    return this.#get(await this.path(), await this.session.signIn.authorization(actor));
  }

  /** The profile's path, else the first likely one whose answer shows by itself that it is the list of token scopes. */
  async path(): Promise<string> {
    this.foundPath ??= await this.session.once('scopes path', () => this.#firstThatAnswers());
    return this.foundPath;
  }

  async #firstThatAnswers(): Promise<string> {
    const { 'scopes-path': given } = this.session.config.answers;
    const tried: string[] = [];
    const refusing: string[] = [];
    const jwt = await this.session.signIn.authorization('admin');
    // A wrong path in the profile is not a violation: then the likely ones are tried as well.
    for (const path of new Set([...(given ? [asText(given)] : []), ...candidatePaths('scopes-path', {})])) {
      // A path that does not answer is skipped; the next candidate may be the one.
      const answer = await ifAnswered(this.#get(path, jwt));
      if (!answer) continue;
      const { status } = answer.response;
      if (path === given ? status !== 404 : await this.#isTheOne(path, answer, jwt)) return path;
      tried.push(`${path} ${describe(answer)}`);
      if ([401, 403].includes(status)) refusing.push(path);
    }
    // Of paths that do not all refuse the JWT, one that does may be the one: a PAT shows it.
    const isPatOfUse = refusing.length > 0 && refusing.length < tried.length;
    const pat = isPatOfUse ? await this.session.pats.of('admin').catch(() => undefined) : undefined;
    for (const path of pat ? refusing : []) {
      const headers = { Authorization: `Bearer ${pat}` };
      const answer = await ifAnswered(this.#get(path, headers));
      if (answer && (await this.#isTheOne(path, answer, headers))) return path;
    }
    throw new CannotAsk(
      'the path of the token scopes is not documented, and at none of the likely ones an answer showed by itself that it ' +
        `is theirs (${tried.join(', ')}); set followRedirects in the target file where only the path differs, or answers.scopes-path in a profile`,
    );
  }

  /** Whether an answer is that of the token scopes, and an unknown path next to it is not answered alike. */
  async #isTheOne(path: string, answer: Answer, headers: Headers): Promise<boolean> {
    const json = jsonOf(answer);
    if (!isSuccess(answer) || !showsTokenScopes(json, path)) return false;
    const unknown = await ifAnswered(this.#get(path.slice(0, path.lastIndexOf('/') + 1) + SAMPLE_ID, headers));
    return !(unknown && isSuccess(unknown) && shapeOf(json) === shapeOf(jsonOf(unknown)));
  }

  #get(path: string, headers: Headers): Promise<Answer> {
    return this.session.once(`scopes ${path} ${headers.Authorization}`, () =>
      this.session.send({ method: 'GET', path, headers }),
    );
  }
}

/** Whether a guessed path lists scopes and tells administrators; one of the two, or a page, where its name says token scopes. */
export function showsTokenScopes(json: unknown, path: string): boolean {
  const says = [namesScopes(json), adminClaim(json) !== undefined];
  const speaksOfThem = /token/i.test(path) && /scope/i.test(path);
  return speaksOfThem ? json === undefined || says.includes(true) : !says.includes(false);
}

function shapeOf(json: unknown): string {
  if (Array.isArray(json)) return '[]';
  return isObject(json) ? `{${Object.keys(json).toSorted()}}` : asText(json);
}
