import type { Log, Observer } from '../index.ts';
import { told, toldOfBug } from './crash.ts';
import { isShown, requestFields, requestLine, terminalColors, warnOfOrigins } from './request-log.ts';
import type { ServeFlags } from './serve-flags.ts';

interface Logs {
  readonly log: Log;
  readonly observe: Observer;
}

export const logsFor = async (flags: ServeFlags): Promise<Logs> =>
  flags.jsonLogs ? await jsonLogs(flags) : terminalLogs(flags);

function terminalLogs(flags: ServeFlags): Logs {
  const colors = terminalColors(process.stderr);
  const log: Log = (level, message) =>
    void process.stderr.write(`${level === 'error' ? toldOfBug(message) : message}\n`);
  const warn = warnOfOrigins((message) => log('info', colors.yellow(message)));
  return {
    log,
    observe: (observed) => {
      if (isShown(observed, flags)) log('info', requestLine(observed, new Date(), colors));
      warn(observed);
    },
  };
}

async function jsonLogs(flags: ServeFlags): Promise<Logs> {
  const { pino } = await import('pino');
  const logger = pino({ level: flags.quiet ? 'error' : 'info' });
  const warn = warnOfOrigins((message, refusedOrigin) => logger.warn({ refusedOrigin }, message));
  return {
    log: (level, message) => logger[level](level === 'error' ? toldOfBug(message) : told(message)),
    observe: (observed) => {
      if (isShown(observed, flags)) logger.info(requestFields(observed), 'request');
      warn(observed);
    },
  };
}
