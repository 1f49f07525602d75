import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import express, { type RequestHandler, type Response, Router } from 'express';
import { memberOf } from '../../contract-tests/values/json.ts';

/** Own files only: no other origin, no inline script, no framing. Swagger UI's style sheet has images as data URLs. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const notBuilt = 'The dashboard is not built: run `npm run build`.\n';

/** Serves the pages that vite built, to clients that ask for HTML. They get `pageKey` to show that they are none of an upstream. */
export function dashboard(folder: string, pageKey?: string): Router {
  const key = pageKey === undefined ? '' : `<meta name="page-key" content="${pageKey}" />`;
  const router = Router({ caseSensitive: true, strict: true });
  // First, since Express responds to OPTIONS by itself.
  router.use((_request, response, next) => {
    response.setHeader('X-Mock-Basis', 'control');
    next();
  });
  const page =
    (name: string): RequestHandler =>
    (request, response, next) => {
      if (request.accepts(['html', 'json']) !== 'html') return next();
      protect(response);
      // A page must not be stale: it names its assets by their hashes. Nor may another page find it in the browser's cache.
      response.setHeader('Cache-Control', 'no-store');
      // Only what is opened in a window can be read by no other page.
      const isOpened = request.get('sec-fetch-dest') === 'document';
      readFile(join(folder, name), 'utf8').then(
        (html) => response.type('html').send(isOpened ? html.replace('<head>', `<head>${key}`) : html),
        () => response.status(503).type('text').send(notBuilt),
      );
    };
  router.get('/', (request, response, next) => {
    // The pages load everything relative to /_mock/, so the trailing slash is required.
    const [path = '', query = ''] = request.originalUrl.split('?');
    if (path.endsWith('/') || request.accepts(['html', 'json']) !== 'html')
      return page('index.html')(request, response, next);
    protect(response);
    response.redirect(308, `${path.slice(path.lastIndexOf('/') + 1)}/${query && `?${query}`}`);
  });
  router.get('/docs', page('docs.html'));
  router.get('/docs/', (_request, response) => {
    protect(response);
    response.redirect(308, '../docs');
  });
  // Whole files only: no client needs ranges, and an unsatisfiable one would be reported as an error of the mock.
  const files = { acceptRanges: false, index: false, redirect: false, maxAge: '1y', immutable: true } as const;
  router.use('/assets', express.static(join(folder, 'assets'), { ...files, setHeaders: protect }));
  router.use('/swagger-ui', swaggerFiles(join(folder, 'swagger-ui')));
  return router;
}

const swaggerTypes: Readonly<Record<string, string>> = { '/swagger-ui-bundle.js': 'js', '/swagger-ui.css': 'css' };

/** Swagger UI's built files, compressed by the build, since they were a third of the package; their licences are next to them. */
function swaggerFiles(folder: string): RequestHandler {
  return (request, response, next) => {
    const type = memberOf(swaggerTypes, request.path);
    if (type === undefined || !['GET', 'HEAD'].includes(request.method)) return next();
    const accepted = request.acceptsEncodings('gzip') === 'gzip';
    protect(response);
    response.setHeader('Cache-Control', 'public, max-age=3600');
    response.vary('Accept-Encoding').type(type);
    if (accepted) response.setHeader('Content-Encoding', 'gzip');
    readFile(join(folder, `${request.path}.gz`))
      .then((file) => response.send(accepted ? file : gunzipSync(file)))
      .catch(() => next());
  };
}

function protect(response: Response): void {
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
}
