// Next.js calls this once, before the server takes requests.
export async function register(): Promise<void> {
  const { NEXT_RUNTIME, PLATFORM_MOCK } = process.env;
  if (NEXT_RUNTIME !== 'nodejs' || PLATFORM_MOCK === undefined) return;
  const { startMock } = await import('platform-mock');
  const mock = await startMock({ port: Number(PLATFORM_MOCK), seed: 7 });
  process.env.PLATFORM_API = mock.baseUrl;
  process.stdout.write(`Platform API: ${mock.baseUrl}, dashboard: ${mock.baseUrl}/_mock/\n`);
}
