import colors from 'picocolors';
import { outlet } from '../../contract-tests/commands/outlet.ts';
import { printable } from '../../contract-tests/report/text.ts';
import type { Log, Observed } from '../index.ts';
import { told, toldOfBug } from './crash.ts';
import type { ServeFlags } from './serve-flags.ts';

type Colors = ReturnType<typeof colors.createColors>;

/** Colours if the stream is a terminal, or the environment asks for them. */
const terminalColors = ({ isTTY }: { readonly isTTY?: boolean }): Colors =>
  colors.createColors(Boolean(process.env.FORCE_COLOR) || (isTTY === true && colors.isColorSupported));

const slowMilliseconds = 1000;

/** One line about a request: time, request, status, duration, reasons, and armed effects. */
export function requestLine(observed: Observed, now: Date, colors: Colors): string {
  const { dim, bold, magenta, yellow } = colors;
  const { method, url, status, milliseconds, basis, faults, delayMs } = observed;
  const took = `${milliseconds.toFixed(1)} ms`;
  const parts = [
    dim(now.toTimeString().slice(0, 8)),
    `${bold(method.padEnd(6))} ${printable(url)}`,
    statusColor(status, colors)(String(status ?? 'dropped')),
    milliseconds < slowMilliseconds ? took : yellow(took),
    ...(basis === '' ? [] : [dim(basis)]),
    ...(faults.length === 0 ? [] : [magenta(`${faults.length === 1 ? 'fault' : 'faults'} ${faults.join(', ')}`)]),
    ...(delayMs === 0 ? [] : [magenta(`delayed by ${delayMs} ms`)]),
  ];
  return parts.join('  ');
}

function statusColor(status: number | undefined, { red, yellow, cyan, green }: Colors) {
  if (status === undefined || status >= 500) return red;
  if (status >= 400) return yellow;
  return status >= 300 ? cyan : green;
}

const requestFields = ({ refusedOrigin, isPreflight, ...fields }: Observed): object => ({
  ...fields,
  outcome: fields.status === undefined ? 'dropped' : 'answered',
  ...(isPreflight && { isPreflight }),
  ...(refusedOrigin !== undefined && { refusedOrigin }),
});

const maxOrigins = 100;

/** Logs once per origin that browsers keep its pages from reading answers, and which option allows them. */
export function warnOfOrigins(warn: (message: string, origin: string) => void): (observed: Observed) => void {
  const seen = new Set<string>();
  return ({ refusedOrigin: origin }) => {
    if (origin === undefined || seen.has(origin) || seen.size >= maxOrigins) return;
    seen.add(origin);
    const shown = printable(origin);
    warn(`CORS: pages of ${shown} may not call; to allow them: --cors ${shown}`, origin);
  };
}

export async function logsFor(flags: ServeFlags) {
  const { log, onRequest, warn } = flags.jsonLogs ? await jsonLogs(flags) : terminalLogs();
  const warnOnce = warnOfOrigins(warn);
  return {
    log,
    observe: (observed: Observed): void => {
      // Preflights say little about an app.
      if (!observed.isPreflight || flags.verbose) onRequest(observed);
      warnOnce(observed);
    },
  };
}

function terminalLogs() {
  const colors = terminalColors(process.stderr);
  const log: Log = (level, message) =>
    void outlet.print('stderr', `${level === 'error' ? toldOfBug(message) : message}\n`);
  return {
    log,
    onRequest: (observed: Observed): void => log('info', requestLine(observed, new Date(), colors)),
    warn: (message: string): void => log('info', colors.yellow(message)),
  };
}

async function jsonLogs({ quiet }: ServeFlags) {
  const { pino } = await import('pino');
  // pino's own destination would end the process when it cannot be written.
  const logger = pino({ level: quiet ? 'error' : 'info' }, { write: (text) => outlet.print('stdout', text) });
  const log: Log = (level, message) => logger[level](level === 'error' ? toldOfBug(message) : told(message));
  return {
    log,
    onRequest: (observed: Observed): void => logger.info(requestFields(observed), 'request'),
    warn: (message: string, refusedOrigin: string): void => logger.warn({ refusedOrigin }, message),
  };
}
