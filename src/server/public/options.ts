/** How a mock for everybody on the Internet is served. */
export interface PublicOptions {
  /** Limits that differ from their defaults, each as `name=number` (docs/public.md). */
  readonly limits?: readonly string[] | undefined;
}
