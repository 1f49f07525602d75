import { isJwt } from '../values/jwt.ts';
import { idIn, partsOfPat } from './token-forms.ts';

type Write = (token: string) => string | undefined;

const ofJwt =
  (write: Write): Write =>
  (token) =>
    isJwt(token) ? write(token) : undefined;

const withPartMore: Write = (token) => `Bearer ${token}.A1b2`;

/** In which forms a header may have a whole token (gap lax-tokens): of the access token or of a PAT; undefined where that has none. */
export const LAX_FORMS = {
  'lower-case-scheme': { of: 'jwt', what: 'bearer in lower case', write: (token) => `bearer ${token}` },
  'more-blanks': { of: 'jwt', what: 'two blanks before the token', write: (token) => `Bearer  ${token}` },
  'jwt-with-padding': { of: 'jwt', what: 'a JWT with padding', write: ofJwt(padded) },
  'jwt-in-other-base64': { of: 'jwt', what: 'a JWT in other base64 of its bytes', write: ofJwt(inOtherBase64) },
  'jwt-with-a-part-more': { of: 'jwt', what: 'a JWT with a part more', write: ofJwt(withPartMore) },
  'pat-without-prefix': { of: 'pat', what: 'a PAT without its prefix', write: (pat) => `Bearer ${coreOf(pat)}` },
  'pat-with-another-prefix': { of: 'pat', what: 'a PAT with another prefix', write: withOtherPrefix },
  'pat-with-a-part-more': { of: 'pat', what: 'a PAT with a part more', write: withPartMore },
} as const satisfies Record<string, { of: 'jwt' | 'pat'; what: string; write: Write }>;
export type LaxForm = keyof typeof LAX_FORMS;

export const LAX_FORM_NAMES = Object.keys(LAX_FORMS) as [LaxForm, ...LaxForm[]];

/** In words. */
export const describeForms = (forms: readonly LaxForm[]): string =>
  forms.map((form) => LAX_FORMS[form].what).join(', ');

export const isLaxForm = (name: string): name is LaxForm => Object.hasOwn(LAX_FORMS, name);

function withOtherPrefix(pat: string): string {
  return `Bearer ${pat.startsWith('x') ? 'y' : 'x'}${pat.slice(1)}`;
}

/** `<tokenId>.<secret>` of a PAT. */
function coreOf(pat: string): string | undefined {
  const head = partsOfPat(pat)?.head;
  return head && pat.slice(idIn(head));
}

/** The bits of the last character of base64 that do not count. */
const unusedIn = (text: string): number => [0, 0, 4, 2][text.length % 4] ?? 0;

function padded(jwt: string): string | undefined {
  const signature = jwt.slice(jwt.lastIndexOf('.') + 1);
  return unusedIn(signature) === 0 ? undefined : `Bearer ${jwt}${'='.repeat(4 - (signature.length % 4))}`;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function inOtherBase64(jwt: string): string | undefined {
  const isFree = unusedIn(jwt.slice(jwt.lastIndexOf('.') + 1)) > 0;
  return isFree ? `Bearer ${jwt.slice(0, -1)}${ALPHABET[ALPHABET.indexOf(jwt.slice(-1)) ^ 1]}` : undefined;
}

/** The known token that a header has, and in which forms, none where it has it as it is; undefined where it has no known token. */
export function spelledIn(header: string, isKnown: (token: string) => boolean, pats: readonly string[]) {
  const [, scheme = '', blanks = '', sent = ''] = /^(bearer)(\s+)(\S.*)$/i.exec(header) ?? [];
  const around: LaxForm[] = scheme === 'Bearer' ? [] : ['lower-case-scheme'];
  if (blanks !== ' ' || /\s/.test(sent)) around.push('more-blanks');
  const token = sent.replaceAll(/\s/g, '');
  const found = isKnown(token) ? { token, forms: [] } : (jwtIn(token, isKnown) ?? patIn(token, pats));
  return found && { token: found.token, forms: [...around, ...found.forms] };
}

type Found = { token: string; forms: LaxForm[] };

/** As base64url is written of the bytes. */
const plain = (part: string): string => Buffer.from(part, 'base64url').toString('base64url');

/** A JWT, whose parts are three or, where it is encrypted, five. */
function jwtIn(text: string, isKnown: (token: string) => boolean): Found | undefined {
  const parts = text.split('.');
  for (const length of [3, 5]) {
    const own = parts.slice(0, length);
    const bare = own.map((part) => part.replace(/={1,2}$/, ''));
    const token = bare.map(plain).join('.');
    if (own.length < length || !isKnown(token)) continue;
    const forms: LaxForm[] = [];
    if (bare.join() !== own.join()) forms.push('jwt-with-padding');
    if (bare.join('.') !== token) forms.push('jwt-in-other-base64');
    if (parts.length > length) forms.push('jwt-with-a-part-more');
    return { token, forms };
  }
  return undefined;
}

function patIn(text: string, pats: readonly string[]): Found | undefined {
  for (const token of pats) {
    const core = coreOf(token) ?? '';
    const at = text.indexOf(core);
    const more = text.slice(at + core.length);
    if (core === '' || at < 0 || !/(^|_)$/.test(text.slice(0, at)) || !/^(\.|$)/.test(more)) continue;
    const forms: LaxForm[] = [];
    if (!text.startsWith(token)) forms.push(at === 0 ? 'pat-without-prefix' : 'pat-with-another-prefix');
    if (more !== '') forms.push('pat-with-a-part-more');
    return { token, forms };
  }
  return undefined;
}
