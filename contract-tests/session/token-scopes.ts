import { SAMPLE_ID } from '../api/operations.ts';
import { ifAnswered } from '../errors.ts';
import { untested } from '../failure.ts';
import type { Actor } from '../model.ts';
import { type Answer, describe, isSuccess, jsonOf } from '../values/answer.ts';
import { relativeTo } from '../values/url.ts';
import type { Bearer } from './bearer.ts';
import type { Connection } from './connection.ts';
import { candidatePaths } from './gap-answers.ts';
import { isAlike, mayAnswerPage, showsTokenScopes } from './scope-guess.ts';
import type { SigningIn } from './signing-in.ts';

/** The list of token scopes (4.4), whose path is not shown and has to be found. */
export class TokenScopes {
  /** Whether the path is being looked for, so that no helper may ask for the scopes. */
  isSearching = false;
  /** Where the token scopes were found; undefined before that. */
  foundPath: string | undefined;
  /** The answer that showed the path, until it is used. */
  #whereFound: Answer | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly signIn: SigningIn /** A PAT may be accepted where a JWT is not, and so show the path. */,
    private readonly patOf: (actor: Actor) => Promise<Bearer>,
  ) {}

  /** GET of the token scopes, wherever they are; once a run. */
  async of(actor: Actor): Promise<Answer> {
    const path = await this.path();
    return this.connection.once(`scopes ${actor}`, async () => {
      const own = await this.signIn.authorization(actor);
      const seen = this.#whereFound;
      this.#whereFound = undefined;
      // What showed the path was the answer to the same request.
      const isSame =
        seen !== undefined &&
        seen.request.headers.Authorization === own.Authorization &&
        relativeTo(this.connection.target.baseUrl, seen.request.url) === path;
      return isSame ? seen : this.#get(path, own);
    });
  }

  /** Where the token scopes are: the path of 4.4 is not shown, so the profile's, else the likely ones are tried. */
  async path(): Promise<string> {
    this.foundPath = await this.connection.once('scopes path', async () => {
      if ('scopes-path' in this.connection.config.answers) {
        const path = this.connection.assumed<string>('scopes-path');
        // A wrong path in the profile is not a violation: then the likely ones are tried as well.
        const answer = await this.#get(path, await this.signIn.authorization('admin'));
        this.#whereFound = answer;
        if (answer.response.status !== 404) return path;
      }
      this.isSearching = true;
      try {
        return await this.#firstThatAnswers(candidatePaths('scopes-path', {}));
      } finally {
        this.isSearching = false;
      }
    });
    return this.foundPath;
  }

  /** The first path whose answer shows by itself that it is the list of token scopes. */
  async #firstThatAnswers(candidates: string[]): Promise<string> {
    const tried: { path: string; answer: Answer }[] = [];
    const jwt = await this.signIn.authorization('admin');
    for (const path of candidates) {
      // A path that does not answer is skipped; the next candidate may be the one.
      const answer = await ifAnswered(this.#get(path, jwt));
      if (!answer) continue;
      this.#whereFound = answer;
      if (await this.#isTheOne(path, answer, jwt)) return path;
      tried.push({ path, answer });
    }
    // A path that refuses the JWT may still be the one: a PAT shows it.
    const refusing = tried.filter(({ answer }) => [401, 403].includes(answer.response.status));
    if (refusing.length > 0 && refusing.length < tried.length) {
      const pat = await this.patOf('admin').catch(() => undefined);
      const headers = { Authorization: `Bearer ${pat?.token}` };
      for (const { path } of pat ? refusing : []) {
        const answer = await ifAnswered(this.#get(path, headers));
        if (answer && (await this.#isTheOne(path, answer, headers))) return path;
      }
    }
    const isElsewhere = ({ answer: { response } }: (typeof tried)[number]): boolean =>
      response.status >= 300 && response.status < 400 && response.headers.location !== undefined;
    const answers = tried.map((each) =>
      isElsewhere(each) ? `${each.path} ${describe(each.answer)}` : `${each.path} ${each.answer.response.status}`,
    );
    const advice = tried.some(isElsewhere) ? 'followRedirects in the target file where only the path differs, or ' : '';
    throw untested(
      'the path of the token scopes is not documented, and at none of the likely ones an answer showed by itself that it ' +
        `is theirs (${answers.join(', ')}); set ${advice}answers.scopes-path in a profile`,
    );
  }

  /** Whether an answer is that of the token scopes, and an unknown path next to it is not answered alike. */
  async #isTheOne(path: string, answer: Answer, headers: Record<string, string>): Promise<boolean> {
    const json = jsonOf(answer);
    if (!isSuccess(answer) || !(json === undefined ? mayAnswerPage(path) : showsTokenScopes(json, path))) return false;
    const unknown = await ifAnswered(this.#get(path.slice(0, path.lastIndexOf('/') + 1) + SAMPLE_ID, headers));
    return !(unknown && isSuccess(unknown) && isAlike(json, jsonOf(unknown)));
  }

  #get(path: string, headers: Record<string, string>): Promise<Answer> {
    return this.connection.send({ method: 'GET', path, headers });
  }
}
