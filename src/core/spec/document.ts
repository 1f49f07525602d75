import { openapi } from '../generated/data.js';
import type { GapId, operations } from './api-types.ts';
import { isObject, type JsonObject } from './json.ts';

/** spec/openapi.yaml with the keywords that resolve() applies. Shared: copy it before changing it. */
export const apiTemplate = (): JsonObject => openapi as JsonObject;

export { isObject, type JsonObject };

export const httpMethods = ['get', 'put', 'post', 'delete', 'patch'] as const;
export type HttpMethod = (typeof httpMethods)[number];

export type OperationId = keyof operations;

export type MediaTypes = {
  readonly [mediaType: string]: { readonly schema: JsonObject };
};

export type ResponseObject = {
  readonly description: string;
  readonly content?: MediaTypes;
};

export type OperationObject = {
  readonly operationId: OperationId;
  readonly security?: readonly JsonObject[];
  readonly parameters?: readonly JsonObject[];
  readonly requestBody?: { readonly required?: boolean; readonly content: MediaTypes };
  readonly responses: Readonly<Record<string, ResponseObject>>;
  readonly 'x-gap'?: GapId | readonly GapId[];
};

export type PathItem = { readonly [method in HttpMethod]?: OperationObject } & {
  readonly parameters?: readonly JsonObject[];
};

/** A resolved OpenAPI 3.1 document: plain, bundled, without resolution keywords. See resolve(). */
export type ApiDocument = {
  readonly openapi: string;
  readonly info: JsonObject;
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonObject>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly securitySchemes: Readonly<Record<string, JsonObject>>;
  };
};

export function operationsOf(document: ApiDocument) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    httpMethods.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method, operation }] : [];
    }),
  );
}
