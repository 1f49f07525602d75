import { fromBase64url } from '../values/secret-looks.ts';
import { isSecretValue, type SecretName } from './names.ts';
import { textView, unescaped } from './views.ts';

export interface Range {
  from: number;
  to: number;
}

export interface Found extends Range {
  name: SecretName;
  /** How it is written: with the escapes of a JSON string, those of a form, those of XML, or as a number. */
  style: 'string' | 'form' | 'markup' | 'number';
  /** A password that it holds in base64. */
  inside?: string;
}

/** Whether a part of a text has not been looked through before: what names a secret in it may be new. */
export type IsNew = (from: number, to: number) => boolean;

/** Characters between two pauses. */
export const SLICE = 16_384;

const SCHEME = /^(?:bearer|basic|token|apikey|digest|negotiate)[ \t]+/i;

/** The credential that a part of a text is, behind its scheme; undefined where it is none under that name. */
export function credentialIn(
  text: string,
  { from, to }: Range,
  name: SecretName,
  style: Found['style'],
): Found | undefined {
  const scheme = SCHEME.exec(text.slice(from, to))?.[0] ?? '';
  const value = text.slice(from + scheme.length, to);
  if (!isSecretValue(name, value)) return undefined;
  const inside = /^basic/i.test(scheme) ? passwordIn(value) : undefined;
  return { from: from + scheme.length, to, name, style, ...(inside && { inside }) };
}

/** The password in Basic credentials. */
export function passwordIn(credentials: string): string | undefined {
  const bytes = Uint8Array.from(fromBase64url(credentials), (letter) => letter.charCodeAt(0));
  return /^[^:]*:(.+)$/s.exec(new TextDecoder().decode(bytes))?.[1];
}

/** A value as it was before it was written. */
export function valueIn(written: string, style: Found['style']): string {
  try {
    if (style === 'string' && written.includes('\\')) return String(JSON.parse(`"${written}"`));
    if (style === 'form' && written.includes('%')) return decodeURIComponent(written.replaceAll('+', ' '));
  } catch {
    return written;
  }
  const view = style === 'markup' && written.includes('&') ? unescaped(textView(written)) : undefined;
  return view ? new TextDecoder().decode(view.bytes) : written;
}
