import { kinds, type OptionsOf, row } from '../core/options.ts';

/** The options that only the command has. */
export const serveOptions = {
  tlsCert: row<string>({
    kind: kinds.text,
    flag: '--tls-cert <file>',
    help: 'serve HTTPS with this certificate, with its chain (PEM)',
  }),
  tlsKey: row<string>({ kind: kinds.text, flag: '--tls-key <file>', help: 'its private key (PEM)' }),
  watch: row<boolean>({
    kind: kinds.switch,
    flag: '--watch',
    help: 'reload profile, fixtures and routes when they change',
  }),
  quiet: row<boolean>({ kind: kinds.switch, flag: '--quiet', help: 'print errors only' }),
  verbose: row<boolean>({ kind: kinds.switch, flag: '--verbose', help: 'log preflights of browsers, too' }),
  jsonLogs: row<boolean>({
    kind: kinds.switch,
    flag: '--json-logs',
    help: 'log as JSON lines (pino), with a field for everything about a request',
  }),
};

export type ServeFlags = OptionsOf<typeof serveOptions>;
