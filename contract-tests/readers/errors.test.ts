import { describe, expect, test } from 'vitest';
import type { OperationId } from '../api/operations.ts';
import { answerOf } from '../testing/fixtures.ts';
import { learnErrors, type Refusal } from './errors.ts';

const sample = (
  kind: string,
  status: number,
  body: unknown,
  more: { type?: string; fields?: string[]; sent?: object; operation?: OperationId } = {},
): Refusal => ({
  kind,
  fields: more.fields ?? [],
  operation: more.operation,
  date: Date.now(),
  answer: answerOf(body, {
    status,
    headers: { 'content-type': more.type ?? 'application/json; charset=utf-8' },
    request: {
      method: 'GET',
      url: 'https://host.test/api/v1/things?a=1',
      ...(more.sent ? { body: JSON.stringify(more.sent) } : {}),
    },
  }),
});
const text = { type: 'text/plain' };

describe('the shape of error bodies is learned from samples', () => {
  test.each<[string, Refusal[], unknown]>([
    [
      'NestJS',
      [
        sample('unknown-path', 404, { message: 'Cannot GET /x', error: 'Not Found', statusCode: 404 }),
        sample('forbidden', 403, { message: 'Forbidden resource', error: 'Forbidden', statusCode: 403 }),
        sample('missing-credentials', 401, { message: 'Unauthorized', statusCode: 401 }),
        sample('invalid-credentials', 401, { message: 'Unauthorized', statusCode: 401 }),
        sample('validation', 400, { message: ['oid must be a string'], error: 'Bad Request', statusCode: 400 }),
      ],
      {
        template: { message: '${message}', error: '${title}', statusCode: '${status}' },
        cases: [
          {
            for: ['missing-credentials', 'invalid-credentials'],
            template: { message: '${title}', statusCode: '${status}' },
          },
          { for: ['validation'], template: { message: ['${detail}'], error: '${title}', statusCode: '${status}' } },
        ],
      },
    ],
    [
      'Spring',
      [404, 401, 400].map((status, at) =>
        sample(['unknown-path', 'missing-credentials', 'validation'][at] ?? '', status, {
          timestamp: new Date().toISOString(),
          status,
          error: { 404: 'Not Found', 401: 'Unauthorized', 400: 'Bad Request' }[status],
          path: '/api/v1/things',
        }),
      ),
      { template: { timestamp: '${time}', status: '${status}', error: '${title}', path: '${path}' } },
    ],
    [
      'Django REST framework, fields as names',
      [
        sample('unknown-path', 404, { detail: 'Not found.' }),
        sample('missing-credentials', 401, { detail: 'Authentication credentials were not provided.' }),
        sample('validation', 400, { oid: ['Not a valid string.'], tid: ['Required.'] }, { fields: ['oid', 'tid'] }),
      ],
      { template: { detail: '${message}' }, cases: [{ for: ['validation'], template: { '${field}': ['${detail}'] } }] },
    ],
    [
      'FastAPI: paths of mixed types, and the body of the request',
      [
        sample('unknown-path', 404, { detail: 'Not Found' }),
        sample('missing-credentials', 401, { detail: 'Not authenticated' }),
        sample('invalid-credentials', 401, { detail: 'Invalid token' }),
        ...['oid', 'tid'].map((field) =>
          sample(
            'validation',
            422,
            { detail: [{ type: 'missing', loc: ['body', field], msg: 'Field required', input: { upn: 'x' } }] },
            { fields: ['oid', 'tid'], sent: { upn: 'x' } },
          ),
        ),
        sample(
          'validation',
          422,
          { detail: [{ type: 'missing', loc: ['query', 'provider'], msg: 'Field required', input: 'x' }] },
          { fields: ['provider'] },
        ),
        sample('malformed-json', 422, {
          detail: [
            { type: 'json_invalid', loc: ['body', 9], msg: 'JSON decode error', input: {}, ctx: { error: 'It ends' } },
          ],
        }),
      ],
      {
        template: { detail: '${message}' },
        cases: [
          {
            for: ['validation', 'malformed-json'],
            template: {
              detail: [
                {
                  type: '${code}',
                  loc: ['body', '${field}'],
                  msg: '${detail}',
                  input: {},
                  'ctx?': { error: '${detail}' },
                },
              ],
            },
          },
        ],
      },
    ],
    [
      'one shape a service, for all kinds',
      [
        sample('unknown-path', 404, '404 page not found\n', text),
        sample('validation', 400, 'oid is missing\n', { ...text, operation: 'sso' }),
        sample('malformed-json', 400, 'it ends too early\n', { ...text, operation: 'sso' }),
        sample('validation', 400, { message: 'Bad title.' }, { operation: 'recording' }),
        sample('unknown-recording', 404, { message: 'There is none.' }, { operation: 'recording' }),
        sample('missing-credentials', 401, { error: { code: 'NO_TOKEN' } }, { operation: 'api-keys' }),
        sample('validation', 400, { error: { code: 'BAD_QUERY' } }, { operation: 'api-keys' }),
      ],
      {
        template: '${message}',
        mediaType: 'text/plain',
        cases: [
          { at: ['updateRecording'], template: { message: '${message}' } },
          { at: ['listTenantApiKeys'], template: { error: { code: '${code}' } } },
        ],
      },
    ],
    [
      'codes of a validator are not those of errors',
      [
        sample('unknown-path', 404, { code: 'NO_ROUTE', message: 'No such route' }),
        sample('missing-credentials', 401, { code: 'NO_TOKEN', message: 'No token' }),
        sample(
          'validation',
          422,
          { issues: [{ code: 'invalid_type', path: ['oid'], message: 'Expected text' }] },
          { fields: ['oid'] },
        ),
      ],
      {
        template: { code: '${code}', message: '${message}' },
        cases: [
          {
            for: ['validation'],
            template: { issues: [{ code: 'invalid_type', path: ['${field}'], message: '${detail}' }] },
          },
        ],
      },
    ],
    [
      'JSON:API: the status as text, and the place of the field',
      [
        sample('unknown-path', 404, { errors: [{ status: '404', title: 'Not Found', detail: 'Nothing here.' }] }),
        sample(
          'validation',
          422,
          {
            errors: [
              { status: '422', title: 'Unprocessable Entity', detail: 'Wrong type.', source: { pointer: '/oid' } },
            ],
          },
          { fields: ['oid'] },
        ),
      ],
      {
        template: {
          errors: [
            { status: '${statusText}', title: '${title}', detail: '${detail}', 'source?': { pointer: '/${field}' } },
          ],
        },
      },
    ],
    [
      'plain text, and none',
      [
        sample('unknown-path', 404, '404 page not found', text),
        sample('validation', 400, 'oid is not text', text),
        sample('missing-credentials', 401, '', text),
      ],
      {
        template: '${message}',
        mediaType: 'text/plain',
        cases: [{ for: ['missing-credentials'], template: null }],
      },
    ],
  ])('%s', (_name, samples, expected) => {
    expect(learnErrors(samples)).toEqual(expected);
  });

  test('nothing that looks like a secret or an identifier is written down', () => {
    const body = (at: number) => ({ message: 'No', ref: `9f8e7d6c5b4a39281706f5e4d3c2b1a${at}`, requestId: 'req-7' });
    const learned = learnErrors([sample('unknown-path', 404, body(1)), sample('validation', 400, body(1))]);
    expect(learned).toEqual({ template: { message: expect.any(String), ref: '${id}', requestId: '${id}' } });
  });
});
