import { defineConfig } from 'vitest/config';

// They only end what hangs.
export default defineConfig({ test: { testTimeout: 600_000 } });
