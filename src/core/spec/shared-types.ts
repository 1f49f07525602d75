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
        LoginAnswer: {
            /** @description JWT access token, used for API requests. */
            access_token: string;
            refresh_token: unknown;
            /** @constant */
            token_type: "bearer";
            /**
             * @description Access token lifetime in seconds.
             * @example 3600
             */
            expires_in: number;
            user: unknown;
        };
        /** @description Assumed (gap refresh-response). */
        RefreshAnswer: {
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
            id: unknown;
            name: unknown;
            token: unknown;
            scopes: unknown;
            created_at: unknown;
        };
        /** @description Assumed (gap scope-values). */
        ScopeName: ("recordings:read" | "recordings:write" | "scopes:read" | "tokens:write" | "admin:keys:read") | string;
        /** @description The scopes available to the caller, and whether the caller is an administrator (4.4); the shape is an assumption. Assumed (gap scopes-response). */
        TokenScopes: {
            scopes: unknown;
            is_admin: unknown;
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
        Error: {
            [key: string]: unknown;
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
