import { allChecks } from '../checks/catalogue.ts';
import type { Answer } from '../wire/exchange.ts';
import type { Seen } from './operations-in.ts';

/** Judges the exchanges of a recording in their order, and what they say together; writes into a Book. */
export interface Judge {
  /** The checks of the catalogue that it judges, by id. */
  checks: readonly string[];
  see(seen: Seen): void;
  /** Called after the last exchange. */
  end?(): void;
}

/** How many of a kind (recordings, tokens, identities) a judge remembers. */
export const REMEMBERED = 10_000;

/** The check of the catalogue that is of this requirement alone. */
export function checkOf(requirement: string): string {
  const check = allChecks.find(({ requirements }) => requirements.length === 1 && requirements[0] === requirement);
  if (!check) throw new Error(`no check is of ${requirement} alone`);
  return check.id;
}

/** What says of a request that its content is refused, or that the service fails on it. */
const REFUSED = new Set([400, 405, 409, 415, 422, 500, 501]);
export const isRefusedContent = ({ response }: Answer): boolean => REFUSED.has(response.status);

/** The bearer token of a request. */
export const bearerOf = ({ request }: Answer): string | undefined =>
  /^Bearer +(\S+)$/i.exec(request.headers.Authorization ?? '')?.[1];
