import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { buildGenerated } from './build.js';

// What is generated from spec/ stands beside the compiled sources: the tests use the same, made anew where spec/ changed.
await buildGenerated();

// The contract checks (*.contract.ts) are not here: `platform-mock verify` runs them, at a target.
export default defineConfig({
  resolve: {
    alias: [
      {
        find: /^.*\/generated\/(data|validators)\.js$/,
        replacement: resolve(import.meta.dirname, 'dist/src/core/generated/$1.js'),
      },
    ],
  },
  test: {
    include: ['src/**/*.test.ts', 'contract-tests/**/*.test.ts', 'bench/**/*.test.ts'],
    pool: 'threads',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
