import { bodyFault, type Fault } from './fault.ts';

/** Faults of the list of API keys (4.3). */
export const apiKeyFaults: readonly Fault[] = [
  bodyFault({
    id: 'key-secret-leaked',
    description: 'Each listed API key carries its secret.',
    requirements: ['KEY-08'],
    operation: 'listTenantApiKeys',
    change: (keys) => (keys as unknown as object[]).map((key) => ({ ...key, secret: 'sk-live-0123456789abcdef' })),
  }),
  {
    id: 'provider-filter-ignored',
    description: 'The provider filter is ignored.',
    requirements: ['KEY-11'],
    wrap: (behaviour) => ({
      ...behaviour,
      operations: {
        ...behaviour.operations,
        listTenantApiKeys: (world, request) => {
          const { provider: _, ...query } = request.query;
          return behaviour.operations.listTenantApiKeys(world, { ...request, query });
        },
      },
    }),
  },
];
