import { readFileSync } from 'node:fs';

/** The two operations that all servers are measured with. */
export const operationNames = ['update', 'list'] as const;
export type OperationName = (typeof operationNames)[number];

/** A request of one of them. */
export interface BenchRequest {
  readonly method: 'GET' | 'PATCH';
  readonly path: string;
  readonly body?: string;
}

/** Requests to the mock's own seed data. */
export const requests: { readonly [Name in OperationName]: BenchRequest } = {
  update: {
    method: 'PATCH',
    path: '/v1/echo/recordings/rec_kickoff',
    body: JSON.stringify({ title: 'Kick-off with the customer, cut' }),
  },
  list: { method: 'GET', path: '/v1/admin/tenants/ten_analytical/api-keys' },
};

/** What bare servers answer: the bodies that the mock gave, as JSON in the file that the first argument names. */
export type Bodies = { readonly [Name in OperationName]: unknown };
export const readBodies = (): Bodies => JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Bodies;
