import { decoded } from '../../../contract-tests/values/url.ts';
import { isControl } from '../../control/is-control.ts';
import { type MockRequest, pathOf, readBytes } from '../../core/message.ts';
import { mainName, sandboxName, splitSandbox, type Worlds } from '../../core/world/worlds.ts';

/** What a request may read and change. */
export interface Addressed {
  /** The world of its path. */
  readonly world: string;
  readonly others: readonly string[];
  /** Journals that it reads: the entries of its world's, or request counts. */
  readonly journal?: 'entries' | 'totals';
  /** It needs the number of sandboxes. */
  readonly counts: boolean;
  /** It reads and changes no world by itself. */
  readonly isApart?: boolean;
}

/** @param sent with its body already read */
export function addressedBy(sent: MockRequest, body: Uint8Array | undefined): Addressed {
  const { name, url } = splitSandbox(sent.url);
  const world = name !== undefined && sandboxName.test(name) ? name : mainName;
  // For a missing sandbox, the main world refuses.
  const others: readonly string[] = sent.isCrossSite && world !== mainName ? [mainName] : [];
  if (!isControl(sent.url)) return { world, others, counts: false };
  const [, resource, named] = /^\/_mock\/([^/]*)(?:\/([^/]*))?/.exec(pathOf(url)) ?? [];
  // The profile says which responses in the journal each gap decided.
  if (resource === 'journal' || resource === 'profile') return { world, others, journal: 'entries', counts: false };
  const withMentioned = (...mentioned: readonly string[]) => [
    ...others,
    ...mentioned.filter((one) => one === mainName || sandboxName.test(one)),
  ];
  if (resource === 'reset') return { world, others: withMentioned(...sourceIn(body)), counts: true };
  if (resource !== 'sandboxes') return { world, others, counts: true };
  if (!named) return { world, others, counts: true, isApart: sent.method === 'DELETE' && name === undefined };
  const [source = mainName] = sourceIn(body);
  return { world, others: withMentioned(decoded(named), source), journal: 'totals', counts: true };
}

/** The world whose state is restored or forked, if the body names one. */
function sourceIn(body: Uint8Array | undefined): readonly string[] {
  try {
    const parsed = JSON.parse(new TextDecoder().decode(body)) as { from?: { sandbox?: unknown } } | null;
    const source = parsed?.from?.sandbox;
    return typeof source === 'string' ? [source === 'main' ? mainName : source] : [];
  } catch {
    // Its handler reports the mistake.
    return [];
  }
}

/** Maximum body size of the control plane and custom routes. */
const controlLimit = 10 * 1024 * 1024;
const routeLimit = 100 * 1024 * 1024;

/**
 * Reads the body first: a running request must not wait for its client, because others wait for it, and it may run again, so
 * that its body can be read repeatedly from then on.
 */
export async function readAhead(request: MockRequest, worlds: Worlds): Promise<Uint8Array | undefined> {
  const { body } = request;
  if (typeof body !== 'function') return body;
  const { name = mainName } = splitSandbox(request.url);
  const world = worlds.find(name) ?? worlds.main;
  const limit = isControl(request.url)
    ? controlLimit
    : Math.max(world.answers.get('body-size-limit'), world.hasRoutes ? routeLimit : 0);
  const read = await readBytes(request, limit);
  request.body = (most) => {
    // The limit was raised meanwhile.
    if (read.problem === 'too-large' && most > limit) return body(most);
    return (read.bytes?.length ?? 0) > most ? { problem: 'too-large' } : read;
  };
  return read.bytes;
}
