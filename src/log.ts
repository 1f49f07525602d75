/** Where the mock's own log goes: lines on stderr until something else is set. */
export type LogSink = (level: 'info' | 'error', message: string) => void;

let sink: LogSink = (_level, message) => {
  process.stderr.write(`${message}\n`);
};

/** Sends the log elsewhere, e.g. to pino. */
export const setLogSink = (other: LogSink): void => {
  sink = other;
};

export const logError = (message: string): void => sink('error', message);
export const logInfo = (message: string): void => sink('info', message);
