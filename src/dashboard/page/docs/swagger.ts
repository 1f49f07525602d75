// The part of Swagger UI's interface that the docs page uses.

export interface SwaggerSystem {
  readonly React: { createElement(type: unknown, props: object | null, ...children: unknown[]): unknown };
  readonly specActions: { execute(request: object): void };
  readonly specSelectors: { specResolvedSubtree(path: readonly string[]): unknown };
}

/** See https://swagger.io/docs/open-source-tools/swagger-ui/customization/plugin-api/ */
export type SwaggerPlugin = () => object;

interface SentRequest {
  readonly headers: Record<string, string>;
  body?: unknown;
}

interface Hooks {
  readonly plugins: readonly SwaggerPlugin[];
  readonly requestInterceptor: (request: SentRequest) => Promise<SentRequest>;
}

interface SwaggerUi {
  /** Sends that token where the security scheme is required. Not before `onComplete`. */
  preauthorizeApiKey(scheme: string, token: string): void;
}

export async function startSwaggerUi(options: Hooks & Readonly<Record<string, unknown>>): Promise<SwaggerUi> {
  const { SwaggerUIBundle } = window as unknown as { SwaggerUIBundle?: (options: object) => SwaggerUi };
  if (!SwaggerUIBundle) throw new Error('Swagger UI is not loaded.');
  let ui: SwaggerUi | undefined;
  await new Promise<void>((resolve) => {
    ui = SwaggerUIBundle({ ...options, onComplete: resolve });
  });
  return ui as SwaggerUi;
}
