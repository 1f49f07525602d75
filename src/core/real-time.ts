/** The runtime's functions, captured before a test installs a simulated clock. Browsers require a call without a receiver. */
export const { setTimeout, clearTimeout } = globalThis;
export const systemNow = Date.now;
