#!/usr/bin/env node
// The first file that runs: an old Node must be able to parse it, and prints which version is needed.
const wanted = (require('../../../package.json') as { engines: { node: string } }).engines.node.replace('>=', '');
const parts = (version: string) => version.split('.').map(Number);
const [major = 0, minor = 0] = parts(process.versions.node);
const [wantedMajor = 0, wantedMinor = 0] = parts(wanted);

// Caches compiled code for the next start if Node can: a sixth faster.
(require('node:module') as { enableCompileCache?: () => void }).enableCompileCache?.();

if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) {
  const [, , command = ''] = process.argv;
  import(`../../bundle/${['serve', 'verify'].includes(command) ? command : 'main'}.js`);
} else {
  process.stderr.write(`platform-mock: Node ${wanted} or newer is needed; this is Node ${process.versions.node}\n`);
  process.exitCode = 2;
}
