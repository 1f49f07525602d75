// What is used of packages that are loaded only where a file or the environment asks for them.

declare module 'yauzl' {
  interface Entry {
    readonly fileName: string;
    readonly uncompressedSize: number;
  }
  interface ZipFile {
    eachEntry(): AsyncIterable<Entry>;
    openReadStreamPromise(entry: Entry): Promise<import('node:stream').Readable>;
    close(): void;
  }
  export function openPromise(file: string, options: { readonly autoClose: boolean }): Promise<ZipFile>;
}

declare module 'proxy-from-env' {
  /** The URL of the proxy for a URL; empty for none. */
  export function getProxyForUrl(url: string): string;
}

declare module 'hpagent' {
  import { Agent, type AgentOptions } from 'node:https';
  export class HttpsProxyAgent extends Agent {
    constructor(options: AgentOptions & { readonly proxy: URL });
  }
}
