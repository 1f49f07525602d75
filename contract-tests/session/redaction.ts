import { findStrings, isObject, parseJson } from '../wire/json.ts';
import { type NamedSecret, SECRET_MEMBER, type SecretRules, Secrets } from '../wire/secrets.ts';
import { OPERATIONS } from './operations.ts';
import { secretsIn } from './secret-members.ts';
import type { Target } from './target-file.ts';
import { GARBAGE_TOKENS, isPatForm, PLACES_OF_NO_TOKEN } from './token-forms.ts';

/** A claim or user name needs more characters than a password to be told from a word. */
const MIN_IDENTITY_LENGTH = 8;
/** Where a secret is listed by mistake, reports must not repeat it. */
const LISTS_API_KEYS = /\/api-keys(\?|$)/;
/** A dot before the first underscore: outside of PAT creation, that is rather the name of a host or a file. */
const DOTTED_PREFIX = /^[^_]*\./;
const MIN_PAT_LENGTH = 16;

const RULES: SecretRules = {
  harmless: new Set<string>([...GARBAGE_TOKENS, ...PLACES_OF_NO_TOKEN]),
  secretsIn({ request, response }) {
    if (!LISTS_API_KEYS.test(request.url)) return [];
    const keys = parseJson(response?.body ?? '');
    const found = Array.isArray(keys) ? keys.filter(isObject).flatMap(secretsIn) : [];
    return found.map(({ path, value }) => ({ value, name: path.join('.') }));
  },
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

function credentialsIn({ actors = {} }: Target): NamedSecret[] {
  return findStrings(actors).flatMap(({ path, value }) => {
    const isIdentity = !SECRET_MEMBER.test(path.slice(1).join('.'));
    if (isIdentity && value.length < MIN_IDENTITY_LENGTH) return [];
    // An answer may hold the same address as e-mail address or user name.
    const same = isIdentity && value.includes('@') ? ', or the same address' : '';
    return [{ value, name: `actors.${path.join('.')}${same}` }];
  });
}

function headersIn({ headers = {} }: Target): NamedSecret[] {
  const secret = Object.entries(headers).filter(([name]) => Secrets.isSecretHeader(name));
  return secret.map(([name, value]) => ({ value, name: `headers.${name}` }));
}

function passwordIn({ baseUrl }: Target): NamedSecret[] {
  const password = URL.canParse(baseUrl) ? new URL(baseUrl).password : '';
  return password === '' ? [] : [{ value: decodeURIComponent(password), name: 'baseUrl password' }];
}

/** Secrets that are found in traffic as it passes, each replaced by what `write` makes of it. */
export const secretsInTraffic = (write: (value: string) => string): Secrets => new Secrets([], RULES, write);
