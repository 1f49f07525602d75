import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { startMock } from '../src/index.ts';
import { learn } from './learn.ts';
import { profileText } from './learned-profile.ts';
import { likenessOf } from './likeness/measure.ts';
import { type ClientKnowledge, Side, type SideTarget } from './likeness/side.ts';
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

/** Servers of other authors, given as `name=module=refresh path,…`: modules that export `start()`. */
const foreign = (process.env.LIKENESS_SERVERS ?? '')
  .split(',')
  .filter(Boolean)
  .map((entry): Deployment => {
    const [name = '', file = '', refreshPath = usual.refreshPath] = entry.split('=');
    return {
      name,
      start: async () => {
        const { start } = (await import(pathToFileURL(file).href)) as { start: Deployment['start'] };
        const { target, close } = await start();
        const { recordingId, tenantId, otherTenantId } = target.resources;
        const resources = { recordingId, tenantId, ...(otherTenantId !== undefined && { otherTenantId }) };
        return { target: { ...target, resources }, close };
      },
      client: { refreshPath },
      alike: 65,
    };
  });

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
  ...foreign,
];

describe.each(deployments)('a client of $name', ({ start, client, alike }) => {
  test('cannot tell it from the mock that serves what was learned', async () => {
    const { target, close } = await start();
    try {
      const learned = await withFiles({ 'target.yaml': target }, (path) =>
        learn({ targetFile: path('target.yaml'), allowWrites: true }),
      );
      const text = profileText(learned);
      if (process.env.LIKENESS_SHOW) process.stdout.write(text);
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
