// A target with a limit of requests a second: in front of the mock at argv[2], it answers 429 beyond argv[3] in a second, and
// says in each response what is left.
import { createServer, request as forward } from 'node:http';

const target = new URL(process.argv[2] ?? '');
const limit = Number(process.argv[3]);
let second = 0;
let made = 0;

createServer((request, response) => {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second) [second, made] = [now, 0];
  made += 1;
  const limits = { 'ratelimit-limit': limit, 'ratelimit-remaining': Math.max(0, limit - made), 'ratelimit-reset': 1 };
  if (made > limit) {
    request.resume();
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1', ...limits });
    response.end(
      JSON.stringify({ error: { code: 'rate_limited', message: `More than ${limit} requests in a second.` } }),
    );
    return;
  }
  const { method, headers, url } = request;
  const passed = forward({ host: target.hostname, port: target.port, method, headers, path: url }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...limits });
    answer.pipe(response);
  });
  passed.on('error', () => response.destroy());
  request.pipe(passed);
}).listen(Number(process.env.PORT), '127.0.0.1');
