import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { checkOptions, either, kinds } from '../core/options.ts';
import { ConfigError } from '../core/spec/config-error.ts';

/** For HTTPS: PEM files or texts, or a certificate generated at startup, which clients must be told to accept. */
export type TlsOptions = 'self-signed' | { readonly certFile: string; readonly keyFile: string } | Credentials;

export interface Credentials {
  readonly cert: string;
  readonly key: string;
}

/** The certificate and key for HTTPS; `host` is a name for a self-signed one. Throws ConfigError if they cannot be used. */
export async function credentialsOf(tls: TlsOptions, host: string): Promise<Credentials> {
  if (tls === 'self-signed') return selfSigned(host);
  const [certName, keyName] =
    'cert' in tls || 'key' in tls ? (['cert', 'key'] as const) : (['certFile', 'keyFile'] as const);
  checkOptions(
    'tls',
    { [certName]: null, [keyName]: null, ...tls },
    { [certName]: { kind: pem }, [keyName]: { kind: pem } },
  );
  const isFile = 'certFile' in tls;
  const [cert, key] = isFile ? [readPem(tls.certFile), readPem(tls.keyFile)] : [tls.cert, tls.key];
  const [certSource, keySource] = isFile ? [tls.certFile, tls.keyFile] : ['tls.cert', 'tls.key'];
  const certificate = parsed(certSource, 'certificate', () => new X509Certificate(cert));
  const privateKey: KeyObject = parsed(keySource, 'private key without a passphrase', () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(privateKey))
    throw new ConfigError([`${keySource} is not the key of the certificate ${certSource} (${certificate.subject})`]);
  return { cert, key };
}

/** Callers in JavaScript may give what `readFileSync` returns. */
const pem = either(kinds.text, ['a buffer', (value) => value instanceof Uint8Array]);

function readPem(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError([`${file}: the file cannot be read (${(error as NodeJS.ErrnoException).code})`]);
  }
}

function parsed<T>(file: string, what: string, parse: () => T): T {
  try {
    return parse();
  } catch {
    throw new ConfigError([`${file} is not a ${what} in PEM: it should begin with -----BEGIN`]);
  }
}

const lifetimeMs = 30 * 24 * 3_600_000;

async function selfSigned(host: string): Promise<Credentials> {
  // An optional peer.
  const { generate } = await import('selfsigned').catch(() => {
    throw new ConfigError([
      'a self-signed certificate needs the package selfsigned, which is not installed with the mock; run:  npm install --save-dev selfsigned',
    ]);
  });
  const names = ['localhost', '*.localhost', '127.0.0.1', '::1', ...(/^(0\.0\.0\.0|::)$/.test(host) ? [] : [host])];
  const altNames = [...new Set(names)].map((name) =>
    isIP(name) ? { type: 7 as const, ip: name } : { type: 2 as const, value: name },
  );
  const now = Date.now();
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'platform-mock' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    // Clients' clocks may be slow.
    notBeforeDate: new Date(now - 3_600_000),
    notAfterDate: new Date(now + lifetimeMs),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames },
    ],
  });
  return { cert, key };
}
