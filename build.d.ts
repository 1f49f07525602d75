/** What is generated from spec/ and fixtures/; the compiled sources have to be there. */
export function buildGenerated(): Promise<void>;
