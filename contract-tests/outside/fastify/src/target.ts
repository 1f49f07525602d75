/** What somebody who judges this server would be told about it. */
export interface Actor {
  sso?: { oid: string; tid: string; upn: string };
  login?: Record<string, string>;
  pat?: string;
}

export interface Target {
  baseUrl: string;
  actors: { admin: Actor; member?: Actor };
  resources: { recordingId: string; otherRecordingId?: string; tenantId: string; otherTenantId?: string };
}
