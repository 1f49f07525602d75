// Generated from spec/ by `npm run generate`. Do not edit.
export interface paths {
    "/target": {
        /** The target file of this world for `verify`. */
        get: operations["getTarget"];
    };
    "/info": {
        /** Configuration and contents of this world. */
        get: operations["getInfo"];
    };
    "/openapi.json": {
        /** This document. */
        get: operations["getControlDocument"];
    };
    "/spec.json": {
        /** The API's OpenAPI document under the answers in force in this world. */
        get: operations["getApiDocument"];
    };
    "/personas": {
        /** All users with their credentials. */
        get: operations["listPersonas"];
    };
    "/reset": {
        /**
         * Reset this world to its origin, to a snapshot or another world, or to other initial records.
         * @description Resets records, ids, clock, faults and profile. Snapshots are kept, and so is the journal unless `journal=true`. With `seed` or `recordings` all records and ids are created again, which is the new origin, without snapshots and journal; tokens of another seed become invalid.
         */
        post: operations["reset"];
    };
    "/snapshots/{snapshot}": {
        parameters: {
            query?: never;
            path: {
                /** @example signed-in */
                snapshot: components["parameters"]["SnapshotName"];
            };
        };
        /**
         * Take a snapshot; replaces one of the same name.
         * @description Contains records, ids, clock, faults and profile. O(1).
         */
        put: operations["takeSnapshot"];
        /** Delete a snapshot. */
        delete: operations["deleteSnapshot"];
    };
    "/sandboxes": {
        /** The sandboxes of this server by name, in pages. */
        get: operations["listSandboxes"];
        /**
         * Delete every sandbox.
         * @description In a store, others' requests go on meanwhile; the main world's journal tells when more than 1,000 were deleted.
         */
        delete: operations["deleteSandboxes"];
    };
    "/sandboxes/{sandbox}": {
        parameters: {
            query?: never;
            path: {
                /** @example test-1 */
                sandbox: components["schemas"]["WorldName"];
            };
        };
        /**
         * Create a sandbox, or restart an existing one.
         * @description Without options it starts from the main world's origin.
         */
        put: operations["createSandbox"];
        /** Delete a sandbox. Its next use creates a new one. */
        delete: operations["deleteSandbox"];
    };
    "/state/{resource}": {
        parameters: {
            query?: never;
            path: {
                /**
                 * @description Kind of record.
                 * @example recordings
                 */
                resource: components["parameters"]["Resource"];
            };
        };
        /**
         * Records of one kind, in pages.
         * @description A page ends after `limit` records, or before the record with which it would have more than a megabyte; its first record is there regardless of its size. The next page begins after as many records as there were.
         */
        get: operations["listRecords"];
        /**
         * Create a record. Omitted fields get defaults.
         * @description For tenants, users, recordings and api-keys; POST /tokens issues tokens. The fields of a record are those of the schemas Tenant, User, Recording and ApiKey.
         */
        post: operations["createRecord"];
    };
    "/state/{resource}/{record}": {
        parameters: {
            query?: never;
            path: {
                /**
                 * @description Kind of record.
                 * @example recordings
                 */
                resource: components["parameters"]["Resource"];
                /** @example rec_kickoff */
                record: string;
            };
        };
        /** One record as stored. */
        get: operations["getRecord"];
        /** Delete a record; deleting a token revokes it. */
        delete: operations["deleteRecord"];
        /** Change fields of a record; null removes an optional field. */
        patch: operations["editRecord"];
    };
    "/recordings/{record}/process": {
        parameters: {
            query?: never;
            path: {
                /**
                 * @description Id of a recording that is not final.
                 * @example rec_weekly
                 */
                record: string;
            };
        };
        /**
         * Advance a recording's status.
         * @description An assumption: the source document does not show the transitions (gap status-transitions); the answer in force defines them. Advances to the outcome, by a number of steps, or with the world's clock.
         */
        post: operations["processRecording"];
    };
    "/tokens": {
        /** Issue a valid or defective token for any user. */
        post: operations["mintToken"];
    };
    "/tokens/expire": {
        /** Revoke an access token, a refresh token or a PAT. */
        post: operations["expireToken"];
    };
    "/clock": {
        /**
         * Freeze, set, advance or release the world's clock.
         * @description The members apply in the order below. GET /info has the time.
         */
        patch: operations["changeClock"];
    };
    "/faults": {
        /** The fault catalogue with the armed faults. */
        get: operations["listFaults"];
    };
    "/faults/{fault}": {
        parameters: {
            query?: never;
            path: {
                /**
                 * @description Id of a fault; GET /faults lists them. To disarm every one, all.
                 * @example title-truncated
                 */
                fault: string;
            };
        };
        /**
         * Arm a fault for all or some requests.
         * @description It hits the first request that it can. Faults that are cadences by their description, such as every fifth sign-in, are so only where they are armed without terms.
         */
        put: operations["armFault"];
        /** Disarm a fault, or all. */
        delete: operations["disarmFault"];
    };
    "/profile": {
        /**
         * The gap ledger with the answers in force, and which responses each gap decided.
         * @description Tests that must not begin to rest on a new assumption read here what this world's responses rested on.
         */
        get: operations["getProfile"];
        /** Apply a profile. Records are kept. */
        put: operations["replaceProfile"];
        /** Change some answers at run time. Records are kept. */
        patch: operations["changeProfile"];
    };
    "/routes": {
        /** The custom routes in the order in which they are tried, and custom tables. */
        get: operations["listRoutes"];
        /**
         * Add a route to this world, before those that there are.
         * @description It is part of the world's state, so snapshots hold it, and a reset removes it.
         */
        post: operations["addRoute"];
    };
    "/routes/{route}": {
        parameters: {
            query?: never;
            path: {
                /**
                 * @description Id of a route that was added while the mock runs, or all. Those of files stay.
                 * @example route-1
                 */
                route: string;
            };
        };
        /** Remove a route that was added while the mock runs, or all of them. */
        delete: operations["removeRoute"];
    };
    "/upstream": {
        /**
         * Change which requests go to the service behind the mock, from the next one on.
         * @description One for the whole server; requests of sandboxes never go there. GET /info shows it.
         */
        put: operations["splitUpstream"];
    };
    "/journal": {
        /**
         * Recorded requests, latest first, in pages.
         * @description A page ends after `limit` entries, or before the entry with which it would have more than a megabyte; its first entry is there regardless of its size. `next` is the `before` of the page that follows.
         */
        get: operations["queryJournal"];
        /** Clear the journal. */
        delete: operations["clearJournal"];
    };
    "/journal/events": {
        /**
         * Entries as server-sent events.
         * @description Event `entry` with the entry's id and a JournalEntry as data. A comment every 15 seconds keeps the connection open. Last-Event-ID resumes after that entry. Of entries that the journal does not keep any more, a slow client gets the number, as event `dropped` with `{"dropped": 140}`.
         */
        get: operations["watchJournal"];
    };
    "/journal/har": {
        /**
         * The journal as HAR 1.2, for a browser's developer tools and `verify --har`; secrets are replaced by pseudonyms.
         * @description Made while it is read; without the entries that the journal drops meanwhile.
         */
        get: operations["exportJournal"];
    };
    "/health/live": {
        /**
         * The process answers: a liveness probe.
         * @description Open to everybody, as the one below, and says nothing about worlds. Does not ask the store, since a restart of this process would not mend it.
         */
        get: operations["getLiveness"];
    };
    "/health/ready": {
        /** The process takes requests: a readiness probe, for load balancers. */
        get: operations["getReadiness"];
    };
    "/metrics": {
        /**
         * Metrics of this process, for Prometheus.
         * @description Collected with `serve --metrics` only, from the start on.
         */
        get: operations["getMetrics"];
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            error: {
                /** @enum {string} */
                code: "invalid" | "not_found" | "conflict" | "forbidden" | "limit" | "method_not_allowed" | "unsupported_media_type" | "internal_error" | "unavailable";
                message: string;
                details?: {
                    field: string;
                    message: string;
                    /** @description Allowed values. */
                    allowed?: string;
                    /** @description A valid value or body. */
                    example?: unknown;
                }[];
            };
        };
        /** Format: date-time */
        DateTime: string;
        /**
         * Format: date-time
         * @description From 1970 to 2999.
         */
        Moment: string;
        /**
         * Name
         * @description Letters, digits, dots, underscores and hyphens, the first one a letter or a digit; 64 at the most.
         */
        WorldName: string;
        /** @description Seed of every id, token and generated record. */
        Seed: number;
        /** @description All recordings, those of the fixtures included. */
        RecordingCount: number;
        /** @description An operation of the API; the build adds the ids of spec/openapi.yaml. */
        OperationId: string;
        SsoClaims: {
            oid: string;
            tid: string;
            upn: string;
        };
        TargetActor: {
            sso: components["schemas"]["SsoClaims"];
            login?: {
                [key: string]: string;
            };
            /** @description An access token whose lifetime is over. */
            expiredToken?: string;
        };
        Target: {
            baseUrl: string;
            profile?: {
                answers?: components["schemas"]["Answers"];
            };
            actors: {
                admin?: components["schemas"]["TargetActor"];
                member?: components["schemas"]["TargetActor"];
                others?: (components["schemas"]["TargetActor"] & {
                    /** @enum {string} */
                    role: "admin" | "member";
                    tenantId: string;
                })[];
            };
            resources: {
                recordingId?: string;
                otherRecordingId?: string;
                tenantId?: string;
                otherTenantId?: string;
                kbFolderId?: string;
                kbDocumentId?: string;
                analysis?: {
                    [key: string]: unknown;
                };
            };
            reads?: {
                /** @description What shows a recording to GET; absent where the control plane takes a token. */
                recording: {
                    path: string;
                };
            };
        };
        Persona: {
            /** @description Id. */
            user: string;
            username: string;
            email: string;
            tenant: string;
            administrator: boolean;
            confirmed: boolean;
            /**
             * @description The actor of the target file.
             * @enum {string}
             */
            actor?: "admin" | "member";
            sso: components["schemas"]["SsoClaims"];
            /** @description The body of the password login. */
            login?: {
                [key: string]: string;
            };
        };
        Info: {
            /** @constant */
            name: "platform-mock";
            version: string;
            /** @description Name of the sandbox; main for the main world. */
            world: string;
            /** @description Base URL of this world's API. */
            baseUrl: string;
            profile: string;
            seed: number;
            /** @description Ids of the armed faults. */
            faults: string[];
            time: components["schemas"]["DateTime"];
            frozen: boolean;
            /** @description Offset of the world's clock from the machine's. */
            offsetMilliseconds: number;
            /** @description Number of records by kind. */
            counts: {
                tenants: number;
                users: number;
                recordings: number;
                apiKeys: number;
                pats: number;
                refreshTokens: number;
            };
            /** @description Oldest first. */
            snapshots: components["schemas"]["Snapshot"][];
            sandboxes: number;
            /** @description Responses that violated the spec: bugs of the mock. */
            ownViolations: number;
            upstream?: components["schemas"]["Upstream"];
        };
        Snapshot: {
            name: string;
            /**
             * taken
             * @description In the machine's time.
             */
            takenAt: components["schemas"]["DateTime"];
            profile: string;
            seed: number;
            /**
             * changed records
             * @description Records that differ from the seed.
             */
            changes: number;
        };
        Sandbox: {
            name: string;
            baseUrl: string;
            profile: string;
            seed: number;
            /**
             * changed records
             * @description Records that differ from the seed.
             */
            changes: number;
            /** @description Requests since its journal was cleared, including dropped entries. */
            requests: number;
        };
        SandboxOptions: {
            profile?: components["schemas"]["ProfileSource"];
            seed?: components["schemas"]["Seed"];
            recordings?: components["schemas"]["RecordingCount"];
            /** @description Faults to arm, each with its terms if need be: title-truncated, or delay:ms=800;operation=ssoLogin. */
            faults?: string[];
            from?: components["schemas"]["WorldSource"];
        };
        /** @description The current state of a world, or its snapshot. Default: the world whose /_mock is called. Cannot be combined with seed or recordings. */
        WorldSource: {
            /** @description Name of a sandbox, or main. */
            sandbox?: string;
            snapshot?: components["schemas"]["WorldName"];
        };
        /** @description A record as stored. Times are ISO 8601, UTC, with milliseconds. */
        Record: components["schemas"]["Tenant"] | components["schemas"]["User"] | components["schemas"]["Recording"] | components["schemas"]["ApiKey"] | components["schemas"]["Pat"] | components["schemas"]["RefreshToken"];
        /** @enum {string} */
        RecordingStatus: "pending" | "processing" | "completed" | "failed";
        Id: string;
        Line: string;
        /**
         * @example {
         *       "id": "ten_new",
         *       "name": "New tenant",
         *       "tid": "00000000-0000-4000-a000-000000000000"
         *     }
         */
        Tenant: {
            id: components["schemas"]["Id"];
            name: components["schemas"]["Line"];
            /** @description Directory tenant identifier: the SSO claim tid. */
            tid: string;
        };
        /**
         * @example {
         *       "id": "usr_new",
         *       "email": "new@analytical.example",
         *       "username": "new",
         *       "password": "new-password",
         *       "confirmed": true,
         *       "created_at": "2026-01-31T12:00:00.000Z",
         *       "tenant": "ten_analytical",
         *       "administrator": false,
         *       "locale": "en",
         *       "sso": {
         *         "oid": "1f0e9a52-0000-4000-a000-000000000000",
         *         "tid": "7c1f0a52-0000-4000-a000-000000000000",
         *         "upn": "new@analytical.example"
         *       }
         *     }
         */
        User: {
            id: components["schemas"]["Id"];
            /** Format: email */
            email: string;
            username: components["schemas"]["Line"];
            /** @description In plain text: it is invented data. */
            password?: string;
            confirmed: boolean;
            created_at: components["schemas"]["DateTime"];
            /** @description Id of a tenant. */
            tenant: string;
            administrator: boolean;
            locale: components["schemas"]["Line"];
            sso: components["schemas"]["SsoClaims"];
        };
        /**
         * @example {
         *       "id": "rec_new",
         *       "title": "Weekly",
         *       "filename": "weekly.mp3",
         *       "status": "pending",
         *       "method": "upload",
         *       "quality": "standard",
         *       "language": "en",
         *       "diarization_enabled": false,
         *       "user_id": "usr_ada",
         *       "created_at": "2026-01-31T12:00:00.000Z",
         *       "updated_at": "2026-01-31T12:00:00.000Z",
         *       "duration_seconds": 600
         *     }
         */
        Recording: {
            id: components["schemas"]["Id"];
            title: string;
            filename: string;
            status: components["schemas"]["RecordingStatus"];
            /** @description A value of the profile (gap method-values). */
            method: string;
            /** @description A value of the profile (gap quality-values). */
            quality: string;
            /** @description A value of the profile (gap language-values). */
            language: string;
            diarization_enabled: boolean;
            /** @description Id of the owner. */
            user_id: string;
            created_at: components["schemas"]["DateTime"];
            updated_at: components["schemas"]["DateTime"];
            duration_seconds: number;
            kb_folder_id?: string | null;
            kb_document_id?: string | null;
            summary?: string | null;
            analysis?: {
                [key: string]: unknown;
            } | null;
        };
        /**
         * @example {
         *       "id": "key_new",
         *       "tenant": "ten_analytical",
         *       "provider": "openai",
         *       "name": "Another key",
         *       "status": "active",
         *       "created_at": "2026-01-31T12:00:00.000Z",
         *       "last_used_at": "2026-01-31T12:00:00.000Z"
         *     }
         */
        ApiKey: {
            id: components["schemas"]["Id"];
            /** @description Id of a tenant. */
            tenant: string;
            /** @description A value of the profile (gap provider-values). */
            provider: string;
            name: string;
            /** @description A value of the profile (gap key-status-values). */
            status: string;
            created_at: components["schemas"]["DateTime"];
            last_used_at: components["schemas"]["DateTime"];
        };
        /**
         * @description A personal access token. Its secret is not stored.
         * @example {
         *       "id": "0123456789abcdef",
         *       "user_id": "usr_ada",
         *       "name": "CI",
         *       "scopes": [
         *         "recordings:read"
         *       ],
         *       "created_at": "2026-01-31T12:00:00.000Z",
         *       "expires_at": "2030-01-01T00:00:00.000Z"
         *     }
         */
        Pat: {
            id: components["schemas"]["Id"];
            user_id: string;
            name: string;
            scopes: string[];
            created_at: components["schemas"]["DateTime"];
            /** @description Without it, it never expires. */
            expires_at?: components["schemas"]["DateTime"];
        };
        /**
         * @example {
         *       "id": "9f86d081884c7d65",
         *       "user_id": "usr_ada",
         *       "expires_at": "2030-01-01T00:00:00.000Z"
         *     }
         */
        RefreshToken: {
            /** @description Hash of the token; the token itself is not stored. */
            id: string;
            user_id: string;
            expires_at: components["schemas"]["DateTime"];
        };
        MintedToken: {
            /** @enum {string} */
            kind: "access" | "refresh" | "pat";
            user: string;
            token: string;
            /** @description Value of the header Authorization. */
            header: string;
            /** @enum {string} */
            defect: "none" | "expired" | "tampered" | "unsigned";
            /** @description In the world's time; absent where it never does. */
            expiresAt?: components["schemas"]["DateTime"];
        };
        /** @description Which requests a fault hits, and the fault's own parameters, which GET /faults lists. It hits the first request that it can, and each one after it. */
        FaultTerms: {
            /** @description Only requests of that operation. */
            operation?: components["schemas"]["OperationId"];
            /**
             * Only requests that match (JSON)
             * @description Only requests that are so.
             */
            request?: components["schemas"]["RequestMatch"];
            /**
             * Number of requests
             * @description Number of requests to hit; after them it is disarmed.
             */
            times?: number;
            /**
             * Every nth request
             * @description Every nth of the requests that it could hit.
             */
            every?: number;
            /**
             * Probability, 0 to 1
             * @description Share of requests to hit, from 0 to 1. Reproducible by the world's seed.
             */
            probability?: number;
            /** @description Milliseconds. */
            ms?: number;
            /** @description Milliseconds by which delays differ: uniform, at most so much from ms; lognormal, with ms as the median, so much above it at the 84th percentile. */
            jitter?: number;
            /**
             * @description How delays differ.
             * @enum {string}
             */
            distribution?: "uniform" | "lognormal";
            /** @description Status code. */
            status?: number;
            /** @description Headers of the response. */
            headers?: components["schemas"]["HeaderTexts"];
            /** @description Body of the response. A text is sent as it is, anything else as JSON. */
            body?: Record<string, never> | unknown[] | string | number | boolean | null;
            /**
             * @description Before or after the request has its effect.
             * @enum {string}
             */
            when?: "before" | "after";
            /** @description Bytes of the body that are sent. */
            bytes?: number;
            /** @description Bytes of the body per second. */
            bytesPerSecond?: number;
        };
        /** @description Pattern of requests. In texts, * matches anything. */
        RequestMatch: {
            method?: string;
            /** @description Without query and sandbox. */
            path?: string;
            /** @description Headers that it has. */
            headers?: components["schemas"]["HeaderTexts"];
            /** @description Query parameters that it has. */
            query?: {
                [key: string]: string;
            };
            /** @description Members that its JSON body has, at least. */
            body?: {
                [key: string]: unknown;
            };
        };
        HeaderTexts: {
            [key: string]: string;
        };
        Fault: {
            /** fault */
            id: string;
            /** @description Family of the fault. */
            family: string;
            description: string;
            /** @description Ids of the violated requirements. */
            requirements: string[];
            /** @description Names of its parameters. */
            parameters: string[];
            /**
             * effect
             * @description Requests on which it had an effect since it was last armed.
             */
            hits: number;
            /**
             * for
             * @description Present while it is armed.
             */
            armed?: {
                operation?: components["schemas"]["OperationId"];
                request?: components["schemas"]["RequestMatch"];
                /** @description Remaining hits. */
                left?: number;
                every?: number;
                probability: number;
                /** @description Its own, as they were given. */
                parameters?: {
                    [key: string]: unknown;
                };
            };
        };
        /** @description Gap id -> answer. GET /profile lists gaps and allowed answers. */
        Answers: {
            [key: string]: unknown;
        };
        /** @description A shipped profile's name, or answers to gaps; omitted gaps have the default answer. */
        ProfileSource: string | {
            name?: string;
            answers: components["schemas"]["Answers"];
        };
        Gap: {
            id: string;
            section: string;
            question: string;
            /** @description The answer in force. */
            answer: unknown;
            /** @description The default profile's answer. */
            default: unknown;
            isDefault: boolean;
            /** @description No profile answers the gap. */
            isAssumed: boolean;
            /** @description Origin of the answer. */
            origin: string;
            /** @description The operations whose responses it decided, as the journal has them; empty for requests of none. */
            operations: string[];
            /** @description Number of responses that it decided, as the journal has them. */
            responses: number;
            /** @description The possible answers with their meanings, if they are enumerable. */
            answers?: {
                [key: string]: string;
            };
            /** @description Otherwise the JSON Schema of an answer. */
            schema?: {
                [key: string]: unknown;
            };
            examples?: unknown[];
        };
        Profile: {
            name: string;
            /** @description Names of the profiles that ship with the mock. */
            shipped: string[];
            /** @description The answers that are not the default ones. */
            differences: components["schemas"]["Answers"];
            gaps: components["schemas"]["Gap"][];
            /** @description False if the journal dropped entries, whose gaps are not counted. */
            isComplete: boolean;
            /** @description A section of the source document -> its title. */
            sections: {
                [key: string]: string;
            };
        };
        /** @description A custom route. Texts in headers and body are templates (Liquid). */
        Route: {
            /**
             * @description Default: GET.
             * @enum {string}
             */
            method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
            /** @description A template, such as /v1/things/{id}. */
            path: string;
            description?: string;
            /**
             * @description Who may call it, with a token of this mock. Default: none, everybody.
             * @enum {string}
             */
            auth?: "none" | "required" | "administrator";
            /** @description It answers in the place of a documented operation, or of another route. */
            override?: boolean;
            when?: components["schemas"]["RouteConditions"];
            /** @description How often it answers. Default: always. */
            times?: number;
            status?: components["schemas"]["RouteStatus"];
            headers?: components["schemas"]["RouteHeaders"];
            /** @description JSON, or a text. */
            body?: unknown;
            delay?: components["schemas"]["RouteDelay"];
            /** @description A sequence, in the place of status, headers, body and delay. */
            answers?: components["schemas"]["RouteAnswer"][];
            /**
             * @description After the last answer of a sequence: that one again (default), or the first one.
             * @enum {string}
             */
            after?: "last" | "first";
        };
        RouteAnswer: {
            /** @description Clients ask for it by `Prefer: example=NAME`. */
            name?: string;
            status?: components["schemas"]["RouteStatus"];
            headers?: components["schemas"]["RouteHeaders"];
            /** @description JSON, or a text. */
            body?: unknown;
            delay?: components["schemas"]["RouteDelay"];
        };
        /** @description Default: 200, or 204 without a body. */
        RouteStatus: number;
        RouteHeaders: {
            [key: string]: string;
        };
        /** @description Milliseconds. */
        RouteDelay: number;
        /** @description When the route answers. All must hold. */
        RouteConditions: {
            query?: {
                [key: string]: components["schemas"]["Matcher"];
            };
            /** @description Headers, in any case. */
            headers?: {
                [key: string]: components["schemas"]["Matcher"];
            };
            /** @description Members of the body: title, user.name, items.0.id; $ is the whole body. */
            body?: {
                [key: string]: components["schemas"]["Matcher"];
            };
        };
        /** @description A value, or an object with equals, contains, matches (a regular expression) or absent. */
        Matcher: (string | number | boolean | null) | {
            /** @description Exactly that value. */
            equals?: unknown;
            /** @description Text that it contains. */
            contains?: string;
            /**
             * Format: regex
             * @description A regular expression without lookaround and backreferences: it takes linear time.
             */
            matches?: string;
            /** @description With false: present, with any value. */
            absent?: boolean;
        };
        ServedRoute: {
            /** @description Names it in this world. */
            id: string;
            method: string;
            path: string;
            /** @description File and line, or the id of one that was added. */
            source: string;
            /** @enum {string} */
            auth: "none" | "required" | "administrator";
            override: boolean;
            /** @description How often it has answered. */
            served: number;
            /** @description How often it still answers; absent: always. */
            left?: number;
        };
        JournalHeader: {
            name: string;
            value: string;
        };
        JournalBody: {
            /** @description Without secrets; truncated if long. */
            text: string;
            /** @description Size in bytes before truncation. */
            size: number;
            cut: boolean;
        };
        JournalEntry: {
            id: number;
            /** @description In the machine's time. */
            startedAt: components["schemas"]["DateTime"];
            worldTime: components["schemas"]["DateTime"];
            milliseconds: number;
            /**
             * @description dropped: the connection was closed.
             * @enum {string}
             */
            outcome: "answered" | "pending" | "dropped";
            request: {
                method: string;
                /** @description As sent, with the sandbox's prefix. */
                url: string;
                headers: components["schemas"]["JournalHeader"][];
                /** @description Absent where none was read. */
                body?: components["schemas"]["JournalBody"];
            };
            response?: {
                status: number;
                headers: components["schemas"]["JournalHeader"][];
                body?: components["schemas"]["JournalBody"];
            };
            /** @description Value of the header X-Mock-Basis. */
            basis: string;
            actor?: {
                user: string;
                username: string;
                /** @enum {string} */
                via: "jwt" | "pat";
            };
            trace: components["schemas"]["Trace"];
            /** @description The request as a curl command, without secrets. */
            curl: string;
        };
        /** @description How the response was determined. */
        Trace: {
            operation?: components["schemas"]["OperationId"];
            /** @description The custom route that answered: file and line. */
            route?: string;
            /** @enum {string} */
            validation: "valid" | "refused" | "not reached";
            authentication: {
                /** @enum {string} */
                outcome: "authenticated" | "refused" | "not needed" | "not reached";
                user?: string;
                /** @enum {string} */
                via?: "jwt" | "pat";
            };
            /** @description Why it was refused. */
            error?: {
                kind: string;
                message: string;
            };
            /** @description The gaps that affected the response, with their answers. */
            gaps: {
                id: string;
                answer: unknown;
            }[];
            /** @description Ids of the faults that affected the response. */
            faults: string[];
            /** @description Changes of the store. */
            changes: {
                resource: string;
                id: string;
                /** @enum {string} */
                change: "created" | "updated" | "deleted";
                fields?: string[];
            }[];
            /** @description The client chose the status (Prefer). */
            forced: boolean;
        };
        /** @description Without members, what the mock does not know goes there, and nothing else. */
        UpstreamSplit: {
            /** @description Paths, with * for anything, that go there although the mock knows them. */
            only?: string[];
            /** @description The operations that the mock answers; everything else goes there. */
            mockOnly?: string[];
        };
        Upstream: {
            /** @description Its base URL. */
            url: string;
            /** @description Whether requests that may change something go there, since that is allowed or it is on this machine. */
            allowsWrites: boolean;
            only: string[];
            mockOnly?: string[];
        };
    };
    responses: {
        /** @description Refused, with the reason. */
        Refused: {
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An OpenAPI 3.1 document. */
        Document: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        /** @description The current world. */
        Info: {
            content: {
                "application/json": components["schemas"]["Info"];
            };
        };
        /** @description The sandbox. */
        Sandbox: {
            content: {
                "application/json": components["schemas"]["Sandbox"];
            };
        };
        /** @description The record as stored. */
        Record: {
            content: {
                "application/json": components["schemas"]["Record"];
            };
        };
        /** @description The service behind the mock. */
        Upstream: {
            content: {
                "application/json": components["schemas"]["Upstream"];
            };
        };
        /** @description The answers in force. */
        Profile: {
            content: {
                "application/json": components["schemas"]["Profile"];
            };
        };
    };
    parameters: {
        /** @example signed-in */
        SnapshotName: components["schemas"]["WorldName"];
        /**
         * @description Kind of record.
         * @example recordings
         */
        Resource: "tenants" | "users" | "recordings" | "api-keys" | "pats" | "refresh-tokens";
        /**
         * @description Maximum number of items.
         * @example 50
         */
        Limit: number;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getTarget: {
        parameters: {
            query?: never;
        };
        responses: {
            /** @description The target file. */
            200: {
                content: {
                    "application/json": components["schemas"]["Target"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    getInfo: {
        parameters: {
            query?: never;
        };
        responses: {
            200: components["responses"]["Info"];
            "4XX": components["responses"]["Refused"];
        };
    };
    getControlDocument: {
        parameters: {
            query?: never;
        };
        responses: {
            200: components["responses"]["Document"];
            "4XX": components["responses"]["Refused"];
        };
    };
    getApiDocument: {
        parameters: {
            query?: never;
        };
        responses: {
            200: components["responses"]["Document"];
            "4XX": components["responses"]["Refused"];
        };
    };
    listPersonas: {
        parameters: {
            query?: never;
        };
        responses: {
            /** @description The personas, the actors of the target file first. */
            200: {
                content: {
                    "application/json": components["schemas"]["Persona"][];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    reset: {
        parameters: {
            query?: {
                /**
                 * @description Also clears the journal, so that calls are counted from zero.
                 * @example true
                 */
                journal?: boolean;
            };
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "keep": [
                 *         "clock"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description What to keep of the present state where it is reset to the origin. */
                    keep?: ("clock" | "faults" | "profile")[];
                    from?: components["schemas"]["WorldSource"];
                    seed?: components["schemas"]["Seed"];
                    recordings?: components["schemas"]["RecordingCount"];
                };
            };
        };
        responses: {
            200: components["responses"]["Info"];
            "4XX": components["responses"]["Refused"];
        };
    };
    takeSnapshot: {
        parameters: {
            query?: never;
            path: {
                /** @example signed-in */
                snapshot: components["parameters"]["SnapshotName"];
            };
        };
        responses: {
            /** @description The snapshot. */
            200: {
                content: {
                    "application/json": components["schemas"]["Snapshot"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    deleteSnapshot: {
        parameters: {
            query?: never;
            path: {
                /** @example signed-in */
                snapshot: components["parameters"]["SnapshotName"];
            };
        };
        responses: {
            /** @description Deleted. */
            204: {
                content?: never;
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    listSandboxes: {
        parameters: {
            query?: {
                /**
                 * @description Maximum number of sandboxes in a page.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description Only names after this one: the next page.
                 * @example test-1
                 */
                after?: components["schemas"]["WorldName"];
            };
        };
        responses: {
            /** @description A page of sandboxes, their number and their maximum number. */
            200: {
                content: {
                    "application/json": {
                        limit: number;
                        total: number;
                        sandboxes: components["schemas"]["Sandbox"][];
                        /** @description The last name of a full page. */
                        next?: string;
                    };
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    deleteSandboxes: {
        parameters: {
            query?: never;
        };
        responses: {
            /** @description Deleted. */
            204: {
                content?: never;
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    createSandbox: {
        parameters: {
            query?: never;
            path: {
                /** @example test-1 */
                sandbox: components["schemas"]["WorldName"];
            };
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "profile": "strict",
                 *       "seed": 7,
                 *       "recordings": 100
                 *     }
                 */
                "application/json": components["schemas"]["SandboxOptions"];
            };
        };
        responses: {
            200: components["responses"]["Sandbox"];
            "4XX": components["responses"]["Refused"];
        };
    };
    deleteSandbox: {
        parameters: {
            query?: never;
            path: {
                /** @example test-1 */
                sandbox: components["schemas"]["WorldName"];
            };
        };
        responses: {
            /** @description Deleted. */
            204: {
                content?: never;
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    listRecords: {
        parameters: {
            query?: {
                /**
                 * @description Maximum number of items.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Number of records to skip.
                 * @example 100
                 */
                offset?: number;
                /**
                 * @description Only records that contain this text, case-insensitive.
                 * @example kick-off
                 */
                q?: string;
            };
            path: {
                /**
                 * @description Kind of record.
                 * @example recordings
                 */
                resource: components["parameters"]["Resource"];
            };
        };
        responses: {
            /** @description One page. */
            200: {
                content: {
                    "application/json": {
                        /** @description Number of matching records. */
                        total: number;
                        items: components["schemas"]["Record"][];
                    };
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    createRecord: {
        parameters: {
            query?: never;
            path: {
                /**
                 * @description Kind of record.
                 * @example recordings
                 */
                resource: components["parameters"]["Resource"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Weekly",
                 *       "user_id": "usr_ada",
                 *       "status": "pending"
                 *     }
                 */
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            201: components["responses"]["Record"];
            "4XX": components["responses"]["Refused"];
        };
    };
    getRecord: {
        parameters: {
            query?: never;
            path: {
                /**
                 * @description Kind of record.
                 * @example recordings
                 */
                resource: components["parameters"]["Resource"];
                /** @example rec_kickoff */
                record: string;
            };
        };
        responses: {
            200: components["responses"]["Record"];
            "4XX": components["responses"]["Refused"];
        };
    };
    deleteRecord: {
        parameters: {
            query?: never;
            path: {
                /**
                 * @description Kind of record.
                 * @example recordings
                 */
                resource: components["parameters"]["Resource"];
                /** @example rec_kickoff */
                record: string;
            };
        };
        responses: {
            /** @description Deleted. */
            204: {
                content?: never;
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    editRecord: {
        parameters: {
            query?: never;
            path: {
                /**
                 * @description Kind of record.
                 * @example recordings
                 */
                resource: components["parameters"]["Resource"];
                /** @example rec_kickoff */
                record: string;
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Another title",
                 *       "status": "failed"
                 *     }
                 */
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            200: components["responses"]["Record"];
            "4XX": components["responses"]["Refused"];
        };
    };
    processRecording: {
        parameters: {
            query?: never;
            path: {
                /**
                 * @description Id of a recording that is not final.
                 * @example rec_weekly
                 */
                record: string;
            };
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "outcome": "failed",
                 *       "afterSeconds": 30
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Final status.
                     * @default completed
                     * @enum {string}
                     */
                    outcome?: "completed" | "failed";
                    /** @description Maximum number of transitions, e.g. 1: from pending to processing. */
                    steps?: number;
                    /**
                     * Delay in seconds
                     * @description Set it to processing now, and to the outcome once the world's clock has advanced this far.
                     */
                    afterSeconds?: number;
                };
            };
        };
        responses: {
            /** @description The recording and the statuses it went through. */
            200: {
                content: {
                    "application/json": {
                        recording: components["schemas"]["Recording"];
                        path: components["schemas"]["RecordingStatus"][];
                        /** @description The planned change, on the world's clock. */
                        ends?: {
                            status: components["schemas"]["RecordingStatus"];
                            at: components["schemas"]["DateTime"];
                        };
                    };
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    mintToken: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user": "usr_ada",
                 *       "kind": "access",
                 *       "lifetime": 60,
                 *       "defect": "none"
                 *     }
                 */
                "application/json": {
                    /**
                     * User id
                     * @description Id of the user.
                     */
                    user: string;
                    /**
                     * @default access
                     * @enum {string}
                     */
                    kind?: "access" | "refresh" | "pat";
                    /**
                     * Lifetime in seconds
                     * @description Seconds on the world's clock; the profile's lifetime by default.
                     */
                    lifetime?: number;
                    /**
                     * @default none
                     * @enum {string}
                     */
                    defect?: "none" | "expired" | "tampered" | "unsigned";
                    /** @description Name of a PAT. */
                    name?: string;
                    /** @description Scopes of a PAT. */
                    scopes?: string[];
                };
            };
        };
        responses: {
            /** @description The token. */
            201: {
                content: {
                    "application/json": components["schemas"]["MintedToken"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    expireToken: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "pat_0123456789abcdef.secret"
                 *     }
                 */
                "application/json": {
                    /** @description The token as issued. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description The revoked token. */
            200: {
                content: {
                    "application/json": {
                        /** @enum {string} */
                        kind: "access" | "refresh" | "pat";
                        user: string;
                    };
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    changeClock: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "frozen": true,
                 *       "at": "2030-01-01T00:00:00.000Z",
                 *       "seconds": 3600
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Follows the machine's clock again.
                     * @constant
                     */
                    machine?: true;
                    /** @description Freezes the clock, or lets it continue from its time. */
                    frozen?: boolean;
                    /**
                     * Time (UTC)
                     * @description Sets it, forwards or backwards.
                     */
                    at?: components["schemas"]["Moment"];
                    /** @description Advances it. */
                    seconds?: number;
                };
            };
        };
        responses: {
            200: components["responses"]["Info"];
            "4XX": components["responses"]["Refused"];
        };
    };
    listFaults: {
        parameters: {
            query?: never;
        };
        responses: {
            /** @description The catalogue. */
            200: {
                content: {
                    "application/json": components["schemas"]["Fault"][];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    armFault: {
        parameters: {
            query?: never;
            path: {
                /**
                 * @description Id of a fault; GET /faults lists them. To disarm every one, all.
                 * @example title-truncated
                 */
                fault: string;
            };
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "operation": "updateRecording",
                 *       "times": 3,
                 *       "every": 2
                 *     }
                 */
                "application/json": components["schemas"]["FaultTerms"];
            };
        };
        responses: {
            /** @description The armed fault. */
            200: {
                content: {
                    "application/json": components["schemas"]["Fault"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    disarmFault: {
        parameters: {
            query?: never;
            path: {
                /**
                 * @description Id of a fault; GET /faults lists them. To disarm every one, all.
                 * @example title-truncated
                 */
                fault: string;
            };
        };
        responses: {
            /** @description Disarmed. */
            204: {
                content?: never;
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    getProfile: {
        parameters: {
            query?: never;
        };
        responses: {
            200: components["responses"]["Profile"];
            "4XX": components["responses"]["Refused"];
        };
    };
    replaceProfile: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "profile": "strict"
                 *     }
                 */
                "application/json": {
                    profile: components["schemas"]["ProfileSource"];
                };
            };
        };
        responses: {
            200: components["responses"]["Profile"];
            "4XX": components["responses"]["Refused"];
        };
    };
    changeProfile: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "answers": {
                 *         "error-body": "problem",
                 *         "validation-status": 422
                 *       }
                 *     }
                 */
                "application/json": {
                    answers: components["schemas"]["Answers"];
                };
            };
        };
        responses: {
            200: components["responses"]["Profile"];
            "4XX": components["responses"]["Refused"];
        };
    };
    listRoutes: {
        parameters: {
            query?: never;
        };
        responses: {
            /** @description The routes. */
            200: {
                content: {
                    "application/json": {
                        routes: components["schemas"]["ServedRoute"][];
                        /** @description Table -> number of records. */
                        tables: {
                            [key: string]: number;
                        };
                    };
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    addRoute: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "path": "/v1/profile",
                 *       "body": {
                 *         "name": "{{ caller.username }}"
                 *       },
                 *       "auth": "required",
                 *       "times": 1
                 *     }
                 */
                "application/json": components["schemas"]["Route"];
            };
        };
        responses: {
            /** @description The route. */
            201: {
                content: {
                    "application/json": components["schemas"]["ServedRoute"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    removeRoute: {
        parameters: {
            query?: never;
            path: {
                /**
                 * @description Id of a route that was added while the mock runs, or all. Those of files stay.
                 * @example route-1
                 */
                route: string;
            };
        };
        responses: {
            /** @description Removed. */
            204: {
                content?: never;
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    splitUpstream: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mockOnly": [
                 *         "ssoLogin",
                 *         "updateRecording"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UpstreamSplit"];
            };
        };
        responses: {
            200: components["responses"]["Upstream"];
            "4XX": components["responses"]["Refused"];
        };
    };
    queryJournal: {
        parameters: {
            query?: {
                /**
                 * @description Maximum number of items.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Only entries before this id: the next page.
                 * @example 142
                 */
                before?: number;
                /**
                 * @description Only entries after this id.
                 * @example 41
                 */
                after?: number;
                /** @example PATCH */
                method?: "GET" | "HEAD" | "OPTIONS" | "PATCH" | "POST" | "PUT" | "DELETE";
                /**
                 * @description Only URLs that contain this text.
                 * @example /recordings/
                 */
                path?: string;
                /**
                 * @description Only this status or class of statuses.
                 * @example 4xx
                 */
                status?: string;
                /** @example updateRecording */
                operation?: components["schemas"]["OperationId"];
                /**
                 * @description Only requests of this user (id).
                 * @example usr_ada
                 */
                user?: string;
                /**
                 * @description Only responses that this gap affected.
                 * @example error-body
                 */
                gap?: string;
                /**
                 * @description Only responses that this fault affected.
                 * @example title-truncated
                 */
                fault?: string;
            };
        };
        responses: {
            /** @description A page of matching entries. */
            200: {
                content: {
                    "application/json": {
                        /** @description Requests since the journal was cleared, including dropped entries. */
                        total: number;
                        /** @description Number of stored entries. */
                        kept: number;
                        /** @description Maximum number of stored entries. */
                        capacity: number;
                        /** @description More match: the id before which the next page begins. */
                        next?: number;
                        entries: components["schemas"]["JournalEntry"][];
                    };
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    clearJournal: {
        parameters: {
            query?: never;
        };
        responses: {
            /** @description Deleted. */
            204: {
                content?: never;
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    watchJournal: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Resume after this entry.
                 * @example 41
                 */
                "last-event-id"?: number;
            };
        };
        responses: {
            /** @description The stream. */
            200: {
                content: {
                    "text/event-stream": string;
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    exportJournal: {
        parameters: {
            query?: never;
        };
        responses: {
            /** @description The HAR file. */
            200: {
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
        };
        responses: {
            /** @description It lives. */
            200: {
                content: {
                    "application/json": {
                        /** @constant */
                        live: true;
                    };
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
        };
        responses: {
            /** @description It is ready. */
            200: {
                content: {
                    "application/json": {
                        /** @constant */
                        live: true;
                        /** @constant */
                        ready: true;
                    };
                };
            };
            503: components["responses"]["Refused"];
            "4XX": components["responses"]["Refused"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
        };
        responses: {
            /** @description Prometheus' text format. */
            200: {
                content: {
                    "text/plain": string;
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
}
