import { CheckFailure, setUpError } from '../failure.ts';
import type { Actor } from '../model.ts';
import { adminClaim } from '../session/admin-claim.ts';
import type { Session } from '../session/session.ts';
import { type Answer, describe, isSuccess, jsonOf } from '../wire/exchange.ts';

/** What the list of the tenant's API keys answers to an actor; undefined where it cannot be requested. */
async function keysFor(actor: Actor, session: Session): Promise<Answer | undefined> {
  try {
    if (actor === 'admin') return await session.apiKeys.all();
    return await session.apiKeys.of(session.resource('tenantId'), {}, await session.signIn.authorization(actor));
  } catch (error) {
    if (error instanceof CheckFailure) return undefined;
    throw error;
  }
}

/**
 * Throws the set-up error where the target treats the two actors the other way round: it refuses the API keys to admin, and
 * lists them to member, of whom it says to be an administrator. A target that only says so wrongly lists them to admin.
 */
export async function assertNotSwapped(session: Session): Promise<void> {
  const admin = await keysFor('admin', session);
  if (!admin || ![401, 403, 404].includes(admin.response.status)) return;
  const member = await keysFor('member', session);
  if (!member || !isSuccess(member)) return;
  throw setUpError(
    `actors.admin and actors.member look swapped: the target says that member is an administrator and lists the API keys of resources.tenantId to member, and refuses them to admin (${describe(admin)}).`,
  );
}

/** Throws the set-up error where the target says that admin is not an administrator, and treats admin accordingly. */
export async function assertAdministrator(session: Session): Promise<void> {
  if (Object.keys(session.credentials('member')).length > 0) {
    const answer = await session.scopes.of('member').catch(() => undefined);
    if (answer && adminClaim(jsonOf(answer))?.isAdmin) await assertNotSwapped(session);
  }
  const admin = await keysFor('admin', session);
  if (admin?.response.status !== 403) return;
  throw setUpError(
    `actors.admin is not an administrator: the target says so, and refuses the API keys of resources.tenantId to admin (${describe(admin)}). Name one who is.`,
  );
}
