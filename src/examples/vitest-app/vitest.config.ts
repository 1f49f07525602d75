import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['**/*.spec.ts'],
    globalSetup: './global-setup.ts',
    setupFiles: ['platform-mock/vitest'], // expect(world).toHaveReceived(…)
  },
});
