import { expect, test } from 'vitest';
import { withServer } from '../testing/fixtures.ts';
import { Client } from './client.ts';
import { readOnly } from './write-guard.ts';

test('a target that answers nothing in time is not waited for at every request of a run', () => {
  let asked = 0;
  return withServer(
    (_request, response) => {
      asked += 1;
      response.write('['); // and never the rest
    },
    async (baseUrl) => {
      const client = new Client({ baseUrl, limits: { timeoutMs: 200 } }, readOnly(), () => {});
      const errors: string[] = [];
      for (let sent = 0; sent < 20; sent += 1)
        await client.send({ method: 'GET', path: '/' }).catch((error: Error) => errors.push(error.message));
      expect(errors.slice(0, 15)).toEqual(
        Array(15).fill(expect.stringContaining('no complete response within 200 ms')),
      );
      expect(errors.slice(15)).toEqual(Array(5).fill(expect.stringContaining('not sent: 15 requests')));
      expect(asked).toBe(15);
      // Cleaning up is tried all the same.
      await expect(client.send({ method: 'GET', path: '/' }, true)).rejects.toThrow('no complete response');
      client.close();
    },
  );
});
