import { isPast } from '../session/bearer.ts';
import { PAT_CREATION_PATH } from '../session/operations.ts';
import type { Session } from '../session/session.ts';
import { isPatForm } from '../session/token-forms.ts';
import { type Answer, isSuccess } from '../wire/exchange.ts';
import { relativeTo } from '../wire/url.ts';
import type { Finding } from './findings.ts';

/** A token that an operation accepted and then refused, though nothing in between can have ended it. */
export interface TokenDeath {
  token: string;
  headers: Record<string, string>;
  accepted: Answer;
  refused: Answer;
  /** Seconds from its receipt, or its first use where it was given, to the refusal. */
  age: number;
  /** Seconds that the target announced; unknown for a PAT. */
  promised?: number;
}

interface Life {
  first: number;
  accepted: Map<string, { at: number; answer: Answer }>;
  death?: { accepted: Answer; refused: Answer; at: number };
}

const bearerIn = ({ request }: Answer): string | undefined =>
  /^Bearer (\S+)$/.exec(request.headers.Authorization ?? '')?.[1];

/**
 * The tokens that died in the course of the run: accepted at t, and refused with 401 by the same operation at a later time,
 * within their lifetime and for good. In between nobody signed in or exchanged a refresh token (a target may allow one
 * session, or one PAT, a user), and no forged credentials were sent (it may lock out who sends such).
 */
export function tokenDeaths(session: Session): TokenDeath[] {
  const lives = new Map<string, Life>();
  // Anything that may end a session starts the observation anew; a new PAT does so for the PATs before it.
  const startOver = (concerns: (token: string) => boolean = () => true): void => {
    for (const [token, life] of lives) if (!life.death && concerns(token)) life.accepted.clear();
  };
  for (const { at, answer } of session.traffic) {
    const path = relativeTo(session.target.baseUrl, answer.request.url).split('?')[0] ?? '';
    const { method } = answer.request;
    if (method === 'POST') {
      startOver(path === PAT_CREATION_PATH ? isPatForm : undefined);
      continue;
    }
    const token = bearerIn(answer);
    if (token === undefined || !session.isGenuine(token)) {
      startOver();
      continue;
    }
    const life: Life = lives.get(token) ?? { first: at, accepted: new Map() };
    lives.set(token, life);
    const operation = `${method} ${path}`;
    if (isSuccess(answer)) {
      life.accepted.set(operation, { at, answer });
      delete life.death;
    } else if (answer.response.status === 401) {
      const accepted = life.accepted.get(operation)?.answer;
      if (accepted && !isPastAt(session, token, at)) life.death ??= { accepted, refused: answer, at };
    }
  }
  return [...lives].flatMap(([token, { first, death }]) => (death ? [deathOf(session, token, first, death)] : []));
}

function isPastAt(session: Session, token: string, at: number): boolean {
  const bearer = session.signIn.issued(token)?.bearer;
  return bearer !== undefined && isPast(bearer, at);
}

function deathOf(session: Session, token: string, first: number, death: NonNullable<Life['death']>): TokenDeath {
  const bearer = session.signIn.issued(token)?.bearer;
  const { accepted, refused, at } = death;
  return {
    token,
    headers: { Authorization: `Bearer ${token}` },
    accepted,
    refused,
    age: (at - (bearer?.receivedAt ?? first)) / 1000,
    ...(bearer?.lifetime === undefined ? {} : { promised: bearer.lifetime }),
  };
}

/** What is wrong with the tokens of the run: those that died are asked once more. */
export async function tokenFindings(session: Session): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const death of tokenDeaths(session)) {
    const issued = session.signIn.issued(death.token);
    // Of a token without an announced lifetime, other than a PAT, nothing says how long it lives.
    if (!isPatForm(death.token) && death.promised === undefined) continue;
    const { request } = death.refused;
    const again = await session.sendAsIs({
      method: request.method as 'GET' | 'PATCH',
      path: relativeTo(session.target.baseUrl, request.url),
      headers: death.headers,
      ...(request.method === 'PATCH' ? { json: { summary: 'Is the token accepted again?' } } : {}),
    });
    if (again.response.status !== 401) continue;
    const operation = `${request.method} ${relativeTo(session.target.baseUrl, request.url)}`;
    const age = death.age.toFixed(1);
    findings.push({
      requirement: isPatForm(death.token) ? 'AUT-02' : issued?.way === 'sso' ? 'SSO-08' : 'AUT-01',
      message:
        death.promised === undefined
          ? `A personal access token died: ${operation} accepted it, and refused it with 401 ${age} s after its first use, without any sign-in in between.`
          : `The access token of ${issued?.bearer.source} died after ${age} s of a promised ${death.promised} s: ${operation} accepted it before, and nobody signed in or sent bad credentials in between.`,
      expected: 'a success (2xx), as before',
      actual: again.response.status,
      answers: [death.accepted, death.refused, again],
    });
  }
  return findings;
}
