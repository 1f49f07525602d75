import { describe, expect, test } from 'vitest';
import { startMock } from '../src/index.ts';
import { learn } from './learn.ts';
import { profileText } from './learned-profile.ts';
import { likenessOf } from './likeness/measure.ts';
import { type ClientKnowledge, Side, type SideTarget } from './likeness/side.ts';
import { loadServer, type OutsideServer, type ServerName } from './outside/outside.ts';
import { type StyleName, startSecondImplementation } from './second-implementation/server.ts';
import { discoverTarget } from './session/discover.ts';
import { withFiles } from './testing/fixtures.ts';

/** A deployment whose behaviour is learned, and what a client of it knows. */
interface Deployment {
  name: string;
  start: () => Promise<{ target: SideTarget; close: () => Promise<void> }>;
  client: Partial<ClientKnowledge>;
  /** At least so many of the cases are alike. */
  alike: number;
}

const usual: ClientKnowledge = {
  refreshPath: '/v1/auth/refresh',
  refreshBody: (refresh_token) => ({ refresh_token }),
  scopesPath: '/v1/api-tokens/scopes',
  patBody: (name) => ({ name }),
};

const second = (style: StyleName, client: Partial<ClientKnowledge>, alike: number): Deployment => ({
  name: `second implementation, ${style}`,
  start: async () => {
    const { target, close } = await startSecondImplementation({ style });
    return { target: target as unknown as SideTarget, close };
  },
  client,
  alike,
});

/** A server of other authors; absent where its packages are not installed. */
async function outside(name: ServerName, client: Partial<ClientKnowledge>, alike: number): Promise<Deployment[]> {
  const server = await loadServer(name);
  const start = async () => {
    const { target, close } = await (server as OutsideServer).start({});
    return { target: target as unknown as SideTarget, close };
  };
  return server ? [{ name: `the server outside in ${name}`, start, client, alike }] : [];
}

const deployments: Deployment[] = [
  second(
    'default',
    {
      refreshPath: '/v1/auth/token/refresh',
      refreshBody: (refreshToken) => ({ refreshToken }),
      scopesPath: '/v1/token-scopes',
      patBody: (name) => ({ name, scopes: [] }),
    },
    68,
  ),
  ...(await outside('hono', {}, 67)),
  ...(await outside('fastify', { refreshPath: '/v1/auth/token/refresh' }, 69)),
];

describe.each(deployments)('a client of $name', ({ start, client, alike }) => {
  test('cannot tell it from the mock that serves what was learned', async () => {
    const { target, close } = await start();
    try {
      const learned = await withFiles({ 'target.yaml': target }, (path) =>
        learn({ targetFile: path('target.yaml'), allowWrites: true }),
      );
      const text = profileText(learned);
      await withFiles({ 'learned.yaml': text }, async (path) => {
        await using mock = await startMock({ port: 0, profile: path('learned.yaml') });
        const discovered = await discoverTarget({ baseUrl: mock.baseUrl }, true);
        const knowledge = { ...usual, ...client };
        const found = await likenessOf(
          new Side(target, knowledge),
          new Side(discovered as unknown as SideTarget, knowledge),
        );
        expect(found).toHaveLength(70);
        const different = found.filter(({ differences }) => differences.length > 0);
        const lines = different.map(({ id, differences }) => `  ${id}: ${differences.join('; ')}\n`);
        process.stdout.write(`${70 - different.length} of 70 alike\n${lines.join('')}`);
        expect(70 - different.length).toBeGreaterThanOrEqual(alike);
      });
    } finally {
      await close();
    }
  });
});
