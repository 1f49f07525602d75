interface SentRequest {
  readonly headers: Record<string, string>;
  body?: unknown;
}

/** The part of Swagger UI's interface that the docs page uses. */
interface SwaggerUi {
  /** Sends that token where the security scheme is required. Not before `onComplete`. */
  preauthorizeApiKey(scheme: string, token: string): void;
}

interface SwaggerOptions extends Readonly<Record<string, unknown>> {
  readonly requestInterceptor: (request: SentRequest) => Promise<SentRequest>;
}

export async function startSwaggerUi(options: SwaggerOptions): Promise<SwaggerUi> {
  const { SwaggerUIBundle } = window as unknown as { SwaggerUIBundle?: (options: object) => SwaggerUi };
  if (!SwaggerUIBundle) throw new Error('Swagger UI is not loaded.');
  let ui: SwaggerUi | undefined;
  await new Promise<void>((resolve) => {
    ui = SwaggerUIBundle({ ...options, onComplete: resolve });
  });
  return ui as SwaggerUi;
}
