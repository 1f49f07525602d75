// Preloaded: prints when this process, which is a server too, receives its first request, and ends it.
import { subscribe } from 'node:diagnostics_channel';
import { writeSync } from 'node:fs';

subscribe('http.server.request.start', () => {
  writeSync(1, String(performance.now()));
  process.exit();
});
