import { defineConfig } from 'vitest/config';

// Vite has its own BASE_URL in tests.
const { BASE_URL } = process.env;

export default defineConfig({ test: { env: BASE_URL ? { TARGET_URL: BASE_URL } : {} } });
