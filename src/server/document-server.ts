import { dirname, resolve } from 'node:path';
import { isObject, mapJson } from '../../contract-tests/values/json.ts';
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

/** OpenAPI ignores parameters with these names, and Prism does not. */
const ignored = /^(accept|content-type|authorization)$/i;

/** A document whose parameters Prism may validate: itself, or a copy, which refers to other files by whole paths. */
function withoutIgnored<T extends object>(document: T, file: string | undefined): T {
  let hasIgnored = false;
  const copy = mapJson(document, (part, path) => {
    if (isObject(part) && part.in === 'header' && typeof part.name === 'string' && ignored.test(part.name)) {
      hasIgnored = true;
      return { in: 'header', name: `X-Ignored-${part.name}`, schema: {} };
    }
    const isRelative = path.at(-1) === '$ref' && typeof part === 'string' && !/^(#|\w+:)/.test(part);
    return isRelative && file !== undefined ? resolve(dirname(file), part) : part;
  });
  return hasIgnored ? copy : document;
}

/** Starts Prism's mock of a document, which answers with the document's examples, or with the same plain values each time. */
export const servedByPrism: ServeDocument = async (sent, file): Promise<DocumentServer> => {
  const document = withoutIgnored(sent, file);
  const prism = await startPrism({ document, file: document === sent ? file : undefined, host: '127.0.0.1', port: 0 });
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
