import type { Preview } from '@storybook/html-vite';
import { startMock } from '../../../msw-page/mock.ts';

export default { beforeAll: startMock } satisfies Preview;
