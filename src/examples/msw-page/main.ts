// The page as it starts in development: the mock first, then the app, which knows nothing of it.
import { startApp } from './app.ts';
import { startMock } from './mock.ts';

const world = new URLSearchParams(location.search).get('world');
await startMock();
await startApp(world === null ? '/api' : `/api/~${world}`);
