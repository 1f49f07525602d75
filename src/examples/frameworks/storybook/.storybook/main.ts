import type { StorybookConfig } from '@storybook/html-vite';

export default {
  framework: '@storybook/html-vite',
  stories: ['../*.stories.ts'],
  // `npx msw init public/` wrote the service worker there.
  staticDirs: ['../public'],
} satisfies StorybookConfig;
