import { resolve } from 'node:path';
import { defineConfig } from 'vite';

const page = resolve(import.meta.dirname, 'src/dashboard/page');

// Two pages, the dashboard and the API's docs. Addresses are relative: they work below every sandbox's prefix too.
export default defineConfig({
  root: page,
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: resolve(import.meta.dirname, 'dist/dashboard'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // Inlined pictures would need an exception from the pages' content security policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: { input: { index: resolve(page, 'index.html'), docs: resolve(page, 'docs.html') } },
  },
});
