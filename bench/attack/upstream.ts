import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { mangled } from '../../src/testing/malformed.ts';
import { sendRaw, statusesIn } from '../../src/testing/raw-client.ts';
import { send, serveMock } from './served.ts';

const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
const taken = `HTTP/1.1 101 Switching Protocols\r\n${upgrade}\r\n`;
const answers = [
  taken,
  'HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 200 \x1b[2J\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n',
  'HTTP/1.1 403 Forbidden\r\nContent-Length: 4\r\nConnection: x-a, content-length\r\nX-A: 1\r\n\r\nbody',
];
const clients = 400;
const atOnce = 10;
/** How often descriptors are counted until they are as few as before. */
const mostCounts = 200;
const mostMilliseconds = 120_000;

/**
 * Serves the mock before an upstream that answers anything and never closes, to clients that leave.
 * @returns what went wrong
 */
export async function hostileUpstream(random: () => number, say: (text: string) => void): Promise<string[]> {
  let answer = (): string => mangled(random, answers[Math.floor(random() * answers.length)] ?? '');
  const upstream = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {}).on('data', () => socket.write(Buffer.from(answer(), 'latin1')));
  });
  await once(upstream.listen(0, '127.0.0.1'), 'listening');
  const { port } = upstream.address() as AddressInfo;
  const mock = await serveMock('--upstream', `http://127.0.0.1:${port}`, '--upstream-timeout', '300');
  const statuses = new Map<number | undefined, number>();
  const visit = async (): Promise<void> => {
    for (let left = clients / atOnce; left > 0; left -= 1) {
      const request = `GET /v1/x HTTP/1.1\r\nHost: localhost\r\n${left % 4 === 0 ? '' : upgrade}\r\n`;
      const [status] = statusesIn(await sendRaw(mock.baseUrl, request, /\r\n\r\n/));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const visitAll = () => Promise.all(Array.from({ length: atOnce }, visit));
  /** How many descriptors the mock has once it has closed what it closes; 0 where the system does not tell. */
  const descriptors = async (atMost: number): Promise<number> => {
    for (let counts = 1; ; counts += 1) {
      const count = process.platform === 'linux' ? readdirSync(`/proc/${mock.child.pid}/fd`).length : 0;
      if (count <= atMost || counts === mostCounts) return count;
      await sleep(50);
    }
  };

  const problems: string[] = [];
  // A mock that hangs ends here, and with it what waits for it.
  const late = setTimeout(() => mock.child.kill('SIGKILL'), mostMilliseconds);
  try {
    const before = await descriptors(Number.POSITIVE_INFINITY);
    await visitAll();
    answer = () => taken;
    await visitAll();
    const after = await descriptors(before);
    const seen = [...statuses].map(([status, count]) => `${count} x ${status}`).join(', ');
    say(`  ${before} descriptors, and ${after} after ${2 * clients} clients: ${seen}`);
    if (after > before) problems.push(`upstream: ${after - before} connections were kept`);
    if (statuses.has(undefined)) problems.push('upstream: a client got no answer');
    if (!statuses.has(101) || !statuses.has(502)) problems.push('upstream: nothing was taken up, or nothing refused');
    if (!(await send(`${mock.baseUrl}/_mock/health`, 'GET')).ok) problems.push('upstream: the mock is not well');
  } catch (error) {
    problems.push(`upstream: ${error}`);
  }
  clearTimeout(late);
  await mock.stop();
  upstream.close();
  return problems;
}
