import { readFileSync } from 'node:fs';

/** The two benchmarked operations. */
export const operationNames = ['update', 'list'] as const;
export type OperationName = (typeof operationNames)[number];

/** A request of one of them. */
export interface BenchRequest {
  readonly method: 'GET' | 'PATCH';
  readonly path: string;
  readonly body?: string;
}

/** Requests for the mock's seed data. */
export const requests: { readonly [Name in OperationName]: BenchRequest } = {
  update: {
    method: 'PATCH',
    path: '/v1/echo/recordings/rec_kickoff',
    body: JSON.stringify({ title: 'Kick-off with the customer, cut' }),
  },
  list: { method: 'GET', path: '/v1/admin/tenants/ten_analytical/api-keys' },
};

/** The responses of bare servers: those of the mock, from the JSON file that the first argument names. */
export type Bodies = { readonly [Name in OperationName]: unknown };
export const readBodies = (): Bodies => JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Bodies;
