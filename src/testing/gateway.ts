import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testFolder } from '../../contract-tests/testing/folder.ts';
import { packageFile } from '../server/files/package-root.ts';
import { runProgram } from './program.ts';
import { freePort } from './redis.ts';

// Debian installs it where only root's PATH leads.
const env = { PATH: `${process.env.PATH}:/usr/sbin` };
export const hasNginx = spawnSync('nginx', ['-v'], { env }).status === 0;

/** Runs nginx with docs/deploy/nginx.conf before these mocks until it listens; only addresses and folders are replaced. */
export async function startNginx(replicas: readonly string[]): Promise<AsyncDisposable & { baseUrl: string }> {
  const folder = testFolder();
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  const text = readFileSync(packageFile('docs', 'deploy', 'nginx.conf'), 'utf8')
    .replaceAll(/mock-(\d+):4010/g, (_, number) => new URL(replicas[Number(number) - 1] ?? '').host)
    .replaceAll('listen 8080', `listen 127.0.0.1:${port}`)
    .replaceAll(' /tmp/', ` ${folder}/`);
  writeFileSync(file, text);
  const words = ['-e', 'stderr', '-p', folder, '-c', file, '-g', 'daemon off; master_process off;'];
  const gateway = runProgram('nginx', words, env);
  const baseUrl = `http://127.0.0.1:${port}`;
  const isUp = () => fetch(`${baseUrl}/_mock/health/live`).catch(() => undefined);
  const died = gateway.ended.then(({ stderr }) => Promise.reject(new Error(`nginx ended: ${stderr}`)));
  died.catch(() => {});
  while (!(await Promise.race([isUp(), died]))) await new Promise((resolve) => setTimeout(resolve, 20));
  return {
    baseUrl,
    async [Symbol.asyncDispose]() {
      await gateway.end('SIGTERM');
    },
  };
}
