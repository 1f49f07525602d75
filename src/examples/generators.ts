// How each generator makes its client: of ./api.json, in ./client.

/** A command of the generator's package, and the files that it reads besides the document. */
export interface Generator {
  readonly bin: string;
  readonly args: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  /** The calls that it makes; by default those of its name. */
  readonly calls?: string;
  /** The type of the body of one of the `answers` of its calls. */
  readonly bodyType?: (operationId: string, status: string) => string;
}

export const generators: Readonly<Record<string, Generator>> = {
  'openapi-typescript': {
    bin: 'openapi-typescript/bin/cli.js',
    args: ['api.json', '--output', 'client/api.ts'],
    bodyType: (operationId, status) =>
      `NonNullable<Answers['${operationId}']['${status.startsWith('2') ? 'data' : 'error'}']>`,
  },
  'hey-api': { bin: '@hey-api/openapi-ts/bin/run.js', args: ['--input', './api.json', '--output', './client'] },
  orval: {
    bin: 'orval/dist/bin/orval.js',
    args: ['--config', './orval.config.mjs'],
    calls: 'positional',
    files: {
      'api.ts': "export * as api from './client/api.ts';",
      'orval.config.mjs': `export default { api: { input: './api.json', output: {
        target: './client/api.ts', client: 'fetch', baseUrl: { getBaseUrlFromSpecification: true } } } };`,
    },
    bodyType: (operationId, status) => `Extract<Answers['${operationId}'], { status: ${status} }>['data']`,
  },
  kubb: {
    bin: '@kubb/cli/bin/kubb.cjs',
    args: ['generate', '--config', './kubb.config.mjs'],
    files: {
      'kubb.config.mjs': `import { defineConfig } from '@kubb/core';
        import { pluginClient } from '@kubb/plugin-client';
        import { pluginOas } from '@kubb/plugin-oas';
        import { pluginTs } from '@kubb/plugin-ts';
        export default defineConfig({
          root: import.meta.dirname,
          input: { path: './api.json' },
          output: { path: './client', format: false, lint: false },
          plugins: [pluginOas({ generators: [], serverIndex: 0 }), pluginTs(), pluginClient({ client: 'fetch' })],
        });`,
    },
  },
  'swagger-typescript-api': {
    bin: 'swagger-typescript-api/dist/cli.mjs',
    calls: 'positional',
    files: { 'api.ts': "import { Api } from './client/api.ts';\nexport const api = new Api().v1;" },
    args: ['generate', '--path', 'api.json', '--output', 'client', '--name', 'api.ts', '--silent'],
  },
};
