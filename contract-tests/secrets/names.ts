import { wordsOf } from '../values/secret-looks.ts';

/** Then it is no token, even in the form of one. */
const PASSWORD = /(^|_)(pass|pwd|pw|pin|otp)$|passw(or)?d|passphrase|passcode/;
/** Names that say outright that their value is secret, however short it is. */
const OUTRIGHT =
  /(^|_)secrets?$|secret$|credentials?$|private_?key$|^(access_?|refresh_?|id_?|api_?|auth_?|bearer_?)?token$/;
const LIKELY =
  /token|jwt|secret|credential|private|session|[cx]srf|cookie|authorization|assertion|saml|api_?key|(^|_)(auth|key|pat|sid|sig|signature)s?$|^code(_verifier)?$/;
/** Names whose values are words as often: an error's code (`not_found`), a scope's key (`recordings:write`). */
const OFTEN_WORDS = /(^|_)(key|code|session|auth|authorization|cookie|private)s?$/;
/** Names of what is known of a secret: `secret_rotated_at`, `token_type`, `has_password`; those by which profiles name codes and lax tokens. */
const ABOUT =
  /(^|_)(at|by|on|in|type|kind|ids?|name|hint|status|count|length|prefix|suffix|expir[a-z]*|ttl|lifetime|ur[il]|endpoint|alg|algorithm|version|policy|required|supported|enabled|provider|scopes?|title|description|label|roles?|methods?|limit|age|last_?4|preview)$|^(has|is|num|max|min|total|public|access_control|sec_(websocket|fetch|ch))_|^(missing|invalid)_credentials($|_at_)|^lax_tokens$/;
/** An identifier that opens what it identifies. */
const OPENING_ID = /^(session|[cx]srf)_id$/;
const WORDS = /^([A-Z]?[a-z]{1,16}|[A-Z]{1,16})([ _:.-]([A-Z]?[a-z]{1,16}|[A-Z]{1,16}))*$/;
/** Values that are no secret, what stands for one in a template, and what masks have left of one. */
const NOTHING =
  /^(null|nil|none|undefined|true|false|yes|no|[*•·.…xX#-]*|\W?(masked|redacted|hidden|removed|omitted)\W?|‹[^›]*›|\$\{\w+\})$/i;
const DATE = /^\d{4}-\d\d-\d\d([T ][\d:.]+(Z|[+-][\d:]+)?)?$/;
/** A shorter number counts or orders something, unless it is a PIN. */
const MIN_DIGITS = 6;
const MIN_PIN = 3;

/** The name of what shows by itself what it is. */
export const named = (name: string) => ({ name, isPassword: name === 'password', isOutright: true });
export type SecretName = ReturnType<typeof named>;

/** The words of a name, of a long one at its end, without the position in a list that forms add. */
const wordsIn = (name: string): string => wordsOf(name.slice(-64)).replace(/_\d*_?$/, '');

const isAbout = (words: string): boolean => ABOUT.test(words) && !OPENING_ID.test(words);

/** What a name says of its value; undefined where it may be known to all. */
export function secretName(name: string): SecretName | undefined {
  const words = wordsIn(name);
  if (isAbout(words)) return undefined;
  const isPassword = PASSWORD.test(words);
  const isOutright = isPassword || OUTRIGHT.test(words);
  return isOutright || LIKELY.test(words) ? { name, isPassword, isOutright } : undefined;
}

export function isSecretValue({ name, isOutright }: SecretName, value: string): boolean {
  if (NOTHING.test(value)) return false;
  if (isOutright) return true;
  if (DATE.test(value)) return false;
  return isWords(value) ? value.length >= 8 && !OFTEN_WORDS.test(wordsIn(name)) : value.length >= 4;
}

export const isSecretNumber = ({ name, isPassword }: SecretName, number: string): boolean =>
  (/\d+/.exec(number)?.[0].length ?? 0) >= (isPassword ? MIN_PIN : MIN_DIGITS) && !/tokens$/i.test(name);

/** What a name says of a value in a list or object whose own name is that of a secret. */
export const nameBelow = (above: SecretName, name: string): SecretName | undefined =>
  name === '' ? above : (secretName(name) ?? (isAbout(wordsIn(name)) ? undefined : above));

export const isWords = (value: string): boolean => WORDS.test(value);
