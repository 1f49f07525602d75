import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import express, { type RequestHandler, type Response, Router } from 'express';

/**
 * Nothing but the mock's own: no other origin, no inline script, no frame around it. Pictures in style sheets (Swagger
 * UI's arrows) are data.
 */
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

/**
 * The dashboard and the API's docs as static files, to be mounted where the control plane is, before it: what is not
 * theirs goes on to the control plane, as does a client that asks for JSON.
 *
 * @param folder where vite puts the built pages
 */
export function dashboard(folder: string): Router {
  const router = Router({ caseSensitive: true, strict: true });
  // Before everything else, since Express answers OPTIONS by itself.
  router.use((_request, response, next) => {
    response.setHeader('X-Mock-Basis', 'control');
    next();
  });
  const page = (name: string): RequestHandler => {
    return (request, response, next) => {
      if (request.accepts(['html', 'json']) !== 'html') return next();
      protect(response);
      // A page is never stale: it names its assets by their hashes.
      response.setHeader('Cache-Control', 'no-cache');
      response.sendFile(join(folder, name), { cacheControl: false, acceptRanges: false }, (error) => {
        if (error && !response.headersSent) response.status(503).type('text').send(notBuilt);
      });
    };
  };
  router.get('/', (request, response, next) => {
    // The pages name what they load relative to /_mock/, so the slash has to be there.
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
  router.use('/assets', files(join(folder, 'assets'), '1y'));
  router.use('/swagger-ui', swaggerFiles());
  return router;
}

const require = createRequire(import.meta.url);

/** Swagger UI's built files as its package ships them; looked for at the first request. */
function swaggerFiles(): RequestHandler {
  let serve: RequestHandler | undefined;
  return (request, response, next) => {
    if (request.path !== '/swagger-ui-bundle.js' && request.path !== '/swagger-ui.css') return next();
    serve ??= files(dirname(require.resolve('swagger-ui-dist/package.json')), '1h');
    serve(request, response, next);
  };
}

/** Whole files only: nobody wants a part, and one that there is not would be an error of ours. */
const files = (folder: string, maxAge: string): RequestHandler =>
  express.static(folder, {
    acceptRanges: false,
    index: false,
    redirect: false,
    maxAge,
    immutable: maxAge === '1y',
    setHeaders: protect,
  });

function protect(response: Response): void {
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
}
