// Generated from spec/ by `npm run generate`. Do not edit.
export interface paths {
    "/v1/auth/sso": {
        /**
         * Sign in with the claims of an enterprise identity provider.
         * @description Called without an Authorization header.
         */
        post: operations["ssoLogin"];
    };
    "/v1/auth/login": {
        /** Sign in with a password. */
        post: operations["login"];
    };
    "/v1/auth/refresh": {
        /**
         * Exchange a refresh token for a new access token.
         * @description Assumed in part (gap refresh-path, refresh-request).
         */
        post: operations["refreshAccessToken"];
    };
    "/v1/api-tokens": {
        /** Create a personal access token (PAT). */
        post: operations["createApiToken"];
    };
    "/v1/api-tokens/scopes": {
        /**
         * List the scopes available to the caller, and whether the caller is an administrator.
         * @description Assumed in part (gap scopes-path).
         */
        get: operations["listTokenScopes"];
    };
    "/v1/echo/recordings/{recordingId}": {
        parameters: {
            query?: never;
            path: {
                recordingId: string;
            };
        };
        /** Update a recording. */
        patch: operations["updateRecording"];
    };
    "/v1/admin/tenants/{id}/api-keys": {
        parameters: {
            query?: never;
            path: {
                /** @description The tenant identifier. */
                id: string;
            };
        };
        /** List the provider API keys stored for a tenant. */
        get: operations["listTenantApiKeys"];
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Format: date-time
         * @description An ISO 8601 timestamp. Assumed in part (gap timestamp-form).
         */
        DateTime: string;
        /** @description Assumed in part (gap extra-fields). */
        User: {
            /** @description User identifier. */
            id: string;
            /** Format: email */
            email: string;
            username: string;
            confirmed: boolean;
            created_at: components["schemas"]["DateTime"];
        };
        /** @description Assumed in part (gap sso-required-claims). */
        SsoClaims: {
            /** @description Directory object identifier of the user. Assumed in part (gap wrong-type). */
            oid: string;
            /** @description Directory tenant identifier. Assumed in part (gap wrong-type). */
            tid: string;
            /** @description User principal name. Assumed in part (gap wrong-type). */
            upn: string;
        };
        TokenGrant: {
            /** @description JWT access token, used for API requests. */
            access_token: string;
            /** @description Used to obtain a new access token. */
            refresh_token: string;
            /** @constant */
            token_type: "bearer";
            /**
             * @description Access token lifetime in seconds.
             * @example 3600
             */
            expires_in: number;
            user: components["schemas"]["User"];
        };
        /** @description Assumed (gap login-request). */
        LoginRequest: {
            /** @description Assumed (gap login-request, wrong-type). */
            email: string;
            /** @description Assumed (gap login-request, wrong-type). */
            password: string;
        };
        /** @description Assumed (gap refresh-response). */
        TokenPair: {
            /** @description Assumed (gap refresh-response). */
            access_token: string;
            /** @description Assumed (gap refresh-response). */
            refresh_token: string;
            /** @description Assumed (gap refresh-response). */
            token_type: "bearer" | string;
            /**
             * @description Assumed (gap refresh-response).
             * @example 3600
             */
            expires_in: number;
        };
        /** @description Assumed (gap login-response). */
        LoginAnswer: components["schemas"]["TokenGrant"];
        /** @description Assumed (gap refresh-response). */
        RefreshAnswer: components["schemas"]["TokenPair"];
        /** @description Assumed (gap refresh-request). */
        RefreshRequest: {
            /** @description Assumed (gap refresh-request). */
            refresh_token: string;
        };
        /** @description Assumed (gap pat-create-request). */
        ApiTokenRequest: {
            /** @description Assumed (gap pat-create-request, wrong-type). */
            name: string;
            /** @description Assumed (gap pat-create-request). */
            scopes?: string[];
        };
        /** @description A personal access token. */
        Pat: string;
        /** @description Assumed (gap pat-create-response). */
        ApiTokenAnswer: {
            /** @description Assumed (gap pat-create-response). */
            id: string;
            /** @description Assumed (gap pat-create-response). */
            name: string;
            /** @description Assumed (gap pat-create-response). */
            token: components["schemas"]["Pat"];
            /** @description Assumed (gap pat-create-response). */
            scopes: string[];
            /** @description Assumed (gap pat-create-response). */
            created_at: components["schemas"]["DateTime"];
        };
        /** @description Assumed (gap scope-values). */
        ScopeName: ("recordings:read" | "recordings:write" | "scopes:read" | "tokens:write" | "admin:keys:read") | string;
        /** @description The scopes available to the caller, and whether the caller is an administrator (4.4); the shape is an assumption. Assumed (gap scopes-response). */
        TokenScopes: {
            /** @description Assumed (gap scopes-response). */
            scopes: components["schemas"]["ScopeName"][];
            /** @description Assumed (gap scopes-response). */
            is_admin: boolean;
        };
        /** @description Assumed in part (gap extra-fields). */
        Recording: {
            id: string;
            title: string;
            filename: string;
            /** @enum {string} */
            status: "pending" | "processing" | "completed" | "failed";
            /** @description Assumed in part (gap method-values). */
            method: ("upload" | "microphone" | "meeting") | string;
            /** @description Assumed in part (gap quality-values). */
            quality: ("draft" | "standard" | "high") | string;
            /** @description Assumed in part (gap language-values). */
            language: ("en" | "de" | "fr" | "es" | "ja") | string;
            diarization_enabled: boolean;
            /** @description Owner. */
            user_id: string;
            created_at: components["schemas"]["DateTime"];
            updated_at: components["schemas"]["DateTime"];
        };
        /** @description Any of the five writable fields. Assumed in part (gap empty-update, unknown-field). */
        RecordingUpdate: {
            /** @description Assumed in part (gap wrong-type, null-field, empty-title, title-length). */
            title?: string;
            /** @description Assumed in part (gap wrong-type, null-field). */
            kb_folder_id?: string;
            /** @description Assumed in part (gap wrong-type, null-field). */
            kb_document_id?: string;
            /** @description AI-generated summary text. Assumed in part (gap wrong-type, null-field). */
            summary?: string;
            /** @description Analysis results such as key topics and action items. Assumed in part (gap analysis-structure, null-field). */
            analysis?: {
                [key: string]: unknown;
            };
        };
        /** @description One of the seven provider identifiers. Assumed in part (gap provider-values). */
        Provider: ("openai" | "anthropic" | "google" | "mistral" | "cohere" | "huggingface" | "tavily") | string;
        /** @description A stored credential for an external provider; the secret is not part of it. Assumed in part (gap extra-fields). */
        TenantApiKey: {
            id: string;
            provider: components["schemas"]["Provider"];
            name: string;
            /** @description Assumed in part (gap key-status-values). */
            status: ("active" | "inactive" | "revoked") | string;
            created_at: components["schemas"]["DateTime"];
        };
        /** @description Machine-readable kind of the error. Assumed (gap error-codes). */
        ErrorCode: string;
        /** @description Assumed (gap error-body, error-codes). */
        Error: {
            /** @description Assumed (gap error-body, error-codes). */
            error: {
                /** @description Assumed (gap error-body, error-codes). */
                code: components["schemas"]["ErrorCode"];
                /** @description Assumed (gap error-body, error-codes). */
                message: string;
                /** @description Assumed (gap error-body, error-codes). */
                details?: {
                    /** @description Assumed (gap error-body, error-codes). */
                    field: string;
                    /** @description Assumed (gap error-body, error-codes). */
                    message: string;
                }[];
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    ssoLogin: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SsoClaims"];
            };
        };
        responses: {
            /** @description SSO login successful. Assumed in part (gap success-codes). */
            200: {
                content: {
                    "application/json": components["schemas"]["TokenGrant"];
                };
            };
            /** @description Body is not JSON; Invalid request. Assumed (gap error-body, error-codes, malformed-json-status, validation-status). */
            400: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Credentials are invalid. Assumed (gap error-body, error-codes, invalid-credentials-status). */
            401: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not permitted. Assumed (gap error-body, error-codes, forbidden-status). */
            403: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Body is too large. Assumed (gap error-body, error-codes, body-size-limit). */
            413: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported media type. Assumed (gap error-body, error-codes, media-type-status). */
            415: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests. Assumed (gap error-body, error-codes, rate-limit). */
            429: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. Assumed (gap error-body, error-codes). */
            500: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    login: {
        parameters: {
            query?: never;
        };
        /** @description Assumed (gap login-request). */
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            /** @description Signed in. Assumed (gap login-response, success-codes). */
            200: {
                content: {
                    "application/json": components["schemas"]["LoginAnswer"];
                };
            };
            /** @description Body is not JSON; Invalid request. Assumed (gap error-body, error-codes, malformed-json-status, validation-status). */
            400: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Credentials are invalid. Assumed (gap error-body, error-codes, invalid-credentials-status). */
            401: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not permitted. Assumed (gap error-body, error-codes, forbidden-status). */
            403: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Body is too large. Assumed (gap error-body, error-codes, body-size-limit). */
            413: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported media type. Assumed (gap error-body, error-codes, media-type-status). */
            415: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests. Assumed (gap error-body, error-codes, rate-limit). */
            429: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. Assumed (gap error-body, error-codes). */
            500: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    refreshAccessToken: {
        parameters: {
            query?: never;
        };
        /** @description Assumed (gap refresh-request). */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefreshRequest"];
            };
        };
        responses: {
            /** @description A new access token. Assumed (gap refresh-response, success-codes). */
            200: {
                content: {
                    "application/json": components["schemas"]["RefreshAnswer"];
                };
            };
            /** @description Body is not JSON; Invalid request. Assumed (gap error-body, error-codes, malformed-json-status, validation-status). */
            400: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Credentials are missing; Credentials are invalid. Assumed (gap error-body, error-codes, missing-credentials-status, invalid-credentials-status). */
            401: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Body is too large. Assumed (gap error-body, error-codes, body-size-limit). */
            413: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported media type. Assumed (gap error-body, error-codes, media-type-status). */
            415: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests. Assumed (gap error-body, error-codes, rate-limit). */
            429: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. Assumed (gap error-body, error-codes). */
            500: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createApiToken: {
        parameters: {
            query?: never;
        };
        /** @description Assumed (gap pat-create-request). */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiTokenRequest"];
            };
        };
        responses: {
            /** @description The complete PAT, which is returned only once. Assumed (gap pat-create-response, success-codes). */
            201: {
                content: {
                    "application/json": components["schemas"]["ApiTokenAnswer"];
                };
            };
            /** @description Body is not JSON; Invalid request. Assumed (gap error-body, error-codes, malformed-json-status, validation-status). */
            400: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Credentials are missing; Credentials are invalid. Assumed (gap error-body, error-codes, missing-credentials-status, invalid-credentials-status). */
            401: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Body is too large. Assumed (gap error-body, error-codes, body-size-limit). */
            413: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported media type. Assumed (gap error-body, error-codes, media-type-status). */
            415: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests. Assumed (gap error-body, error-codes, rate-limit). */
            429: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. Assumed (gap error-body, error-codes). */
            500: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listTokenScopes: {
        parameters: {
            query?: never;
        };
        responses: {
            /** @description The scopes, and whether the caller is an administrator. */
            200: {
                content: {
                    "application/json": components["schemas"]["TokenScopes"];
                };
            };
            /** @description Invalid request. Assumed (gap error-body, error-codes, validation-status). */
            400: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Credentials are missing; Credentials are invalid. Assumed (gap error-body, error-codes, missing-credentials-status, invalid-credentials-status). */
            401: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests. Assumed (gap error-body, error-codes, rate-limit). */
            429: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. Assumed (gap error-body, error-codes). */
            500: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateRecording: {
        parameters: {
            query?: never;
            path: {
                recordingId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordingUpdate"];
            };
        };
        responses: {
            /** @description Recording updated. */
            200: {
                content: {
                    "application/json": components["schemas"]["Recording"];
                };
            };
            /** @description Body is not JSON; Invalid request. Assumed (gap error-body, error-codes, malformed-json-status, validation-status). */
            400: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Credentials are missing; Credentials are invalid. Assumed (gap error-body, error-codes, missing-credentials-status, invalid-credentials-status). */
            401: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not permitted. Assumed (gap error-body, error-codes, foreign-recording, forbidden-status). */
            403: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No such recording. Assumed (gap error-body, error-codes, unknown-recording-status). */
            404: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Body is too large. Assumed (gap error-body, error-codes, body-size-limit). */
            413: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported media type. Assumed (gap error-body, error-codes, media-type-status). */
            415: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests. Assumed (gap error-body, error-codes, rate-limit). */
            429: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. Assumed (gap error-body, error-codes). */
            500: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listTenantApiKeys: {
        parameters: {
            query?: {
                /** @description Filter by provider. */
                provider?: ("openai" | "anthropic" | "google" | "mistral" | "cohere" | "huggingface" | "tavily") | string;
                /** @description Filter by status. */
                status?: string;
            };
            path: {
                /** @description The tenant identifier. */
                id: string;
            };
        };
        responses: {
            /** @description List of API keys. */
            200: {
                content: {
                    "application/json": components["schemas"]["TenantApiKey"][];
                };
            };
            /** @description Invalid request. Assumed (gap error-body, error-codes, validation-status). */
            400: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Credentials are missing; Credentials are invalid. Assumed (gap error-body, error-codes, missing-credentials-status, invalid-credentials-status). */
            401: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not permitted. Assumed (gap error-body, error-codes, forbidden-status, foreign-tenant). */
            403: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No such tenant. Assumed (gap error-body, error-codes, unknown-tenant). */
            404: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests. Assumed (gap error-body, error-codes, rate-limit). */
            429: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. Assumed (gap error-body, error-codes). */
            500: {
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
import type { ErrorShape, Json, Shape } from './json.ts';

/** An answer to every gap. */
export interface GapAnswers {
  /** Which of the claims oid, tid and upn does an SSO login require? (4.1) */
  readonly 'sso-required-claims': readonly ('oid' | 'tid' | 'upn')[];
  /** What happens at an SSO login with an unknown identity? (4.1) */
  readonly 'sso-unknown-identity': 'refuse' | 'forbid' | 'provision';
  /** What happens at an SSO login with an unknown identity of an unknown directory (tid)? (4.1) */
  readonly 'sso-unknown-directory': 'same' | 'refuse' | 'forbid' | 'not-found' | 'invalid';
  /** Can an unconfirmed user sign in? (7) */
  readonly 'unconfirmed-sign-in': 'allow' | 'refuse';
  /** Which fields does POST /v1/auth/login accept? (5) */
  readonly 'login-request': 'email-password' | 'username-password' | Shape;
  /** What does POST /v1/auth/login return? (5) */
  readonly 'login-response': 'as-sso' | 'token-only' | Shape;
  /** At which path is a refresh token exchanged? (5) */
  readonly 'refresh-path': string;
  /** How is a refresh token sent when it is exchanged? (5) */
  readonly 'refresh-request': 'snake-body' | 'camel-body' | 'bearer-header' | Shape;
  /** What does the exchange of a refresh token return? (5) */
  readonly 'refresh-response': 'tokens' | 'as-sso' | Shape;
  /** Is a refresh token rotated when it is used? (5) */
  readonly 'refresh-rotation': 'rotate' | 'reuse' | 'add';
  /** What is the lifetime of a refresh token in seconds? (5) */
  readonly 'refresh-lifetime': number;
  /** What is the lifetime of an access token in seconds? (8) */
  readonly 'access-token-lifetime': number;
  /** What happens to the access token of a sign-in when the same user signs in again? (5) */
  readonly 'concurrent-sessions': 'keep' | 'end-the-earlier';
  /** Which fields does POST /v1/api-tokens require? (5) */
  readonly 'pat-create-request': 'name' | 'name-and-scopes' | 'none' | Shape;
  /** What does POST /v1/api-tokens return? (5) */
  readonly 'pat-create-response': 'token-field' | 'key-field' | 'nested' | Shape;
  /** What is the token_prefix of a PAT? (5) */
  readonly 'pat-prefix': string;
  /** After how many seconds does a PAT expire? (0: never) (5) */
  readonly 'pat-lifetime': number;
  /** What happens to a PAT when the same user creates another one? (5) */
  readonly 'several-pats': 'keep' | 'end-the-earlier';
  /** What happens to the creation of a PAT with a scope that does not exist? (5) */
  readonly 'unknown-scope': 'accept' | 'refuse';
  /** At which path are the token scopes listed? (4.4) */
  readonly 'scopes-path': string;
  /** What shape does the scopes response have? (4.4) */
  readonly 'scopes-response': 'names' | 'records' | 'camel' | Shape;
  /** Which scopes exist? (those that start with admin: are available to administrators only) (4.4) */
  readonly 'scope-values': readonly string[];
  /** Which values does a recording's method have? (2) */
  readonly 'method-values': readonly string[];
  /** Which values does a recording's quality have? (2) */
  readonly 'quality-values': readonly string[];
  /** Which values does a recording's language have? (2) */
  readonly 'language-values': readonly string[];
  /** How does a recording's status change during processing? (3) */
  readonly 'status-transitions': 'forward' | 'retry';
  /** What happens to an update without any field? (4.2) */
  readonly 'empty-update': 'accept' | 'unchanged' | 'refuse';
  /** What happens to an update with a read-only or unknown field? (by operation: to other bodies as well) (7) */
  readonly 'unknown-field': 'ignore' | 'refuse' | Readonly<Record<string, 'ignore' | 'refuse'>>;
  /** What happens to an update with an empty title? (4.2) */
  readonly 'empty-title': 'accept' | 'refuse';
  /** How many characters can a title have? (a longer one is refused as invalid) (4.2) */
  readonly 'title-length': 'none' | number;
  /** What happens to an update with a kb_folder_id or kb_document_id that does not exist? (4.2) */
  readonly 'unknown-kb-id': 'accept' | 'not-found' | 'refuse';
  /** What happens to a number sent as title, and as other texts of a body? (7) */
  readonly 'wrong-type': 'refuse' | 'coerce';
  /** What happens to null sent as summary? (7) */
  readonly 'null-field': 'refuse' | 'clear' | 'ignore';
  /** What can analysis contain? (4.2) */
  readonly 'analysis-structure': 'any-object' | 'known-keys';
  /** Which status does the update of an unknown recording get? (7) */
  readonly 'unknown-recording-status': 404 | 403 | 400;
  /** What happens to the update of another user's recording of the same tenant? (7) */
  readonly 'foreign-recording': 'forbid' | 'hide' | 'allow' | 'administrators' | 'administrators-else-hide';
  /** What are the seven provider identifiers? (2) */
  readonly 'provider-values': readonly string[];
  /** Which values does the status of an API key have? (2) */
  readonly 'key-status-values': readonly string[];
  /** What happens to a provider filter with another value than the seven identifiers? (7) */
  readonly 'unknown-provider-filter': 'refuse' | 'empty' | 'ignore';
  /** What happens to an empty provider filter (?provider=)? (4.3) */
  readonly 'empty-provider-filter': 'refuse' | 'empty' | 'ignore';
  /** What happens to an empty status filter (?status=)? (4.3) */
  readonly 'empty-status-filter': 'refuse' | 'empty' | 'ignore';
  /** What happens to a provider filter that is sent twice, with two values? (4.3) */
  readonly 'repeated-provider-filter': 'refuse' | 'first' | 'last' | 'any' | 'empty';
  /** What happens to a status filter that is sent twice, with two values? (4.3) */
  readonly 'repeated-status-filter': 'refuse' | 'first' | 'last' | 'any' | 'empty';
  /** Who can list a tenant's API keys? (5) */
  readonly 'admin-access': 'administrators' | 'members';
  /** What happens to a request for an unknown tenant? (7) */
  readonly 'unknown-tenant': 'not-found' | 'forbidden' | 'empty';
  /** What happens to an administrator's request for another tenant? (7) */
  readonly 'foreign-tenant': 'forbidden' | 'not-found' | 'visible';
  /** Is the list of API keys paginated? (8) */
  readonly 'pagination': 'none' | 'limit-offset';
  /** What shape does an error body have? (7) */
  readonly 'error-body': 'error-object' | 'problem' | 'detail' | 'message' | 'errors-list' | ErrorShape;
  /** How are error codes written, if the body has one? (7) */
  readonly 'error-codes': 'snake' | 'upper-snake' | Readonly<Record<string, string>>;
  /** Which error does an invalid request without credentials get? (7) */
  readonly 'error-precedence': 'credentials' | 'validation';
  /** What does an error look like to a client whose Accept does not name JSON? (7) */
  readonly 'error-accept': 'same' | 'page' | 'text' | 'redirect' | { readonly any: 'same' | 'page' | 'text' | 'redirect'; readonly none: 'same' | 'page' | 'text' | 'redirect' };
  /** Which status do missing credentials get? (7) */
  readonly 'missing-credentials-status': 401 | 403;
  /** Which status do invalid credentials get? (7) */
  readonly 'invalid-credentials-status': 401 | 403;
  /** Which status does a caller without permission get? (7) */
  readonly 'forbidden-status': 403 | 404 | 401;
  /** Which status does an invalid body or query get? (7) */
  readonly 'validation-status': 400 | 422 | { readonly body: 400 | 422; readonly query: 400 | 422 };
  /** Which status does a malformed JSON body get? (7) */
  readonly 'malformed-json-status': 400 | 422;
  /** Which status does a body of another media type get? (7) */
  readonly 'media-type-status': 'accept' | 'no-body' | 415 | 400 | 422 | Readonly<Record<string, 415 | 400 | 422 | 'accept' | 'no-body'>>;
  /** Which status does an unsupported method get? (7) */
  readonly 'method-status': 405 | 404 | Readonly<Record<string, 405 | 404>>;
  /** What happens to a request with OPTIONS (other than a browser's preflight)? (4) */
  readonly 'options-requests': 'allow' | 'allow-200' | 'refuse';
  /** What happens to a request without the body that it must have? (4) */
  readonly 'missing-body': 'validation' | 'media-type' | 'empty-object';
  /** Which status does an unknown path get? (7) */
  readonly 'unknown-path-status': 404 | 403;
  /** What happens to a request for a path with a slash at its end? (4) */
  readonly 'trailing-slash': 'not-found' | 'same' | { readonly get: 301 | 302 | 307 | 308; readonly others: 301 | 302 | 307 | 308 };
  /** What happens to an unknown query parameter? (4.4) */
  readonly 'unknown-query': 'ignore' | 'refuse';
  /** Which 2xx status does a success have? (4) */
  readonly 'success-codes': 'creation-201' | 'always-200' | 'post-201' | Readonly<Record<string, number>>;
  /** What is the format of a date-time? (2) */
  readonly 'timestamp-form': 'z-millis' | 'offset-micros' | { readonly digits: number; readonly offset: string };
  /** Do records have fields beyond those shown? (2) */
  readonly 'extra-fields': 'none' | 'some' | Readonly<Record<string, Readonly<Record<string, Json>>>>;
  /** How many requests per minute can a caller make? (0: no limit) (8) */
  readonly 'rate-limit': number;
  /** Which other spellings of a whole, genuine token are accepted? (5) */
  readonly 'lax-tokens': readonly ('lower-case-scheme' | 'more-blanks' | 'jwt-with-padding' | 'jwt-in-other-base64' | 'jwt-with-a-part-more' | 'pat-without-prefix' | 'pat-with-another-prefix' | 'pat-with-a-part-more')[];
  /** What is the maximum size of a request body in bytes? (8) */
  readonly 'body-size-limit': number;
  /** Does the service send events, webhooks or notifications? (6) */
  readonly 'events': 'none';
  /** How are versions after /v1 introduced and retired? (9) */
  readonly 'version-policy': 'v1-only';
  /** What else can the service do? (1) */
  readonly 'other-capabilities': 'none';
}

/** The id of a gap. */
export type GapId = keyof GapAnswers;

export type ErrorKind =
  | 'malformed-json'
  | 'media-type'
  | 'validation'
  | 'missing-credentials'
  | 'invalid-credentials'
  | 'forbidden'
  | 'unknown-directory'
  | 'unknown-recording'
  | 'foreign-recording'
  | 'unknown-kb-id'
  | 'unknown-tenant'
  | 'foreign-tenant'
  | 'too-large'
  | 'rate-limited'
  | 'unknown-path'
  | 'method'
  | 'internal';
