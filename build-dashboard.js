// Builds the dashboard (dashboard.config.ts) where something changed since the last time; starting vite costs a second.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = import.meta.dirname;
const page = join(root, 'src/dashboard/page');
const inputs = ['dashboard.config.ts', 'package-lock.json', 'src/dashboard/page'].map((name) => join(root, name));
for (const entry of readdirSync(page, { recursive: true })) inputs.push(join(page, String(entry)));

const modified = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const built = Math.min(...['index.html', 'docs.html'].map((name) => modified(join(root, 'dist/dashboard', name))));

if (inputs.some((file) => modified(file) >= built)) {
  const { build } = await import('vite');
  await build({ configFile: join(root, 'dashboard.config.ts'), logLevel: 'warn' });
}
