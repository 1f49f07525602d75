import { afterAll, expect, test } from 'vitest';
import { operationsOf } from '../core/spec/document.ts';
import { TestMock } from '../testing/client.ts';
import { assertValidDocument } from '../testing/valid-document.ts';
import { servedDocument } from './document.ts';

const mock = await TestMock.withoutPort();
afterAll(() => mock[Symbol.asyncDispose]());

test('a sandbox serves the document of its control plane', async () => {
  for (const prefix of ['', '/~one']) {
    const { body } = await mock.call(`GET ${prefix}/_mock/openapi.json`);
    expect(body).toMatchObject({ servers: [{ url: `${mock.mock.baseUrl}${prefix}/_mock` }] });
  }
});

test('each status of a refusal is spelled out', async () => {
  const document = servedDocument('http://mock.test/_mock') as never;
  await expect(assertValidDocument(document)).resolves.toBeUndefined();
  for (const { operation } of operationsOf(document)) {
    const refused = Object.keys(operation.responses).filter((status) => status.startsWith('4'));
    expect(refused, operation.operationId).toEqual(['400', '403', '404', '409', '415']);
  }
});
