/** JSON Web Tokens (HS256, and encrypted with A256GCM), refresh tokens and personal access tokens. */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Store, User } from './store.ts';
import type { Style } from './style.ts';

/** Where a token came from. */
export type Origin = 'sso' | 'login' | 'refresh' | 'pat' | 'defect';

/** Who calls, and with what. */
export interface Principal {
  user: User;
  origin: Origin;
  /** The scopes of a personal access token; undefined: everything that the user may do. */
  scopes?: readonly string[];
}

export interface Session {
  accessToken: string;
  refreshToken: string;
  expiresIn: number;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The JSON object inside one part of a JWT. */
export function decodePart(part: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part ?? '', 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function same(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The id of a new personal access token; odd ones would not get through an HTTP header. */
export function newPatId({ style, store }: { style: Style; store: Store }): string {
  return style.ids === 'odd' ? randomBytes(6).toString('hex') : store.newId('pat');
}

export class Tokens {
  readonly #key = randomBytes(32);
  readonly #sessions = new Map<string, Principal & { expiresAt: number }>();
  readonly #refresh = new Map<string, User>();
  readonly #pats = new Map<string, Principal & { secret: Buffer }>();
  /** Other forms of valid tokens, which only defects hand out. */
  readonly aliases = new Map<string, string>();
  readonly #style: Style;

  readonly #time: () => number;

  constructor(style: Style, time: () => number) {
    this.#style = style;
    this.#time = time;
  }

  /** The time of the deployment's clock, in milliseconds. */
  now(): number {
    return this.#time() + this.#style.clockSkewSeconds * 1000;
  }

  /** A JWT in the form that the style demands. */
  #issue(claims: Record<string, unknown>): string {
    return this.#style.jwtForm === 'encrypted' ? this.#encrypt(claims) : this.#sign(claims);
  }

  /** RFC 7516, section 3.1, with the key itself in use ("dir"), so that the part of the encrypted key is empty. */
  #encrypt(claims: Record<string, unknown>): string {
    const header = encode({ alg: 'dir', enc: 'A256GCM', typ: 'JWT' });
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv).setAAD(Buffer.from(header));
    const text = Buffer.concat([cipher.update(JSON.stringify(claims)), cipher.final()]);
    return [header, '', ...[iv, text, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join('.');
  }

  #decrypt(token: string): Record<string, unknown> | undefined {
    const [header = '', key, ...rest] = token.split('.');
    const [iv, text, tag] = rest.map((part) => Buffer.from(part, 'base64url'));
    if (key !== '' || rest.length !== 3 || !iv || !text || tag?.length !== 16) return undefined;
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, iv).setAAD(Buffer.from(header)).setAuthTag(tag);
      const claims = Buffer.concat([decipher.update(text), decipher.final()]);
      return JSON.parse(claims.toString('utf8')) as Record<string, unknown>;
    } catch {
      return undefined;
    }
  }

  /** What a JWT of the form in use claims; undefined when it is not genuine. */
  #claims(token: string): Record<string, unknown> | undefined {
    if (this.#style.jwtForm === 'encrypted') return this.#decrypt(token);
    const [header, payload, signature, ...rest] = token.split('.');
    if (!header || !payload || !signature || rest.length > 0) return undefined;
    const expected = createHmac('sha256', this.#key).update(`${header}.${payload}`).digest();
    if (!same(expected, Buffer.from(signature, 'base64url'))) return undefined;
    return decodePart(header)?.alg === 'HS256' ? decodePart(payload) : undefined;
  }

  #sign(claims: Record<string, unknown>): string {
    const text = `${encode({ alg: 'HS256', typ: 'JWT', kid: 'second-1' })}.${encode(claims)}`;
    return `${text}.${createHmac('sha256', this.#key).update(text).digest('base64url')}`;
  }

  /** An access token and a refresh token of a user. */
  open(user: User, origin: Origin): Session {
    const { jwtTimes, lifetimeSeconds, refreshTokens, singleSession } = this.#style;
    if (singleSession) {
      for (const [id, session] of this.#sessions) if (session.user === user) this.#sessions.delete(id);
    }
    const jti = randomBytes(12).toString('hex');
    const iat = Math.floor(this.now() / 1000);
    const accessToken = this.#issue({
      iss: 'https://id.second.example/',
      sub: user.id,
      jti,
      use: 'access',
      ...(jwtTimes === 'iat-exp' && { iat, nbf: iat }),
      ...(jwtTimes !== 'none' && { exp: iat + lifetimeSeconds }),
      ...(origin === 'sso' && { ...user.claims, amr: ['mfa', 'pwd'], roles: [user.administrator ? 'Admin' : 'User'] }),
    });
    this.#sessions.set(jti, { user, origin, expiresAt: this.now() + lifetimeSeconds * 1000 });
    const refreshToken =
      refreshTokens === 'jwt' ? this.#sign({ sub: user.id, use: 'refresh', jti: `r${jti}` }) : `rt.${jti}${jti}`;
    this.#refresh.set(refreshToken, user);
    return { accessToken, refreshToken, expiresIn: lifetimeSeconds };
  }

  /** A new session for a refresh token, which is invalid afterwards. */
  refresh(refreshToken: string): Session | undefined {
    const user = this.#refresh.get(refreshToken);
    if (!user) return undefined;
    this.#refresh.delete(refreshToken);
    return this.open(user, 'refresh');
  }

  /** A personal access token of the documented form. */
  createPat(user: User, id: string, scopes?: readonly string[]): string {
    const part = (): string => randomBytes(12).toString('base64url');
    const secret = `${part()}-${part()}_${part()}`;
    this.#pats.set(id, { user, origin: 'pat', secret: digest(secret), ...(scopes && { scopes }) });
    return `${this.#style.patPrefix}_${id}.${secret}`;
  }

  /** The stored personal access token that a text names, whatever its secret. */
  findPat(text: string): { principal: Principal; genuine: boolean } | undefined {
    const start = `${this.#style.patPrefix}_`;
    const dot = text.indexOf('.', start.length);
    if (!text.startsWith(start) || dot < 0) return undefined;
    const pat = this.#pats.get(text.slice(start.length, dot));
    return pat && { principal: pat, genuine: same(pat.secret, digest(text.slice(dot + 1))) };
  }

  /** Who holds this bearer token; undefined when it is not valid. */
  verify(text: string): Principal | undefined {
    const token = this.aliases.get(text) ?? text;
    const pat = this.findPat(token);
    if (pat) return pat.genuine ? pat.principal : undefined;
    const claims = this.#claims(token);
    if (claims?.use !== 'access') return undefined;
    const session = this.#sessions.get(String(claims.jti));
    return session && session.expiresAt > this.now() ? session : undefined;
  }
}
