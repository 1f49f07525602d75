import { OPERATIONS, SAMPLE_ID } from '../api/operations.ts';
import { RECORDS } from '../api/records.ts';
import { secretsIn } from '../api/secret-members.ts';
import {
  GARBAGE_TOKENS,
  isPatForm,
  PLACE_OF_NO_FILTERING_TOKEN,
  PLACES_OF_NO_TOKEN,
  partsOfPat,
} from '../api/token-forms.ts';
import type { Exchange } from '../model.ts';
import { loadGaps, loadRequirements } from '../spec-data.ts';
import { findScalars, isObject, parseJson } from '../values/json.ts';
import { secretName } from '../wire/secret-names.ts';
import { type NamedSecret, type SecretRules, Secrets } from '../wire/secrets.ts';
import { textView } from '../wire/views.ts';
import { eachWindow, WindowTable } from '../wire/windows.ts';
import type { Target } from './target-file.ts';

/** A claim or user name needs more characters than a password to be told from a word. */
const MIN_IDENTITY_LENGTH = 8;
/** Where a secret is listed by mistake, reports must not repeat it. */
const LISTS_API_KEYS = /\/api-keys(\?|$)/;
/** A dot before the first underscore: outside of PAT creation, that is rather the name of a host or a file. */
const DOTTED_PREFIX = /^[^_]*\./;
const MIN_PAT_LENGTH = 16;
/** What anybody may see of a PAT: its prefix and its id. */
const HEAD = /^[\w-]{1,64}\.$/;

/** The secrets that a list of API keys shows by mistake, whatever they are called. */
export function listedSecrets({ request, response }: Exchange): NamedSecret[] {
  if (!LISTS_API_KEYS.test(request.url)) return [];
  const keys = parseJson(response?.body ?? '');
  const found = Array.isArray(keys) ? keys.filter(isObject).flatMap(secretsIn) : [];
  return found.map(({ path, value }) => ({ value, name: path.join('.') }));
}

const RULES: SecretRules = {
  harmless: new Set<string>([...GARBAGE_TOKENS, ...PLACES_OF_NO_TOKEN, PLACE_OF_NO_FILTERING_TOKEN]),
  common,
  openLength(secret) {
    const { head = '' } = partsOfPat(secret.value) ?? {};
    return secretName(secret.name)?.isPassword || !HEAD.test(head) ? 0 : head.length;
  },
  secretsIn: listedSecrets,
  kindOf(text, { request }) {
    const makesPat = request.url.endsWith(OPERATIONS.pat.path);
    const isPat = isPatForm(text) && text.length >= MIN_PAT_LENGTH && (makesPat || !DOTTED_PREFIX.test(text));
    return isPat ? 'PAT' : undefined;
  },
};

/** The secrets of a run: those of its target file, and what the API's answers show of more. */
export function secretsOf(target: Target): Secrets {
  return new Secrets([...credentialsIn(target), ...headersIn(target), ...passwordIn(target)], RULES);
}

/** What the document calls things, and the usual words of HTTP: a secret may contain them. */
const USUAL_WORDS =
  'Authorization: Bearer Basic Content-Type: application/json; charset=utf-8 application/problem+json text/html ' +
  'password refresh_token refresh-token access_token access-token personal-access-token session-id http://127.0.0.1: https://';

const publicText = (): string =>
  JSON.stringify([loadRequirements(), loadGaps(), RECORDS, OPERATIONS, SAMPLE_ID, USUAL_WORDS]);

let windows: WindowTable | undefined;
function common(): WindowTable {
  if (windows) return windows;
  windows = new WindowTable();
  const { bytes, length } = textView(publicText());
  eachWindow(bytes, length, (high, low) => windows?.set(high, low, 0));
  return windows;
}

let words: ReadonlySet<string> | undefined;
/** Whether a value is a word of the document, or a usual one of HTTP. */
export function isPublicWord(value: string): boolean {
  words ??= new Set(
    publicText()
      .toLowerCase()
      .match(/[\w-]+/g),
  );
  return words.has(value.toLowerCase());
}

function credentialsIn({ actors = {} }: Target): NamedSecret[] {
  return findScalars(actors).flatMap(({ path, value }) => {
    if (/^(role|tenantId)$/.test(path.at(-1) ?? '')) return [];
    const isIdentity = !path.slice(1).some((name) => secretName(name) !== undefined);
    if (isIdentity && value.length < MIN_IDENTITY_LENGTH) return [];
    // An answer may hold the same address as e-mail address or user name.
    const same = isIdentity && value.includes('@') ? ', or the same address' : '';
    // Of an address the host is no secret; other claims sign somebody in.
    return [{ value, name: `actors.${path.join('.')}${same}`, isIdentity: same !== '' }];
  });
}

function headersIn({ headers = {} }: Target): NamedSecret[] {
  const secret = Object.entries(headers).filter(([name]) => secretName(name));
  return secret.map(([name, value]) => ({ value, name: `headers.${name}` }));
}

function passwordIn({ baseUrl }: Target): NamedSecret[] {
  const password = URL.canParse(baseUrl) ? new URL(baseUrl).password : '';
  if (password === '') return [];
  return [...new Set([password, decoded(password)])].map((value) => ({ value, name: 'baseUrl password' }));
}

/** A `%` in a password need not be the start of a code. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
