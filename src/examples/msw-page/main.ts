// The page as it starts in development: the mock first, then the app, which knows nothing of it.
import { startApp } from './app.ts';
import { startMock } from './mock.ts';

await startMock();
await startApp('/api');
