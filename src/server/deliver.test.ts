import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sendTogether } from './deliver.ts';

const silent = () => {};

test('sends the responses of one turn together, and later ones in the next turn', async () => {
  const done: string[] = [];
  const note = (what: string) => () => done.push(what);
  sendTogether(note('send 1'), note('rest 1'), silent);
  sendTogether(
    () => {
      done.push('send 2');
      sendTogether(note('send 3'), note('rest 3'), silent);
    },
    note('rest 2'),
    silent,
  );
  expect(done).toEqual([]);
  await turn();
  expect(done.slice(0, 2)).toEqual(['send 1', 'send 2']);
  await turn();
  await turn();
  expect(done.filter((what) => what.startsWith('send'))).toEqual(['send 1', 'send 2', 'send 3']);
  expect(done.filter((what) => what.startsWith('rest'))).toEqual(['rest 1', 'rest 2', 'rest 3']);
});

test('a failed send is logged, and does not affect the others', async () => {
  const told: string[] = [];
  const log = (_level: string, message: string): void => void told.push(message);
  const sent: string[] = [];
  const fail = (): void => {
    throw new Error('broken');
  };
  sendTogether(fail, silent, log);
  sendTogether(() => sent.push('sent'), silent, log);
  await turn();
  expect(sent).toEqual(['sent']);
  expect(told).toEqual([expect.stringContaining('BUG: a response could not be sent: Error: broken')]);
});
