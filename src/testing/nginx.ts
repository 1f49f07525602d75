import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFile } from '../server/files/package-root.ts';
import { runProgram } from './program.ts';
import { freePort } from './redis.ts';

/** Whether nginx can run here. Debian installs it where only root's PATH leads. */
const env = { PATH: `${process.env.PATH}:/usr/sbin` };
export const hasNginx = spawnSync('nginx', ['-v'], { env }).status === 0;

/**
 * Runs nginx with docs/deploy/nginx.conf; only addresses and folders are replaced.
 * @param replicas base URLs of as many mocks as the file names
 */
export async function startNginx(replicas: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'platform-mock-nginx-'));
  const port = await freePort();
  const text = readFileSync(packageFile('docs', 'deploy', 'nginx.conf'), 'utf8')
    .replaceAll(/mock-(\d+):4010/g, (_, number) => new URL(replicas[Number(number) - 1] ?? '').host)
    .replaceAll('listen 8080', `listen 127.0.0.1:${port}`)
    .replaceAll(' /tmp/', ` ${folder}/`);
  writeFileSync(join(folder, 'nginx.conf'), text);
  const nginx = runProgram(
    'nginx',
    ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf'), '-g', 'daemon off; master_process off;'],
    env,
  );
  const baseUrl = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${baseUrl}/_mock/health/live`).then(
      () => true,
      () => false,
    );
  const died = nginx.ended.then(({ stderr }) => Promise.reject(new Error(`nginx ended: ${stderr}`)));
  died.catch(() => {});
  while (!(await Promise.race([isUp(), died]))) await new Promise((resolve) => setTimeout(resolve, 20));
  return {
    baseUrl,
    async [Symbol.asyncDispose]() {
      await nginx.end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
