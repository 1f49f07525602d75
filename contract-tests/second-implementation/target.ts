/** The target file of a running implementation: what the contract suite needs to know about it. */

import { scopesOf } from './access.ts';
import type { App, JsonObject } from './http.ts';
import { KNOWN_KB } from './resources.ts';
import type { Claims, User } from './store.ts';
import type { Credential } from './style.ts';
import { newPatId } from './tokens.ts';

export interface TargetActor {
  sso?: Claims;
  login?: Record<string, string>;
  accessToken?: string;
  pat?: string;
}

/** The shape of the target file, as far as it is used here. */
export interface TargetFile {
  baseUrl: string;
  actors: { admin: TargetActor; member?: TargetActor };
  resources: {
    recordingId: string;
    otherRecordingId?: string;
    tenantId: string;
    otherTenantId?: string;
    kbFolderId?: string;
    kbDocumentId?: string;
    analysis?: JsonObject;
  };
  headers?: Record<string, string>;
}

function actor(user: User, credentials: readonly Credential[], app: App): TargetActor {
  const [name, secret] = app.style.loginFields;
  const shown = name === 'email' ? user.email : user.username;
  return {
    ...(credentials.includes('sso') && { sso: { ...user.claims } }),
    ...(credentials.includes('login') && { login: { [name]: shown, [secret]: user.password } }),
    ...(credentials.includes('accessToken') && { accessToken: app.tokens.open(user, 'login').accessToken }),
    ...(credentials.includes('pat') && { pat: app.tokens.createPat(user, newPatId(app), scopesOf(user)) }),
  };
}

export function describeTarget(app: App, baseUrl: string): TargetFile {
  const { store, style } = app;
  return {
    baseUrl,
    actors: {
      admin: actor(store.admin, style.targetAdmin, app),
      ...(style.targetMember.length > 0 && { member: actor(store.member, style.targetMember, app) }),
    },
    resources: {
      recordingId: store.recordingId,
      // Whoever names another tenant has another recording as well: it is member's.
      ...(style.targetOtherTenant && { otherRecordingId: store.otherRecordingId }),
      tenantId: store.tenantId,
      ...(style.targetOtherTenant && { otherTenantId: store.otherTenantId }),
      ...(style.targetValues && {
        ...KNOWN_KB,
        analysis: { key_topics: ['contract'], ...(style.analysisVersion && { version: 1 }) },
      }),
    },
    ...(Object.keys(style.requiredHeaders).length > 0 && { headers: { ...style.requiredHeaders } }),
  };
}
