import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../errors.ts';
import type { DidYouMean } from '../files/schema-check.ts';
import { withoutUserInfo } from '../values/url.ts';
import { loadTargetFile, type Target } from './target-file.ts';

/** Which target a command works at, and with which answers to gaps. */
export interface TargetChoice {
  baseUrl?: string;
  /** A target file. */
  target?: string;
  /** A profile file or name; overrides the one that the target names. */
  profile?: string;
  /** Milliseconds for each response. */
  timeout?: number;
  /** Maximum requests a second. */
  rps?: number;
}

/** Reads the chosen target. Throws UsageError when there is none, or its URL cannot be used. */
export function readTarget(options: TargetChoice, didYouMean?: DidYouMean): Target {
  const { target: targetFile } = options;
  if ((options.baseUrl ?? targetFile) === undefined)
    throw new UsageError('Name the target: --base-url URL, or --target FILE.');
  const file = targetFile === undefined ? undefined : loadTargetFile(targetFile, process.env, didYouMean);
  const baseUrl = options.baseUrl ?? file?.baseUrl ?? '';
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw new UsageError(
      `${JSON.stringify(withoutUserInfo(baseUrl))} is not a base URL; expected http://… or https://…`,
    );
  }
  if (new URL(baseUrl).search || new URL(baseUrl).hash)
    throw new UsageError(`${withoutUserInfo(baseUrl)}: a base URL has neither query nor fragment.`);
  if (file) assertTwoPeople(file, targetFile ?? '');
  const { timeout: timeoutMs = file?.limits?.timeoutMs, rps: requestsPerSecond = file?.limits?.requestsPerSecond } =
    options;
  return { ...file, baseUrl, limits: { timeoutMs, requestsPerSecond } };
}

/** The member represents somebody who is not an administrator: with the same credentials every comparison would be wrong. */
export function assertTwoPeople({ actors }: Target, file: string): void {
  for (const way of ['sso', 'login', 'accessToken', 'pat'] as const) {
    const member = actors?.member?.[way];
    if (member !== undefined && isDeepStrictEqual(member, actors?.admin?.[way]))
      throw new UsageError(
        `${file}: actors.member.${way} is that of actors.admin: name somebody who is not an administrator, or leave actors.member out.`,
      );
  }
}
