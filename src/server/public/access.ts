import type { RequestHandler } from 'express';
import type { ControlOperation } from '../../control/document.ts';
import { findControl } from '../../control/plans.ts';
import { pathOf } from '../../core/message.ts';
import { splitSandbox } from '../../core/world/worlds.ts';
import { hasToken, isTrustedPage, refuseAccess } from '../access.ts';

/** What the key of a sandbox opens: all that is about this one world, but for code and what leads out of it. */
const withKey: ReadonlySet<ControlOperation> = new Set<ControlOperation>([
  'getTarget',
  'getInfo',
  'getControlDocument',
  'getApiDocument',
  'listPersonas',
  'reset',
  'reseed',
  'listSnapshots',
  'takeSnapshot',
  'deleteSnapshot',
  'restoreSnapshot',
  'getState',
  'listRecords',
  'createRecord',
  'getRecord',
  'editRecord',
  'deleteRecord',
  'processRecording',
  'mintToken',
  'expireToken',
  'getClock',
  'freezeClock',
  'setClock',
  'advanceClock',
  'releaseClock',
  'listFaults',
  'disarmFaults',
  'armFault',
  'disarmFault',
  'getProfile',
  'replaceProfile',
  'changeProfile',
  'listRoutes',
  'queryJournal',
  'clearJournal',
  'watchJournal',
  'exportJournal',
  'getJournalEntry',
]);
/** The same, for the sandbox itself. */
const ofItself: ReadonlySet<ControlOperation> = new Set<ControlOperation>(['getSandbox', 'deleteSandbox']);

export interface PublicAccess {
  /** The operator's token: it opens everything. */
  readonly token: string;
  readonly keyOf: (name: string) => string;
  readonly origins: readonly string[] | undefined;
}

/** Opens the control plane of each sandbox to whoever has its key, and making one to everybody. */
export const allowPublic =
  ({ token, keyOf, origins }: PublicAccess): RequestHandler =>
  (request, response, next) => {
    if (!isTrustedPage(request, origins)) return refuseAccess(response, 'Pages of this origin may not call here.');
    if (hasToken(request, token)) return next();
    const { name, url } = splitSandbox(request.originalUrl);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const found = findControl(method, pathOf(url).slice('/_mock'.length) || '/');
    const plan = typeof found === 'object' && 'operation' in found ? found : undefined;
    const id = plan?.operation.id;
    if (name === undefined) {
      if (id === 'openSandbox') return next();
      return refuseAccess(response, 'This is a public mock: POST /_mock/sandboxes gives you a sandbox, and its key.');
    }
    if (!hasToken(request, keyOf(name)))
      return refuseAccess(response, 'The control plane of a sandbox is open to Authorization: Bearer <its key>.');
    // What is not found is answered as such.
    if (id === undefined || withKey.has(id)) return next();
    if (ofItself.has(id) && plan?.params.sandbox === name) return next();
    return refuseAccess(response, 'At a public mock, that is for its operator only.');
  };
