// Written by `npm run openapi`: change the routes instead.

export interface paths {
    "/admin/v1/sends/refusals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the sends that were refused before a charge, newest first
         * @description By code and minute, in sight 75 seconds later at most. Counted while the account may write without paying. A page looks at up to 5,000 rows, and at documents of about 1 MB. It may therefore be shorter than `limit`, even empty, while `nextCursor` is set: go on with that until it is null.
         */
        get: operations["findSendRefusals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sends": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List attempts to send and what became of each, newest first
         * @description Every send that reserved a charge, refused ones included; what was refused before is counted at `/v1/sends/refusals`. A page looks at up to 5,000 rows, and at documents of about 1 MB. It may therefore be shorter than `limit`, even empty, while `nextCursor` is set: go on with that until it is null. Without an account, `requestId` is looked for in the 200 newest.
         */
        get: operations["findSends"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/scheduled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the scheduled sends of an account, newest first
         * @description What waits for its time, and what became of it.
         */
        get: operations["listAccountScheduled"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the jobs of an account, newest first
         * @description Without their rows.
         */
        get: operations["listAccountJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/administrators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List administrators, without their tokens
         * @description The list never shows tokens.
         */
        get: operations["listAdministrators"];
        put?: never;
        /**
         * Create an administrator; the token is shown only here
         * @description The root administrator, whose token is in the environment, creates the first one. An `auditor` may only read, verify and export.
         */
        post: operations["createAdministrator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/administrators/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an administrator for good
         * @description Within a second no instance accepts the token. A repeated call changes nothing.
         */
        post: operations["revokeAdministrator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the people of an organisation, or the operators
         * @description Newest first.
         */
        get: operations["listPeople"];
        put?: never;
        /**
         * Invite a person, with a link that works once
         * @description Hand the link to the person, who chooses a password with it within 72 hours. Nobody gives a role above his own, or accounts that he has not.
         */
        post: operations["createPerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/people/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one person, with the sessions that are open
         * @description A session lasts 8 hours, unless it is ended before.
         */
        get: operations["getPerson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the name, the role or the accounts of a person
         * @description Within a second it holds for all sessions of the person.
         */
        patch: operations["updatePerson"];
        trace?: never;
    };
    "/admin/v1/people/{id}/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make another invitation; earlier ones work no more
         * @description Also for a person who has forgotten the password.
         */
        post: operations["invitePersonAgain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/people/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End all sessions of a person
         * @description On all instances, within a second.
         */
        delete: operations["endPersonSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/people/{id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suspend a person
         * @description Within a second the person is signed out everywhere. A repeated call changes nothing.
         */
        post: operations["suspendPerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/people/{id}/reinstate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reinstate a suspended person
         * @description The person may sign in again. A repeated call changes nothing.
         */
        post: operations["reinstatePerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/people/{id}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase a person who leaves, for good
         * @description The person is signed out at once. The key of the name, the e-mail, the password and the passkeys is destroyed; what the person did stays, by "a former person". Read the erasure until its state is `done`.
         */
        post: operations["erasePerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what administrators and people did, newest first
         * @description From the log: grants, keys, limits, numbers, plans, people, erasures, sign-ins, bots, submitted templates, webhooks, jobs, and scheduled sends that were changed or cancelled. What holders of API keys did is not listed, but for sign-ins.
         */
        get: operations["listActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/organisations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List organisations, newest first
         * @description Newest first.
         */
        get: operations["listOrganisations"];
        put?: never;
        /**
         * Create an organisation
         * @description The legal owner of accounts. Open an account under it next.
         */
        post: operations["createOrganisation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/organisations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one organisation
         * @description Shows whether the organisation is suspended, and why.
         */
        get: operations["getOrganisation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set what needs the yes of two people
         * @description Grants and other movements of money (`grant`), a change of plan (`plan`), erasures (`erasure`): who asks for one is answered 202, and another administrator approves it within 24 hours. It takes two administrators to switch it on, and to switch it off, which waits for another, too.
         */
        patch: operations["updateOrganisation"];
        trace?: never;
    };
    "/admin/v1/organisations/{id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suspend an organisation: all its keys answer 403
         * @description Within a second every instance answers its keys with 403 `ORG_SUSPENDED`; its bots stop, and running batches skip the rest. A repeated call changes nothing.
         */
        post: operations["suspendOrganisation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/organisations/{id}/reinstate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reinstate a suspended organisation
         * @description The keys of the organisation work again. A repeated call changes nothing.
         */
        post: operations["reinstateOrganisation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/organisations/{id}/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open an account of an organisation
         * @description An account has its own balance, plan, caps, numbers, templates, bots and keys. The default plan is the built-in `standard`.
         */
        post: operations["createOrganisationAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List accounts, newest first
         * @description Newest first.
         */
        get: operations["listAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one account
         * @description Shows balance, plan, caps and usage.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Put an account on a plan
         * @description Applies from the next send on. Answers 409 when the plans count in different units and a balance is left: bring it to zero first.
         */
        put: operations["setAccountPlan"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set sending caps; null uncaps, what is not named stays
         * @description Absent fields stay as they are; null removes a cap. `paused` stops all sends at once. `strict` refuses sends with wrong variables or an impossible number, unless their body says `strict: false`. `directSend` lets events go out that have no approved template yet. `quietHours` holds marketing and utility sends. The service checks paused, perMinute, daily and monthly, in this order.
         */
        patch: operations["updateAccountLimits"];
        trace?: never;
    };
    "/admin/v1/accounts/{id}/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set for how long an account keeps personal data; null for ever
         * @description The keys of a month are destroyed when it ended that many months ago, for good: a longer time set later brings nothing back. Amounts, prices, templates, events and times stay.
         */
        patch: operations["updateAccountRetention"];
        trace?: never;
    };
    "/admin/v1/accounts/{id}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks of an account, newest first
         * @description Without their secrets.
         */
        get: operations["listAccountWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the keys of an account, without their secrets
         * @description Newest first, without secrets.
         */
        get: operations["listAccountKeys"];
        put?: never;
        /**
         * Create an API key; the key itself is shown only here
         * @description The service stores only a keyed hash of the key.
         */
        post: operations["createAccountKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/keys/{id}/deactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch a key off for now
         * @description The key receives 401 until it is activated, and its running batches skip the rest. A repeated call changes nothing.
         */
        post: operations["deactivateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/keys/{id}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch a key on again
         * @description A deactivated key works again; a revoked key stays revoked. A repeated call changes nothing.
         */
        post: operations["activateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/keys/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a key for good
         * @description Within a second no instance accepts the key. A running send finishes; running batches skip the rest. A repeated call changes nothing.
         */
        post: operations["revokeKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/numbers/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the health of all linked numbers, those linked last first
         * @description What the provider has said of each number, and whether its statuses come. `POST /api/admin/v1/numbers/:phoneNumberId/refresh` reads a number at the provider again.
         */
        get: operations["getNumberHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/numbers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the numbers of an account, newest first
         * @description Shows every linked number.
         */
        get: operations["listAccountNumbers"];
        put?: never;
        /**
         * Link a number; with a token the provider is asked what it is
         * @description With a token the service reads the number from the provider, whose fields replace the given ones. While the provider is out of reach the given ones stay. The service also subscribes the app of the token to the business account; `subscribed` shows the result.
         */
        post: operations["createAccountNumber"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/numbers/{phoneNumberId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one number
         * @description Never shows the token.
         */
        get: operations["getNumber"];
        put?: never;
        post?: never;
        /**
         * Unlink a number; its history stays
         * @description The account keeps its messages and conversations. Runs of its bots at this number end. Another account that links the number starts from nothing.
         */
        delete: operations["deleteNumber"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/numbers/{phoneNumberId}/access-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the access token of a number, or take it away with null
         * @description After null the number is no longer configured. A new token subscribes its app to the business account.
         */
        put: operations["setNumberAccessToken"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/numbers/{phoneNumberId}/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a number for the hosted interface with its two-step PIN
         * @description The provider refuses sends from an unregistered number with 133010. The service does not store the PIN.
         */
        post: operations["registerNumber"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/numbers/{phoneNumberId}/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read a number from the provider again
         * @description Reads name, rating and registration, and subscribes the app of the token where it is not. The provider's notices do the same.
         */
        post: operations["refreshNumber"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/numbers/{phoneNumberId}/readiness": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show which events can be sent from a number
         * @description All 18 events with their states, and what keeps the number from sending.
         */
        get: operations["getNumberReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/numbers/{phoneNumberId}/catalog/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit the catalog, or some of its events, for approval
         * @description For the account of the number. Read the number's readiness with refresh=true until the events are ready.
         */
        post: operations["submitNumberCatalog"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/credits/grant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Grant credits
         * @description Only on a credit plan. The ledger keeps the movement, its reason and the administrator for ever.
         */
        post: operations["grantAccountCredit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/credits/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take credits back, not below zero
         * @description Answers 409 below zero. The ledger keeps the movement, its reason and the administrator for ever.
         */
        post: operations["revokeAccountCredit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/wallet/top-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Top a wallet up
         * @description Only on a wallet plan. The ledger keeps the movement, its reason and the administrator for ever.
         */
        post: operations["topUpAccountWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/wallet/adjust": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adjust a wallet up or down, not below zero
         * @description A GRANT or a REVOKE, by its sign. Answers 409 below zero. The ledger keeps the movement, its reason and the administrator for ever.
         */
        post: operations["adjustAccountWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the ledger of an account, newest first, its whole history
         * @description The sum of all amounts is the balance. A page looks at up to 5,000 rows, and at documents of about 1 MB. It may therefore be shorter than `limit`, even empty, while `nextCursor` is set: go on with that until it is null.
         */
        get: operations["getAccountLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the balance at a moment, from the event stream itself
         * @description Computed from the events, not from the read models.
         */
        get: operations["getAccountBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/charges/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a charge: its price, its message, and why it was given back
         * @description By the id that a message, a row of the ledger and a seal have. A refused send has a charge too, and no message.
         */
        get: operations["getAccountCharge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/ledger/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify the books: the log by itself, and what is shown against the log
         * @description Reads every event up to now. `problemCount` counts all problems, the first 1,000 are listed.
         */
        post: operations["verifyLedger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/ledger/verify/follow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify the books, and follow how far it has come, as server-sent events
         * @description Each message has the progress, and the last one the result: without it nothing is verified. Whoever closes the connection ends the work. A verification that was interrupted begins anew, because it holds the books of all accounts while it runs.
         */
        post: operations["followLedgerVerify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the events of an account as the log holds them, oldest first
         * @description What replays, exports and their checks are made of. Go on at `nextFrom`. With `since`, the page begins up to 30 minutes before that time, as clocks may differ.
         */
        get: operations["listAccountEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the events of an account and of its messages as the log holds them
         * @description What an export with messages is made of: in the order of the log, what is personal sealed. A page looks at some events of the whole log, and may be empty while `nextAfter` is set: go on with that.
         */
        get: operations["getAccountHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/books": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the statements of an account tell beside its events
         * @description An export ends with it, so that statements can be made of the export alone.
         */
        get: operations["listAccountBooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/ledger/seals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the seals of the ledger, oldest first
         * @description Each seal is a signed statement of all movements and records up to its position.
         */
        get: operations["listLedgerSeals"];
        put?: never;
        /**
         * Seal the ledger now
         * @description The service does it once a day by itself. Reads what the log has added since.
         */
        post: operations["createLedgerSeal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/ledger/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prove a charge in its seal, or an account in the last seal
         * @description With `chargeId` as the holder of a key gets it; with `accountId` for an export.
         */
        get: operations["getLedgerProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the statement of a month, counted from the log
         * @description Every link of the hash chain in the period counts once. `opening`, `grants`, `charges` and `refunds` make `closing`. A movement belongs to the period of its time. Ends of periods are in UTC.
         */
        get: operations["getAccountStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/reconciliation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare what was charged with what the provider bills
         * @description Counted from the log: each charge of the period with the statuses of its message up to now. With `provider=true` the volumes of the business accounts are compared, too.
         */
        get: operations["getReconciliation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/what-if": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide the same history under other rules
         * @description The sends of a period are priced and decided again, with another plan, rate card or caps; grants stay. Reads only. A send that was refused then stays refused. Read the answer until its `state` is `done` or `failed`.
         */
        post: operations["whatIf"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/what-if/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what would have been
         * @description Counted from the log. `differences` add up to the difference of `cost.sold`. An instance keeps an answer for 10 minutes, and counts it again after that.
         */
        get: operations["getWhatIf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List plans, newest first, the built-in one last
         * @description The newest version of each plan, with the built-in one.
         */
        get: operations["listPlans"];
        put?: never;
        /**
         * Create a plan
         * @description A plan defines how sends are billed. Assign it to accounts next.
         */
        post: operations["createPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/plans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one plan
         * @description Its newest version.
         */
        get: operations["getPlan"];
        /**
         * Change a plan: a new version, charges made keep theirs
         * @description Creates a new version for later sends; earlier charges keep theirs.
         */
        put: operations["replacePlan"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/rate-cards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List rate cards, newest first, the built-in one last
         * @description Published cards and the built-in one.
         */
        get: operations["listRateCards"];
        put?: never;
        /**
         * Publish what the provider takes from a date on
         * @description The provider's prices from a date on. The card in force at the time of a send counts; earlier sends keep their price.
         */
        post: operations["createRateCard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find messages of any account, newest first
         * @description Of one account, or of all. Without an account, `clientReference` is looked for in the 1,000 newest. A page looks at up to 5,000 rows, and at documents of about 1 MB. It may therefore be shorter than `limit`, even empty, while `nextCursor` is set: go on with that until it is null.
         */
        get: operations["findMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/messages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a message of any account, with every event of it
         * @description By the provider's id of the message. Shows the account that it belongs to, and what the provider takes for it.
         */
        get: operations["getMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what the provider sent and could not be taken in, newest first
         * @description Items that the service did not understand, and items for numbers that are not linked. The log keeps all of them.
         */
        get: operations["listDeadLetters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/dead-letters/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one dead letter, with the whole item as it came
         * @description The list cuts `raw` after 8,000 characters; this is all of it.
         */
        get: operations["getDeadLetter"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/dead-letters/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try to take a dead letter in again
         * @description After the link of its number, or after an upgrade. A success resolves the item. An erased item can only be dismissed.
         */
        post: operations["retryDeadLetter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/dead-letters/{id}/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a dead letter without taking it in
         * @description A repeated call is no error, and a resolved item stays resolved.
         */
        post: operations["dismissDeadLetter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/erasures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List erasures, newest first
         * @description No erasure names its contact.
         */
        get: operations["listErasures"];
        put?: never;
        /**
         * Erase everything about a contact, for good
         * @description Destroys the keys of its data, under all of its ids, and empties the read models: texts, contents, parameters, names and numbers are null afterwards, everywhere and in every rebuild. Balances, ledger and chain stay as they are. A later message of the contact begins anew. Read the erasure until its state is `done`.
         */
        post: operations["createErasure"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/erasures/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one erasure
         * @description Shows its state, and what was found.
         */
        get: operations["getErasure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/contacts/{contact}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export all that is held of a contact
         * @description By digits, `+` and digits, or the provider's id of a customer, with everything under its other ids. A contact of whom nothing is held has no accounts. A connection that ends before the closing bracket brought a part only.
         */
        get: operations["getContactExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/projections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show how far each read model has read the log
         * @description A halted projection met an event that it cannot read; the others go on.
         */
        get: operations["listProjections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/projections/{name}/rebuild": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fill a read model anew from the log; the old one serves meanwhile
         * @description Sends, forwards and charges nothing. `rebuild` shows the progress.
         */
        post: operations["rebuildProjection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/secret/rotations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a new key for tokens and for the hashes of keys
         * @description Access tokens, secrets of webhooks, sessions, and hashes of API keys and tokens that are made from `from` on are under it; by then every instance has read it. Earlier ones stay valid.
         */
        post: operations["createSecretRotation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/renew-secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put what an account holds of secrets under the newest key
         * @description The access tokens of its numbers, the secrets of its webhooks, and the hashes of its API keys. All of them stay valid. A repeated call changes nothing.
         */
        post: operations["createAccountRenewSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/administrators/{id}/renew-secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put the hash of an administrator's token under the newest key
         * @description The token stays valid. A repeated call changes nothing.
         */
        post: operations["createAdministratorRenewSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/backups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the backups at `WAYBILL_BACKUP_TO`
         * @description Newest first. Of those that the command made at the same place, too.
         */
        get: operations["listBackups"];
        put?: never;
        /**
         * Make a backup of the log and of the data keys now
         * @description The copy is verified, and goes to `WAYBILL_BACKUP_TO`; older ones beyond `WAYBILL_BACKUP_KEEP` are removed there. Goes on when the caller leaves.
         */
        post: operations["createBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show sends, failures, refunds and spend of the last hours, of all accounts
         * @description Counted by hours of UTC, the present one included.
         */
        get: operations["getServiceOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what waits, or waited, for the yes of another person; newest first
         * @description A page looks at up to 5,000 rows, and at documents of about 1 MB. It may therefore be shorter than `limit`, even empty, while `nextCursor` is set: go on with that until it is null.
         */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/approvals/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say yes to what another person asked for, which is then done
         * @description One's own request is 403; the root token is one person. A repeated call does nothing twice.
         */
        post: operations["approveApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/approvals/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say no to what waits; also to what one asked for oneself
         * @description A repeated call changes nothing.
         */
        post: operations["rejectApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/console-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a link that signs the holder of the credential in to the console, once
         * @description The link works once, for 10 minutes, with the rights of the credential. Hand it to nobody else.
         */
        post: operations["createAdministratorConsoleLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/find": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find whatever an id, a number or a name stands for
         * @description Ids of messages, charges, ledger rows, numbers, bots, accounts and keys; numbers and user ids of customers; references of yours; names; the `X-Request-Id` of an answer, which leads to what the request charged. Up to ten of each kind. Names are those of the newest 1,000, of customers, for roles that see them, those who wrote last. A request id that the service made is found by its time, one of your own among the newest 10,000 movements.
         */
        get: operations["findAnywhere"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow what happens, as server-sent events
         * @description Each message has the events of half a second as JSON, without personal data. The connection ends after 5 minutes; a browser connects again by itself, and reads then what it shows.
         */
        get: operations["followService"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    inboundMessage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A customer wrote: what your callback URL receives
         * @description Posted once to the URL of `PATCH /v1/phones/{phoneNumberId}/webhook`, with 5 seconds to answer and no second try. It carries no signature: put a secret segment in the URL, compare it in constant time, and trust nothing else in the body but `from`. The same message can come twice; `message.id` tells. Answer 200 at once and work afterwards. A request to stop arrives as an ordinary text: record it, and check it before each marketing message.
         */
        post: operations["receiveInboundMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Account: {
            /** @description Id of the account. */
            id: string;
            /** @description Id of the organisation that owns the account. */
            organisationId: string;
            /** @description Name of the account. */
            name: string;
            /** @description Id of the billing plan; `standard` is built in. */
            planId: string;
            /**
             * @description Unit of the balance: whole credits, or money.
             * @enum {string}
             */
            billing: "credits" | "wallet";
            /** @description ISO 4217 code. */
            currency: string;
            /** @description Whole credits, or a decimal string of money. */
            balance: number | string;
            /** @description The caps of the account. */
            limits: components["schemas"]["AccountLimits"];
            /** @description Why the service paused the account; else null. */
            pausedReason: string | null;
            /** @description Months after whose end personal data are kept; null for ever. */
            contentRetentionMonths: number | null;
            /** @description Outbound messages that count against the caps. */
            usage: components["schemas"]["Usage"];
            /**
             * Format: date-time
             * @description Time of creation, ISO 8601.
             */
            createdAt: string;
        };
        AccountCharge: {
            /** @description Id of the charge. */
            id: string;
            /**
             * @description `open` until its message is recorded or it is given back.
             * @enum {string}
             */
            state: "open" | "kept" | "refunded";
            /**
             * Format: date-time
             * @description Time of the reservation, ISO 8601.
             */
            at: string;
            /** @description Event key, `template:<name>` or `bot:<id>`. */
            reason: string;
            /** @description The recipient, digits only; null once erased. */
            recipient: string | null;
            /** @description The provider's phone number id. */
            phoneNumberId: string | null;
            /** @description What it took, in credits or as a decimal string of money. */
            amount: string;
            /** @description `credits`, or the currency of the wallet. */
            unit: string;
            /** @description How the price was made. */
            price: {
                /**
                 * @description Category of the price.
                 * @enum {string}
                 */
                category: "MARKETING" | "UTILITY" | "AUTHENTICATION" | "SERVICE";
                /** @description Market of the recipient on the rate card. */
                market: string;
                /** @description Country of the recipient, ISO 3166. */
                countryCode: string;
                /** @description Price of the message, a decimal string. */
                sellPrice: string;
                /** @description ISO 4217 code of the price. */
                currency: string;
                /** @description Plan under which it was priced. */
                planId: string;
                /** @description Version of the plan. */
                planVersion: number;
            };
            /** @description Null unless it was given back. */
            refund: {
                /**
                 * @description Why it was given back.
                 * @enum {string}
                 */
                cause: "not_sent" | "unknown_outcome" | "disconnected" | "delivery_failed" | "swept";
                /**
                 * Format: date-time
                 * @description Time of the refund, ISO 8601.
                 */
                at: string;
            } | null;
            /** @description The message that it paid; null where none is recorded. */
            message: components["schemas"]["Message"] | null;
            /** @description The `X-Request-Id` of the request that sent it. */
            requestId: string;
            /** @description Position of the reservation in the log: opaque. */
            position: string;
            /** @description Its place in the account's chain, from 1. */
            sequence: number;
            /** @description Hash of this movement and all before it. */
            hash: string;
            /** @description Id of the owning account. */
            accountId: string;
        };
        AccountLimits: {
            /** @description Messages in any 60 seconds; null for no cap. */
            perMinute: number | null;
            /** @description Messages in a UTC day; null for no cap. */
            daily: number | null;
            /** @description Messages in a UTC month; null for no cap. */
            monthly: number | null;
            /** @description Whether the account sends nothing at all. */
            paused: boolean;
            /** @description Whether sends are strict where their body does not say it. */
            strict: boolean;
            /**
             * @description Whether an event of category UTILITY or AUTHENTICATION that has no approved template goes out without one (Direct Send): `fallback`, or `off`, the default.
             * @enum {string}
             */
            directSend: "off" | "fallback";
            /** @description IANA name: of recipients whose own time zone is not known, for hours of sends; `UTC` by default. */
            timeZone: string;
            /** @description Hours of the day, on the clock of the recipient, in which sends of a category are held until they end; null for none. Authentication and free-form replies are never held. */
            quietHours: {
                /** @description Of marketing. */
                MARKETING?: {
                    /** @description When they begin, such as `21:00`. */
                    from: string;
                    /** @description When they end, such as `08:00`; this moment is not in them. */
                    until: string;
                };
                /** @description Of utility messages. */
                UTILITY?: {
                    /** @description When they begin, such as `21:00`. */
                    from: string;
                    /** @description When they end, such as `08:00`; this moment is not in them. */
                    until: string;
                };
            } | null;
            /** @description The balance below which `account.balance_low` tells; null for none. */
            balanceLow: number | string | null;
        };
        AccountSend: {
            /** @description Id of the charge, as in the ledger. */
            id: string;
            /** @description The `X-Request-Id` of the request that sent it. */
            requestId: string;
            /**
             * Format: date-time
             * @description Time of the reservation, ISO 8601.
             */
            at: string;
            /** @description The recipient, digits only; null once erased, or while the number is not known. */
            to: string | null;
            /** @description The provider's id of the customer; null where the provider gave none. */
            contactUserId: string | null;
            /** @description The provider's phone number id. */
            phoneNumberId: string | null;
            /**
             * @description `api` for `/v1/messages/send`, `gateway` for `/graph`.
             * @enum {string}
             */
            source: "notification" | "api" | "bot" | "gateway";
            /** @description Event key of the catalog. */
            event: string | null;
            /** @description The provider's name of the template. */
            templateName: string | null;
            /**
             * @description `direct` for an event without a template; `text` for every other one without.
             * @enum {string}
             */
            channel: "template" | "direct" | "text";
            /**
             * @description Category of the price.
             * @enum {string}
             */
            category: "MARKETING" | "UTILITY" | "AUTHENTICATION" | "SERVICE";
            /** @description Price of the message, a decimal string. */
            price: string;
            /** @description ISO 4217 code of the price. */
            currency: string;
            /**
             * @description `refused` by the provider, `unreachable` (certainly not sent), `unknown` (no answer in time), `not_sent` (no number or no template), `disconnected` (the caller hung up), `swept` (a crash left it open).
             * @enum {string}
             */
            state: "pending" | "accepted" | "refused" | "unreachable" | "unknown" | "not_sent" | "disconnected" | "swept";
            /** @description The provider's message id, once there is one. */
            metaMessageId: string | null;
            /** @description Why it was not sent, where that is known. */
            error: components["schemas"]["SendFailure"] | null;
            /** @description What was reserved: credits, or a decimal string of money. */
            charged: number | string;
            /** @description What was given back, in the same unit. */
            refunded: number | string;
            /** @description Time of the provider's call in milliseconds; null without one. */
            tookMs: number | null;
            /** @description Id of the owning account. */
            accountId: string;
        };
        AccountSendRefusals: {
            /** @description As in the answer; `CAP_PER_MINUTE`, `CAP_DAILY`, `CAP_MONTHLY`, `PAUSED`, `WINDOW_CLOSED`, `STRICT`, `PROVIDER_RULE` or `SUSPENDED` where that has none. */
            code: string;
            /**
             * Format: date-time
             * @description Beginning of the minute, ISO 8601.
             */
            minute: string;
            /** @description Sends that were refused. */
            count: number;
            /** @description The `X-Request-Id` of the first one. */
            firstRequestId: string;
            /** @description The `X-Request-Id` of the last one. */
            lastRequestId: string;
            /** @description The last recipient; null without one, and once erased. */
            to: string | null;
            /** @description Id of the owning account. */
            accountId: string;
        };
        AccountStart: {
            /** @description Revision of the first event. */
            revision: number;
            /**
             * @description What the account counted in before.
             * @enum {string}
             */
            billing: "credits" | "wallet";
            /** @description ISO 4217 code of the prices, and of a wallet. */
            currency: string;
            /** @description Credits, or millionths of the currency. */
            balance: number;
            /** @description Number of the last link before. */
            sequence: number;
            /** @description Hash of the last link before. */
            hash: string;
        };
        AccountWebhook: {
            /** @description Id of the webhook. */
            id: string;
            /** @description Where the events are posted to. */
            url: string;
            /** @description The events that it receives. */
            events: ("message.received" | "message.sent" | "message.delivered" | "message.read" | "message.failed" | "template.status" | "number.quality" | "job.finished" | "job.paused" | "scheduled.refused" | "account.balance_low" | "account.paused")[];
            /**
             * @description `standard`: after Standard Webhooks. `graph`: as the provider posts to webhooks.
             * @enum {string}
             */
            format: "standard" | "graph";
            /** @description Free text. */
            description: string | null;
            /**
             * @description A disabled one receives nothing.
             * @enum {string}
             */
            state: "active" | "disabled";
            /** @description `owner`: by `PATCH`. `gone`: it answered 410. `failing`: no call succeeded for five days. Null while it is active. */
            disabledReason: ("owner" | "gone" | "failing") | null;
            /** @description Until then deliveries also have a signature of the secret before the rotation. */
            previousSecretUntil: string | null;
            /** @description The replay that is running; null without one. */
            replay: {
                /** @description Id of the replay. */
                id: string;
                /**
                 * Format: date-time
                 * @description Events since then are delivered once more, ISO 8601.
                 */
                since: string;
                /**
                 * Format: date-time
                 * @description Time of the request, ISO 8601.
                 */
                startedAt: string;
            } | null;
            /**
             * Format: date-time
             * @description Time of creation, ISO 8601.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last change, ISO 8601.
             */
            updatedAt: string;
            /** @description Of its newest 20 deliveries, those that failed, or wait after a call that failed. */
            failing: number;
        };
        Action: {
            /** @description Position of its event in the log: opaque. */
            id: string;
            /** @description Type of the event, such as `CreditsGranted`. */
            type: string;
            /**
             * Format: date-time
             * @description Time of the action, ISO 8601.
             */
            at: string;
            /** @description Who did it; null for the holder of an API key. */
            by: components["schemas"]["Actor"] | null;
            /** @description Id of the account that it concerns, or null. */
            accountId: string | null;
            /** @description Id of what was changed, or null. */
            subject: string | null;
            /** @description Its name now, of a number the number; null where it has none, or is gone. */
            subjectName: string | null;
            /** @description The `X-Request-Id` of the request. */
            requestId: string;
        };
        Actor: {
            /** @description Id of the administrator or the person. */
            id: string;
            /** @description E-mail; absent once the person is erased. */
            email?: string;
            /** @description Name; absent once the person is erased. */
            name?: string;
        };
        Administrator: {
            /** @description Id of the administrator. */
            id: string;
            /** @description Name of the administrator. */
            name: string;
            /** @description Shown with every act of the administrator. */
            email: string;
            /**
             * @description An `auditor` may only read, verify and export.
             * @enum {string}
             */
            role: "admin" | "auditor";
            /**
             * @description `revoked` is final.
             * @enum {string}
             */
            state: "active" | "revoked";
            /**
             * Format: date-time
             * @description Time of creation, ISO 8601.
             */
            createdAt: string;
        };
        Approval: {
            /** @description Id of the approval. */
            id: string;
            /**
             * @description What waits.
             * @enum {string}
             */
            operation: "grant" | "plan" | "erasure";
            /**
             * @description What became of it.
             * @enum {string}
             */
            state: "waiting" | "approved" | "rejected" | "expired";
            /** @description Whose; null for an erasure everywhere. */
            organisationId: string | null;
            /** @description Id of the account, or null for all. */
            accountId: string | null;
            /** @description Method and path of the request that waits. */
            route: string;
            /** @description Its body, without the contact. */
            body: {
                [key: string]: unknown;
            };
            /** @description Who asked for it. */
            requestedBy: components["schemas"]["Actor"];
            /** @description Who decided, or null. */
            decidedBy: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description Time of the request, ISO 8601.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Until then it waits, ISO 8601.
             */
            expiresAt: string;
        };
        /** @description The organisation asks two people for this, and one person is not two. */
        ApprovalOwnProblem: {
            error: string;
            /** @constant */
            code: "APPROVAL_OWN";
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
        };
        /** @description The request was approved, rejected, or waited for more than 24 hours. */
        ApprovalSettledProblem: {
            error: string;
            /** @constant */
            code: "APPROVAL_SETTLED";
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
        };
        Backup: {
            /** @description Its name at its place: its time. */
            name: string;
            /** @description Format of its manifest. */
            format: number;
            /**
             * Format: date-time
             * @description When it was begun, ISO 8601.
             */
            takenAt: string;
            /** @description Position of its newest event. */
            position: string;
            /** @description Number of events. */
            events: number;
            /** @description Hash of its log, in hex. */
            sha256: string;
        };
        /** @description No backup was made, or the place of the backups cannot be read; the text says why. */
        BackupFailedProblem: {
            error: string;
            /** @constant */
            code: "BACKUP_FAILED";
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
        };
        /** @description A backup is being made, and one is made at a time. */
        BackupRunningProblem: {
            error: string;
            /** @constant */
            code: "BACKUP_RUNNING";
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
        };
        /** @description The service knows no place for backups: set `WAYBILL_BACKUP_TO`. */
        BackupUnsetProblem: {
            error: string;
            /** @constant */
            code: "BACKUP_UNSET";
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
        };
        BillingDifference: {
            /**
             * @description What does not agree, to branch on.
             * @enum {string}
             */
            kind: "charged_not_billable" | "billed_not_charged" | "other_category" | "failed_kept" | "no_word";
            /** @description True where the account's plan wants it so. */
            byPlan: boolean;
            /** @description Id of the account. */
            accountId: string;
            /** @description Null for a message not sent from here. */
            chargeId: string | null;
            /** @description The provider's id; null without one, and once it is erased. */
            messageId: string | null;
            /** @description Time of the charge, or of the first status without one, ISO 8601. */
            at: string;
            /** @description Category of the charge. */
            category: string | null;
            /** @description Country of the charge. */
            countryCode: string | null;
            /** @description What the account paid, in `unit`: credits, or millionths of a currency. */
            amount: number;
            /** @description `credits` or a currency. */
            unit: string | null;
            /** @description Why it was given back, or null. */
            refundCause: string | null;
            /** @description The highest status, or null. */
            status: string | null;
            /** @description The provider's words. */
            billedAs: {
                /** @description Such as `regular` or `free_entry_point`. */
                type: string | null;
                /** @description Such as `AUTHENTICATION_INTERNATIONAL`. */
                category: string | null;
            };
            /** @description What the provider bills less what was recorded as its cost, a decimal string in `currency`; null where it has not said, or no rate card has its rate. */
            difference: string | null;
            /** @description ISO 4217 code; null without a charge. */
            currency: string | null;
            /** @description Whether the id of the message was erased. */
            erased: boolean | null;
        };
        ConsoleLink: {
            /** @description Path and fragment, to be put after the origin of the service. */
            path: string;
            /**
             * Format: date-time
             * @description Time after which the link signs nobody in, ISO 8601.
             */
            expiresAt: string;
        };
        ContactExport: {
            /** @description The contact as it was asked for. */
            contact: string;
            /** @description The accounts that hold something of the contact. */
            accounts: {
                /** @description Id of the account. */
                accountId: string;
                /** @description Ids of the contact that belong together, and since when. */
                joins: {
                    [key: string]: unknown;
                }[];
                /** @description Messages in both directions, as `/v1/messages` shows them. */
                messages: {
                    [key: string]: unknown;
                }[];
                /** @description Conversations, with the newest message of each. */
                conversations: {
                    [key: string]: unknown;
                }[];
                /** @description Runs of bots, with their variables. */
                runs: {
                    [key: string]: unknown;
                }[];
                /** @description Files that the contact sent. */
                files: {
                    [key: string]: unknown;
                }[];
                /** @description Attempts to send without a message, with what was to be said. */
                attempts: {
                    [key: string]: unknown;
                }[];
                /** @description Sends that were refused before a charge, the last one to the contact. */
                refusals: {
                    [key: string]: unknown;
                }[];
                /** @description Sends that wait for their time, and those that did, with their bodies. */
                scheduled: {
                    [key: string]: unknown;
                }[];
                /** @description Messages that went on to the URL of a number. */
                forwards: {
                    [key: string]: unknown;
                }[];
                /** @description Items that could not be taken in, whole. */
                deadLetters: {
                    [key: string]: unknown;
                }[];
                /** @description Stored answers of requests with an `Idempotency-Key`; of a batch the results of this contact. */
                answers: {
                    [key: string]: unknown;
                }[];
            }[];
        };
        /** @description The role does not see what customers write, and this holds or searches it. */
        ContentsHiddenProblem: {
            error: string;
            /** @constant */
            code: "CONTENTS_HIDDEN";
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
        };
        DeadLetter: {
            /** @description Id of the dead letter. */
            id: string;
            /** @description The provider's name for the kind of notice. */
            field: string;
            /** @description The provider's id of the business account. */
            wabaId: string | null;
            /** @description The provider's phone number id. */
            phoneNumberId: string | null;
            /** @description Why the service could not take the item in. */
            reason: string;
            /** @description A payload with this item alone, as JSON text; cut in lists. Null once erased. */
            raw: string | null;
            /**
             * @description Only after an erasure: what was personal in it is null.
             * @constant
             */
            erased?: true;
            /** @description Length of the whole `raw`, in characters. */
            rawLength: number;
            /**
             * @description `open` until a retry succeeds or an administrator dismisses it.
             * @enum {string}
             */
            state: "open" | "resolved" | "dismissed";
            /** @description Whether a retry took the item in. */
            resolved: boolean;
            /** @description Number of retries. */
            retries: number;
            /**
             * Format: date-time
             * @description Time of arrival, ISO 8601.
             */
            createdAt: string;
            /** @description Time of the dismissal, ISO 8601, or null. */
            dismissedAt: string | null;
            /** @description The dismissing administrator, or null. */
            dismissedBy: components["schemas"]["Actor"] | null;
        };
        Entry: {
            /** @description Id of the movement. */
            id: string;
            /** @description Signed: whole credits, or a decimal string of money. */
            amount: number | string;
            /** @description Balance after the movement. */
            balanceAfter: number | string;
            /**
             * @description Kind of the movement.
             * @enum {string}
             */
            type: "DEDUCT" | "REFUND" | "GRANT" | "REVOKE";
            /** @description The event of the send, or the reason of a grant. */
            reason: string | null;
            /** @description JSON text: `category`, `countryCode`, `providerCost`, `sellPrice`, `chargeId`. A DEDUCT and its REFUND share the `chargeId`. */
            metadata: string | null;
            /** @description Id of the message that the charge paid, once there is one; null once it is erased. Absent for other movements. */
            messageId?: string | null;
            /**
             * Format: date-time
             * @description Time of the movement, ISO 8601.
             */
            createdAt: string;
            /** @description The acting administrator; null for charges and refunds. */
            grantedBy: components["schemas"]["Actor"] | null;
            /**
             * @description Only for a REFUND. `not_sent`: nothing was sent. `disconnected`: the message was sent, and the caller disconnected before the response. `unknown_outcome`: the provider did not answer. `delivery_failed`: the message failed after acceptance. `swept`: the service stopped during the send.
             * @enum {string}
             */
            cause?: "not_sent" | "unknown_outcome" | "disconnected" | "delivery_failed" | "swept";
            /** @description Position in the log: opaque, compared as text. */
            position: string;
            /** @description Hash of this movement and all before it. */
            hash: string;
        };
        /** @description The data of a contact were erased. An answer with that contact is not given again, and its request is not repeated: nothing is sent or charged. A dead letter without its content can only be dismissed. */
        ErasedProblem: {
            error: string;
            /** @constant */
            code: "ERASED";
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
        };
        Erasure: {
            /** @description Id of the erasure. */
            id: string;
            /**
             * @description `done` once no file holds anything of the contact.
             * @enum {string}
             */
            state: "queued" | "running" | "done";
            /** @description The named account, or null for all accounts. */
            accountId: string | null;
            /** @description The given reason, or null. */
            reason: string | null;
            /**
             * Format: date-time
             * @description Time of the request, ISO 8601.
             */
            requestedAt: string;
            /** @description The administrator who asked for it. */
            requestedBy: components["schemas"]["Actor"] | null;
            /** @description Time of the end, ISO 8601, or null. */
            doneAt: string | null;
            /** @description What was held of the contact; null until it is counted. */
            found: {
                /** @description Number of events with data of the contact, in its own streams and in those of its accounts. */
                events: number;
                /** @description Number of messages. */
                messages: number;
                /** @description Number of conversations. */
                conversations: number;
                /** @description Number of runs of bots. */
                runs: number;
                /** @description Number of dead letters. */
                deadLetters: number;
            } | null;
        };
        Event: {
            /** @description Name of the event's stream. */
            stream: string;
            /** @description Place in the stream, from 0. */
            revision: number;
            /** @description Position in the log: opaque, compared as text. */
            position: string;
            /** @description Id of the event. */
            id: string;
            /** @description Name of the event, such as `ChargeReserved`. */
            type: string;
            /** @description Version of the event's shape. */
            version: number;
            /** @description Time, request, cause and actor. */
            meta: {
                [key: string]: unknown;
            };
            /** @description Fields of the event. */
            data: {
                [key: string]: unknown;
            };
            /** @description Of a link of the hash chain; older ones have it in `data`. */
            link?: {
                /** @description Hash of the link before it, in hex. */
                previousHash: string;
                /** @description SHA-256 of `previousHash` and of the JSON of `data`, in hex. */
                hash: string;
            };
        };
        FindResult: {
            /**
             * @description What was found.
             * @enum {string}
             */
            kind: "message" | "charge" | "refusal" | "contact" | "conversation" | "number" | "bot" | "account" | "organisation" | "key" | "action";
            /** @description Its id; of a contact the digits or the user id. */
            id: string;
            /** @description Id of its account, or null. */
            accountId: string | null;
            /** @description A name or a text that tells it from others, or null. */
            title: string | null;
        };
        FoundMessage: {
            /** @description Id of the message; null once erased. */
            id: string | null;
            /** @description The provider's message id; null once erased. */
            metaMessageId: string | null;
            /** @description Id of the conversation. */
            conversationId: string | null;
            /** @description The provider's phone number id. */
            phoneNumberId: string | null;
            /**
             * @description `inbound`: from the customer. `outbound`: from the account.
             * @enum {string}
             */
            direction: "inbound" | "outbound";
            /** @description The recipient, digits only; null while the number is not known. */
            recipientWaId: string | null;
            /** @description The sending customer of an inbound message; null while the number is not known. */
            senderWaId: string | null;
            /** @description The provider's id of the customer; null where the provider gave none. */
            contactUserId: string | null;
            /** @description Name in the customer's profile. */
            contactName: string | null;
            /** @description Such as `text`, `template` or `image`. */
            messageType: string;
            /** @description `sent`, `delivered`, `read` or `failed`; null for an inbound message. */
            status: string | null;
            /** @description The provider's time of the status, ISO 8601. */
            statusTimestamp: string | null;
            /** @description Event key of the catalog. */
            event: string | null;
            /** @description The provider's name of the template. */
            templateName: string | null;
            /** @description The text of the message, if any. */
            text: string | null;
            /** @description The message as sent or received; null once it is erased. */
            content: {
                [key: string]: unknown;
            } | null;
            /** @description What the customer filled in, in a flow; absent of other messages. */
            flow?: {
                /** @description The name that the provider gives the reply. */
                name: string;
                /** @description The fields of the flow. */
                response: {
                    [key: string]: unknown;
                };
            };
            /** @description The message that this one answers. */
            contextMessageId: string | null;
            /** @description Category of the price. */
            category: string | null;
            /** @description Final charge, a decimal string: zero after a refund. */
            price: string | null;
            /** @description ISO 4217 code of the price. */
            currency: string | null;
            /** @description Final charge in credits: zero after a refund, null on a wallet plan. */
            creditsCharged: number | null;
            /** @description Your reference of the message. */
            clientReference: string | null;
            /** @description `api` for `/v1/messages/send`, `gateway` for `/graph`; null for an inbound message. */
            source: ("notification" | "api" | "bot" | "gateway") | null;
            /** @description Id of the charge, as in the ledger. */
            chargeId: string | null;
            /** @description Whether the charge was refunded. */
            refunded: boolean;
            /** @description Only with the status `failed`. */
            errorCode: string | null;
            /** @description The provider's words, with the status `failed`. */
            errorMessage: string | null;
            /** @description Only while the provider holds the message: `held_for_quality_assessment` or `paused`. It may fail later. */
            providerStatus?: string;
            /**
             * Format: date-time
             * @description Time of the send or the receipt, ISO 8601.
             */
            createdAt: string;
            /**
             * @description Only after an erasure: what was personal in it is null.
             * @constant
             */
            erased?: true;
            /** @description Id of the owning account. */
            accountId: string;
        };
        /** @description A request with this `Idempotency-Key` is running: try again after `Retry-After`. */
        IdempotencyInProgressProblem: {
            error: string;
            /** @constant */
            code: "IDEMPOTENCY_IN_PROGRESS";
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
        };
        /** @description Another request has used this `Idempotency-Key`: use a new one. */
        IdempotencyMismatchProblem: {
            error: string;
            /** @constant */
            code: "IDEMPOTENCY_MISMATCH";
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
        };
        Job: {
            /** @description `job_…`. */
            id: string;
            /** @description Its name for people. */
            name: string | null;
            /** @description Event key of the catalog. */
            event: string;
            /**
             * @description `queued` until fewer than two of the account run.
             * @enum {string}
             */
            state: "checking" | "unusable" | "ready" | "queued" | "running" | "paused" | "cancelled" | "done";
            /** @description Why it is unusable, or paused by itself. */
            reason: string | null;
            /** @description The job whose failed rows it sends again. */
            retryOf: string | null;
            /** @description Null until the file is checked. */
            plan: {
                /** @description Rows of the file. */
                rows: number;
                /** @description Rows that can be sent. */
                good: number;
                /** @description Rows that cannot. */
                bad: number;
                /** @description Rows with the recipient of an earlier one. */
                duplicates: number;
                /** @description The good rows by category and market. */
                totals: {
                    /**
                     * @description Category of the price.
                     * @enum {string}
                     */
                    category: "MARKETING" | "UTILITY" | "AUTHENTICATION" | "SERVICE";
                    /** @description Market of the recipients. */
                    market: string;
                    /** @description Messages that would go out. */
                    count: number;
                    /** @description Sell price of one, a decimal string in `currency`. */
                    unitPrice: string;
                    /** @description Of all of them: credits, or a decimal string on a wallet plan. */
                    amount: number | string;
                }[];
                /** @description What all good rows would take: credits, or a decimal string on a wallet plan. */
                amount: number | string;
                /** @description If it went on now at its pace and that of its number; null once it is over. */
                finishesAt: string | null;
            } | null;
            /** @description Its good rows by what became of them. */
            counts: {
                /** @description Not sent yet. */
                waiting: number;
                /** @description Accepted by the provider. */
                sent: number;
                /** @description Delivered. */
                delivered: number;
                /** @description Read. */
                read: number;
                /** @description Failed after the provider had accepted them. */
                failed: number;
                /** @description Not sent. */
                refused: number;
            };
            /** @description Taken so far: credits, or a decimal string on a wallet plan. */
            amount: number | string;
            /** @description Before it nothing is sent, ISO 8601; null for no such time. */
            sendAt: string | null;
            /** @description Its bound, in the unit of the account. */
            maxAmount: (number | string) | null;
            /**
             * Format: date-time
             * @description Time of the upload, ISO 8601.
             */
            createdAt: string;
            /** @description Time of the latest start; null before it. */
            startedAt: string | null;
            /** @description Time of its end; null until then. */
            endedAt: string | null;
        };
        Key: {
            /** @description Id of the key. */
            id: string;
            /** @description Id of the owning account. */
            accountId: string;
            /** @description Name of the key. */
            name: string;
            /** @description The first characters of the key. */
            prefix: string;
            /**
             * @description `revoked` is final; `expired` is an active key whose time of expiry has come.
             * @enum {string}
             */
            state: "active" | "inactive" | "revoked" | "expired";
            /** @description Origins that browsers may call from. */
            allowedOrigins: string[] | null;
            /** @description Requests in 60 seconds; 120 by default. */
            rateLimit: number;
            /** @description Time of expiry, ISO 8601; null for never. */
            expiresAt: string | null;
            /** @description Operations that the key allows. */
            scopes: string[] | null;
            /** @description Whether the gateway takes `biz_opaque_callback_data` of a message for its `Idempotency-Key`, where it has none. */
            opaqueIsIdempotent: boolean;
            /**
             * Format: date-time
             * @description Time of creation, ISO 8601.
             */
            createdAt: string;
            /** @description Last use, to 10 minutes; null for never. */
            lastUsedAt: string | null;
        };
        LedgerProblem: {
            /** @description Null for a problem of no single account. */
            accountId: string | null;
            /** @description Kind of the problem, to branch on. */
            kind: string;
            /** @description An event of the log, or a row of the ledger. */
            at: string;
            /** @description The expected and the found value. */
            detail: string;
        };
        LiveEvents: {
            /** @description The newest events, the oldest first, 50 at most. */
            events: {
                /** @description Type of the event. */
                type: string;
                /** @description Position in the log: opaque, compared as text. */
                position: string;
                /**
                 * Format: date-time
                 * @description Time of the event, ISO 8601.
                 */
                at: string;
                /** @description Id of its account, or null. */
                accountId: string | null;
                /** @description Id of its charge, if it has one. */
                chargeId?: string;
                /** @description The delivery status of an update. */
                status?: string;
            }[];
            /** @description How many earlier events the message leaves out. */
            more: number;
        };
        MadeBackup: {
            /** @description Its name at its place: its time. */
            name: string;
            /** @description Format of its manifest. */
            format: number;
            /**
             * Format: date-time
             * @description When it was begun, ISO 8601.
             */
            takenAt: string;
            /** @description Position of its newest event. */
            position: string;
            /** @description Number of events. */
            events: number;
            /** @description Hash of its log, in hex. */
            sha256: string;
            /** @description Number of data keys. */
            keys: number;
        };
        Message: {
            /** @description Id of the message; null once erased. */
            id: string | null;
            /** @description The provider's message id; null once erased. */
            metaMessageId: string | null;
            /** @description Id of the conversation. */
            conversationId: string | null;
            /** @description The provider's phone number id. */
            phoneNumberId: string | null;
            /**
             * @description `inbound`: from the customer. `outbound`: from the account.
             * @enum {string}
             */
            direction: "inbound" | "outbound";
            /** @description The recipient, digits only; null while the number is not known. */
            recipientWaId: string | null;
            /** @description The sending customer of an inbound message; null while the number is not known. */
            senderWaId: string | null;
            /** @description The provider's id of the customer; null where the provider gave none. */
            contactUserId: string | null;
            /** @description Name in the customer's profile. */
            contactName: string | null;
            /** @description Such as `text`, `template` or `image`. */
            messageType: string;
            /** @description `sent`, `delivered`, `read` or `failed`; null for an inbound message. */
            status: string | null;
            /** @description The provider's time of the status, ISO 8601. */
            statusTimestamp: string | null;
            /** @description Event key of the catalog. */
            event: string | null;
            /** @description The provider's name of the template. */
            templateName: string | null;
            /** @description The text of the message, if any. */
            text: string | null;
            /** @description The message as sent or received; null once it is erased. */
            content: {
                [key: string]: unknown;
            } | null;
            /** @description What the customer filled in, in a flow; absent of other messages. */
            flow?: {
                /** @description The name that the provider gives the reply. */
                name: string;
                /** @description The fields of the flow. */
                response: {
                    [key: string]: unknown;
                };
            };
            /** @description The message that this one answers. */
            contextMessageId: string | null;
            /** @description Category of the price. */
            category: string | null;
            /** @description Final charge, a decimal string: zero after a refund. */
            price: string | null;
            /** @description ISO 4217 code of the price. */
            currency: string | null;
            /** @description Final charge in credits: zero after a refund, null on a wallet plan. */
            creditsCharged: number | null;
            /** @description Your reference of the message. */
            clientReference: string | null;
            /** @description `api` for `/v1/messages/send`, `gateway` for `/graph`; null for an inbound message. */
            source: ("notification" | "api" | "bot" | "gateway") | null;
            /** @description Id of the charge, as in the ledger. */
            chargeId: string | null;
            /** @description Whether the charge was refunded. */
            refunded: boolean;
            /** @description Only with the status `failed`. */
            errorCode: string | null;
            /** @description The provider's words, with the status `failed`. */
            errorMessage: string | null;
            /** @description Only while the provider holds the message: `held_for_quality_assessment` or `paused`. It may fail later. */
            providerStatus?: string;
            /**
             * Format: date-time
             * @description Time of the send or the receipt, ISO 8601.
             */
            createdAt: string;
            /**
             * @description Only after an erasure: what was personal in it is null.
             * @constant
             */
            erased?: true;
        };
        /** @description The charge is newer than the last seal of the ledger; there is one each day. Ask again after `Retry-After`. */
        NotSealedYetProblem: {
            error: string;
            /** @constant */
            code: "NOT_SEALED_YET";
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
        };
        Number: {
            /** @description The provider's phone number id. */
            phoneNumberId: string;
            /** @description The provider's id of the business account. */
            wabaId: string;
            /** @description Id of the owning account. */
            accountId: string;
            /** @description The telephone number in display form. */
            displayPhoneNumber: string;
            /** @description The display name that the provider approved. */
            verifiedName: string;
            /** @description The provider throttles a number at `RED`. */
            qualityRating: string | null;
            /** @description Only a number with a token can send. */
            hasAccessToken: boolean;
            /** @description Registration at the provider; null if unknown. */
            registered: boolean | null;
            /** @description Whether the app of the token receives notifications of the business account. Without them no status and no message arrives. Null if unknown. */
            subscribed: boolean | null;
            /** @description The provider's words, where it refused the subscription. */
            subscriptionProblem: string | null;
            /** @description Further sends wait; 80 by default. */
            messagesPerSecond: number;
            /** @description How many customers may be written to with templates in 24 hours, in the words of the provider, such as `TIER_2K`; null until it says it. */
            messagingLimit: string | null;
            /** @description The messaging account that pays, which sends carry; null where none was given. */
            messagingAccountId: string | null;
            /** @description URL that receives inbound messages, or null. */
            webhookUrl: string | null;
            /**
             * Format: date-time
             * @description Time of the link, ISO 8601.
             */
            linkedAt: string;
        };
        NumberHealth: {
            /** @description The provider's phone number id. */
            phoneNumberId: string;
            /** @description The provider's id of the business account. */
            wabaId: string;
            /** @description Id of the owning account. */
            accountId: string;
            /** @description The telephone number in display form. */
            displayPhoneNumber: string;
            /** @description The provider throttles a number at `RED`. */
            qualityRating: string | null;
            /** @description How many customers may be written to with templates in 24 hours, in the words of the provider, such as `TIER_2K`; null until it says it. */
            messagingLimit: string | null;
            /** @description Only a number with a token can send. */
            hasAccessToken: boolean;
            /** @description Registration at the provider; null if unknown. */
            registered: boolean | null;
            /** @description Why it cannot send, in the words of the provider. */
            blockers: string[];
            /** @description What it can do only in part. */
            limits: string[];
            /** @description Whether notifications of the business account come. Null if unknown. */
            subscribed: boolean | null;
            /** @description The provider's words, where it refused the subscription. */
            subscriptionProblem: string | null;
            /** @description Time of the oldest of its newest 20 messages for which no status has come, if none came for a newer one; null otherwise, and after a day. */
            waitingSince: string | null;
            /** @description What is wrong: no `token`, no `registration`, `quality` `RED`, `blocked` by the provider, no `subscription`, or `silent`: no status for 15 minutes. None when all is well. */
            problems: ("token" | "registration" | "quality" | "blocked" | "subscription" | "silent")[];
        };
        Organisation: {
            /** @description Id of the organisation. */
            id: string;
            /** @description Name of the organisation. */
            name: string;
            /** @description While true, its keys receive 403 `ORG_SUSPENDED`. */
            suspended: boolean;
            /** @description What needs the yes of two people. */
            fourEyes: ("grant" | "plan" | "erasure")[];
            /** @description Reason of the suspension, or null. */
            suspendedReason: string | null;
            /**
             * Format: date-time
             * @description Time of creation, ISO 8601.
             */
            createdAt: string;
        };
        Partition: {
            /** @description Its number, from 0. */
            partition: number;
            /** @description Id of the process that fills it, or null. */
            worker: string | null;
            /** @description The same: it runs its reactors too, such as forwards and bots. */
            reactors: string | null;
            /** @description The greatest lag of a read model there, in ms, or null. */
            lag: number | null;
        };
        Person: {
            /** @description Id of the person. */
            id: string;
            /** @description Name of the person; null once erased. */
            name: string | null;
            /** @description Signs in with it; null once erased. */
            email: string | null;
            /**
             * @description What the person may do: see docs/console.md.
             * @enum {string}
             */
            role: "owner" | "manager" | "developer" | "agent" | "viewer" | "admin" | "support" | "auditor";
            /** @description Its organisation; null for an operator. */
            organisationId: string | null;
            /** @description Ids of the accounts; null for all of the organisation. */
            accounts: string[] | null;
            /**
             * @description `invited` until the first sign-in; `erased` for good.
             * @enum {string}
             */
            state: "invited" | "active" | "suspended" | "erased";
            /** @description When the newest invitation expires, ISO 8601; null once it was used. */
            invitedUntil: string | null;
            /**
             * Format: date-time
             * @description Time of the first invitation, ISO 8601.
             */
            createdAt: string;
        };
        Plan: {
            /** @description Id of the plan. */
            id: string;
            /** @description Grows with each change. */
            version: number;
            /** @description Name of the plan. */
            name: string;
            /**
             * @description Unit of the balance: whole credits, or money.
             * @enum {string}
             */
            billing: "credits" | "wallet";
            /** @description ISO 4217 code. */
            currency: string;
            /** @description Added to the provider's price: `20` adds a fifth. */
            markupPercent: string;
            /** @description Value of a credit, a decimal string. */
            creditValue: string | null;
            /** @description Refunds messages that fail after acceptance. */
            refundFailedDeliveries: boolean;
            /** @description Refunds after disconnects in a UTC day that pause the account; null: no bound. */
            disconnectRefundsPerDay: number | null;
            /** @description Megabytes of unpaid events (bots, templates, refused sends) in a UTC day; null: no bound. */
            freeWritesMbPerDay: number | null;
            /** @description Prices free-form replies (SERVICE) like templates, by the SERVICE column of the rate card; free otherwise. */
            chargeService: boolean;
        };
        /** @description Every error body has `error`, a text for people: branch on status and code. */
        Problem: {
            error: string;
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
        };
        Projection: {
            /** @description Name of the projection. */
            name: string;
            /** @description Grows when the read model's shape changes. */
            version: number;
            /** @description Position in the log: opaque, compared as text. */
            position: string;
            /** @description Age of the oldest unread event in ms, or null. */
            lag: number | null;
            /**
             * @description A `halted` projection keeps its last state.
             * @enum {string}
             */
            state: "live" | "catching-up" | "rebuilding" | "halted";
            /** @description Each partition of its documents, by number. `position` and `lag` are of the slowest. */
            partitions: {
                /** @description Position in the log: opaque, compared as text. */
                position: string;
                /** @description Age of the oldest unread event in ms, or null. */
                lag: number | null;
            }[];
            /** @description Why and at which event the projection halted, or null. */
            error: {
                /** @description Explanation in one sentence. */
                message: string;
                /** @description Position of the event in the log, or null. */
                position: string | null;
                /** @description Name of the event's stream. */
                stream: string | null;
            } | null;
            /** @description Progress of a running rebuild, or null. */
            rebuild: {
                /** @description Position in the log: opaque, compared as text. */
                position: string;
                /** @description Age of the oldest unread event in ms, or null. */
                lag: number | null;
            } | null;
        };
        ProviderCost: {
            /** @description A decimal string; null for a free message that was sent before it was recorded. */
            amount: string | null;
            /** @description ISO 4217 code of the amount. */
            currency: string;
            /**
             * @description `rate_card` until a status says how the provider bills the message.
             * @enum {string}
             */
            basis: "rate_card" | "status";
            /** @description The provider's word, such as `regular` or `free_customer_service`. */
            pricingType: string | null;
        };
        RateCard: {
            /** @description Id of the rate card. */
            id: string;
            /** @description ISO 4217 code. */
            currency: string;
            /**
             * Format: date-time
             * @description Prices sends from this time on, ISO 8601.
             */
            effectiveFrom: string;
            /** @description Prices by market and category; `Other` is required. */
            rates: {
                [key: string]: {
                    /** @description Price of a message, a decimal string. */
                    MARKETING: string;
                    /** @description Price of a message, a decimal string. */
                    UTILITY: string;
                    /** @description Price of a message, a decimal string. */
                    AUTHENTICATION: string;
                    /** @description Price of a free-form message, a decimal string. */
                    SERVICE: string;
                };
            };
        };
        /** @description An auditor may only read, verify and export: use the token of an `admin`. */
        ReadOnlyProblem: {
            error: string;
            /** @constant */
            code: "READ_ONLY";
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
        };
        ReadinessEntry: {
            /** @description Event key, which a send names. */
            event: string;
            /** @description Name for people. */
            title: string;
            /** @description When to send the event. */
            description: string;
            /**
             * @description Group of the event.
             * @enum {string}
             */
            group: "Authentication" | "Orders" | "Shipping" | "Payments & Returns" | "Marketing";
            /**
             * @description Category of the template, which decides the price.
             * @enum {string}
             */
            category: "MARKETING" | "UTILITY" | "AUTHENTICATION";
            /** @description The provider's name of the template. */
            templateName: string;
            /** @description Locale of the template, such as `en_US`. */
            language: string;
            /** @description Names in positional order: the first is `{{1}}`. */
            variables: string[];
            /** @description The meaning of each variable. */
            variableDocs: {
                [key: string]: string;
            };
            /** @description The text with its placeholders. */
            preview: string;
            /**
             * @description State of the template at the provider.
             * @enum {string}
             */
            status: "APPROVED" | "PENDING" | "REJECTED" | "NOT_CREATED";
            /** @description Why the provider rejected the template. */
            statusReason: string | null;
            /** @description Whether the event can be sent: true when `APPROVED`. */
            ready: boolean;
            /** @description How it goes out: `template` when `ready`, `direct` without a template where the account may (Direct Send), else null. */
            via: ("template" | "direct") | null;
            /** @description Only while the provider has announced a change of the category, and so of the price. */
            changingTo?: {
                /** @description The category after the change. */
                category: string;
                /** @description The provider's time of the change; null without one. */
                at: string | null;
            };
        };
        Reconciliation: {
            /** @description True when nothing is left over. */
            ok: boolean;
            /** @description The period in UTC. */
            period: {
                /** @description Start, ISO 8601. */
                from: string;
                /** @description End, not included. */
                to: string;
            };
            /** @description Null for all accounts. */
            accountId: string | null;
            /** @description Charges of the period, free ones included. */
            charges: number;
            /** @description Differences by kind. */
            found: {
                [key: string]: {
                    /** @description All of them. */
                    count: number;
                    /** @description Those that plans want. */
                    byPlan: number;
                };
            };
            /** @description Number of all differences. */
            differenceCount: number;
            /** @description Number of those that plans want. */
            byPlanCount: number;
            /** @description The money of all differences by currency, decimal strings. */
            difference: {
                [key: string]: string;
            };
            /** @description Number of differences whose money is not known. */
            unpriced: number;
            /** @description The first 10,000. */
            differences: components["schemas"]["BillingDifference"][];
            /** @description Charges by category and country. */
            counts: {
                /** @description Category. */
                category: string;
                /** @description Country, ISO 3166; `ZZ` for none. */
                countryCode: string;
                /** @description Charges. */
                charges: number;
                /** @description Kept charges that cost the account something. */
                charged: number;
                /** @description Refunded charges. */
                givenBack: number;
                /** @description Kept charges that cost the account nothing. */
                free: number;
                /** @description Delivered messages. */
                delivered: number;
                /** @description Differences. */
                differences: number;
            }[];
            /** @description Charged and priced, and not delivered so far. */
            undelivered: number;
            /** @description Messages that were delivered in the period, as statuses tell. */
            volumes: {
                /** @description Number that sent. */
                phoneNumberId: string;
                /** @description Category. */
                category: string;
                /** @description Country, ISO 3166; `ZZ` for none. */
                countryCode: string;
                /** @description Billed messages. */
                billed: number;
                /** @description Messages without a price. */
                free: number;
                /** @description What was recorded as cost; null with more than one currency. */
                cost: number | null;
            }[];
            /** @description The comparison with the provider; null without `provider=true`. */
            compared: {
                /** @description `provider`. */
                source: string;
                /** @description Delivered messages by category and country. */
                rows: {
                    /** @description Category. */
                    category: string;
                    /** @description Country, ISO 3166; `ZZ` for none. */
                    countryCode: string;
                    /** @description As statuses tell. */
                    ours: {
                        /** @description Billed messages. */
                        billed: number;
                        /** @description Messages without a price. */
                        free: number;
                        /** @description What was recorded as cost, or null. */
                        cost: number | null;
                    };
                    /** @description As the provider's analytics tell. */
                    theirs: {
                        /** @description Billed messages. */
                        billed: number;
                        /** @description Messages without a price. */
                        free: number;
                        /** @description About, or null. */
                        cost: number | null;
                    };
                    /** @description Their cost less ours, a decimal string; null where one is not known. */
                    difference: string | null;
                    /** @description Whether both volumes agree. */
                    isSame: boolean;
                }[];
                /** @description What could not be asked. */
                missing: {
                    /** @description What is missing. */
                    what: string;
                    /** @description Why. */
                    reason: string;
                }[];
            } | null;
            /** @description Events of the log that cannot be read. */
            unreadable: number;
        };
        ScheduledSend: {
            /** @description Id of the scheduled send. */
            id: string;
            /**
             * @description `sending` until its outcome is known; `refused` with the error that a send would have had; `expired` after `notAfter`; `erased` with its contact.
             * @enum {string}
             */
            state: "waiting" | "sending" | "sent" | "refused" | "expired" | "cancelled" | "erased";
            /**
             * @description Which send took it.
             * @enum {string}
             */
            kind: "notification" | "message";
            /**
             * Format: date-time
             * @description When it goes out, ISO 8601.
             */
            dueAt: string;
            /**
             * Format: date-time
             * @description After this time it is not sent, ISO 8601.
             */
            notAfter: string;
            /** @description The time zone whose clock counted; null where several were kept. */
            timeZone: string | null;
            /** @description Why it is due then. */
            rule: {
                /**
                 * @description Which rule set the time.
                 * @enum {string}
                 */
                by: "sendAt" | "deliverBetween" | "quietHours";
                /** @description The same in words. */
                text: string;
            };
            /** @description The recipient, digits only or a user id; null once erased. */
            to: string | null;
            /** @description Event key of the catalog. */
            event: string | null;
            /**
             * Format: date-time
             * @description Time of the request, ISO 8601.
             */
            createdAt: string;
            /** @description The provider's message id, once it is sent. */
            metaMessageId: string | null;
            /** @description The charge that paid it, once it is sent. */
            chargeId: string | null;
            /** @description Why it was refused. */
            error: {
                /** @description Status of the answer, such as 402. */
                status: number;
                /** @description The error as a code, such as `SEND_FAILED` or `WINDOW_CLOSED`. */
                code: string;
                /** @description The error as text for people. */
                error: string;
                /** @description Of 402, such as `INSUFFICIENT_CREDITS`. */
                reason?: string;
                /** @description Of 429: the reached cap. */
                limit?: string;
                /** @description The provider's error code. */
                providerCode?: number | null;
                /** @description The provider's words. */
                providerMessage?: string;
            } | null;
            /** @description What stood in its way when it was taken, such as `template_not_approved`: decided anew when it is due. */
            problems: string[];
            /**
             * @description Only after an erasure: what was personal in it is null.
             * @constant
             */
            erased?: true;
        };
        Seal: {
            /** @description Number of the seal, from 1. */
            number: number;
            /**
             * Format: date-time
             * @description Time of the seal, ISO 8601.
             */
            at: string;
            /** @description Position in the log: opaque, compared as text. */
            position: string;
            /** @description Accounts with a movement. */
            accounts: number;
            /** @description Entries of the log that it covers; null for a seal of the old form. */
            size: number | null;
            /** @description Root of the tree of the entries, in base64. */
            root: string;
            /** @description The seal itself: a C2SP checkpoint as a signed note. */
            note: string;
        };
        SendFailure: {
            /** @description As in the answer, such as `SEND_FAILED` or `PROVIDER_UNREACHABLE`. */
            code: string;
            /** @description The provider's error code, where it refused. */
            providerCode: number | null;
            /** @description What the code means. */
            title: string | null;
            /** @description What to do next. */
            hint: string | null;
            /** @description The page of this error, at the address of the service. */
            docUrl: string | null;
        };
        ServiceOverview: {
            /**
             * Format: date-time
             * @description Start of the first hour, ISO 8601.
             */
            since: string;
            /** @description Every hour since then, the oldest first. */
            hours: {
                /**
                 * Format: date-time
                 * @description Start of the hour, ISO 8601.
                 */
                hour: string;
                /** @description Sends that were charged, free ones included. */
                sends: number;
                /** @description Charges that were given back. */
                refunds: number;
                /** @description Failures that the provider reported after it had accepted them. */
                failures: number;
                /** @description Sends that were refused before a charge. */
                refused: number;
            }[];
            /** @description The sums over all hours. */
            totals: {
                /** @description Sends that were charged, free ones included. */
                sends: number;
                /** @description Charges that were given back. */
                refunds: number;
                /** @description Failures that the provider reported after it had accepted them. */
                failures: number;
                /** @description Sends that were refused before a charge. */
                refused: number;
            };
            /** @description What sends took and gave back, by unit. */
            money: {
                /** @description `credits`, or the currency of a wallet plan. */
                unit: string;
                /** @description What sends took, a decimal string. */
                charged: string;
                /** @description What was given back, a decimal string. */
                refunded: string;
            }[];
            /** @description Refunds by cause, the most frequent first. */
            refunds: {
                /**
                 * @description Why the charge was given back.
                 * @enum {string}
                 */
                cause: "not_sent" | "unknown_outcome" | "disconnected" | "swept" | "delivery_failed";
                /** @description Charges that were given back for it. */
                count: number;
            }[];
            /** @description Failures by code, the most frequent first; `none` and `other` are no codes. */
            failures: {
                /** @description The provider's code. */
                code: string;
                /** @description Messages that failed with it. */
                count: number;
            }[];
            /** @description Sends that were refused before a charge by code, the most frequent first. */
            refused: {
                /** @description As in `/v1/sends/refusals`. */
                code: string;
                /** @description Sends that were refused with it. */
                count: number;
            }[];
            /** @description A send has one for a second; the sweep closes what is older than 15 minutes. */
            reservations: {
                /** @description Charges without a message or a refund; 1,000 at most. */
                open: number;
                /** @description Time of the oldest one, or null. */
                oldestAt: string | null;
            };
            /** @description What the provider sent and could not be taken in. */
            deadLetters: {
                /** @description Items that wait for somebody; 1,000 at most. */
                open: number;
            };
            /** @description The log of all events. */
            log: {
                /** @description Of the last event: opaque, compared as text. */
                position: string;
            };
            /** @description The last seal of the ledger, or null. */
            seal: {
                /** @description Its number, from 1. */
                number: number;
                /**
                 * Format: date-time
                 * @description Time of the seal, ISO 8601.
                 */
                at: string;
            } | null;
        };
        Statement: {
            /** @description Id of the account. */
            accountId: string;
            /** @description Number of the statement: the period, and the end of the id. */
            number: string;
            /** @description The UTC day on which it became final; null before. */
            date: string | null;
            /** @description The account. */
            account: {
                /** @description Its id. */
                id: string;
                /** @description Its name. */
                name: string;
            };
            /** @description The organisation of the account. */
            organisation: {
                /** @description Its id. */
                id: string;
                /** @description Its name. */
                name: string;
            };
            /** @description Who issues it, as the log had it at the seal; null where nobody is set. */
            issuer: {
                /** @description Name. */
                name: string;
                /** @description Address, or null. */
                address: string | null;
                /** @description Number for taxes, or null. */
                taxId: string | null;
            } | null;
            /** @description The period in UTC. */
            period: {
                /**
                 * Format: date-time
                 * @description Start, ISO 8601.
                 */
                from: string;
                /**
                 * Format: date-time
                 * @description End, not included.
                 */
                to: string;
            };
            /**
             * @description What the account counts in.
             * @enum {string}
             */
            billing: "credits" | "wallet";
            /** @description ISO 4217 code of the prices, and of a wallet. */
            currency: string;
            /** @description Balance before the period: credits, or a decimal string of money. */
            opening: number | string;
            /** @description Opening balance, grants, charges and refunds together. */
            closing: number | string;
            /** @description Grants, top-ups and adjustments, in their order. */
            grants: {
                /**
                 * Format: date-time
                 * @description Time of the movement, ISO 8601.
                 */
                at: string;
                /**
                 * @description `GRANT` or `REVOKE`.
                 * @enum {string}
                 */
                type: "DEDUCT" | "REFUND" | "GRANT" | "REVOKE";
                /** @description Of a wallet; null for credits. */
                kind: ("top_up" | "adjustment") | null;
                /** @description Signed. */
                amount: number | string;
                /** @description The reason, as free text. */
                reason: string | null;
                /** @description The acting administrator. */
                by: components["schemas"]["Actor"] | null;
            }[];
            /** @description Charges by category, market and unit price. */
            charges: {
                /**
                 * @description Category of the price.
                 * @enum {string}
                 */
                category: "MARKETING" | "UTILITY" | "AUTHENTICATION" | "SERVICE";
                /** @description Market of the rate card. */
                market: string;
                /** @description Price of one message in the plan's currency, a decimal string. */
                unitPrice: string;
                /** @description Credits of one message; null on a wallet. */
                creditsEach: number | null;
                /** @description Number of charges; free messages are those with the price 0.0000. */
                count: number;
                /** @description Sum of the movements: zero or below. */
                amount: number | string;
            }[];
            /** @description Refunds by cause. */
            refunds: {
                /**
                 * @description Cause of the refunds, as in the ledger.
                 * @enum {string}
                 */
                cause: "not_sent" | "unknown_outcome" | "disconnected" | "delivery_failed" | "swept";
                /** @description Number of refunds. */
                count: number;
                /** @description Sum of the movements: zero or above. */
                amount: number | string;
            }[];
            /** @description Absent with `cost=false`. */
            cost?: {
                /** @description What was charged and not given back: credits at the value of their plan version, a decimal string. */
                sold: string;
                /** @description Prices of the same messages, a decimal string. */
                prices: string;
                /** @description `sold` without `prices`: credits are whole, a decimal string. */
                rounding: string;
                /** @description What the provider takes by the rate cards of the charges, a decimal string. */
                providerCost: string;
                /** @description `sold` without `providerCost`, a decimal string. */
                margin: string;
                /** @description ISO 4217 code. */
                currency: string;
            };
            /** @description The part of the hash chain that the statement counts. */
            chain: {
                /** @description The first link of the period, or null. */
                first: {
                    /** @description Number of the link in the chain of the account. */
                    sequence: number;
                    /** @description Hash of the link. */
                    hash: string;
                } | null;
                /** @description The last link of the period, or null. */
                last: {
                    /** @description Number of the link in the chain of the account. */
                    sequence: number;
                    /** @description Hash of the link. */
                    hash: string;
                } | null;
                /** @description Number of links in the period: of all charges, refunds and grants. */
                links: number;
            };
            /** @description The first seal at or after the end of the period; null before it. */
            seal: {
                /** @description Number of the seal, from 1. */
                number: number;
                /**
                 * Format: date-time
                 * @description Time of the seal, ISO 8601.
                 */
                at: string;
                /** @description Position in the log: opaque, compared as text. */
                position: string;
                /** @description Root of the tree of all chains. */
                root: string;
            } | null;
            /** @description True once the period is over and sealed: it never changes again. */
            final: boolean;
            /** @description Only where the account changed its unit in the period: the units before. */
            earlier?: {
                /**
                 * @description What the account counts in.
                 * @enum {string}
                 */
                billing: "credits" | "wallet";
                /** @description ISO 4217 code of the prices, and of a wallet. */
                currency: string;
                /** @description Balance before the period: credits, or a decimal string of money. */
                opening: number | string;
                /** @description Opening balance, grants, charges and refunds together. */
                closing: number | string;
                /** @description Grants, top-ups and adjustments, in their order. */
                grants: {
                    /**
                     * Format: date-time
                     * @description Time of the movement, ISO 8601.
                     */
                    at: string;
                    /**
                     * @description `GRANT` or `REVOKE`.
                     * @enum {string}
                     */
                    type: "DEDUCT" | "REFUND" | "GRANT" | "REVOKE";
                    /** @description Of a wallet; null for credits. */
                    kind: ("top_up" | "adjustment") | null;
                    /** @description Signed. */
                    amount: number | string;
                    /** @description The reason, as free text. */
                    reason: string | null;
                    /** @description The acting administrator. */
                    by: components["schemas"]["Actor"] | null;
                }[];
                /** @description Charges by category, market and unit price. */
                charges: {
                    /**
                     * @description Category of the price.
                     * @enum {string}
                     */
                    category: "MARKETING" | "UTILITY" | "AUTHENTICATION" | "SERVICE";
                    /** @description Market of the rate card. */
                    market: string;
                    /** @description Price of one message in the plan's currency, a decimal string. */
                    unitPrice: string;
                    /** @description Credits of one message; null on a wallet. */
                    creditsEach: number | null;
                    /** @description Number of charges; free messages are those with the price 0.0000. */
                    count: number;
                    /** @description Sum of the movements: zero or below. */
                    amount: number | string;
                }[];
                /** @description Refunds by cause. */
                refunds: {
                    /**
                     * @description Cause of the refunds, as in the ledger.
                     * @enum {string}
                     */
                    cause: "not_sent" | "unknown_outcome" | "disconnected" | "delivery_failed" | "swept";
                    /** @description Number of refunds. */
                    count: number;
                    /** @description Sum of the movements: zero or above. */
                    amount: number | string;
                }[];
                /** @description Absent with `cost=false`. */
                cost?: {
                    /** @description What was charged and not given back: credits at the value of their plan version, a decimal string. */
                    sold: string;
                    /** @description Prices of the same messages, a decimal string. */
                    prices: string;
                    /** @description `sold` without `prices`: credits are whole, a decimal string. */
                    rounding: string;
                    /** @description What the provider takes by the rate cards of the charges, a decimal string. */
                    providerCost: string;
                    /** @description `sold` without `providerCost`, a decimal string. */
                    margin: string;
                    /** @description ISO 4217 code. */
                    currency: string;
                };
            }[];
        };
        SubmissionResult: {
            /** @description Event key of the catalog. */
            event: string;
            /** @description The provider's name of the template. */
            templateName: string;
            /** @description Category of the template. */
            category: string;
            /**
             * @description `already_exists`: the provider had the template.
             * @enum {string}
             */
            state: "submitted" | "already_exists" | "failed";
            /** @description State of the template at the provider. */
            status?: string;
            /** @description The provider's id of the template. */
            metaTemplateId?: string;
            /** @description The error as text for people, when `failed`. */
            error?: string;
        };
        /** @description Two people must be there who can approve what the other asks for. */
        TwoPeopleNeededProblem: {
            error: string;
            /** @constant */
            code: "TWO_PEOPLE_NEEDED";
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
        };
        Usage: {
            /** @description Messages in the last 60 seconds. */
            minute: number;
            /** @description Messages today, UTC. */
            day: number;
            /** @description Messages this month, UTC. */
            month: number;
        };
        /** @description The request does not match its schema. */
        ValidationProblem: {
            error: {
                /** @description Problems of the body as a whole. */
                formErrors: string[];
                /** @description Problems by field. */
                fieldErrors: {
                    [key: string]: string[];
                };
            };
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
        };
        VerifiedSeals: {
            /** @description Seals that the log agrees with. */
            count: number;
            /** @description The last one of them, or null. */
            last: {
                /** @description Number of the seal, from 1. */
                number: number;
                /**
                 * Format: date-time
                 * @description Time of the seal, ISO 8601.
                 */
                at: string;
            } | null;
            /** @description Whether signatures were checked with the given keys. */
            signed: boolean;
            /**
             * @description Present where the witnesses of a policy were checked.
             * @constant
             */
            witnessed?: true;
        };
        VerifyStep: {
            /** @description How far it has come. */
            progress?: {
                /** @description Events of accounts that were read. */
                events: number;
                /** @description How many there are to read, about; null where it is not known. */
                ofEvents: number | null;
                /** @description Accounts that were met. */
                accounts: number;
                /** @description Accounts whose read models were compared. */
                compared: number;
                /** @description Position in the log up to which it was read. */
                position: string;
                /** @description Position up to which it will be read. */
                head: string;
            };
            /** @description The result, as `POST /admin/v1/ledger/verify` gives it. */
            report?: {
                /** @description True without problems. */
                ok: boolean;
                /** @description Number of verified accounts. */
                accounts: number;
                /** @description Number of verified movements. */
                movements: number;
                /** @description The first 1,000 problems. */
                problems: components["schemas"]["LedgerProblem"][];
                /** @description Number of all problems. */
                problemCount: number;
                /** @description Whether the read models were compared too. */
                readModel: boolean;
                /** @description What seals confirm; null without seals, or for one account. */
                seals: components["schemas"]["VerifiedSeals"] | null;
            };
            /** @description With `report`: the position up to which it holds. */
            head?: string;
            /** @description Why there is no result. */
            error?: string;
        };
        WhatIf: {
            /** @description Id under which the answer is read. */
            id: string;
            /**
             * @description `waiting` while another question is answered.
             * @enum {string}
             */
            state: "waiting" | "running" | "done" | "failed";
            /** @description While it is `running`. */
            progress?: {
                /** @description Events that were read. */
                events: number;
                /** @description Accounts that are done. */
                accounts: number;
                /** @description All accounts that are asked for. */
                ofAccounts: number;
            };
            /** @description Why it is `failed`. */
            error?: string;
            /** @description Number of accounts that were decided. */
            accounts?: number;
            /** @description The first 1,000 accounts that the rules cannot decide. */
            skipped?: {
                /** @description Id of the account. */
                accountId: string;
                /** @description Why. */
                reason: string;
            }[];
            /** @description As statements have it; null without accounts. */
            real?: {
                /**
                 * @description What the account counts in.
                 * @enum {string}
                 */
                billing: "credits" | "wallet";
                /** @description ISO 4217 code of the prices, and of a wallet. */
                currency: string;
                /** @description Balance before the period: credits, or a decimal string of money. */
                opening: number | string;
                /** @description Opening balance, grants, charges and refunds together. */
                closing: number | string;
                /** @description Charges by category, market and unit price. */
                charges: {
                    /**
                     * @description Category of the price.
                     * @enum {string}
                     */
                    category: "MARKETING" | "UTILITY" | "AUTHENTICATION" | "SERVICE";
                    /** @description Market of the rate card. */
                    market: string;
                    /** @description Price of one message in the plan's currency, a decimal string. */
                    unitPrice: string;
                    /** @description Credits of one message; null on a wallet. */
                    creditsEach: number | null;
                    /** @description Number of charges; free messages are those with the price 0.0000. */
                    count: number;
                    /** @description Sum of the movements: zero or below. */
                    amount: number | string;
                }[];
                /** @description Refunds by cause. */
                refunds: {
                    /**
                     * @description Cause of the refunds, as in the ledger.
                     * @enum {string}
                     */
                    cause: "not_sent" | "unknown_outcome" | "disconnected" | "delivery_failed" | "swept";
                    /** @description Number of refunds. */
                    count: number;
                    /** @description Sum of the movements: zero or above. */
                    amount: number | string;
                }[];
                /** @description Sum of grants and adjustments. */
                granted: number | string;
                /** @description What was sold, and what it costs. */
                cost: {
                    /** @description What was charged and not given back: credits at the value of their plan version, a decimal string. */
                    sold: string;
                    /** @description Prices of the same messages, a decimal string. */
                    prices: string;
                    /** @description `sold` without `prices`: credits are whole, a decimal string. */
                    rounding: string;
                    /** @description What the provider takes by the rate cards of the charges, a decimal string. */
                    providerCost: string;
                    /** @description `sold` without `providerCost`, a decimal string. */
                    margin: string;
                    /** @description ISO 4217 code. */
                    currency: string;
                };
                /** @description The other units in which accounts counted. */
                others?: {
                    /**
                     * @description What the account counts in.
                     * @enum {string}
                     */
                    billing: "credits" | "wallet";
                    /** @description ISO 4217 code of the prices, and of a wallet. */
                    currency: string;
                    /** @description Balance before the period: credits, or a decimal string of money. */
                    opening: number | string;
                    /** @description Opening balance, grants, charges and refunds together. */
                    closing: number | string;
                    /** @description Charges by category, market and unit price. */
                    charges: {
                        /**
                         * @description Category of the price.
                         * @enum {string}
                         */
                        category: "MARKETING" | "UTILITY" | "AUTHENTICATION" | "SERVICE";
                        /** @description Market of the rate card. */
                        market: string;
                        /** @description Price of one message in the plan's currency, a decimal string. */
                        unitPrice: string;
                        /** @description Credits of one message; null on a wallet. */
                        creditsEach: number | null;
                        /** @description Number of charges; free messages are those with the price 0.0000. */
                        count: number;
                        /** @description Sum of the movements: zero or below. */
                        amount: number | string;
                    }[];
                    /** @description Refunds by cause. */
                    refunds: {
                        /**
                         * @description Cause of the refunds, as in the ledger.
                         * @enum {string}
                         */
                        cause: "not_sent" | "unknown_outcome" | "disconnected" | "delivery_failed" | "swept";
                        /** @description Number of refunds. */
                        count: number;
                        /** @description Sum of the movements: zero or above. */
                        amount: number | string;
                    }[];
                    /** @description Sum of grants and adjustments. */
                    granted: number | string;
                    /** @description What was sold, and what it costs. */
                    cost: {
                        /** @description What was charged and not given back: credits at the value of their plan version, a decimal string. */
                        sold: string;
                        /** @description Prices of the same messages, a decimal string. */
                        prices: string;
                        /** @description `sold` without `prices`: credits are whole, a decimal string. */
                        rounding: string;
                        /** @description What the provider takes by the rate cards of the charges, a decimal string. */
                        providerCost: string;
                        /** @description `sold` without `providerCost`, a decimal string. */
                        margin: string;
                        /** @description ISO 4217 code. */
                        currency: string;
                    };
                }[];
            } | null;
            /** @description The same under the other rules. */
            then?: {
                /**
                 * @description What the account counts in.
                 * @enum {string}
                 */
                billing: "credits" | "wallet";
                /** @description ISO 4217 code of the prices, and of a wallet. */
                currency: string;
                /** @description Balance before the period: credits, or a decimal string of money. */
                opening: number | string;
                /** @description Opening balance, grants, charges and refunds together. */
                closing: number | string;
                /** @description Charges by category, market and unit price. */
                charges: {
                    /**
                     * @description Category of the price.
                     * @enum {string}
                     */
                    category: "MARKETING" | "UTILITY" | "AUTHENTICATION" | "SERVICE";
                    /** @description Market of the rate card. */
                    market: string;
                    /** @description Price of one message in the plan's currency, a decimal string. */
                    unitPrice: string;
                    /** @description Credits of one message; null on a wallet. */
                    creditsEach: number | null;
                    /** @description Number of charges; free messages are those with the price 0.0000. */
                    count: number;
                    /** @description Sum of the movements: zero or below. */
                    amount: number | string;
                }[];
                /** @description Refunds by cause. */
                refunds: {
                    /**
                     * @description Cause of the refunds, as in the ledger.
                     * @enum {string}
                     */
                    cause: "not_sent" | "unknown_outcome" | "disconnected" | "delivery_failed" | "swept";
                    /** @description Number of refunds. */
                    count: number;
                    /** @description Sum of the movements: zero or above. */
                    amount: number | string;
                }[];
                /** @description Sum of grants and adjustments. */
                granted: number | string;
                /** @description What was sold, and what it costs. */
                cost: {
                    /** @description What was charged and not given back: credits at the value of their plan version, a decimal string. */
                    sold: string;
                    /** @description Prices of the same messages, a decimal string. */
                    prices: string;
                    /** @description `sold` without `prices`: credits are whole, a decimal string. */
                    rounding: string;
                    /** @description What the provider takes by the rate cards of the charges, a decimal string. */
                    providerCost: string;
                    /** @description `sold` without `providerCost`, a decimal string. */
                    margin: string;
                    /** @description ISO 4217 code. */
                    currency: string;
                };
                /** @description The other units in which accounts counted. */
                others?: {
                    /**
                     * @description What the account counts in.
                     * @enum {string}
                     */
                    billing: "credits" | "wallet";
                    /** @description ISO 4217 code of the prices, and of a wallet. */
                    currency: string;
                    /** @description Balance before the period: credits, or a decimal string of money. */
                    opening: number | string;
                    /** @description Opening balance, grants, charges and refunds together. */
                    closing: number | string;
                    /** @description Charges by category, market and unit price. */
                    charges: {
                        /**
                         * @description Category of the price.
                         * @enum {string}
                         */
                        category: "MARKETING" | "UTILITY" | "AUTHENTICATION" | "SERVICE";
                        /** @description Market of the rate card. */
                        market: string;
                        /** @description Price of one message in the plan's currency, a decimal string. */
                        unitPrice: string;
                        /** @description Credits of one message; null on a wallet. */
                        creditsEach: number | null;
                        /** @description Number of charges; free messages are those with the price 0.0000. */
                        count: number;
                        /** @description Sum of the movements: zero or below. */
                        amount: number | string;
                    }[];
                    /** @description Refunds by cause. */
                    refunds: {
                        /**
                         * @description Cause of the refunds, as in the ledger.
                         * @enum {string}
                         */
                        cause: "not_sent" | "unknown_outcome" | "disconnected" | "delivery_failed" | "swept";
                        /** @description Number of refunds. */
                        count: number;
                        /** @description Sum of the movements: zero or above. */
                        amount: number | string;
                    }[];
                    /** @description Sum of grants and adjustments. */
                    granted: number | string;
                    /** @description What was sold, and what it costs. */
                    cost: {
                        /** @description What was charged and not given back: credits at the value of their plan version, a decimal string. */
                        sold: string;
                        /** @description Prices of the same messages, a decimal string. */
                        prices: string;
                        /** @description `sold` without `prices`: credits are whole, a decimal string. */
                        rounding: string;
                        /** @description What the provider takes by the rate cards of the charges, a decimal string. */
                        providerCost: string;
                        /** @description `sold` without `providerCost`, a decimal string. */
                        margin: string;
                        /** @description ISO 4217 code. */
                        currency: string;
                    };
                }[];
            } | null;
            /** @description By category and market. */
            differences?: {
                /**
                 * @description Category of the price.
                 * @enum {string}
                 */
                category: "MARKETING" | "UTILITY" | "AUTHENTICATION" | "SERVICE";
                /** @description Market of the rate card. */
                market: string;
                /** @description ISO 4217 code. */
                currency: string;
                /** @description Charges, those given back included. */
                count: number;
                /** @description What was sold, refunds taken off, a decimal string. */
                real: string;
                /** @description What would have been sold, a decimal string. */
                then: string;
                /** @description `then` without `real`, a decimal string. */
                difference: string;
            }[];
            /** @description What happened, and would have been refused. */
            refused?: {
                /** @description As in the counts of refusals; `BELOW_ZERO` for a taking back that would pass the balance. */
                code: string;
                /**
                 * @description What the account counts in.
                 * @enum {string}
                 */
                billing: "credits" | "wallet";
                /** @description ISO 4217 code. */
                currency: string;
                /** @description Number of them. */
                count: number;
                /** @description What they would have cost. */
                amount: number | string;
            }[];
        };
    };
    responses: {
        /** @description `BACKUP_FAILED`: No backup was made, or the place of the backups cannot be read; the text says why. */
        AdministrationBadGatewayBackupFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BackupFailedProblem"];
            };
        };
        /** @description The provider refused, with its words in `details`, or was out of reach: then try again. */
        AdministrationBadGatewayProviderFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description - The request does not match its schema; `error` lists the fields and reasons.
         *     - The body is not valid JSON or too complex, or a parameter is missing; see the text.
         */
        AdministrationBadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["Problem"];
            };
        };
        /**
         * @description - The balance would exceed 9,000,000,000,000 units: use a smaller amount.
         *     - The request does not match its schema; `error` lists the fields and reasons.
         *     - The body is not valid JSON or too complex, or a parameter is missing; see the text.
         */
        AdministrationBadRequestAccountBalanceLimit: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] | components["schemas"]["ValidationProblem"];
            };
        };
        /** @description The body is not valid JSON or too complex, or a parameter is missing; see the text. */
        AdministrationBadRequestRequestMalformed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The plan, the balance or a running send does not allow this; the text says which. */
        AdministrationConflictAccountConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description - The plan, the balance or a running send does not allow this; the text says which.
         *     - `IDEMPOTENCY_IN_PROGRESS`: A request with this `Idempotency-Key` is running: try again after `Retry-After`.
         */
        AdministrationConflictAccountConflictIdempotencyInProgress: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] | components["schemas"]["IdempotencyInProgressProblem"];
            };
        };
        /**
         * @description - `IDEMPOTENCY_IN_PROGRESS`: A request with this `Idempotency-Key` is running: try again after `Retry-After`.
         *     - The resource exists already, or the account has the maximum.
         */
        AdministrationConflictIdempotencyInProgressResourceConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IdempotencyInProgressProblem"] | components["schemas"]["Problem"];
            };
        };
        /** @description A revoked key stays revoked: create another one. */
        AdministrationConflictKeyRevoked: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The resource exists already, or the account has the maximum. */
        AdministrationConflictResourceConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `READ_ONLY`: An auditor may only read, verify and export: use the token of an `admin`. */
        AdministrationForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ReadOnlyProblem"];
            };
        };
        /**
         * @description - The look-up of the credential failed. Try again with back-off.
         *     - A fault of the service. Try again with back-off.
         */
        AdministrationInternalServerError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The path has other methods; `Allow` names them. */
        AdministrationMethodNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The path is unknown. */
        AdministrationNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description - The number is not linked to this account, or lacks a required access token.
         *     - The path is unknown.
         */
        AdministrationNotFoundNumberUnknown: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description - The number is not linked to this account, or lacks a required access token.
         *     - The id is unknown; the text names the resource.
         *     - The path is unknown.
         */
        AdministrationNotFoundNumberUnknownResourceUnknown: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description - The id is unknown; the text names the resource.
         *     - The path is unknown.
         */
        AdministrationNotFoundResourceUnknown: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is larger than 1 MB, or a file is larger than its type may be. Nothing was done; split it. */
        AdministrationPayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The body did not arrive in time. Nothing was done; send it again. */
        AdministrationRequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description - This instance is stopping. Try again after `Retry-After`.
         *     - The service cannot store or read this now. Try again after `Retry-After`.
         */
        AdministrationServiceUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests: wait `RateLimit-Reset` seconds. */
        AdministrationTooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The administrator's token is missing, unknown or revoked. An API key is no token. */
        AdministrationUnauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `IDEMPOTENCY_MISMATCH`: Another request has used this `Idempotency-Key`: use a new one. */
        AdministrationUnprocessableEntityIdempotencyMismatch: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IdempotencyMismatchProblem"];
            };
        };
        /** @description The body is compressed or not announced as JSON: send `Content-Type: application/json`. For a file: no form, or a type that the provider does not take. */
        AdministrationUnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `ERASED`: The data of a contact were erased. An answer with that contact is not given again, and its request is not repeated: nothing is sent or charged. A dead letter without its content can only be dismissed. */
        SupportGoneResourceErased: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErasedProblem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Id of this request in the logs: the one that you sent, if it is valid and, unless it is a UUID or a hash, has no seven digits in a row. */
        "X-Request-Id": string;
        /** @description Requests permitted in the window of 60 seconds. */
        "RateLimit-Limit": number;
        /** @description Requests left in the current window. */
        "RateLimit-Remaining": number;
        /** @description Seconds until the window resets. */
        "RateLimit-Reset": number;
        /** @description Seconds until the next try, where waiting helps. */
        "Retry-After": number;
        /** @description What the request has and the route does not know: a list of RFC 9651. */
        "X-Waybill-Warnings": string;
        /** @description The kind of the missing credential. */
        "WWW-Authenticate": string;
        /** @description The methods of this path. */
        Allow: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    findSendRefusals: {
        parameters: {
            query?: {
                /** @description Rows on a page, 1 to 100; 50 by default. */
                limit?: number;
                /** @description `nextCursor` of the previous page. New rows do not change the later pages. */
                cursor?: string;
                /** @description From this time on, ISO 8601. */
                since?: string;
                /** @description Before this time, ISO 8601. */
                until?: string;
                /** @description Refused under this code. */
                code?: string;
                /** @description Whose last recipient was this one. */
                contact?: string;
                /** @description Refusals of this account; absent: of all. */
                accountId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page; `nextCursor` leads to the next one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        refusals: components["schemas"]["AccountSendRefusals"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFound"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    findSends: {
        parameters: {
            query?: {
                /** @description Rows on a page, 1 to 100; 50 by default. */
                limit?: number;
                /** @description `nextCursor` of the previous page. New rows do not change the later pages. */
                cursor?: string;
                /** @description To this number or user id. */
                contact?: string;
                /** @description For this event of the catalog. */
                event?: "otp_verification" | "password_reset" | "order_verification" | "order_confirmation" | "order_status" | "order_cancelled" | "order_shipped" | "out_for_delivery" | "order_delivered" | "delivery_failed" | "payment_received" | "payment_failed" | "return_requested" | "return_pickup_scheduled" | "refund_processed" | "cart_recovery" | "review_request" | "back_in_stock";
                /** @description With this state. */
                state?: "pending" | "accepted" | "refused" | "unreachable" | "unknown" | "not_sent" | "disconnected" | "swept";
                /** @description With this reference of yours. */
                clientReference?: string;
                /** @description Sent by the request with this id. */
                requestId?: string;
                /** @description From this time on, ISO 8601. */
                since?: string;
                /** @description Before this time, ISO 8601. */
                until?: string;
                /** @description Attempts of this account; absent: of all. */
                accountId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page; `nextCursor` leads to the next one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        sends: components["schemas"]["AccountSend"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFound"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    listAccountScheduled: {
        parameters: {
            query?: {
                /** @description Rows on a page, 1 to 100; 50 by default. */
                limit?: number;
                /** @description `nextCursor` of the previous page. New rows do not change the later pages. */
                cursor?: string;
                /** @description In this state. */
                state?: "waiting" | "sending" | "sent" | "refused" | "expired" | "cancelled" | "erased";
                /** @description To this number or user id. */
                contact?: string;
            };
            header?: never;
            path: {
                /** @description Id of the account. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page; `nextCursor` leads to the next one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        scheduled: components["schemas"]["ScheduledSend"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFound"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    listAccountJobs: {
        parameters: {
            query?: {
                /** @description Rows on a page, 1 to 100; 50 by default. */
                limit?: number;
                /** @description `nextCursor` of the previous page. New rows do not change the later pages. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the account. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page; `nextCursor` leads to the next one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        jobs: components["schemas"]["Job"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFound"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    listAdministrators: {
        parameters: {
            query?: {
                /** @description Rows on a page, 1 to 100; 50 by default. */
                limit?: number;
                /** @description `nextCursor` of the previous page. New rows do not change the later pages. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page; `nextCursor` leads to the next one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        administrators: components["schemas"]["Administrator"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFound"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    createAdministrator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the administrator. */
                    name: string;
                    /**
                     * Format: email
                     * @description Shown with every act of the administrator.
                     */
                    email: string;
                    /**
                     * @description An `auditor` may only read, verify and export.
                     * @enum {string}
                     */
                    role: "admin" | "auditor";
                };
            };
        };
        responses: {
            /** @description Created. Only this response shows the token. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Id of the administrator. */
                        id: string;
                        /** @description Name of the administrator. */
                        name: string;
                        /** @description Shown with every act of the administrator. */
                        email: string;
                        /**
                         * @description An `auditor` may only read, verify and export.
                         * @enum {string}
                         */
                        role: "admin" | "auditor";
                        /**
                         * @description `revoked` is final.
                         * @enum {string}
                         */
                        state: "active" | "revoked";
                        /**
                         * Format: date-time
                         * @description Time of creation, ISO 8601.
                         */
                        createdAt: string;
                        /** @description The token; only this response shows it. */
                        token: string;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            409: components["responses"]["AdministrationConflictResourceConflict"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    revokeAdministrator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the administrator. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Administrator"];
                };
            };
            400: components["responses"]["AdministrationBadRequestRequestMalformed"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    listPeople: {
        parameters: {
            query?: {
                /** @description Rows on a page, 1 to 100; 50 by default. */
                limit?: number;
                /** @description `nextCursor` of the previous page. New rows do not change the later pages. */
                cursor?: string;
                /** @description Absent: the operators. */
                organisationId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page; `nextCursor` leads to the next one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        people: components["schemas"]["Person"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFound"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    createPerson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the person. */
                    name: string;
                    /**
                     * Format: email
                     * @description Signs in with it; a second person with it is refused: 409.
                     */
                    email: string;
                    /**
                     * @description At most that of the caller.
                     * @enum {string}
                     */
                    role: "owner" | "manager" | "developer" | "agent" | "viewer" | "admin" | "support" | "auditor";
                    /** @description Null: all accounts of the organisation. Absent: those of the caller. */
                    accounts?: string[] | null;
                    /**
                     * @description Null: an operator.
                     * @default null
                     */
                    organisationId?: string | null;
                };
            };
        };
        responses: {
            /** @description Invited. Only this response shows the link. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Id of the person. */
                        id: string;
                        /** @description Name of the person; null once erased. */
                        name: string | null;
                        /** @description Signs in with it; null once erased. */
                        email: string | null;
                        /**
                         * @description What the person may do: see docs/console.md.
                         * @enum {string}
                         */
                        role: "owner" | "manager" | "developer" | "agent" | "viewer" | "admin" | "support" | "auditor";
                        /** @description Its organisation; null for an operator. */
                        organisationId: string | null;
                        /** @description Ids of the accounts; null for all of the organisation. */
                        accounts: string[] | null;
                        /**
                         * @description `invited` until the first sign-in; `erased` for good.
                         * @enum {string}
                         */
                        state: "invited" | "active" | "suspended" | "erased";
                        /** @description When the newest invitation expires, ISO 8601; null once it was used. */
                        invitedUntil: string | null;
                        /**
                         * Format: date-time
                         * @description Time of the first invitation, ISO 8601.
                         */
                        createdAt: string;
                        /** @description Path and fragment, to be put after the origin of the service. Works once. */
                        link: string;
                        /**
                         * Format: date-time
                         * @description 72 hours from now, ISO 8601.
                         */
                        linkExpiresAt: string;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            409: components["responses"]["AdministrationConflictResourceConflict"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    getPerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the person. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Id of the person. */
                        id: string;
                        /** @description Name of the person; null once erased. */
                        name: string | null;
                        /** @description Signs in with it; null once erased. */
                        email: string | null;
                        /**
                         * @description What the person may do: see docs/console.md.
                         * @enum {string}
                         */
                        role: "owner" | "manager" | "developer" | "agent" | "viewer" | "admin" | "support" | "auditor";
                        /** @description Its organisation; null for an operator. */
                        organisationId: string | null;
                        /** @description Ids of the accounts; null for all of the organisation. */
                        accounts: string[] | null;
                        /**
                         * @description `invited` until the first sign-in; `erased` for good.
                         * @enum {string}
                         */
                        state: "invited" | "active" | "suspended" | "erased";
                        /** @description When the newest invitation expires, ISO 8601; null once it was used. */
                        invitedUntil: string | null;
                        /**
                         * Format: date-time
                         * @description Time of the first invitation, ISO 8601.
                         */
                        createdAt: string;
                        /** @description Newest first. */
                        sessions: {
                            /**
                             * Format: date-time
                             * @description Time of the sign-in, ISO 8601.
                             */
                            startedAt: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    updatePerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the person. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Name of the person. */
                    name?: string;
                    /**
                     * @description At most that of the caller.
                     * @enum {string}
                     */
                    role?: "owner" | "manager" | "developer" | "agent" | "viewer" | "admin" | "support" | "auditor";
                    /** @description Null: all accounts of the organisation. */
                    accounts?: string[] | null;
                };
            };
        };
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    invitePersonAgain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the person. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new invitation. Only this response shows the link. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Path and fragment, to be put after the origin of the service. Works once. */
                        link: string;
                        /**
                         * Format: date-time
                         * @description 72 hours from now, ISO 8601.
                         */
                        linkExpiresAt: string;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    endPersonSessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the person. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true.
                         * @constant
                         */
                        success: true;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    suspendPerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the person. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    reinstatePerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the person. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    erasePerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the person. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Why. It is kept: do not name the person. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The erasure, which has just begun. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"] | {
                        /** @description What waits for the yes of another person. */
                        approval: {
                            /** @description Id of what waits. */
                            id: string;
                            /**
                             * @description Until another person approves or rejects it.
                             * @constant
                             */
                            state: "waiting";
                            /**
                             * Format: date-time
                             * @description Until then it waits, ISO 8601.
                             */
                            expiresAt: string;
                        };
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    listActions: {
        parameters: {
            query?: {
                /** @description Rows on a page, 1 to 100; 50 by default. */
                limit?: number;
                /** @description `nextCursor` of the previous page. New rows do not change the later pages. */
                cursor?: string;
                /** @description Only what concerns this account. */
                accountId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page; `nextCursor` leads to the next one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        actions: components["schemas"]["Action"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFound"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    listOrganisations: {
        parameters: {
            query?: {
                /** @description Rows on a page, 1 to 100; 50 by default. */
                limit?: number;
                /** @description `nextCursor` of the previous page. New rows do not change the later pages. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page; `nextCursor` leads to the next one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        organisations: components["schemas"]["Organisation"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFound"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    createOrganisation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the organisation. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Created, in its new state. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organisation"];
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            409: components["responses"]["AdministrationConflictResourceConflict"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    getOrganisation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organisation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organisation"];
                };
            };
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    updateOrganisation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organisation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description All that needs two people. */
                    fourEyes: ("grant" | "plan" | "erasure")[];
                };
            };
        };
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organisation"];
                };
            };
            /** @description It is taken, and goes out later; nothing is charged yet. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What waits for the yes of another person. */
                        approval: {
                            /** @description Id of what waits. */
                            id: string;
                            /**
                             * @description Until another person approves or rejects it.
                             * @constant
                             */
                            state: "waiting";
                            /**
                             * Format: date-time
                             * @description Until then it waits, ISO 8601.
                             */
                            expiresAt: string;
                        };
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            /** @description `TWO_PEOPLE_NEEDED`: Two people must be there who can approve what the other asks for. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TwoPeopleNeededProblem"];
                };
            };
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    suspendOrganisation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organisation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description The reason, as free text. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organisation"];
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    reinstateOrganisation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organisation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description The reason, as free text. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organisation"];
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    createOrganisationAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organisation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the account. */
                    name: string;
                    /** @description Id of the billing plan; `standard` is built in. */
                    planId?: string;
                };
            };
        };
        responses: {
            /** @description Created, in its new state. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            409: components["responses"]["AdministrationConflictAccountConflict"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    listAccounts: {
        parameters: {
            query?: {
                /** @description Rows on a page, 1 to 100; 50 by default. */
                limit?: number;
                /** @description `nextCursor` of the previous page. New rows do not change the later pages. */
                cursor?: string;
                /** @description Accounts of this organisation. */
                organisationId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page; `nextCursor` leads to the next one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        accounts: components["schemas"]["Account"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFound"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    getAccount: {
        parameters: {
            query?: {
                /** @description As it was known at this time, ISO 8601; 404 before it was there. Now by default. */
                asOf?: string;
            };
            header?: never;
            path: {
                /** @description Id of the account. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            409: components["responses"]["AdministrationConflictResourceConflict"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    setAccountPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the account. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Id of the billing plan; `standard` is built in. */
                    planId: string;
                };
            };
        };
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description It is taken, and goes out later; nothing is charged yet. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What waits for the yes of another person. */
                        approval: {
                            /** @description Id of what waits. */
                            id: string;
                            /**
                             * @description Until another person approves or rejects it.
                             * @constant
                             */
                            state: "waiting";
                            /**
                             * Format: date-time
                             * @description Until then it waits, ISO 8601.
                             */
                            expiresAt: string;
                        };
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            409: components["responses"]["AdministrationConflictAccountConflict"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    updateAccountLimits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the account. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Messages in any 60 seconds; null for no cap. */
                    perMinute?: number | null;
                    /** @description Messages in a UTC day; null for no cap. */
                    daily?: number | null;
                    /** @description Messages in a UTC month; null for no cap. */
                    monthly?: number | null;
                    /** @description Whether the account sends nothing at all. */
                    paused?: boolean;
                    /** @description Whether sends are strict where their body does not say it. */
                    strict?: boolean;
                    /**
                     * @description Whether an event of category UTILITY or AUTHENTICATION that has no approved template goes out without one (Direct Send): `fallback`, or `off`, the default.
                     * @enum {string}
                     */
                    directSend?: "off" | "fallback";
                    /** @description IANA name: of recipients whose own time zone is not known, for hours of sends; `UTC` by default. */
                    timeZone?: string;
                    /** @description Hours of the day, on the clock of the recipient, in which sends of a category are held until they end; null for none. Authentication and free-form replies are never held. */
                    quietHours?: {
                        /** @description Of marketing. */
                        MARKETING?: {
                            /** @description When they begin, such as `21:00`. */
                            from: string;
                            /** @description When they end, such as `08:00`; this moment is not in them. */
                            until: string;
                        };
                        /** @description Of utility messages. */
                        UTILITY?: {
                            /** @description When they begin, such as `21:00`. */
                            from: string;
                            /** @description When they end, such as `08:00`; this moment is not in them. */
                            until: string;
                        };
                    } | null;
                    /** @description The webhook event `account.balance_low` tells when the balance falls below it: whole credits, or a decimal string on a wallet plan; null for none. */
                    balanceLow?: (number | string) | null;
                };
            };
        };
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    updateAccountRetention: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the account. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1 to 120 months, or null for ever. */
                    contentRetentionMonths: number | null;
                };
            };
        };
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    listAccountWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the account. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The webhooks of the account. */
                        webhooks: components["schemas"]["AccountWebhook"][];
                    };
                };
            };
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    listAccountKeys: {
        parameters: {
            query?: {
                /** @description Rows on a page, 1 to 100; 50 by default. */
                limit?: number;
                /** @description `nextCursor` of the previous page. New rows do not change the later pages. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the account. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page; `nextCursor` leads to the next one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        keys: components["schemas"]["Key"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    createAccountKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the account. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the key. */
                    name: string;
                    /** @description Origins that browsers may call from. */
                    allowedOrigins?: string[];
                    /** @description Requests in 60 seconds; 120 by default. */
                    rateLimit?: number;
                    /**
                     * Format: date-time
                     * @description Time of expiry, ISO 8601; null for never.
                     */
                    expiresAt?: string;
                    /** @description Operations that the key allows. */
                    scopes?: ("notifications:send" | "messages:send" | "messages:read" | "conversations:write" | "media:read" | "media:write" | "templates:read" | "templates:write" | "phones:read" | "phones:write" | "bots:read" | "bots:write" | "credits:read" | "account:write" | "webhooks:read" | "webhooks:write" | "gateway")[];
                    /** @description Whether the gateway takes `biz_opaque_callback_data` of a message for its `Idempotency-Key`, where it has none. */
                    opaqueIsIdempotent?: boolean;
                };
            };
        };
        responses: {
            /** @description Created. Only this response shows the key. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Id of the key. */
                        id: string;
                        /** @description Id of the owning account. */
                        accountId: string;
                        /** @description Name of the key. */
                        name: string;
                        /** @description The first characters of the key. */
                        prefix: string;
                        /**
                         * @description `revoked` is final; `expired` is an active key whose time of expiry has come.
                         * @enum {string}
                         */
                        state: "active" | "inactive" | "revoked" | "expired";
                        /** @description Origins that browsers may call from. */
                        allowedOrigins: string[] | null;
                        /** @description Requests in 60 seconds; 120 by default. */
                        rateLimit: number;
                        /** @description Time of expiry, ISO 8601; null for never. */
                        expiresAt: string | null;
                        /** @description Operations that the key allows. */
                        scopes: string[] | null;
                        /** @description Whether the gateway takes `biz_opaque_callback_data` of a message for its `Idempotency-Key`, where it has none. */
                        opaqueIsIdempotent: boolean;
                        /**
                         * Format: date-time
                         * @description Time of creation, ISO 8601.
                         */
                        createdAt: string;
                        /** @description Last use, to 10 minutes; null for never. */
                        lastUsedAt: string | null;
                        /** @description The key; only this response shows it. */
                        key: string;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            409: components["responses"]["AdministrationConflictResourceConflict"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    deactivateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            400: components["responses"]["AdministrationBadRequestRequestMalformed"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            409: components["responses"]["AdministrationConflictKeyRevoked"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    activateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            400: components["responses"]["AdministrationBadRequestRequestMalformed"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            409: components["responses"]["AdministrationConflictKeyRevoked"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            400: components["responses"]["AdministrationBadRequestRequestMalformed"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            409: components["responses"]["AdministrationConflictKeyRevoked"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    getNumberHealth: {
        parameters: {
            query?: {
                /** @description Rows on a page, 1 to 100; 50 by default. */
                limit?: number;
                /** @description `nextCursor` of the previous page. New rows do not change the later pages. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page; `nextCursor` leads to the next one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        numbers: components["schemas"]["NumberHealth"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFound"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    listAccountNumbers: {
        parameters: {
            query?: {
                /** @description Rows on a page, 1 to 100; 50 by default. */
                limit?: number;
                /** @description `nextCursor` of the previous page. New rows do not change the later pages. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the account. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page; `nextCursor` leads to the next one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        numbers: components["schemas"]["Number"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    createAccountNumber: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the account. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The provider's phone number id. */
                    phoneNumberId: string;
                    /** @description The provider's id of the business account. */
                    wabaId: string;
                    /** @description Token for calls to the provider; stored encrypted. */
                    accessToken?: string;
                    /** @description The number in display form. */
                    displayPhoneNumber?: string;
                    /** @description The approved display name. */
                    verifiedName?: string;
                    /** @description 80 by default. */
                    messagesPerSecond?: number;
                    /** @description The messaging account that pays, which every send then carries. */
                    messagingAccountId?: string;
                };
            };
        };
        responses: {
            /** @description Created, in its new state. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Number"];
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundNumberUnknownResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            /** @description The number is linked already, maybe to another account: unlink it there first. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    getNumber: {
        parameters: {
            query?: {
                /** @description As it was known at this time, ISO 8601; 404 before it was there. Now by default. */
                asOf?: string;
            };
            header?: never;
            path: {
                /** @description The provider's phone number id; not the telephone number. */
                phoneNumberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Number"];
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFoundNumberUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            409: components["responses"]["AdministrationConflictResourceConflict"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    deleteNumber: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The provider's phone number id; not the telephone number. */
                phoneNumberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true.
                         * @constant
                         */
                        success: true;
                    };
                };
            };
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundNumberUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    setNumberAccessToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The provider's phone number id; not the telephone number. */
                phoneNumberId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Token for calls to the provider; stored encrypted. */
                    accessToken: string | null;
                };
            };
        };
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Number"];
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundNumberUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    registerNumber: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The provider's phone number id; not the telephone number. */
                phoneNumberId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description PIN of the two-step verification. */
                    pin: string;
                };
            };
        };
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Number"];
                };
            };
            /**
             * @description - The number is linked but has no access token: set one first.
             *     - The request does not match its schema; `error` lists the fields and reasons.
             *     - The body is not valid JSON or too complex, or a parameter is missing; see the text.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] | components["schemas"]["ValidationProblem"];
                };
            };
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundNumberUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            502: components["responses"]["AdministrationBadGatewayProviderFailed"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    refreshNumber: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The provider's phone number id; not the telephone number. */
                phoneNumberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Number"];
                };
            };
            /**
             * @description - The number is linked but has no access token: set one first.
             *     - The body is not valid JSON or too complex, or a parameter is missing; see the text.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundNumberUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            502: components["responses"]["AdministrationBadGatewayProviderFailed"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    getNumberReadiness: {
        parameters: {
            query?: {
                /** @description `true` first reads the approval status from the provider. */
                refresh?: string;
            };
            header?: never;
            path: {
                /** @description The provider's phone number id; not the telephone number. */
                phoneNumberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The provider's phone number id. */
                        phoneNumberId: string;
                        /** @description Events in the catalog. */
                        total: number;
                        /** @description Events with an approved template. */
                        ready: number;
                        /** @description Whether the number can send. */
                        health: {
                            /** @description False when the number can send nothing at all. */
                            canSend: boolean;
                            /** @description A sentence for each obstacle, which names the fix. */
                            blockers: string[];
                            /**
                             * @description Only while the number can send, but the provider limits it.
                             * @constant
                             */
                            status?: "LIMITED";
                            /** @description A sentence for each limit, with the reason that the provider gives. */
                            limits?: string[];
                            /** @description Only for a day after the provider refused a message without a template (Direct Send), in accounts that send such messages. */
                            directSend?: {
                                /**
                                 * @description The provider has not admitted the business account, or restricts it for its messages.
                                 * @enum {string}
                                 */
                                state: "not_onboarded" | "restricted";
                                /**
                                 * Format: date-time
                                 * @description Until then no message goes out without a template, ISO 8601.
                                 */
                                until: string;
                            };
                        };
                        /** @description Every event of the catalog. */
                        events: components["schemas"]["ReadinessEntry"][];
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFoundNumberUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    submitNumberCatalog: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The provider's phone number id; not the telephone number. */
                phoneNumberId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Only these events; the whole catalog by default. */
                    events?: string[];
                    /**
                     * @description Skips approved and pending templates.
                     * @default true
                     */
                    onlyMissing?: boolean;
                };
            };
        };
        responses: {
            /** @description The result of each template. A refused template is a `failed` result, not an error; nothing is approved yet. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true.
                         * @constant
                         */
                        success: true;
                        /** @description The number of the business account. */
                        phoneNumberId: string;
                        /** @description Newly submitted templates. */
                        submitted: number;
                        /** @description Templates that the provider had already. */
                        existing: number;
                        /** @description Templates that the provider refused. */
                        failed: number;
                        /** @description One for each submitted template. */
                        results: components["schemas"]["SubmissionResult"][];
                        /** @description What to do next. */
                        note: string;
                    };
                };
            };
            /**
             * @description - The catalog lacks the events that the text names. Nothing was submitted.
             *     - The number is linked but has no access token: set one first.
             *     - The request does not match its schema; `error` lists the fields and reasons.
             *     - The body is not valid JSON or too complex, or a parameter is missing; see the text.
             *     - The provider refused the submission. Change it before another try.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] | components["schemas"]["ValidationProblem"];
                };
            };
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundNumberUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    grantAccountCredit: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the same key and body get the first response, and nothing happens twice. Kept for 24 hours. Name the purpose of the request, such as `order-A-1042-shipped`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the account. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Number of credits. */
                    amount: number;
                    /** @description The reason, as free text. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The movement, as in the ledger. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description `true` for the stored response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Entry"];
                };
            };
            /** @description It is taken, and goes out later; nothing is charged yet. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What waits for the yes of another person. */
                        approval: {
                            /** @description Id of what waits. */
                            id: string;
                            /**
                             * @description Until another person approves or rejects it.
                             * @constant
                             */
                            state: "waiting";
                            /**
                             * Format: date-time
                             * @description Until then it waits, ISO 8601.
                             */
                            expiresAt: string;
                        };
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequestAccountBalanceLimit"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            409: components["responses"]["AdministrationConflictAccountConflictIdempotencyInProgress"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            422: components["responses"]["AdministrationUnprocessableEntityIdempotencyMismatch"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    revokeAccountCredit: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the same key and body get the first response, and nothing happens twice. Kept for 24 hours. Name the purpose of the request, such as `order-A-1042-shipped`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the account. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Number of credits. */
                    amount: number;
                    /** @description The reason, as free text. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The movement, as in the ledger. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description `true` for the stored response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Entry"];
                };
            };
            /** @description It is taken, and goes out later; nothing is charged yet. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What waits for the yes of another person. */
                        approval: {
                            /** @description Id of what waits. */
                            id: string;
                            /**
                             * @description Until another person approves or rejects it.
                             * @constant
                             */
                            state: "waiting";
                            /**
                             * Format: date-time
                             * @description Until then it waits, ISO 8601.
                             */
                            expiresAt: string;
                        };
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequestAccountBalanceLimit"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            409: components["responses"]["AdministrationConflictAccountConflictIdempotencyInProgress"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            422: components["responses"]["AdministrationUnprocessableEntityIdempotencyMismatch"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    topUpAccountWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the same key and body get the first response, and nothing happens twice. Kept for 24 hours. Name the purpose of the request, such as `order-A-1042-shipped`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the account. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: decimal
                     * @description A decimal string in the plan's currency.
                     */
                    amount: string;
                    /** @description The reason, as free text. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The movement, as in the ledger. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description `true` for the stored response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Entry"];
                };
            };
            /** @description It is taken, and goes out later; nothing is charged yet. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What waits for the yes of another person. */
                        approval: {
                            /** @description Id of what waits. */
                            id: string;
                            /**
                             * @description Until another person approves or rejects it.
                             * @constant
                             */
                            state: "waiting";
                            /**
                             * Format: date-time
                             * @description Until then it waits, ISO 8601.
                             */
                            expiresAt: string;
                        };
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequestAccountBalanceLimit"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            409: components["responses"]["AdministrationConflictAccountConflictIdempotencyInProgress"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            422: components["responses"]["AdministrationUnprocessableEntityIdempotencyMismatch"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    adjustAccountWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the same key and body get the first response, and nothing happens twice. Kept for 24 hours. Name the purpose of the request, such as `order-A-1042-shipped`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the account. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: decimal
                     * @description A decimal string in the plan's currency.
                     */
                    amount: string;
                    /** @description The reason, as free text. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The movement, as in the ledger. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description `true` for the stored response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Entry"];
                };
            };
            /** @description It is taken, and goes out later; nothing is charged yet. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What waits for the yes of another person. */
                        approval: {
                            /** @description Id of what waits. */
                            id: string;
                            /**
                             * @description Until another person approves or rejects it.
                             * @constant
                             */
                            state: "waiting";
                            /**
                             * Format: date-time
                             * @description Until then it waits, ISO 8601.
                             */
                            expiresAt: string;
                        };
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequestAccountBalanceLimit"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            409: components["responses"]["AdministrationConflictAccountConflictIdempotencyInProgress"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            422: components["responses"]["AdministrationUnprocessableEntityIdempotencyMismatch"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    getAccountLedger: {
        parameters: {
            query?: {
                /** @description Rows on a page, 1 to 100; 50 by default. */
                limit?: number;
                /** @description `nextCursor` of the previous page. New rows do not change the later pages. */
                cursor?: string;
                /** @description From this time on, ISO 8601. */
                since?: string;
                /** @description Before this time, ISO 8601. */
                until?: string;
                /** @description Only movements of this type. */
                type?: "DEDUCT" | "REFUND" | "GRANT" | "REVOKE";
                /** @description Only movements of this charge. */
                chargeId?: string;
            };
            header?: never;
            path: {
                /** @description Id of the account. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page; `nextCursor` leads to the next one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        entries: components["schemas"]["Entry"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    getAccountBalance: {
        parameters: {
            query?: {
                /** @description Time of the balance, ISO 8601; now by default. */
                asOf?: string;
            };
            header?: never;
            path: {
                /** @description Id of the account. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whole credits, or a decimal string of money. */
                        balance: number | string;
                        /**
                         * Format: date-time
                         * @description Time of the balance, ISO 8601; now by default.
                         */
                        asOf: string;
                        /** @description The last counted movement, or null. */
                        entryId: string | null;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    getAccountCharge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the charge. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountCharge"];
                };
            };
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    verifyLedger: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Verifies only this account. */
                    accountId?: string;
                    /** @description Seals that were kept elsewhere, as their file holds them. */
                    seals?: string;
                    /** @description Verifier keys: every seal must be signed by one of them. */
                    keys?: string[];
                    /** @description A C2SP tlog-policy: its witnesses must have signed the newest seal. */
                    policy?: string;
                };
            };
        };
        responses: {
            /** @description The result. Problems are a result too: look at `ok`, not at the status. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description True without problems. */
                        ok: boolean;
                        /** @description Number of verified accounts. */
                        accounts: number;
                        /** @description Number of verified movements. */
                        movements: number;
                        /** @description The first 1,000 problems. */
                        problems: components["schemas"]["LedgerProblem"][];
                        /** @description Number of all problems. */
                        problemCount: number;
                        /** @description Whether the read models were compared too. */
                        readModel: boolean;
                        /** @description What seals confirm; null without seals, or for one account. */
                        seals: components["schemas"]["VerifiedSeals"] | null;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    followLedgerVerify: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Verifies only this account. */
                    accountId?: string;
                    /** @description Seals that were kept elsewhere, as their file holds them. */
                    seals?: string;
                    /** @description Verifier keys: every seal must be signed by one of them. */
                    keys?: string[];
                    /** @description A C2SP tlog-policy: its witnesses must have signed the newest seal. */
                    policy?: string;
                };
            };
        };
        responses: {
            /** @description A stream of `text/event-stream`; each `data` is a JSON object of this shape. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["VerifyStep"];
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    listAccountEvents: {
        parameters: {
            query?: {
                /** @description First revision to read; 0 when absent. */
                from?: number;
                /** @description Instead of `from`: events from this time on, ISO 8601. */
                since?: string;
                /** @description `true` adds the messages that the charges of the page paid. */
                messages?: "true" | "false";
                /** @description Events on a page, 1 to 1,000; 500 when absent. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the account. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The page's events, oldest first. */
                        events: components["schemas"]["Event"][];
                        /** @description With `since`: the account before the first event. */
                        start?: components["schemas"]["AccountStart"];
                        /** @description With `messages`: ids of messages by charge; null for an erased one. */
                        messageIds?: {
                            [key: string]: string | null;
                        };
                        /** @description `from` of the next page, or null. */
                        nextFrom: number | null;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    getAccountHistory: {
        parameters: {
            query?: {
                /** @description `nextAfter` of the page before; the opening of the account when absent. */
                after?: string;
                /** @description Events of the log that a page looks at, 1 to 1,000; 500 when absent. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the account. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description In the order of the log. */
                        events: components["schemas"]["Event"][];
                        /** @description `after` of the next page, or null. */
                        nextAfter: string | null;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    listAccountBooks: {
        parameters: {
            query?: {
                /** @description Versions of credit plans, such as `standard:1,gold:2`. */
                plans?: string;
                /** @description Ids of rate cards, with commas between them. */
                cards?: string;
            };
            header?: never;
            path: {
                /** @description Id of the account. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The account. */
                        account: {
                            /** @description Its id. */
                            id: string;
                            /** @description Its name. */
                            name: string;
                        };
                        /** @description The organisation of the account. */
                        organisation: {
                            /** @description Its id. */
                            id: string;
                            /** @description Its name. */
                            name: string;
                        };
                        /** @description Who issues statements, oldest first. */
                        issuers: {
                            /** @description Position in the log from which on it issues. */
                            position: string;
                            /** @description The issuer. */
                            issuer: {
                                /** @description Name. */
                                name: string;
                                /** @description Address, or null. */
                                address: string | null;
                                /** @description Number for taxes, or null. */
                                taxId: string | null;
                            };
                        }[];
                        /** @description The credit plans under which the account paid. */
                        plans: {
                            /** @description Id of the plan. */
                            planId: string;
                            /** @description Its version. */
                            planVersion: number;
                            /** @description Value of a credit, in millionths of the currency. */
                            creditValue: number;
                        }[];
                        /** @description The published rate cards that priced its messages. */
                        cards?: {
                            /** @description Id of the rate card. */
                            rateCardId: string;
                            /** @description ISO 4217 code. */
                            currency: string;
                            /** @description Time from which on it priced sends, ISO 8601. */
                            effectiveFrom: string;
                            /** @description Prices by market and category, in millionths. */
                            rates: {
                                [key: string]: {
                                    MARKETING: number;
                                    UTILITY: number;
                                    AUTHENTICATION: number;
                                    /** @description Price of a free-form message; the price of UTILITY by default. */
                                    SERVICE?: number;
                                };
                            };
                        }[];
                        /** @description The seals of the log, oldest first. */
                        seals: {
                            /** @description Number of the seal, from 1. */
                            number: number;
                            /** @description Time of the seal, ISO 8601. */
                            at: string;
                            /** @description Its root, in base64. */
                            root: string;
                            /** @description Position of the newest record that it covers. */
                            position: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            409: components["responses"]["AdministrationConflictResourceConflict"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    listLedgerSeals: {
        parameters: {
            query?: {
                /** @description First number; 1 when absent. */
                from?: number;
                /** @description Seals on a page, 1 to 100; 50 by default. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The seals of the page. */
                        seals: components["schemas"]["Seal"][];
                        /** @description `from` of the next page, or null. */
                        nextFrom: number | null;
                        /** @description Verifier key of new seals, in the form of C2SP signed-note. */
                        key: string;
                        /** @description Up to which number seals were delivered. */
                        delivered: {
                            /** @description Last seal in WAYBILL_SEAL_FILE; 0 for none. */
                            file: number;
                            /** @description Last seal that WAYBILL_SEAL_URL took; 0 for none. */
                            url: number;
                        };
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFound"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    createLedgerSeal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new seal. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Seal"];
                };
            };
            400: components["responses"]["AdministrationBadRequestRequestMalformed"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFound"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            409: components["responses"]["AdministrationConflictResourceConflict"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    getLedgerProof: {
        parameters: {
            query?: {
                /** @description Id of a charge. */
                chargeId?: string;
                /** @description Id of an account. */
                accountId?: string;
                /** @description With `accountId`: the size of the seal to prove under; the last one when absent. */
                size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The account's newest link that the seal covers; its canonical JSON is the leaf. */
                        leaf: {
                            /** @description Id of the account. */
                            accountId: string;
                            /** @description Number of the link in the chain of the account. */
                            sequence: number;
                            /** @description Hash of the link, in hex. */
                            hash: string;
                            /** @description Position of the link in the log. */
                            position: string;
                        };
                        /** @description The way from the newest link to the root of the newest links of all accounts. */
                        head: {
                            /** @description Place of the leaf in the tree, from 0. */
                            index: number;
                            /** @description Hashes beside the way from the leaf to the root, in base64 (RFC 6962). */
                            path: string[];
                            /** @description Number of leaves of the tree. */
                            size: number;
                            /** @description The signed note of the newest links. */
                            note: string;
                        };
                        /** @description Place of the leaf in the tree, from 0. */
                        index: number;
                        /** @description Hashes beside the way from the leaf to the root, in base64 (RFC 6962). */
                        path: string[];
                        /** @description Number of leaves of the tree. */
                        size: number;
                        /** @description The seal: a C2SP checkpoint as a signed note. */
                        note: string;
                        /** @description The other records of the account that the seal covers. */
                        records: {
                            /** @description Of the event. */
                            revision: number;
                            /** @description Place of the leaf in the tree, from 0. */
                            index: number;
                            /** @description Hashes beside the way from the leaf to the root, in base64 (RFC 6962). */
                            path: string[];
                        }[];
                    } | {
                        /** @description The charge, whose hash is the entry. */
                        link: {
                            /**
                             * @description Type of the event.
                             * @constant
                             */
                            type: "ChargeReserved";
                            /** @description Version of the event's shape. */
                            version: number;
                            /** @description Place of the event in the account's stream. */
                            revision: number;
                            /** @description The charge as the log holds it. */
                            data: {
                                [key: string]: unknown;
                            };
                            /** @description Hash of the link before it. */
                            previousHash?: string;
                            /** @description Hash of the link; both are absent before version 5. */
                            hash?: string;
                            /** @description Id of the account. */
                            accountId: string;
                        };
                        /** @description Place of the leaf in the tree, from 0. */
                        index: number;
                        /** @description Hashes beside the way from the leaf to the root, in base64 (RFC 6962). */
                        path: string[];
                        /** @description Number of leaves of the tree. */
                        size: number;
                        /** @description The seal: a C2SP checkpoint as a signed note. */
                        note: string;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            /**
             * @description - `NOT_SEALED_YET`: The charge is newer than the last seal of the ledger; there is one each day. Ask again after `Retry-After`.
             *     - The id is unknown; the text names the resource.
             *     - The path is unknown.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotSealedYetProblem"] | components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["AdministrationMethodNotAllowed"];
            409: components["responses"]["AdministrationConflictResourceConflict"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    getAccountStatement: {
        parameters: {
            query?: {
                /** @description A UTC month such as `2026-11`. */
                month?: string;
                /** @description Start, ISO 8601; instead of `month`, with `to`. */
                from?: string;
                /** @description End, not included, ISO 8601. */
                to?: string;
                /** @description `json` by default. */
                format?: "text" | "csv" | "html" | "json";
                /** @description `false` leaves out provider cost and margin: for the customer. */
                cost?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description Id of the account. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statement. The same bytes for ever once `final` is true. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Statement"];
                    "text/plain": string;
                    "text/csv": string;
                    "text/html": string;
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            409: components["responses"]["AdministrationConflictResourceConflict"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    getReconciliation: {
        parameters: {
            query?: {
                /** @description A UTC month such as `2026-11`. */
                month?: string;
                /** @description Start, ISO 8601; instead of `month`, with `to`. */
                from?: string;
                /** @description End, not included, ISO 8601. */
                to?: string;
                /** @description Only this account. */
                accountId?: string;
                /** @description `true` asks for the provider's analytics too, which reach a year back. */
                provider?: "true" | "false";
                /** @description `false` leaves out the ids of messages, as of an export. */
                ids?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. Differences are a result too: look at `ok`, not at the status. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reconciliation"];
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    whatIf: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description A UTC month such as `2026-11`. */
                    month?: string;
                    /**
                     * Format: date-time
                     * @description Start, ISO 8601; instead of `month`, with `to`.
                     */
                    from?: string;
                    /**
                     * Format: date-time
                     * @description End, not included, ISO 8601.
                     */
                    to?: string;
                    /** @description Only these accounts; all when absent. */
                    accountIds?: string[];
                    /** @description The other rules. What is absent stays as it was. */
                    with?: {
                        /** @description Another plan, or other terms. */
                        plan?: string | {
                            /**
                             * Format: decimal
                             * @description Added to the provider's price.
                             */
                            markupPercent?: string;
                            /**
                             * Format: decimal
                             * @description Value of a credit.
                             */
                            creditValue?: string;
                        };
                        /** @description Another rate card. */
                        rateCard?: string | {
                            /** @description ISO 4217 code. */
                            currency: string;
                            /** @description Prices by market and category; `Other` is required. */
                            rates: {
                                [key: string]: {
                                    /** Format: decimal */
                                    MARKETING: string;
                                    /** Format: decimal */
                                    UTILITY: string;
                                    /** Format: decimal */
                                    AUTHENTICATION: string;
                                    /**
                                     * Format: decimal
                                     * @description Price of a free-form message; the price of UTILITY by default.
                                     */
                                    SERVICE?: string;
                                };
                            };
                        };
                        /** @description Whether free-form replies (SERVICE) are priced. */
                        chargeService?: boolean;
                        /** @description Sending caps. Those of the account refused nothing of what was sent. */
                        caps?: {
                            /** @description Messages in a minute; null: none. */
                            perMinute?: number | null;
                            /** @description Messages in a UTC day; null: none. */
                            daily?: number | null;
                            /** @description Messages in a UTC month; null: none. */
                            monthly?: number | null;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Where to read the answer. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhatIf"];
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    getWhatIf: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the what if. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How far it is, or the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhatIf"];
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    listPlans: {
        parameters: {
            query?: {
                /** @description Rows on a page, 1 to 100; 50 by default. */
                limit?: number;
                /** @description `nextCursor` of the previous page. New rows do not change the later pages. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page; `nextCursor` leads to the next one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        plans: components["schemas"]["Plan"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFound"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    createPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the same key and body get the first response, and nothing happens twice. Kept for 24 hours. Name the purpose of the request, such as `order-A-1042-shipped`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Id of the plan; a new one by default. */
                    id?: string;
                    /** @description Name of the plan. */
                    name: string;
                    /**
                     * @description Unit of the balance: whole credits, or money.
                     * @enum {string}
                     */
                    billing: "credits" | "wallet";
                    /** @description ISO 4217 code. */
                    currency: string;
                    /**
                     * Format: decimal
                     * @description Added to the provider's price: `20` adds a fifth.
                     */
                    markupPercent: string;
                    /** @description Value of a credit, a decimal string. */
                    creditValue?: string | null;
                    /**
                     * @description Refunds messages that fail after acceptance.
                     * @default true
                     */
                    refundFailedDeliveries?: boolean;
                    /**
                     * @description Refunds after disconnects in a UTC day that pause the account; null: no bound.
                     * @default 100
                     */
                    disconnectRefundsPerDay?: number | null;
                    /**
                     * @description Megabytes of unpaid events (bots, templates, refused sends) in a UTC day; null: no bound.
                     * @default 50
                     */
                    freeWritesMbPerDay?: number | null;
                    /**
                     * @description Prices free-form replies (SERVICE) like templates, by the SERVICE column of the rate card; free otherwise.
                     * @default false
                     */
                    chargeService?: boolean;
                };
            };
        };
        responses: {
            /** @description Created, in its new state. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description `true` for the stored response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            409: components["responses"]["AdministrationConflictIdempotencyInProgressResourceConflict"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            422: components["responses"]["AdministrationUnprocessableEntityIdempotencyMismatch"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    getPlan: {
        parameters: {
            query?: {
                /** @description As it was known at this time, ISO 8601; 404 before it was there. Now by default. */
                asOf?: string;
            };
            header?: never;
            path: {
                /** @description Id of the plan. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            409: components["responses"]["AdministrationConflictResourceConflict"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    replacePlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the plan. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the plan. */
                    name: string;
                    /**
                     * @description Unit of the balance: whole credits, or money.
                     * @enum {string}
                     */
                    billing: "credits" | "wallet";
                    /** @description ISO 4217 code. */
                    currency: string;
                    /**
                     * Format: decimal
                     * @description Added to the provider's price: `20` adds a fifth.
                     */
                    markupPercent: string;
                    /** @description Value of a credit, a decimal string. */
                    creditValue?: string | null;
                    /**
                     * @description Refunds messages that fail after acceptance.
                     * @default true
                     */
                    refundFailedDeliveries?: boolean;
                    /**
                     * @description Refunds after disconnects in a UTC day that pause the account; null: no bound.
                     * @default 100
                     */
                    disconnectRefundsPerDay?: number | null;
                    /**
                     * @description Megabytes of unpaid events (bots, templates, refused sends) in a UTC day; null: no bound.
                     * @default 50
                     */
                    freeWritesMbPerDay?: number | null;
                    /**
                     * @description Prices free-form replies (SERVICE) like templates, by the SERVICE column of the rate card; free otherwise.
                     * @default false
                     */
                    chargeService?: boolean;
                };
            };
        };
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            409: components["responses"]["AdministrationConflictResourceConflict"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    listRateCards: {
        parameters: {
            query?: {
                /** @description Rows on a page, 1 to 100; 50 by default. */
                limit?: number;
                /** @description `nextCursor` of the previous page. New rows do not change the later pages. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page; `nextCursor` leads to the next one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        rateCards: components["schemas"]["RateCard"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFound"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    createRateCard: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the same key and body get the first response, and nothing happens twice. Kept for 24 hours. Name the purpose of the request, such as `order-A-1042-shipped`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description ISO 4217 code. */
                    currency: string;
                    /**
                     * Format: date-time
                     * @description Prices sends from this time on, ISO 8601.
                     */
                    effectiveFrom: string;
                    /** @description Prices by market and category; `Other` is required. */
                    rates: {
                        [key: string]: {
                            /** Format: decimal */
                            MARKETING: string;
                            /** Format: decimal */
                            UTILITY: string;
                            /** Format: decimal */
                            AUTHENTICATION: string;
                            /**
                             * Format: decimal
                             * @description Price of a free-form message; the price of UTILITY by default.
                             */
                            SERVICE?: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Created, in its new state. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description `true` for the stored response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateCard"];
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            409: components["responses"]["AdministrationConflictIdempotencyInProgressResourceConflict"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            422: components["responses"]["AdministrationUnprocessableEntityIdempotencyMismatch"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    findMessages: {
        parameters: {
            query?: {
                /** @description Rows on a page, 1 to 100; 50 by default. */
                limit?: number;
                /** @description `nextCursor` of the previous page. New rows do not change the later pages. */
                cursor?: string;
                /** @description Messages of this account; absent: of all. */
                accountId?: string;
                /** @description Messages with this customer. */
                contact?: string;
                /** @description The message with the provider's id. */
                messageId?: string;
                /** @description The message that this charge paid. */
                chargeId?: string;
                /** @description Messages with this reference. */
                clientReference?: string;
                /** @description Messages of this direction. */
                direction?: "inbound" | "outbound";
                /** @description From this time on, ISO 8601. */
                since?: string;
                /** @description Before this time, ISO 8601. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page; `nextCursor` leads to the next one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        messages: components["schemas"]["FoundMessage"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFound"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    getMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the message. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Id of the message; null once erased. */
                        id: string | null;
                        /** @description The provider's message id; null once erased. */
                        metaMessageId: string | null;
                        /** @description Id of the conversation. */
                        conversationId: string | null;
                        /** @description The provider's phone number id. */
                        phoneNumberId: string | null;
                        /**
                         * @description `inbound`: from the customer. `outbound`: from the account.
                         * @enum {string}
                         */
                        direction: "inbound" | "outbound";
                        /** @description The recipient, digits only; null while the number is not known. */
                        recipientWaId: string | null;
                        /** @description The sending customer of an inbound message; null while the number is not known. */
                        senderWaId: string | null;
                        /** @description The provider's id of the customer; null where the provider gave none. */
                        contactUserId: string | null;
                        /** @description Name in the customer's profile. */
                        contactName: string | null;
                        /** @description Such as `text`, `template` or `image`. */
                        messageType: string;
                        /** @description `sent`, `delivered`, `read` or `failed`; null for an inbound message. */
                        status: string | null;
                        /** @description The provider's time of the status, ISO 8601. */
                        statusTimestamp: string | null;
                        /** @description Event key of the catalog. */
                        event: string | null;
                        /** @description The provider's name of the template. */
                        templateName: string | null;
                        /** @description The text of the message, if any. */
                        text: string | null;
                        /** @description The message as sent or received; null once it is erased. */
                        content: {
                            [key: string]: unknown;
                        } | null;
                        /** @description What the customer filled in, in a flow; absent of other messages. */
                        flow?: {
                            /** @description The name that the provider gives the reply. */
                            name: string;
                            /** @description The fields of the flow. */
                            response: {
                                [key: string]: unknown;
                            };
                        };
                        /** @description The message that this one answers. */
                        contextMessageId: string | null;
                        /** @description Category of the price. */
                        category: string | null;
                        /** @description Final charge, a decimal string: zero after a refund. */
                        price: string | null;
                        /** @description ISO 4217 code of the price. */
                        currency: string | null;
                        /** @description Final charge in credits: zero after a refund, null on a wallet plan. */
                        creditsCharged: number | null;
                        /** @description Your reference of the message. */
                        clientReference: string | null;
                        /** @description `api` for `/v1/messages/send`, `gateway` for `/graph`; null for an inbound message. */
                        source: ("notification" | "api" | "bot" | "gateway") | null;
                        /** @description Id of the charge, as in the ledger. */
                        chargeId: string | null;
                        /** @description Whether the charge was refunded. */
                        refunded: boolean;
                        /** @description Only with the status `failed`. */
                        errorCode: string | null;
                        /** @description The provider's words, with the status `failed`. */
                        errorMessage: string | null;
                        /** @description Only while the provider holds the message: `held_for_quality_assessment` or `paused`. It may fail later. */
                        providerStatus?: string;
                        /**
                         * Format: date-time
                         * @description Time of the send or the receipt, ISO 8601.
                         */
                        createdAt: string;
                        /**
                         * @description Only after an erasure: what was personal in it is null.
                         * @constant
                         */
                        erased?: true;
                        /** @description Id of the owning account. */
                        accountId: string;
                        /** @description Its provider cost; null for a received message. */
                        providerCost: components["schemas"]["ProviderCost"] | null;
                        /** @description The events of the message, in order. */
                        timeline: {
                            /** @description Name of the event, such as `StatusUpdated`. */
                            type: string;
                            /**
                             * Format: date-time
                             * @description Time of the event, ISO 8601.
                             */
                            at: string;
                            /** @description The person or the administrator who did it; absent for a key. */
                            by?: components["schemas"]["Actor"];
                            /** @description Fields of the event. */
                            data: {
                                [key: string]: unknown;
                            };
                        }[];
                    };
                };
            };
            401: components["responses"]["AdministrationUnauthorized"];
            /**
             * @description - The account has no message with this id. Encode `=` and `/` of an id in the path.
             *     - The path is unknown.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    listDeadLetters: {
        parameters: {
            query?: {
                /** @description Rows on a page, 1 to 100; 50 by default. */
                limit?: number;
                /** @description `nextCursor` of the previous page. New rows do not change the later pages. */
                cursor?: string;
                /** @description Only items in this state. */
                state?: "open" | "resolved" | "dismissed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page; `nextCursor` leads to the next one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        deadLetters: components["schemas"]["DeadLetter"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFound"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    getDeadLetter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dead letter. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLetter"];
                };
            };
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    retryDeadLetter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dead letter. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The item, and the reason of a failure. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Id of the dead letter. */
                        id: string;
                        /** @description The provider's name for the kind of notice. */
                        field: string;
                        /** @description The provider's id of the business account. */
                        wabaId: string | null;
                        /** @description The provider's phone number id. */
                        phoneNumberId: string | null;
                        /** @description Why the service could not take the item in. */
                        reason: string;
                        /** @description A payload with this item alone, as JSON text; cut in lists. Null once erased. */
                        raw: string | null;
                        /**
                         * @description Only after an erasure: what was personal in it is null.
                         * @constant
                         */
                        erased?: true;
                        /** @description Length of the whole `raw`, in characters. */
                        rawLength: number;
                        /**
                         * @description `open` until a retry succeeds or an administrator dismisses it.
                         * @enum {string}
                         */
                        state: "open" | "resolved" | "dismissed";
                        /** @description Whether a retry took the item in. */
                        resolved: boolean;
                        /** @description Number of retries. */
                        retries: number;
                        /**
                         * Format: date-time
                         * @description Time of arrival, ISO 8601.
                         */
                        createdAt: string;
                        /** @description Time of the dismissal, ISO 8601, or null. */
                        dismissedAt: string | null;
                        /** @description The dismissing administrator, or null. */
                        dismissedBy: components["schemas"]["Actor"] | null;
                        /** @description Why the retry failed, or null. */
                        problem: string | null;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequestRequestMalformed"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            410: components["responses"]["SupportGoneResourceErased"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    dismissDeadLetter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dead letter. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The item after the call. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLetter"];
                };
            };
            400: components["responses"]["AdministrationBadRequestRequestMalformed"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    listErasures: {
        parameters: {
            query?: {
                /** @description Rows on a page, 1 to 100; 50 by default. */
                limit?: number;
                /** @description `nextCursor` of the previous page. New rows do not change the later pages. */
                cursor?: string;
                /** @description Only erasures in this state. */
                state?: "queued" | "running" | "done";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page; `nextCursor` leads to the next one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        erasures: components["schemas"]["Erasure"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFound"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    createErasure: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Digits, `+` and digits, or the provider's id of a customer. */
                    contact: string;
                    /** @description Erases in this account alone, and no dead letter that belongs to no account; in all accounts, and those dead letters, when absent. */
                    accountId?: string;
                    /** @description Why. It is kept: do not name the contact. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The erasure, which has just begun. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"] | {
                        /** @description What waits for the yes of another person. */
                        approval: {
                            /** @description Id of what waits. */
                            id: string;
                            /**
                             * @description Until another person approves or rejects it.
                             * @constant
                             */
                            state: "waiting";
                            /**
                             * Format: date-time
                             * @description Until then it waits, ISO 8601.
                             */
                            expiresAt: string;
                        };
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            409: components["responses"]["AdministrationConflictResourceConflict"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    getErasure: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the erasure. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    getContactExport: {
        parameters: {
            query?: {
                /** @description In this account alone; in all accounts when absent. */
                accountId?: string;
            };
            header?: never;
            path: {
                /** @description Contact of the contact. */
                contact: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Everything of the contact, by account, as a stream. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactExport"];
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            /** @description `CONTENTS_HIDDEN`: The role does not see what customers write, and this holds or searches it. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContentsHiddenProblem"];
                };
            };
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    listProjections: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Every read model. */
                        projections: components["schemas"]["Projection"][];
                        /** @description The parts of all read models that the workers share. */
                        partitions: components["schemas"]["Partition"][];
                    };
                };
            };
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFound"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    rebuildProjection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the projection. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Started. The new read model serves once it has caught up. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Projection"];
                };
            };
            400: components["responses"]["AdministrationBadRequestRequestMalformed"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    createSecretRotation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Made. Nothing that is stored has changed yet. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Name of the key. */
                        key: string;
                        /**
                         * Format: date-time
                         * @description When it begins to be used, ISO 8601.
                         */
                        from: string;
                        /** @description Milliseconds until then. */
                        waitMs: number;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequestRequestMalformed"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFound"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    createAccountRenewSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the account. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Things that were not under the newest key. Their values stay the same. */
                        renewed: number;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequestRequestMalformed"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundNumberUnknownResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    createAdministratorRenewSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the administrator. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Things that were not under the newest key. Their values stay the same. */
                        renewed: number;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequestRequestMalformed"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    listBackups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The newest 100. */
                        backups: components["schemas"]["Backup"][];
                    };
                };
            };
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFound"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            /** @description `BACKUP_UNSET`: The service knows no place for backups: set `WAYBILL_BACKUP_TO`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupUnsetProblem"];
                };
            };
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            502: components["responses"]["AdministrationBadGatewayBackupFailed"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    createBackup: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the same key and body get the first response, and nothing happens twice. Kept for 24 hours. Name the purpose of the request, such as `order-A-1042-shipped`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Made and verified. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description `true` for the stored response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MadeBackup"];
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFound"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            /**
             * @description - `BACKUP_RUNNING`: A backup is being made, and one is made at a time.
             *     - `BACKUP_UNSET`: The service knows no place for backups: set `WAYBILL_BACKUP_TO`.
             *     - `IDEMPOTENCY_IN_PROGRESS`: A request with this `Idempotency-Key` is running: try again after `Retry-After`.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupRunningProblem"] | components["schemas"]["BackupUnsetProblem"] | components["schemas"]["IdempotencyInProgressProblem"];
                };
            };
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            422: components["responses"]["AdministrationUnprocessableEntityIdempotencyMismatch"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            502: components["responses"]["AdministrationBadGatewayBackupFailed"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    getServiceOverview: {
        parameters: {
            query?: {
                /** @description Hours back, the present one included; 24 by default. */
                hours?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverview"];
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFound"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                /** @description Rows on a page, 1 to 100; 50 by default. */
                limit?: number;
                /** @description `nextCursor` of the previous page. New rows do not change the later pages. */
                cursor?: string;
                /** @description Only those; `waiting` has expired ones too. */
                state?: "waiting" | "approved" | "rejected";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page; `nextCursor` leads to the next one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        approvals: components["schemas"]["Approval"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFound"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    approveApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the approval. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The approval, and the answer of what was asked for. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description As it is now, with who said yes. */
                        approval: components["schemas"]["Approval"];
                        /** @description Status of what was asked for. */
                        status: number;
                        /** @description Its answer. */
                        answer: unknown;
                    };
                };
            };
            /**
             * @description - The balance would exceed 9,000,000,000,000 units: use a smaller amount.
             *     - The body is not valid JSON or too complex, or a parameter is missing; see the text.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["AdministrationUnauthorized"];
            /**
             * @description - `READ_ONLY`: An auditor may only read, verify and export: use the token of an `admin`.
             *     - `APPROVAL_OWN`: The organisation asks two people for this, and one person is not two.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadOnlyProblem"] | components["schemas"]["ApprovalOwnProblem"];
                };
            };
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            /**
             * @description - The plan, the balance or a running send does not allow this; the text says which.
             *     - `APPROVAL_SETTLED`: The request was approved, rejected, or waited for more than 24 hours.
             *     - `IDEMPOTENCY_IN_PROGRESS`: A request with this `Idempotency-Key` is running: try again after `Retry-After`.
             *     - The resource exists already, or the account has the maximum.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] | components["schemas"]["ApprovalSettledProblem"] | components["schemas"]["IdempotencyInProgressProblem"];
                };
            };
            410: components["responses"]["SupportGoneResourceErased"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    rejectApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the approval. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            400: components["responses"]["AdministrationBadRequestRequestMalformed"];
            401: components["responses"]["AdministrationUnauthorized"];
            403: components["responses"]["AdministrationForbidden"];
            404: components["responses"]["AdministrationNotFoundResourceUnknown"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            /** @description `APPROVAL_SETTLED`: The request was approved, rejected, or waited for more than 24 hours. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalSettledProblem"];
                };
            };
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    createAdministratorConsoleLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created, in its new state. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleLink"];
                };
            };
            400: components["responses"]["AdministrationBadRequestRequestMalformed"];
            401: components["responses"]["AdministrationUnauthorized"];
            /** @description A session of the console cannot make links, with which it would outlast its 8 hours. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["AdministrationNotFound"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            408: components["responses"]["AdministrationRequestTimeout"];
            413: components["responses"]["AdministrationPayloadTooLarge"];
            415: components["responses"]["AdministrationUnsupportedMediaType"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    findAnywhere: {
        parameters: {
            query: {
                /** @description What to look for. */
                q: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What was found. */
                        results: components["schemas"]["FindResult"][];
                    };
                };
            };
            400: components["responses"]["AdministrationBadRequest"];
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFound"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    followService: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stream of `text/event-stream`; each `data` is a JSON object of this shape. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["LiveEvents"];
                };
            };
            401: components["responses"]["AdministrationUnauthorized"];
            404: components["responses"]["AdministrationNotFound"];
            405: components["responses"]["AdministrationMethodNotAllowed"];
            429: components["responses"]["AdministrationTooManyRequests"];
            500: components["responses"]["AdministrationInternalServerError"];
            503: components["responses"]["AdministrationServiceUnavailable"];
        };
    };
    receiveInboundMessage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Which number of the account received the message. */
                    phoneNumberId: string;
                    /** @description The sender, digits only: the value to use as `to` in a reply. Null if hidden. */
                    from: string | null;
                    /** @description The provider's id of the sender: the value to use as `to` where `from` is null. */
                    contactUserId?: string;
                    /**
                     * @description Which field of `message` holds the content.
                     * @enum {string}
                     */
                    type: "text" | "interactive" | "button" | "image" | "video" | "audio" | "document" | "location" | "contacts" | "sticker" | "reaction" | "order";
                    /** @description The provider's message object, verbatim. */
                    message: {
                        /** @description The key by which to drop duplicates. */
                        id: string;
                        /** @description Unix seconds, as a text. */
                        timestamp: string;
                        type: string;
                        /** @description Present when the customer replied to a message; `id` is that message. */
                        context?: {
                            id?: string;
                        } & {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description Absent when the provider sent no contact record. */
                    contact?: {
                        wa_id?: string | null;
                        user_id?: string;
                        profile?: {
                            name?: string;
                        } & {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                    /**
                     * Format: date-time
                     * @description When the message was forwarded, not when it was written.
                     */
                    timestamp: string;
                };
            };
        };
        responses: {
            /** @description The body of your answer is ignored. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Is noted in the timeline of the message, and not tried again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
