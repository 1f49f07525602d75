/** The suite judged by servers that others wrote from the document alone: all that a test of one of them needs. */
import { subscribe } from 'node:diagnostics_channel';
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { parse } from 'yaml';
import type { CheckResult } from '../model.ts';
import { runSuite } from '../run/run.ts';
import type { Target } from '../session/target-file.ts';

export type ServerName = 'fastify' | 'hono';

/** A bug of a server, and the sentence of the document that it breaks. */
export interface OutsideDefect {
  id: string;
  kind: 'plain' | 'stateful' | 'conditional' | 'timed' | 'concurrent';
  section: string;
  statement: string;
  description: string;
}

/** What each of the servers exports. Nothing else of them is known here, and they know nothing of the suite. */
export interface OutsideServer {
  styles: readonly { id: string; description: string }[];
  defects: readonly OutsideDefect[];
  start(options: { style?: string; defect?: string }): Promise<{ target: Target; close(): Promise<void> }>;
}

/** What the suite has to say about the servers where it is not: conforms, caught. */
interface Expected {
  /** Maximum of a whole run. */
  requests: Record<'plain' | 'style', number>;
  /** Requirements that cannot be verified, by style. */
  untested: Record<ServerName, Record<string, string[]>>;
  /** Styles at which the suite raises an alarm as yet. */
  falseAlarms: Record<ServerName, string[]>;
  /** Defects that the document leaves open, by server and id, with the reason. */
  undecided: Record<ServerName, Record<string, string>>;
  /** Defects that the suite does not catch yet. */
  notYet: Record<ServerName, string[]>;
}

export const expected = parse(readFileSync(new URL('expected.yaml', import.meta.url), 'utf8')) as Expected;

/** The server, or undefined where its packages are not installed. In CI they have to be: there it throws. */
export async function loadServer(name: ServerName): Promise<OutsideServer | undefined> {
  if (!process.env.CI && !existsSync(new URL(`${name}/node_modules`, import.meta.url))) return undefined;
  return (await import(new URL(`${name}/src/index.ts`, import.meta.url).href)) as OutsideServer;
}

/** The requirements that came out of a section of the document, of whose part the servers name the subject as well. */
const REQUIREMENTS_OF: Record<string, RegExp> = {
  preamble: /^GEN/,
  '1 update': /^(REC|AUT)/,
  '1 key list': /^(KEY|AUT)/,
  '1 scopes': /^(SCO|AUT)/,
  '2 User': /^SSO-1[0-4]/,
  '2 Recording': /^REC/,
  '2 Tenant API key': /^KEY/,
  '3': /^REC-(13|32|40)/,
  // Whose token it is shows in the scopes answer.
  '4.1': /^(SSO|AUT|SCO)/,
  '4.2': /^(REC|AUT)/,
  '4.3': /^(KEY|AUT)/,
  '4.4': /^(SCO|AUT)/,
  '5': /^(AUT|SSO|SCO)/,
};

/** Whether a check found what a defect of that section breaks. */
export function isOfSection(section: string, { outcome, requirements }: CheckResult): boolean {
  const own = REQUIREMENTS_OF[section];
  if (!own) throw new Error(`no requirement is known to be of the section ${section}`);
  return outcome === 'violation' && requirements.some((id) => own.test(id));
}

/** Runs the suite at a server of its own; gives the results and the number of requests. */
export async function judgeServer(
  server: OutsideServer,
  options: { style?: string; defect?: string },
): Promise<{ checks: CheckResult[]; requests: number }> {
  const { target, close } = await server.start(options);
  const port = Number(new URL(target.baseUrl).port);
  try {
    const config = { target: structuredClone(target), answers: {}, allowWrites: true };
    const { checks } = await runSuite(config);
    return { checks, requests: requestsAt.get(port) ?? 0 };
  } finally {
    await close();
    requestsAt.delete(port);
  }
}

/** Requests that arrived in this process, by port. */
const requestsAt = new Map<number, number>();
subscribe('http.server.request.start', (message) => {
  const { socket } = (message as { request: IncomingMessage }).request;
  if (socket.localPort) requestsAt.set(socket.localPort, (requestsAt.get(socket.localPort) ?? 0) + 1);
});
