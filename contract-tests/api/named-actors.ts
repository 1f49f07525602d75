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
export const namedActors = ({ others = [], ...named }: TargetActors = {}): Actors => ({
  ...named,
  ...Object.fromEntries(others.map((each, at) => [`others.${at}`, each])),
});
export type Actors = Record<string, ActorCredentials | undefined>;
