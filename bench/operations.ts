import { readFileSync } from 'node:fs';

/** The benchmarked operations. */
export const operationNames = ['update', 'list', 'filtered'] as const;
export type OperationName = (typeof operationNames)[number];

/** A request of one of them. */
export interface BenchRequest {
  readonly method: 'GET' | 'PATCH' | 'PUT';
  readonly path: string;
  readonly body?: string;
}

const list = { method: 'GET', path: '/v1/admin/tenants/ten_analytical/api-keys' } as const;

/** Requests for the mock's seed data. */
export const requests: { readonly [Name in OperationName]: BenchRequest } = {
  update: {
    method: 'PATCH',
    path: '/v1/echo/recordings/rec_kickoff',
    body: JSON.stringify({ title: 'Kick-off with the customer, cut' }),
  },
  list,
  filtered: { ...list, path: `${list.path}?provider=openai&status=active` },
};

/** The responses of bare servers: those of the mock, from the JSON file that the first argument names. */
export type Bodies = { readonly [Name in OperationName]: unknown };
export const readBodies = (): Bodies => JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Bodies;
