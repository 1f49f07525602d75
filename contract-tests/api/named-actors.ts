/** How the suite can act as somebody: any of the four ways. */
export interface ActorCredentials {
  sso?: Record<string, string>;
  login?: Record<string, unknown>;
  accessToken?: string;
  /** A JWT access token whose lifetime is over. */
  expiredToken?: string;
  pat?: string;
  role?: 'admin' | 'member';
  tenantId?: string;
}

export interface TargetActors {
  admin?: ActorCredentials;
  member?: ActorCredentials;
  others?: readonly ActorCredentials[];
}

/** The actors of a target file by their names: the first one of `others` is `others.0`. */
export function namedActors({
  others = [],
  ...named
}: TargetActors = {}): Record<string, ActorCredentials | undefined> {
  return { ...named, ...Object.fromEntries(others.map((each, at) => [`others.${at}`, each])) };
}
