// Next.js calls this once, before the server takes requests. Its bundle for the edge leaves out what the condition excludes.
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === 'nodejs' && process.env.PLATFORM_MOCK !== undefined) {
    const { startMock } = await import('platform-mock');
    const mock = await startMock({ port: Number(process.env.PLATFORM_MOCK), seed: 7 });
    process.env.PLATFORM_API = mock.baseUrl;
    process.stdout.write(`Platform API: ${mock.baseUrl}, dashboard: ${mock.baseUrl}/_mock/\n`);
  }
}
