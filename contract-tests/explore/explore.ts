import type { Check } from '../checks/check.ts';

/** How much to explore. */
export interface Exploration {
  /** Requests for each property. */
  runs: number;
  /** The same seed sends the same requests. */
  seed: number;
}

/** Loaded only by a run that explores: what generates requests is larger than all checks. */
const properties = () => import('./properties.ts');

const recordingNeeds: Check['needs'] = ['actors.admin', 'resources.recordingId'];

/** The properties as checks, for a run that explores. They judge requirements that have checks of their own already. */
export function exploreChecks(exploration: Exploration): Check[] {
  const times = `${exploration.runs} generated requests, seed ${exploration.seed}`;
  return [
    {
      id: 'explore-valid-updates',
      requirements: [],
      title: `valid updates answer the recording, with the title as it was sent (${times})`,
      needs: recordingNeeds,
      writes: [
        `PATCH of the disposable recording: up to ${exploration.runs} generated bodies of writable fields (title put back afterwards)`,
      ],
      run: async (session) => (await properties()).exploreValidUpdates(session, exploration),
    },
    {
      id: 'explore-any-updates',
      requirements: [],
      title: `no update writes a field that is not writable (${times})`,
      needs: recordingNeeds,
      writes: [
        `PATCH of the disposable recording: up to ${exploration.runs} generated bodies of any fields (title put back afterwards)`,
      ],
      run: async (session) => (await properties()).exploreAnyUpdates(session, exploration),
    },
    {
      id: 'explore-key-queries',
      requirements: [],
      title: `whatever the query, a list of API keys holds API keys that match its filters (${times})`,
      needs: ['actors.admin', 'resources.tenantId'],
      run: async (session) => (await properties()).exploreKeyQueries(session, exploration),
    },
  ];
}
