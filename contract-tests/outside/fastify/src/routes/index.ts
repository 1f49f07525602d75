import { apiKeys } from './api-keys.ts';
import { apiTokens } from './api-tokens.ts';
import type { Endpoint } from './endpoint.ts';
import { login } from './login.ts';
import { updateRecording } from './recordings.ts';
import { refresh } from './refresh.ts';
import { sso } from './sso.ts';
import { tokenScopes } from './token-scopes.ts';

export const endpoints: readonly Endpoint[] = [sso, login, refresh, apiTokens, tokenScopes, updateRecording, apiKeys];
