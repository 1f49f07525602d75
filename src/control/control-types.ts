// Generated from spec/ by `npm run generate`. Do not edit.
export interface paths {
    "/target": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The target file for `verify`, filled in by the mock about this world. */
        get: operations["getTarget"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What this world is, and how much is in it. */
        get: operations["getInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document. */
        get: operations["getControlDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/spec.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The API's OpenAPI document, resolved for the assumptions in force in this world. */
        get: operations["getApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/personas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Everybody who can sign in, and with what. */
        get: operations["listPersonas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Back to how this world began.
         * @description Records, ids, clock, faults and profile. The journal stays (DELETE /journal), and snapshots do.
         */
        post: operations["reset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/seed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin anew from another seed or with another number of recordings.
         * @description Every record and id is made anew; tokens of another seed are not valid any more.
         */
        post: operations["reseed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The snapshots of this world. */
        get: operations["listSnapshots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/snapshots/{snapshot}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of a snapshot.
                 * @example signed-in
                 */
                snapshot: components["parameters"]["SnapshotName"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Take a snapshot under that name, in place of the one that had it.
         * @description Holds records, ids, clock, faults and profile; nothing is copied.
         */
        put: operations["takeSnapshot"];
        post?: never;
        /** Forget a snapshot. */
        delete: operations["deleteSnapshot"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/snapshots/{snapshot}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of a snapshot.
                 * @example signed-in
                 */
                snapshot: components["parameters"]["SnapshotName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Put this world back to how it was then. */
        post: operations["restoreSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandboxes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every sandbox of this server. */
        get: operations["listSandboxes"];
        put?: never;
        post?: never;
        /** Delete every sandbox. */
        delete: operations["deleteSandboxes"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandboxes/{sandbox}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of a sandbox.
                 * @example test-1
                 */
                sandbox: components["parameters"]["SandboxName"];
            };
            cookie?: never;
        };
        /** One sandbox. */
        get: operations["getSandbox"];
        /**
         * Make a sandbox; one that is there begins anew.
         * @description Without options it begins as the main world began.
         */
        put: operations["createSandbox"];
        post?: never;
        /** Delete a sandbox. Its prefix makes a new one on next use. */
        delete: operations["deleteSandbox"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many records of each kind there are. */
        get: operations["getState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/state/{resource}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Kind of record.
                 * @example recordings
                 */
                resource: components["parameters"]["Resource"];
            };
            cookie?: never;
        };
        /** Records of one kind, in pages. */
        get: operations["listRecords"];
        put?: never;
        /**
         * Add a record. What is left out is filled in.
         * @description For tenants, users, recordings and api-keys; POST /tokens makes tokens. The record's fields are those of the schemas Tenant, User, Recording and ApiKey.
         */
        post: operations["createRecord"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/state/{resource}/{record}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Kind of record.
                 * @example recordings
                 */
                resource: components["parameters"]["Resource"];
                /**
                 * @description Id of a record.
                 * @example rec_kickoff
                 */
                record: components["parameters"]["RecordId"];
            };
            cookie?: never;
        };
        /** One record, as it is stored. */
        get: operations["getRecord"];
        put?: never;
        post?: never;
        /** Delete a record; a token is thereby revoked. */
        delete: operations["deleteRecord"];
        options?: never;
        head?: never;
        /** Change fields of a record; null removes one that is optional. */
        patch: operations["editRecord"];
        trace?: never;
    };
    "/recordings/{record}/process": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a recording that is not final.
                 * @example rec_weekly
                 */
                record: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Play a recording's status forward.
         * @description An assumption: the source document does not show the transitions (gap status-transitions), and the answer in force decides which there are. At once to the outcome, or by so many steps, or finished on the world's clock.
         */
        post: operations["processRecording"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a token for any user, good or bad. */
        post: operations["mintToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/expire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End a token now - an access token, a refresh token or a PAT. */
        post: operations["expireToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The world's time. */
        get: operations["getClock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clock/freeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop the time, now or at a moment. */
        post: operations["freezeClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clock/set": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set the time, forwards or backwards. It goes on from there unless it is frozen. */
        post: operations["setClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clock/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Move the time on. Not backwards - that is what POST /clock/set is for. */
        post: operations["advanceClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clock/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let the time go on, from where it stands or with the machine's. */
        post: operations["releaseClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/faults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The fault catalogue, and what of it is armed. */
        get: operations["listFaults"];
        put?: never;
        post?: never;
        /** Disarm every fault. */
        delete: operations["disarmFaults"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/faults/{fault}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a fault; GET /faults lists them.
                 * @example title-truncated
                 */
                fault: components["parameters"]["FaultId"];
            };
            cookie?: never;
        };
        get?: never;
        /** Arm a fault, for every request or some. */
        put: operations["armFault"];
        post?: never;
        /** Disarm a fault. */
        delete: operations["disarmFault"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The gap ledger with the answers in force. */
        get: operations["getProfile"];
        /** Take up another profile whole. Records stay as they are. */
        put: operations["replaceProfile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Answer some gaps otherwise, live. Records stay as they are. */
        patch: operations["changeProfile"];
        trace?: never;
    };
    "/journal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What happened, the latest first. */
        get: operations["queryJournal"];
        put?: never;
        post?: never;
        /** Forget what happened. */
        delete: operations["clearJournal"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/journal/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Entries as they come, as server-sent events.
         * @description Event `entry`, its id is the entry's, its data a JournalEntry. A comment every 15 seconds keeps the connection open. With Last-Event-ID, entries since then come first.
         */
        get: operations["watchJournal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/journal/har": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The journal as HAR 1.2, which a browser's developer tools open. */
        get: operations["exportJournal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/journal/{entry}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of an entry.
                 * @example 42
                 */
                entry: number;
            };
            cookie?: never;
        };
        /** One entry. */
        get: operations["getJournalEntry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            error: {
                /** @enum {string} */
                code: "invalid" | "not_found" | "conflict" | "forbidden" | "limit" | "method_not_allowed" | "unsupported_media_type" | "internal_error";
                message: string;
                details?: {
                    field: string;
                    message: string;
                    /** @description What may stand there. */
                    allowed?: string;
                    /** @description A value, or a whole body, that is right. */
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
        /** @description Letters, digits, dot, underscore and hyphen; 64 at the most. */
        WorldName: string;
        /** @description Decides every id, token and invented record. */
        Seed: number;
        /** @description Recordings in all. */
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
        };
        Target: {
            baseUrl: string;
            profile?: {
                answers?: components["schemas"]["Answers"];
            };
            actors: {
                admin?: components["schemas"]["TargetActor"];
                member?: components["schemas"]["TargetActor"];
            };
            resources: {
                recordingId?: string;
                otherRecordingId?: string;
                tenantId?: string;
                otherTenantId?: string;
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
             * @description The actor of the target file that this is.
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
            /** @description Of this world's API. */
            baseUrl: string;
            profile: string;
            seed: number;
            /** @description Ids of those that are armed. */
            faults: string[];
            time: components["schemas"]["DateTime"];
            frozen: boolean;
            counts: {
                tenants: number;
                users: number;
                recordings: number;
                apiKeys: number;
            } & {
                [key: string]: number;
            };
            sandboxes: number;
            /** @description Answers of the mock that broke the spec: bugs of it. */
            ownViolations: number;
        };
        Snapshot: {
            name: string;
            /** @description In the machine's time. */
            takenAt: components["schemas"]["DateTime"];
            profile: string;
            seed: number;
            /** @description Records that differ from the seed. */
            changes: number;
        };
        Sandbox: {
            name: string;
            baseUrl: string;
            profile: string;
            seed: number;
            /** @description Records that differ from the seed. */
            changes: number;
            /** @description Requests in its journal, forgotten ones included. */
            requests: number;
        };
        SandboxOptions: {
            profile?: components["schemas"]["ProfileSource"];
            seed?: components["schemas"]["Seed"];
            recordings?: components["schemas"]["RecordingCount"];
            /** @description Ids of faults to arm. */
            faults?: string[];
            /** @description Begins as that world is now, or as its snapshot. Without `sandbox` the world whose /_mock was called. Goes with profile and faults, not with seed or recordings. */
            from?: {
                /** @description Name of a sandbox, or main. */
                sandbox?: string;
                snapshot?: components["schemas"]["WorldName"];
            };
        };
        /** @description A record as it is stored. Times are ISO 8601, UTC, with milliseconds. */
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
            /** @description In clear: it is invented data. */
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
            /** @description One of the profile's (gap method-values). */
            method: string;
            /** @description One of the profile's (gap quality-values). */
            quality: string;
            /** @description One of the profile's (gap language-values). */
            language: string;
            diarization_enabled: boolean;
            /** @description Id of its owner. */
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
            /** @description One of the profile's (gap provider-values). */
            provider: string;
            name: string;
            /** @description One of the profile's (gap key-status-values). */
            status: string;
            created_at: components["schemas"]["DateTime"];
            last_used_at: components["schemas"]["DateTime"];
        };
        /**
         * @description A personal access token. Its secret is not kept.
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
            /** @description Hash of the token; the token itself is not kept. */
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
        Clock: {
            now: components["schemas"]["DateTime"];
            frozen: boolean;
            /** @description How far it is ahead of the machine's time. */
            offsetMilliseconds: number;
        };
        FaultTerms: {
            /** @description Only for requests of that operation. */
            operation?: components["schemas"]["OperationId"];
            /** @description Only for so many requests. */
            times?: number;
            /** @description How many of the requests it meets, from 0 to 1. Which ones follows from the world's seed. */
            probability?: number;
        };
        Fault: {
            id: string;
            /** @description What it concerns. */
            family: string;
            description: string;
            /** @description Ids of the requirements that it breaks. */
            requirements: string[];
            /** @description How often it really changed something in this world. */
            hits: number;
            /** @description There while it is armed. */
            armed?: {
                operation?: components["schemas"]["OperationId"];
                /** @description Requests that are still to meet it. */
                left?: number;
                probability: number;
            };
        };
        /** @description Gap id -> answer. GET /profile lists gaps and what may be answered. */
        Answers: {
            [key: string]: unknown;
        };
        /** @description A shipped profile's name, or answers to gaps; what is left out is answered by the default profile. */
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
            /** @description Where the answer comes from. */
            origin: string;
            /** @description The possible answers with their meanings, where they can be listed. */
            answers?: {
                [key: string]: string;
            };
            /** @description Else the JSON Schema of an answer. */
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
        };
        JournalHeader: {
            name: string;
            value: string;
        };
        JournalBody: {
            /** @description Without secrets; the beginning only where it is long. */
            text: string;
            /** @description Bytes of the whole. */
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
                /** @description As it was sent, the sandbox's prefix included. */
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
            /** @description The request as a command line, without its secrets. */
            curl: string;
        };
        /** @description How the answer came about. */
        Trace: {
            operation?: components["schemas"]["OperationId"];
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
            /** @description The gaps that decided the answer, with the answers that were in force. */
            gaps: {
                id: string;
                answer: unknown;
            }[];
            /** @description Ids of the faults that were in it. */
            faults: string[];
            /** @description What changed in the store. */
            changes: {
                resource: string;
                id: string;
                /** @enum {string} */
                change: "created" | "updated" | "deleted";
                fields?: string[];
            }[];
            /** @description The client asked for the status (Prefer). */
            forced: boolean;
        };
    };
    responses: {
        /** @description Refused, with the reason. */
        Refused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An OpenAPI 3.1 document. */
        Document: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        /** @description The world as it is now. */
        Info: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Info"];
            };
        };
        /** @description The snapshot. */
        Snapshot: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Snapshot"];
            };
        };
        /** @description The sandbox. */
        Sandbox: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Sandbox"];
            };
        };
        /** @description The record, as it is stored. */
        Record: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Record"];
            };
        };
        /** @description The world's time. */
        Clock: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Clock"];
            };
        };
        /** @description The catalogue. */
        Faults: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Fault"][];
            };
        };
        /** @description The answers in force. */
        Profile: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Profile"];
            };
        };
    };
    parameters: {
        /**
         * @description Name of a sandbox.
         * @example test-1
         */
        SandboxName: components["schemas"]["WorldName"];
        /**
         * @description Name of a snapshot.
         * @example signed-in
         */
        SnapshotName: components["schemas"]["WorldName"];
        /**
         * @description Kind of record.
         * @example recordings
         */
        Resource: "tenants" | "users" | "recordings" | "api-keys" | "pats" | "refresh-tokens";
        /**
         * @description Id of a record.
         * @example rec_kickoff
         */
        RecordId: string;
        /**
         * @description Id of a fault; GET /faults lists them.
         * @example title-truncated
         */
        FaultId: string;
        /**
         * @description How many at the most.
         * @example 50
         */
        Limit: number;
        /**
         * @description Only entries after that one.
         * @example 41
         */
        JournalAfter: number;
        /**
         * @description Only that method.
         * @example PATCH
         */
        JournalMethod: "GET" | "HEAD" | "OPTIONS" | "PATCH" | "POST" | "PUT" | "DELETE";
        /**
         * @description Only URLs with this text in them.
         * @example /recordings/
         */
        JournalPath: string;
        /**
         * @description Only that status, or that class of statuses.
         * @example 4xx
         */
        JournalStatus: string;
        /**
         * @description Only that operation.
         * @example updateRecording
         */
        JournalOperation: components["schemas"]["OperationId"];
        /**
         * @description Only requests made as that user (id).
         * @example usr_ada
         */
        JournalUser: string;
        /**
         * @description Only answers that this gap decided.
         * @example error-body
         */
        JournalGap: string;
        /**
         * @description Only answers that this fault was in.
         * @example title-truncated
         */
        JournalFault: string;
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
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The target file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
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
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Info"];
            "4XX": components["responses"]["Refused"];
        };
    };
    getControlDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Document"];
            "4XX": components["responses"]["Refused"];
        };
    };
    getApiDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Document"];
            "4XX": components["responses"]["Refused"];
        };
    };
    listPersonas: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The personas, the actors of the target file first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Persona"][];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    reset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
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
                    /** @description What stays as it is. */
                    keep?: ("clock" | "faults" | "profile")[];
                };
            };
        };
        responses: {
            200: components["responses"]["Info"];
            "4XX": components["responses"]["Refused"];
        };
    };
    reseed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "seed": 7,
                 *       "recordings": 500
                 *     }
                 */
                "application/json": {
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
    listSnapshots: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The snapshots, the oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Snapshot"][];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    takeSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of a snapshot.
                 * @example signed-in
                 */
                snapshot: components["parameters"]["SnapshotName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Snapshot"];
            "4XX": components["responses"]["Refused"];
        };
    };
    deleteSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of a snapshot.
                 * @example signed-in
                 */
                snapshot: components["parameters"]["SnapshotName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Forgotten. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    restoreSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of a snapshot.
                 * @example signed-in
                 */
                snapshot: components["parameters"]["SnapshotName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Info"];
            "4XX": components["responses"]["Refused"];
        };
    };
    listSandboxes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sandboxes, and how many there may be. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        limit: number;
                        sandboxes: components["schemas"]["Sandbox"][];
                    };
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    deleteSandboxes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    getSandbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of a sandbox.
                 * @example test-1
                 */
                sandbox: components["parameters"]["SandboxName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Sandbox"];
            "4XX": components["responses"]["Refused"];
        };
    };
    createSandbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of a sandbox.
                 * @example test-1
                 */
                sandbox: components["parameters"]["SandboxName"];
            };
            cookie?: never;
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
            header?: never;
            path: {
                /**
                 * @description Name of a sandbox.
                 * @example test-1
                 */
                sandbox: components["parameters"]["SandboxName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    getState: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Kind of record -> number. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: number;
                    };
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    listRecords: {
        parameters: {
            query?: {
                /**
                 * @description How many at the most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description How many to pass over.
                 * @example 100
                 */
                offset?: number;
                /**
                 * @description Only records with this text in one of their fields, in any letter case.
                 * @example kick-off
                 */
                q?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Kind of record.
                 * @example recordings
                 */
                resource: components["parameters"]["Resource"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of records that match. */
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
            header?: never;
            path: {
                /**
                 * @description Kind of record.
                 * @example recordings
                 */
                resource: components["parameters"]["Resource"];
            };
            cookie?: never;
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
            header?: never;
            path: {
                /**
                 * @description Kind of record.
                 * @example recordings
                 */
                resource: components["parameters"]["Resource"];
                /**
                 * @description Id of a record.
                 * @example rec_kickoff
                 */
                record: components["parameters"]["RecordId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Record"];
            "4XX": components["responses"]["Refused"];
        };
    };
    deleteRecord: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Kind of record.
                 * @example recordings
                 */
                resource: components["parameters"]["Resource"];
                /**
                 * @description Id of a record.
                 * @example rec_kickoff
                 */
                record: components["parameters"]["RecordId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    editRecord: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Kind of record.
                 * @example recordings
                 */
                resource: components["parameters"]["Resource"];
                /**
                 * @description Id of a record.
                 * @example rec_kickoff
                 */
                record: components["parameters"]["RecordId"];
            };
            cookie?: never;
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
            header?: never;
            path: {
                /**
                 * @description Id of a recording that is not final.
                 * @example rec_weekly
                 */
                record: string;
            };
            cookie?: never;
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
                     * @description How it ends.
                     * @default completed
                     * @enum {string}
                     */
                    outcome?: "completed" | "failed";
                    /** @description So many transitions only, e.g. 1: from pending to processing. */
                    steps?: number;
                    /** @description It is processing at once, and ends when the world's clock has moved on so far. */
                    afterSeconds?: number;
                };
            };
        };
        responses: {
            /** @description The recording now, and what its status went through. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        recording: components["schemas"]["Recording"];
                        path: components["schemas"]["RecordingStatus"][];
                        /** @description What is still to come, on the world's clock. */
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
            header?: never;
            path?: never;
            cookie?: never;
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
                    /** @description Id of the user. */
                    user: string;
                    /**
                     * @default access
                     * @enum {string}
                     */
                    kind?: "access" | "refresh" | "pat";
                    /** @description Seconds of the world's time. Without it, as the profile says. */
                    lifetime?: number;
                    /**
                     * @description What is wrong with it.
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
                headers: {
                    [name: string]: unknown;
                };
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
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "pat_0123456789abcdef.secret"
                 *     }
                 */
                "application/json": {
                    /** @description The token as it was given out. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description What was ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
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
    getClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Clock"];
            "4XX": components["responses"]["Refused"];
        };
    };
    freezeClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "at": "2030-01-01T00:00:00.000Z"
                 *     }
                 */
                "application/json": {
                    at?: components["schemas"]["Moment"];
                };
            };
        };
        responses: {
            200: components["responses"]["Clock"];
            "4XX": components["responses"]["Refused"];
        };
    };
    setClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "at": "2030-01-01T00:00:00.000Z"
                 *     }
                 */
                "application/json": {
                    at: components["schemas"]["Moment"];
                };
            };
        };
        responses: {
            200: components["responses"]["Clock"];
            "4XX": components["responses"]["Refused"];
        };
    };
    advanceClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "seconds": 3600
                 *     }
                 */
                "application/json": {
                    seconds: number;
                };
            };
        };
        responses: {
            200: components["responses"]["Clock"];
            "4XX": components["responses"]["Refused"];
        };
    };
    releaseClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "to": "machine"
                 *     }
                 */
                "application/json": {
                    /**
                     * @default here
                     * @enum {string}
                     */
                    to?: "here" | "machine";
                };
            };
        };
        responses: {
            200: components["responses"]["Clock"];
            "4XX": components["responses"]["Refused"];
        };
    };
    listFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Faults"];
            "4XX": components["responses"]["Refused"];
        };
    };
    disarmFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Disarmed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    armFault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a fault; GET /faults lists them.
                 * @example title-truncated
                 */
                fault: components["parameters"]["FaultId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "operation": "updateRecording",
                 *       "times": 3,
                 *       "probability": 0.5
                 *     }
                 */
                "application/json": components["schemas"]["FaultTerms"];
            };
        };
        responses: {
            /** @description The fault as it is armed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
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
            header?: never;
            path: {
                /**
                 * @description Id of a fault; GET /faults lists them.
                 * @example title-truncated
                 */
                fault: components["parameters"]["FaultId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Disarmed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    getProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Profile"];
            "4XX": components["responses"]["Refused"];
        };
    };
    replaceProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
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
            header?: never;
            path?: never;
            cookie?: never;
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
    queryJournal: {
        parameters: {
            query?: {
                /**
                 * @description How many at the most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Only entries after that one.
                 * @example 41
                 */
                after?: components["parameters"]["JournalAfter"];
                /**
                 * @description Only that method.
                 * @example PATCH
                 */
                method?: components["parameters"]["JournalMethod"];
                /**
                 * @description Only URLs with this text in them.
                 * @example /recordings/
                 */
                path?: components["parameters"]["JournalPath"];
                /**
                 * @description Only that status, or that class of statuses.
                 * @example 4xx
                 */
                status?: components["parameters"]["JournalStatus"];
                /**
                 * @description Only that operation.
                 * @example updateRecording
                 */
                operation?: components["parameters"]["JournalOperation"];
                /**
                 * @description Only requests made as that user (id).
                 * @example usr_ada
                 */
                user?: components["parameters"]["JournalUser"];
                /**
                 * @description Only answers that this gap decided.
                 * @example error-body
                 */
                gap?: components["parameters"]["JournalGap"];
                /**
                 * @description Only answers that this fault was in.
                 * @example title-truncated
                 */
                fault?: components["parameters"]["JournalFault"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Entries that match. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Requests since the journal was cleared, forgotten ones included. */
                        total: number;
                        /** @description Entries that are still there. */
                        kept: number;
                        /** @description Entries that are kept at the most. */
                        capacity: number;
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
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Forgotten. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
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
                 * @description Entries after this one come first.
                 * @example 41
                 */
                "last-event-id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
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
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The HAR file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    getJournalEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of an entry.
                 * @example 42
                 */
                entry: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JournalEntry"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
}
