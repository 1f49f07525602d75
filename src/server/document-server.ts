import type { DocumentServer, ServeDocument } from '../core/custom-routes/openapi.ts';
import type { RouteAnswer } from '../core/custom-routes/route.ts';
import { startPrism } from './prism-process.ts';

/** About the connection to Prism, or set by the mock itself. */
const ownHeaders = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date'];
/** Those that fetch sets, and the encoding, which is undone already. */
const notPassed = [
  'host',
  'connection',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'expect',
  'upgrade',
];

/** Starts Prism's mock of a document, which answers with the document's examples, or with the same plain values each time. */
export const servedByPrism: ServeDocument = async (document, file): Promise<DocumentServer> => {
  const prism = await startPrism({ document, file, host: '127.0.0.1', port: 0 });
  return {
    async ask({ method, url, headers, bytes }): Promise<RouteAnswer> {
      const passed = new Headers();
      for (const [name, value] of Object.entries(headers))
        if (!notPassed.includes(name)) passed.set(name, [value].flat().join(', '));
      const response = await fetch(`${prism.baseUrl}${url}`, {
        method,
        headers: passed,
        redirect: 'manual',
        ...(method !== 'GET' && bytes && { body: Buffer.from(bytes) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: Object.fromEntries([...response.headers].filter(([name]) => !ownHeaders.includes(name))),
        ...(text !== '' && { body: text }),
      };
    },
    close: () => void prism.stop(),
  };
};
