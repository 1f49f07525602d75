import { defineConfig } from 'vitest/config';

// The contract checks (*.contract.ts) are not here: `platform-mock verify` runs them, at a target.
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'contract-tests/**/*.test.ts', 'bench/**/*.test.ts'],
    pool: 'threads',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
