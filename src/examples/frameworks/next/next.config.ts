import type { NextConfig } from 'next';

export default {
  // Loaded by Node, not bundled.
  serverExternalPackages: ['platform-mock'],
  outputFileTracingRoot: import.meta.dirname,
} satisfies NextConfig;
