// Written by `npm run openapi`: change the routes or the catalog instead.

export interface paths {
    "/v1/notifications/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the 18 events and their variables
         * @description Needs no number, and is the same for every account.
         */
        get: operations["getCatalog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notifications/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show which events can be sent from a number
         * @description Needs the scope `templates:read` where the key is limited to scopes.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notifications/templates/submit": {
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
         * @description Needs the scope `templates:write` where the key is limited to scopes.
         */
        post: operations["submitCatalog"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notifications/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send one notification by event key
         * @description Picks the approved template of the event, fills its placeholders from the named variables and sends it. The provider's category of that template decides the price. The charge is reserved first and refunded after a failure.
         *
         *     Needs the scope `notifications:send` where the key is limited to scopes.
         */
        post: operations["sendNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notifications/send/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send one event to up to 500 recipients
         * @description Starts the sends at the rate of the number, for up to 120 seconds. Recipients without a result were neither charged nor sent to.
         *
         *     Needs the scope `notifications:send` where the key is limited to scopes.
         */
        post: operations["sendNotificationBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message that you built: text, template, media, location, interactive, contacts or reaction
         * @description The service checks that the content is present and within the limits of the provider. All types but `template` need an open 24-hour window, and are free unless the plan charges them (`chargeService`).
         *
         *     Needs the scope `messages:send` where the key is limited to scopes.
         */
        post: operations["sendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notifications/status/{messageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the delivery status of a message
         * @description Needs the scope `messages:read` where the key is limited to scopes.
         */
        get: operations["getMessageStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List messages with their delivery status, newest first
         * @description A page looks at up to 5,000 rows, and at documents of about 1 MB. It may therefore be shorter than `limit`, even empty, while `nextCursor` is set: go on with that until it is null. An index serves `contact`, `conversationId`, `clientReference`, `event`, `status` and `phoneNumberId`.
         *
         *     Needs the scope `messages:read` where the key is limited to scopes.
         */
        get: operations["listMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{messageId}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read every event of one message, in order
         * @description Needs the scope `messages:read` where the key is limited to scopes.
         */
        get: operations["getMessageTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{messageId}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain a message: every rule that led to its outcome and price
         * @description Read from the log as it was at the send, each rule with the event that it came from. Limits, templates and windows are looked for among the 5,000 events before.
         *
         *     Needs the scope `messages:read` where the key is limited to scopes.
         */
        get: operations["explainMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{messageId}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show a customer that you read the customer's message
         * @description Marks the message and all before it in the conversation as read. A repeated call is no error. The provider takes no receipt for a message older than 30 days.
         *
         *     Needs the scope `messages:send` where the key is limited to scopes.
         */
        post: operations["readMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sends/refusals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the sends that were refused before a charge, newest first
         * @description By code and minute, in sight 75 seconds later at most. Counted while the account may write without paying. A page looks at up to 5,000 rows, and at documents of about 1 MB. It may therefore be shorter than `limit`, even empty, while `nextCursor` is set: go on with that until it is null.
         *
         *     Needs the scope `messages:read` where the key is limited to scopes.
         */
        get: operations["listSendRefusals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sends": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List attempts to send and what became of each, newest first
         * @description Every send that reserved a charge, refused ones included; what was refused before is counted at `/v1/sends/refusals`. A page looks at up to 5,000 rows, and at documents of about 1 MB. It may therefore be shorter than `limit`, even empty, while `nextCursor` is set: go on with that until it is null.
         *
         *     Needs the scope `messages:read` where the key is limited to scopes.
         */
        get: operations["listSends"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scheduled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List scheduled sends, newest first
         * @description A key with one of the two scopes sees the sends of that scope.
         *
         *     Needs the scope `notifications:send` or `messages:send` where the key is limited to scopes.
         */
        get: operations["listScheduled"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scheduled/{scheduleId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one scheduled send
         * @description Needs the scope `notifications:send` or `messages:send` where the key is limited to scopes.
         */
        get: operations["getScheduled"];
        put?: never;
        post?: never;
        /**
         * Cancel a send that waits
         * @description Needs the scope `notifications:send` or `messages:send` where the key is limited to scopes.
         */
        delete: operations["cancelScheduled"];
        options?: never;
        head?: never;
        /**
         * Change time or content of a send that waits
         * @description Absent fields stay; null takes a time out. Recipient, event and type stay as they are. Without any time it goes out now, or after the quiet hours.
         *
         *     Needs the scope `notifications:send` or `messages:send` where the key is limited to scopes.
         */
        patch: operations["updateScheduled"];
        trace?: never;
    };
    "/v1/scheduled/{scheduleId}/send-now": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send what waits now, or after the quiet hours
         * @description Needs the scope `notifications:send` or `messages:send` where the key is limited to scopes.
         */
        post: operations["sendScheduledNow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the jobs, newest first
         * @description Without their rows.
         *
         *     Needs the scope `notifications:send` or `messages:read` where the key is limited to scopes.
         */
        get: operations["listJobs"];
        put?: never;
        /**
         * Make a job: one event for the rows of a file
         * @description Reads every row once with the rules of a strict send, and sends nothing until the job is started. As a form with `spec` and `file`, or as JSON with `rows` (1 MB).
         *
         *     Needs the scope `notifications:send` where the key is limited to scopes.
         */
        post: operations["createJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a job: its state, plan and counts
         * @description The amounts are in the unit of the account.
         *
         *     Needs the scope `notifications:send` or `messages:read` where the key is limited to scopes.
         */
        get: operations["getJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a job
         * @description It is queued while two others of the account run.
         *
         *     Needs the scope `notifications:send` where the key is limited to scopes.
         */
        post: operations["startJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a job
         * @description What is under way is sent.
         *
         *     Needs the scope `notifications:send` where the key is limited to scopes.
         */
        post: operations["pauseJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Go on with a paused job
         * @description With the rows that wait.
         *
         *     Needs the scope `notifications:send` where the key is limited to scopes.
         */
        post: operations["resumeJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a job
         * @description What waits is not sent, for good.
         *
         *     Needs the scope `notifications:send` where the key is limited to scopes.
         */
        post: operations["cancelJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the rows of a job
         * @description With what is wrong with each, or its message.
         *
         *     Needs the scope `notifications:send` or `messages:read` where the key is limited to scopes.
         */
        get: operations["listJobRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download what became of the rows
         * @description At any moment, as CSV that is safe in spreadsheets, or as JSON Lines.
         *
         *     Needs the scope `notifications:send` or `messages:read` where the key is limited to scopes.
         */
        get: operations["getJobResult"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a job of the rows that failed or were refused
         * @description A 409 where there is none, and a 410 once the file is destroyed.
         *
         *     Needs the scope `notifications:send` where the key is limited to scopes.
         */
        post: operations["retryJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file for messages
         * @description A form with the field `file`, and before it optionally `phoneNumberId`. Limits are the provider's: 5 MB for images, 16 MB for video and audio, 500 KB for stickers, 100 MB for documents. A key has 4 transfers at a time and an account 16, each of 5 minutes and at 16 kB/s on average at least; a further one is a 503 with `Retry-After`.
         *
         *     Needs the scope `media:write` where the key is limited to scopes.
         */
        post: operations["uploadMedia"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/media/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file that a customer sent or that you uploaded
         * @description The id is that of the inbound message, such as `message.image.id`, or of an upload. The provider keeps a customer's file for 7 days and an upload for 30. Up to 100 MB, always whole: `Range` is ignored. A connection that ends before `Content-Length` bytes, or without the last chunk, brought a part of the file only. A key has 4 transfers at a time and an account 16, each of 5 minutes and at 16 kB/s on average at least; a further one is a 503 with `Retry-After`.
         *
         *     Needs the scope `media:read` where the key is limited to scopes.
         */
        get: operations["getMedia"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the name, the unit and the caps of the account
         * @description The account is that of the key; its balance is at `/v1/credits` or `/v1/wallet`.
         */
        get: operations["getOwnAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set the balance below which the account is warned
         * @description All other terms are those of the operator.
         *
         *     Needs the scope `account:write` where the key is limited to scopes.
         */
        patch: operations["updateOwnAccount"];
        trace?: never;
    };
    "/v1/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show sends, failures, refunds and spend of the last hours
         * @description Counted by hours of UTC, the present one included. `money` is empty for a key without the scope `credits:read`.
         *
         *     Needs the scope `messages:read` where the key is limited to scopes.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List conversations, most recently active first
         * @description A page looks at up to 5,000 rows, and at documents of about 1 MB. It may therefore be shorter than `limit`, even empty, while `nextCursor` is set: go on with that until it is null.
         *
         *     Needs the scope `messages:read` where the key is limited to scopes.
         */
        get: operations["listConversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{conversationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a conversation
         * @description Needs the scope `messages:read` where the key is limited to scopes.
         */
        get: operations["getConversation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{conversationId}/handoff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a conversation from the bots
         * @description Until its end no bot answers this customer at this number, and the run of a bot that is open ends with `handoff`. A repeated call sets the end anew.
         *
         *     Needs the scope `messages:send` where the key is limited to scopes.
         */
        post: operations["takeConversation"];
        /**
         * Give a conversation back to the bots
         * @description Also one that a bot has handed over. Bots answer what the customer writes from now on. A repeated call is no error.
         *
         *     Needs the scope `messages:send` where the key is limited to scopes.
         */
        delete: operations["giveConversationBack"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/assignees": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the people to whom a conversation can be given
         * @description Names alone, the last invited first. A page may be shorter than `limit`, even empty: go on until `nextCursor` is null.
         *
         *     Needs the scope `conversations:write` where the key is limited to scopes.
         */
        get: operations["listAssignees"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{conversationId}/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a conversation to a person, or to nobody
         * @description A person of the organisation who may act for the account. Bots answer as before.
         *
         *     Needs the scope `conversations:write` where the key is limited to scopes.
         */
        post: operations["assignConversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{conversationId}/labels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the labels of a conversation
         * @description These instead of all that it has. Upper and lower case are the same to a search.
         *
         *     Needs the scope `conversations:write` where the key is limited to scopes.
         */
        post: operations["labelConversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{conversationId}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the notes of a conversation, newest first
         * @description Needs the scope `messages:read` where the key is limited to scopes.
         */
        get: operations["listConversationNotes"];
        put?: never;
        /**
         * Note something of a conversation
         * @description The customer does not see it. It goes with the data of the customer.
         *
         *     Needs the scope `conversations:write` where the key is limited to scopes.
         */
        post: operations["createConversationNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/quick-replies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the quick replies of the account, newest first
         * @description Needs the scope `messages:read` where the key is limited to scopes.
         */
        get: operations["listQuickReplies"];
        put?: never;
        /**
         * Add a quick reply
         * @description An account has 200 at most.
         *
         *     Needs the scope `conversations:write` where the key is limited to scopes.
         */
        post: operations["createQuickReply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/quick-replies/{replyId}": {
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
         * Remove a quick reply
         * @description Needs the scope `conversations:write` where the key is limited to scopes.
         */
        delete: operations["deleteQuickReply"];
        options?: never;
        head?: never;
        /**
         * Change a quick reply: only the fields that are sent
         * @description Needs the scope `conversations:write` where the key is limited to scopes.
         */
        patch: operations["updateQuickReply"];
        trace?: never;
    };
    "/v1/phones": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the numbers of the account
         * @description Needs the scope `phones:read` where the key is limited to scopes.
         */
        get: operations["listPhones"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/phones/{phoneNumberId}/webhook": {
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
         * Set or clear the URL to which inbound messages of a number are forwarded
         * @description One https URL for each number. It must not name or resolve to a private, loopback, link-local or metadata address. Ports 443 and 8443; a host without a dot is refused. Null or an absent `webhookUrl` ends the forwarding.
         *
         *     Needs the scope `phones:write` where the key is limited to scopes.
         */
        patch: operations["updatePhoneWebhook"];
        trace?: never;
    };
    "/v1/bots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the bots of the account, newest first
         * @description Needs the scope `bots:read` where the key is limited to scopes.
         */
        get: operations["listBots"];
        put?: never;
        /**
         * Create a bot
         * @description Needs the scope `bots:write` where the key is limited to scopes.
         */
        post: operations["createBot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bots/{botId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one bot with its graph
         * @description Needs the scope `bots:read` where the key is limited to scopes.
         */
        get: operations["getBot"];
        put?: never;
        post?: never;
        /**
         * Delete a bot for good
         * @description Needs the scope `bots:write` where the key is limited to scopes.
         */
        delete: operations["deleteBot"];
        options?: never;
        head?: never;
        /**
         * Change a bot: only the fields that are sent
         * @description Needs the scope `bots:write` where the key is limited to scopes.
         */
        patch: operations["updateBot"];
        trace?: never;
    };
    "/v1/bots/{botId}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the draft of a bot
         * @description Needs the scope `bots:read` where the key is limited to scopes.
         */
        get: operations["getBotDraft"];
        /**
         * Keep a graph as the draft of a bot
         * @description Nothing of it is live before it is published. `PATCH` changes the live bot.
         *
         *     Needs the scope `bots:write` where the key is limited to scopes.
         */
        put: operations["setBotDraft"];
        post?: never;
        /**
         * Throw the draft of a bot away
         * @description Needs the scope `bots:write` where the key is limited to scopes.
         */
        delete: operations["deleteBotDraft"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bots/{botId}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the draft of a bot live, or an earlier version of it
         * @description As a new version. Of an earlier version the graph and what starts it come back; name, number and `isActive` stay. Runs that are under way go on with the graph that they began with.
         *
         *     Needs the scope `bots:write` where the key is limited to scopes.
         */
        post: operations["publishBot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bots/{botId}/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find the problems of the stored graph, or of the graph in the request
         * @description Needs the scope `bots:read` where the key is limited to scopes.
         */
        post: operations["validateBot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bots/{botId}/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a bot, without sends, calls and charges
         * @description The first message starts the bot with any trigger; `wouldStart` says whether it would in production. An `http_request` leads to `error` unless `httpResponses` has its response.
         *
         *     Needs the scope `bots:read` where the key is limited to scopes.
         */
        post: operations["simulateBot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bots/{botId}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a bot, newest first
         * @description Needs the scope `bots:read` where the key is limited to scopes.
         */
        get: operations["listBotRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bots/{botId}/runs/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one run, node by node
         * @description Needs the scope `bots:read` where the key is limited to scopes.
         */
        get: operations["getBotRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bots/{botId}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a bot was after each change, newest first
         * @description A page ends early when its graphs are larger than 1 MB together. Go on with `nextCursor`.
         *
         *     Needs the scope `bots:read` where the key is limited to scopes.
         */
        get: operations["listBotVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the templates of a number, live; from the local mirror when out of reach
         * @description The templates of the catalog, your own, and those from the provider’s console. The list hides templates that another account of the same business account submitted.
         *
         *     Needs the scope `templates:read` where the key is limited to scopes.
         */
        get: operations["listTemplates"];
        put?: never;
        /**
         * Submit a template of your own for approval
         * @description Needs the scope `templates:write` where the key is limited to scopes.
         */
        post: operations["createTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one template with its components, live
         * @description With `asOf` from the local mirror. Its components are those of the submission or of the first read, and none where a notice came before both.
         *
         *     Needs the scope `templates:read` where the key is limited to scopes.
         */
        get: operations["getTemplate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the credit balance and its latest movements
         * @description Needs the scope `credits:read` where the key is limited to scopes.
         */
        get: operations["getCredits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/quotes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask what a send would cost
         * @description Decides a send as it would be decided now, and sends, stores and charges nothing. The provider is not asked. With the `quoteId` in the body the send costs exactly that, or is refused. Needs the scope of the send.
         */
        post: operations["createQuote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/charges/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a charge: its price, its message, and why it was given back
         * @description By the id that a message, a row of the ledger and a seal have. A refused send has a charge too, and no message.
         *
         *     Needs the scope `messages:read` where the key is limited to scopes.
         */
        get: operations["getCharge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/credits/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prove a charge: its place in the next seal of the ledger
         * @description Anybody can check the proof without this service: `waybill ledger proof --file <file> --key <verifier key>`. It holds the charge as it is stored; what it says of the recipient is encrypted. `format=tlog-proof` is the same as a C2SP tlog-proof, which other programs read.
         *
         *     Needs the scope `credits:read` where the key is limited to scopes.
         */
        get: operations["getCreditProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the wallet balance and its latest movements
         * @description Needs the scope `credits:read` where the key is limited to scopes.
         */
        get: operations["getWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the movements of the balance, newest first, the whole history
         * @description The sum of all amounts is the balance. A page looks at up to 5,000 rows, and at documents of about 1 MB. It may therefore be shorter than `limit`, even empty, while `nextCursor` is set: go on with that until it is null.
         *
         *     Needs the scope `credits:read` where the key is limited to scopes.
         */
        get: operations["getLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks of the account, newest first
         * @description Needs the scope `webhooks:read` where the key is limited to scopes.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Events are posted to it as JSON, signed after Standard Webhooks with the secret of this answer. An account has 20 webhooks at most.
         *
         *     Needs the scope `webhooks:write` where the key is limited to scopes.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one webhook
         * @description Needs the scope `webhooks:read` where the key is limited to scopes.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook and what is known of its deliveries, for good
         * @description Needs the scope `webhooks:write` where the key is limited to scopes.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook: only the fields that are sent
         * @description `state: "active"` enables it again: it then receives new events, and those that waited for it. For the events between use `POST …/replay`.
         *
         *     Needs the scope `webhooks:write` where the key is limited to scopes.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of a webhook
         * @description For 24 hours deliveries have two signatures: of the new secret and of the one before. A second rotation within that time ends the oldest secret.
         *
         *     Needs the scope `webhooks:write` where the key is limited to scopes.
         */
        post: operations["rotateWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver an event `webhook.test` to a webhook
         * @description Needs the scope `webhooks:write` where the key is limited to scopes.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver all events since a time once more
         * @description Out of the log itself, as far back as it goes, with the same `webhook-id` as before, and beside the new events. One replay of a webhook runs at a time, and none of a disabled one.
         *
         *     Needs the scope `webhooks:write` where the key is limited to scopes.
         */
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook, newest first
         * @description All that wait, and the last 1,000 that are settled. With `since`, follow `nextCursor` until it is null.
         *
         *     Needs the scope `webhooks:read` where the key is limited to scopes.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one delivery with its body and its calls
         * @description Needs the scope `webhooks:read` where the key is limited to scopes.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/deliveries/{deliveryId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver the event of a delivery once more
         * @description As a new delivery with the same `webhook-id`, at once. A disabled webhook receives it when it is enabled.
         *
         *     Needs the scope `webhooks:write` where the key is limited to scopes.
         */
        post: operations["resendWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the people of the organisation
         * @description Newest first.
         *
         *     Needs the scope `people` of the role.
         */
        get: operations["listColleagues"];
        put?: never;
        /**
         * Invite a person, with a link that works once
         * @description Hand the link to the person, who chooses a password with it within 72 hours. Nobody gives a role above his own, or accounts that he has not.
         *
         *     Needs the scope `people` of the role.
         */
        post: operations["inviteColleague"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/people/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one person, with the sessions that are open
         * @description A session lasts 8 hours, unless it is ended before.
         *
         *     Needs the scope `people` of the role.
         */
        get: operations["getColleague"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the name, the role or the accounts of a person
         * @description Within a second it holds for all sessions of the person.
         *
         *     Needs the scope `people` of the role.
         */
        patch: operations["updateColleague"];
        trace?: never;
    };
    "/v1/people/{id}/invitation": {
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
         *
         *     Needs the scope `people` of the role.
         */
        post: operations["inviteColleagueAgain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/people/{id}/sessions": {
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
         *
         *     Needs the scope `people` of the role.
         */
        delete: operations["endColleagueSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/people/{id}/suspend": {
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
         *
         *     Needs the scope `people` of the role.
         */
        post: operations["suspendColleague"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/people/{id}/reinstate": {
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
         *
         *     Needs the scope `people` of the role.
         */
        post: operations["reinstateColleague"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the keys of the account, without their secrets
         * @description Newest first.
         *
         *     Needs the scope `keys` of the role.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create an API key; the key itself is shown only here
         * @description It may do no more than the person who makes it, and reads no contents where his role sees none.
         *
         *     Needs the scope `keys` of the role.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}/deactivate": {
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
         * @description Within a second, on all instances. A repeated call changes nothing.
         *
         *     Needs the scope `keys` of the role.
         */
        post: operations["deactivateOwnKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}/activate": {
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
         * @description Within a second, on all instances. A repeated call changes nothing.
         *
         *     Needs the scope `keys` of the role.
         */
        post: operations["activateOwnKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}/revoke": {
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
         * @description Within a second, on all instances. A repeated call changes nothing.
         *
         *     Needs the scope `keys` of the role.
         */
        post: operations["revokeOwnKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the statement of a month, counted from the log
         * @description Every link of the hash chain in the period counts once. `opening`, `grants`, `charges` and `refunds` make `closing`. A movement belongs to the period of its time. Ends of periods are in UTC.
         *
         *     Needs the scope `credits:read` where the key is limited to scopes.
         */
        get: operations["getStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/statement/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download what proves a statement: its movements, and their seal
         * @description JSON Lines: the events of the account in the period as the log holds them, with what is personal encrypted, and the proof of the first seal after its end. Anybody checks it without this service: `waybill ledger verify --file <file> --key <verifier key>`, and counts the statement again with `waybill statement --file <file>`. 404 while the period is not over and sealed, and where nothing moved in it.
         *
         *     Needs the scope `credits:read` where the key is limited to scopes.
         */
        get: operations["getStatementProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/console-links": {
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
        post: operations["createConsoleLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/find": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find whatever an id, a number or a name stands for
         * @description Ids of messages, charges, ledger rows, numbers, bots, accounts and keys; numbers and user ids of customers; references of yours; names; the `X-Request-Id` of an answer, which leads to what the request charged. Up to ten of each kind. Names are those of the newest 1,000, of customers, for roles that see them, those who wrote last. A request id that the service made is found by its time, one of your own among the newest 10,000 movements. Numbers are found by keys with the scope `phones:read` too, bots by those with `bots:read`.
         *
         *     Needs the scope `messages:read` where the key is limited to scopes.
         */
        get: operations["find"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow what happens, as server-sent events
         * @description Each message has the events of half a second as JSON, without personal data. The connection ends after 5 minutes; a browser connects again by itself, and reads then what it shows.
         *
         *     Needs the scope `messages:read` where the key is limited to scopes.
         */
        get: operations["followAccount"];
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
        AccountCapReachedProblem: {
            /** @description The error as text for people. */
            error: string;
            /**
             * @description The error as a code to branch on.
             * @constant
             */
            code: "LIMIT_REACHED";
            /**
             * @description The reached cap. Only `perMinute` clears by waiting.
             * @enum {string}
             */
            limit: "paused" | "perMinute" | "daily" | "monthly";
            /** @description Outbound messages that count against the caps. */
            usage: components["schemas"]["Usage"];
            /** @description The caps of the account. */
            limits: components["schemas"]["Limits"];
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
        };
        AccountInsufficientProblem: {
            /** @description The error as text for people. */
            error: string;
            /**
             * @description Which unit the plan counts in.
             * @enum {string}
             */
            reason: "INSUFFICIENT_CREDITS" | "INSUFFICIENT_BALANCE";
            /**
             * @description Category of the price.
             * @enum {string}
             */
            category: "MARKETING" | "UTILITY" | "AUTHENTICATION" | "SERVICE";
            /** @description Credits for the message; 0 on a wallet plan. */
            creditsRequired: number;
            /** @description Sell price of the message, a decimal string. */
            price: string;
            /** @description ISO 4217 code of the price. */
            currency: string;
            /** @description Whole credits, or the balance of the wallet as a decimal string. */
            balance: number | string;
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
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
        /** @description The person has several accounts: `X-Waybill-Account` says which. An account of others is 404. */
        AccountRequiredProblem: {
            error: string;
            /** @constant */
            code: "ACCOUNT_REQUIRED";
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
        };
        Actor: {
            /** @description Id of the administrator or the person. */
            id: string;
            /** @description E-mail; absent once the person is erased. */
            email?: string;
            /** @description Name; absent once the person is erased. */
            name?: string;
        };
        Assignee: {
            /** @description Id of the person. */
            id: string;
            /** @description Name of the person; null once erased. */
            name: string | null;
        };
        Bot: {
            /** @description Id of the bot. */
            id: string;
            /** @description Name of the bot. */
            name: string;
            /** @description Free text. */
            description: string | null;
            /**
             * @description What starts a run.
             * @enum {string}
             */
            trigger: "KEYWORD" | "ANY_MESSAGE" | "BUTTON_REPLY" | "LIST_REPLY" | "OPTIN";
            /** @description Keywords for the trigger `KEYWORD`; without any the bot never starts. */
            triggerKeywords: string[];
            /** @description Whether the bot runs. */
            isActive: boolean;
            /** @description Number of runs so far. */
            totalExecutions: number;
            /** @description Start of the last run, ISO 8601. */
            lastExecutedAt: string | null;
            /**
             * Format: date-time
             * @description Time of creation, ISO 8601.
             */
            createdAt: string;
            /**
             * @description How a keyword matches; case and outer spaces are ignored.
             * @enum {string}
             */
            triggerMatchType: "EXACT" | "CONTAINS" | "STARTS_WITH";
            /** @description React Flow nodes: `id`, `type`, `position`, `data`. At most 200, and 256 KB with the edges. */
            nodes: {
                [key: string]: unknown;
            }[];
            /** @description React Flow edges: `source`, `sourceHandle` (the outcome), `target`. At most 400. */
            edges: {
                [key: string]: unknown;
            }[];
        };
        BotDraft: {
            /** @description The version that was live when the draft was begun. */
            basis: number;
            /**
             * Format: date-time
             * @description When the draft was saved, ISO 8601.
             */
            at: string;
            /** @description React Flow nodes of the draft. */
            nodes: {
                [key: string]: unknown;
            }[];
            /** @description React Flow edges of the draft. */
            edges: {
                [key: string]: unknown;
            }[];
        };
        BotRunStep: {
            /** @description Id of the node. */
            nodeId: string;
            /** @description Type of the node. */
            nodeType: string;
            /** @description Outcome of the node; null at the end of the run. */
            outcome: string | null;
            /** @description The next node, or null. */
            nextNodeId: string | null;
            /** @description The provider's id of the sent message. */
            messageId: string | null;
            /** @description The called URL's status, or null. */
            httpStatus: number | null;
            /** @description The reason of the outcome, if not plain. */
            detail: string | null;
            /** @description Variables that the node set, with their values. */
            variables: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description Time of the step, ISO 8601.
             */
            at: string;
        };
        BotSummary: {
            /** @description Id of the bot. */
            id: string;
            /** @description Name of the bot. */
            name: string;
            /** @description Free text. */
            description: string | null;
            /**
             * @description What starts a run.
             * @enum {string}
             */
            trigger: "KEYWORD" | "ANY_MESSAGE" | "BUTTON_REPLY" | "LIST_REPLY" | "OPTIN";
            /** @description Keywords for the trigger `KEYWORD`; without any the bot never starts. */
            triggerKeywords: string[];
            /** @description Whether the bot runs. */
            isActive: boolean;
            /** @description Number of runs so far. */
            totalExecutions: number;
            /** @description Start of the last run, ISO 8601. */
            lastExecutedAt: string | null;
            /**
             * Format: date-time
             * @description Time of creation, ISO 8601.
             */
            createdAt: string;
            /** @description The number of the bot; null for every number of the account. */
            phoneNumber: {
                /** @description The provider's phone number id. */
                phoneNumberId: string;
                /** @description The telephone number in display form. */
                displayPhoneNumber: string;
            } | null;
        };
        BotVersion: {
            /** @description 1 for the bot as it was created, then one more with each change. */
            version: number;
            /**
             * Format: date-time
             * @description Time of the change, ISO 8601.
             */
            at: string;
            /** @description Name of the bot. */
            name: string;
            /** @description Free text. */
            description: string | null;
            /** @description The number of the bot; null for every number. */
            phoneNumberId: string | null;
            /**
             * @description What started a run.
             * @enum {string}
             */
            trigger: "KEYWORD" | "ANY_MESSAGE" | "BUTTON_REPLY" | "LIST_REPLY" | "OPTIN";
            /** @description Keywords for the trigger `KEYWORD`. */
            triggerKeywords: string[];
            /**
             * @description How a keyword matched.
             * @enum {string}
             */
            triggerMatchType: "EXACT" | "CONTAINS" | "STARTS_WITH";
            /** @description Whether the bot ran. */
            isActive: boolean;
            /** @description React Flow nodes of this version. */
            nodes: {
                [key: string]: unknown;
            }[];
            /** @description React Flow edges of this version. */
            edges: {
                [key: string]: unknown;
            }[];
        };
        CatalogEntry: {
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
        };
        Charge: {
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
        };
        ChargeProof: {
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
        ConsoleLink: {
            /** @description Path and fragment, to be put after the origin of the service. */
            path: string;
            /**
             * Format: date-time
             * @description Time after which the link signs nobody in, ISO 8601.
             */
            expiresAt: string;
        };
        /** @description The customer. */
        Contact: {
            /** @description The customer's number, digits only; null while it is not known. */
            waId: string | null;
            /** @description The provider's id of the customer, such as `US.1349…`; null without one. */
            userId: string | null;
            /** @description Name in the customer's profile. */
            name: string | null;
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
        Conversation: {
            /** @description Id of the conversation. */
            id: string;
            /** @description The provider's phone number id. */
            phoneNumberId: string;
            /** @description The customer; null once erased. */
            contact: components["schemas"]["Contact"] | null;
            /**
             * @description Only after an erasure: what was personal in it is null.
             * @constant
             */
            erased?: true;
            /** @description The newest message of either direction. */
            lastMessage: {
                /** @description The provider's message id; null once erased. */
                id: string | null;
                /**
                 * @description `inbound`: from the customer. `outbound`: from the account.
                 * @enum {string}
                 */
                direction: "inbound" | "outbound";
                /** @description Such as `text`, `template` or `image`. */
                messageType: string;
                /** @description The text of the message, if any. */
                text: string | null;
                /** @description Delivery status; null for an inbound message. */
                status: string | null;
                /**
                 * Format: date-time
                 * @description Time of the send or the receipt, ISO 8601.
                 */
                createdAt: string;
            };
            /** @description Time of the last inbound message, ISO 8601. */
            lastInboundAt: string | null;
            /** @description Time of the last outbound message, ISO 8601. */
            lastOutboundAt: string | null;
            /** @description Whether a free-form reply is allowed now. */
            windowOpen: boolean;
            /** @description End of the 24-hour window, ISO 8601. */
            windowExpiresAt: string | null;
            /** @description A hand-off to a person that holds now; null while bots may answer. */
            handoff: {
                /**
                 * @description Whose doing it is.
                 * @enum {string}
                 */
                by: "bot" | "person";
                /** @description The bot that handed over; null for a person. */
                botId: string | null;
                /** @description Who took it; null for a bot or a key. */
                person: components["schemas"]["Actor"] | null;
                /**
                 * Format: date-time
                 * @description When the bots fell silent, ISO 8601.
                 */
                since: string;
                /**
                 * Format: date-time
                 * @description Until then no bot answers, ISO 8601.
                 */
                until: string;
            } | null;
            /** @description The person who looks after it; null for none. */
            assigned: components["schemas"]["Actor"] | null;
            /** @description Who gave it to that person; null where he took it himself, and for a key. */
            assignedBy: components["schemas"]["Actor"] | null;
            /** @description Its labels; none once erased. */
            labels: string[];
            /** @description Messages of both directions. */
            messageCount: number;
            /** @description Inbound messages since the last outbound one. */
            unreadCount: number;
            /**
             * Format: date-time
             * @description Time of the first message, ISO 8601.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the newest message, ISO 8601.
             */
            updatedAt: string;
        };
        CreatedWebhook: {
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
            /** @description Verifies the signatures of the deliveries. Shown this once: store it. */
            secret: string;
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
        /** @description The account has reached its plan's daily limit of unpaid data; wait `Retry-After`. */
        FreeWritesReachedProblem: {
            error: string;
            /** @constant */
            code: "FREE_WRITES_REACHED";
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
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
        /** @description The key lacks the scope that the text names: use a key with that scope. */
        InsufficientScopeProblem: {
            error: string;
            /** @constant */
            code: "INSUFFICIENT_SCOPE";
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
        /** @description The state of the job does not allow this; the text says which it is. */
        JobStateProblem: {
            error: string;
            /** @constant */
            code: "JOB_STATE";
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
        };
        /** @description The file of a job cannot be used; the text says why and where. Nothing of it is sent. */
        JobUnusableProblem: {
            error: string;
            /** @constant */
            code: "JOB_UNUSABLE";
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
        };
        /** @description So many jobs of the account, or megabytes of their rows, wait that no further file is taken. */
        JobsFullProblem: {
            error: string;
            /** @constant */
            code: "JOBS_FULL";
            /** @constant */
            limit: "jobs";
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
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
        Later: {
            /** @description Id of the scheduled send, for `/v1/scheduled`. */
            id: string;
            /**
             * Format: date-time
             * @description When it goes out, ISO 8601.
             */
            dueAt: string;
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
            /** @description What stands in its way now, such as `template_not_approved`. */
            problems?: string[];
        };
        /** @description So many sends of the account wait for their time that no further one is taken. */
        LimitReachedProblem: {
            error: string;
            /** @constant */
            code: "LIMIT_REACHED";
            /** @constant */
            limit: "scheduled";
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
        };
        Limits: {
            /** @description Messages in any 60 seconds; null for no cap. */
            perMinute: number | null;
            /** @description Messages in a UTC day; null for no cap. */
            daily: number | null;
            /** @description Messages in a UTC month; null for no cap. */
            monthly: number | null;
            /** @description Whether the account sends nothing at all. */
            paused: boolean;
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
        /** @description The account has no number with an access token, or lacks the named one. */
        NoPhoneProblem: {
            error: string;
            /** @constant */
            code: "NO_PHONE";
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
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
        Note: {
            /** @description Id of the note. */
            id: string;
            /** @description What was noted; null once erased. */
            text: string | null;
            /**
             * @description Only after an erasure: what was personal in it is null.
             * @constant
             */
            erased?: true;
            /** @description Who noted it; null for the holder of a key. */
            by: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description Time of the note, ISO 8601.
             */
            createdAt: string;
        };
        NotificationBatchResult: {
            /** @description The recipient as the request named it. */
            to: string;
            /** @description Whether the provider accepted the message. */
            ok: boolean;
            /** @description The provider's message id, when `ok`. */
            messageId?: string;
            /**
             * @description `template` or `direct`, when `ok`.
             * @enum {string}
             */
            channel?: "template" | "direct" | "text";
            /** @description Only while the provider holds the message: `held_for_quality_assessment` or `paused`. It may fail later. */
            providerStatus?: string;
            /** @description The error as text for people, unless `ok`. */
            error?: string;
            /** @description Where it is to go out later: instead of `messageId`. */
            scheduled?: components["schemas"]["Later"];
            /**
             * @description The error as a code to branch on, unless `ok`.
             * @enum {string}
             */
            code?: "UNKNOWN_EVENT" | "NO_PHONE" | "TEMPLATE_NOT_APPROVED" | "SEND_FAILED" | "LIMIT_REACHED" | "INSUFFICIENT_CREDITS" | "INSUFFICIENT_BALANCE";
        };
        /** @description The organisation of the key is suspended. Only the operator can reinstate it. */
        OrgSuspendedProblem: {
            error: string;
            /** @constant */
            code: "ORG_SUSPENDED";
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
        };
        /** @description The provider did not answer. The charge was refunded; the history shows a sent message. */
        OutcomeUnknownProblem: {
            error: string;
            /** @constant */
            code: "OUTCOME_UNKNOWN";
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
        };
        Overview: {
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
        };
        OwnAccount: {
            /** @description Id of the account. */
            id: string;
            /** @description Name of the account. */
            name: string;
            /**
             * @description Unit of the balance: whole credits, or money.
             * @enum {string}
             */
            billing: "credits" | "wallet";
            /** @description ISO 4217 code. */
            currency: string;
            /** @description Why the service paused the account; else null. */
            pausedReason: string | null;
            /** @description The caps of the account. */
            limits: components["schemas"]["AccountLimits"];
            /** @description Where a top-up is asked for: an https URL, or `mailto:` and an address. Null where the operator names none. */
            topUp: string | null;
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
        /** @description An API key cannot do this: a person signs in for it. */
        PersonRequiredProblem: {
            error: string;
            /** @constant */
            code: "PERSON_REQUIRED";
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
        };
        Phone: {
            /** @description The provider's phone number id. */
            phoneNumberId: string;
            /** @description The telephone number in display form. */
            displayPhoneNumber: string;
            /** @description The display name that the provider approved. */
            verifiedName: string;
            /** @description The provider throttles a number at `RED`. */
            qualityRating: ("GREEN" | "YELLOW" | "RED" | "UNKNOWN") | null;
            /** @description Whether the provider sends statuses and messages of the number here; null if unknown. */
            subscribed: boolean | null;
            /** @description How many customers may be written to with templates in 24 hours, in the words of the provider, such as `TIER_2K`; null until it says it. */
            messagingLimit: string | null;
            /** @description The messaging account that pays, which sends carry; null where none was given. */
            messagingAccountId: string | null;
            /** @description Only for a number that the provider blocks or limits, or that sends nothing without a template for a day: whether it can send, and why not. */
            health?: {
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
        };
        /** @description Every error body has `error`, a text for people: branch on status and code. */
        Problem: {
            error: string;
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
        };
        QuickReply: {
            /** @description Id of the quick reply. */
            id: string;
            /** @description What it is found by; each once in an account. */
            name: string;
            /** @description What is sent. */
            text: string;
            /**
             * Format: date-time
             * @description Time of creation, ISO 8601.
             */
            createdAt: string;
        };
        Quote: {
            /** @description For `quoteId` of the send; null where the quote binds nothing. */
            quoteId: string | null;
            /** @description 10 minutes from now; null without a `quoteId`. */
            validUntil: string | null;
            /**
             * @description `partly`: some recipients would get the message, others be refused.
             * @enum {string}
             */
            would: "send" | "partly" | "refuse";
            /** @description Messages that would go out. */
            covered: number;
            /** @description The first refusal that the send would meet; null for none. */
            refusal: {
                /** @description HTTP status. */
                status: number;
                /** @description The code to branch on, or the `reason` of a 402. */
                code: string | null;
                /** @description As in the refusal of the send. */
                error: string | {
                    [key: string]: unknown;
                };
                /** @description What to do. */
                hint: string | null;
            } | null;
            /** @description What the send would take: credits, or a decimal string on a wallet plan. */
            amount: number | string;
            /** @description ISO 4217 code of the prices. */
            currency: string;
            /** @description The balance now: credits, or a decimal string on a wallet plan. */
            balance: number | string;
            /** @description `balance` − `amount`: credits, or a decimal string on a wallet plan. */
            balanceAfter: number | string;
            /** @description The recipients, in the order of the request: the first 500. */
            items: {
                /** @description The recipient as the request named it. */
                to: string;
                /** @description How it would go out; `text` is every message without a template. Null: undecided. */
                channel: ("template" | "direct" | "text") | null;
                /** @description Category of the price; null where there is no price. */
                category: ("MARKETING" | "UTILITY" | "AUTHENTICATION" | "SERVICE") | null;
                /** @description Market of the recipient; null where there is no price. */
                market: string | null;
                /** @description Sell price, a decimal string in `currency`. */
                price: string | null;
                /** @description Credits that would be charged, 0 for a refused one; null on a wallet plan. */
                creditsCharged: number | null;
                /** @description State of its template as the service last heard; null without a template. */
                templateStatus: ("APPROVED" | "PENDING" | "REJECTED" | "NOT_CREATED") | null;
                /** @description End of the open 24-hour window of the recipient; null where it is closed. */
                windowClosesAt: string | null;
                /** @description When it would go out; null for at once. */
                dueAt: string | null;
                /** @description The code that refuses it; `missing_variable:<name>` of a message that would go with a gap; `template_unknown` where only the provider knows the template. */
                problems: string[];
            }[];
            /** @description The messages that would go out, by category and market. */
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
        };
        /** @description The send would cost something else than its `quoteId` says: `details` has both amounts. Nothing was sent or charged. */
        QuoteChangedProblem: {
            error: string;
            /** @constant */
            code: "QUOTE_CHANGED";
            details: {
                /** @description In the account's unit. */
                quoted: number | string;
                /** @description In the account's unit. */
                now: number | string;
            };
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
        };
        /** @description A quote holds for 10 minutes. Nothing was sent or charged: ask for a new one. */
        QuoteExpiredProblem: {
            error: string;
            /** @constant */
            code: "QUOTE_EXPIRED";
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
        };
        /** @description The `quoteId` is no quote of this account, or was changed on its way. */
        QuoteInvalidProblem: {
            error: string;
            /** @constant */
            code: "QUOTE_INVALID";
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
        Run: {
            /** @description Id of the run. */
            id: string;
            /** @description Id of the bot. */
            botId: string;
            /** @description The provider's phone number id. */
            phoneNumberId: string;
            /** @description The customer; null once erased. */
            contact: components["schemas"]["Contact"] | null;
            /**
             * @description Only after an erasure: what was personal in it is null.
             * @constant
             */
            erased?: true;
            /** @description The message that started the run, if any; null once erased. */
            messageId: string | null;
            /**
             * @description State of the run.
             * @enum {string}
             */
            state: "running" | "waiting" | "ended";
            /** @description What a waiting run waits for. */
            waitsFor: ("reply" | "delay") | null;
            /** @description End of the wait, ISO 8601, or null. */
            waitsUntil: string | null;
            /** @description The current node, or null. */
            nodeId: string | null;
            /** @description Number of completed nodes. */
            stepCount: number;
            /** @description Why the run ended, or null. */
            reason: ("completed" | "handoff" | "timeout" | "failed" | "bounds" | "superseded" | "bot_deleted" | "bot_inactive" | "number_unlinked" | "erased") | null;
            /** @description Detail of the reason. */
            detail: string | null;
            /**
             * Format: date-time
             * @description Start of the run, ISO 8601.
             */
            startedAt: string;
            /** @description End of the run, ISO 8601, or null. */
            endedAt: string | null;
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
        Send: {
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
        SendRefusals: {
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
        Step: {
            /** @description Id of the node. */
            nodeId: string;
            /** @description Type of the node. */
            nodeType: string;
            /** @description Outcome of the node; null at the end of the run. */
            outcome: string | null;
            /** @description The next node, or null. */
            nextNodeId: string | null;
            /** @description The provider's id of the sent message. */
            messageId: string | null;
            /** @description The called URL's status, or null. */
            httpStatus: number | null;
            /** @description The reason of the outcome, if not plain. */
            detail: string | null;
            /** @description Variables that the node set, with their values. */
            variables: {
                [key: string]: unknown;
            };
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
        Template: {
            /** @description The provider's id; null for some local rows. */
            id: string | null;
            /** @description Name of the template. */
            name: string;
            /** @description Locale of the template, such as `en_US`. */
            language: string;
            /** @description Category of the template, which decides the price. */
            category: string;
            /**
             * @description Only `APPROVED` can be sent.
             * @enum {string}
             */
            status: "APPROVED" | "PENDING" | "REJECTED";
            /** @description Only while the provider has announced a change of the category, and so of the price. */
            changingTo?: {
                /** @description The category after the change. */
                category: string;
                /** @description The provider's time of the change; null without one. */
                at: string | null;
            };
        };
        /** @description The event has no approved template on this number: read the readiness until it has. */
        TemplateNotApprovedProblem: {
            error: string;
            /** @constant */
            code: "TEMPLATE_NOT_APPROVED";
            details: {
                event: string;
                templateName: string;
                /** @description As asked for. */
                language: string;
                /** @description Languages that can be sent. */
                approvedLanguages: string[];
            };
            /** @description What to do next. */
            hint?: string;
            /** @description The page of this error, at the address of the service. */
            docUrl?: string;
        };
        Transaction: {
            /** @description Id of the movement. */
            id: string;
            /** @description Signed: below zero for a deduction. */
            amount: number;
            /** @description Balance after the movement. */
            balanceAfter: number;
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
        };
        /** @description The catalog has no such event; `supportedEvents` lists its events. */
        UnknownEventProblem: {
            error: string;
            /** @constant */
            code: "UNKNOWN_EVENT";
            supportedEvents: string[];
            /** @description The nearest event, where one is near. */
            didYouMean?: string;
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
        WalletTransaction: {
            /** @description Id of the movement. */
            id: string;
            /** @description Signed decimal string: below zero for a deduction. */
            amount: string;
            /** @description Balance after the movement, a decimal string. */
            balanceAfter: string;
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
        };
        Webhook: {
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
        };
        WebhookDelivery: {
            /** @description Id of the delivery, of this webhook. */
            id: string;
            /** @description The header `webhook-id`: the same each time it is delivered. */
            eventId: string;
            /** @description What happened; `type` of the body. */
            event: ("message.received" | "message.sent" | "message.delivered" | "message.read" | "message.failed" | "template.status" | "number.quality" | "job.finished" | "job.paused" | "scheduled.refused" | "account.balance_low" | "account.paused") | "webhook.test";
            /**
             * @description `waiting` for its first or next call; `failed` once no call is left.
             * @enum {string}
             */
            state: "waiting" | "delivered" | "failed";
            /** @description Calls so far. */
            attempts: number;
            /** @description Status of the last answer; null without one. */
            statusCode: number | null;
            /** @description Duration of the last call. */
            latencyMs: number | null;
            /** @description Why the last call had no answer. */
            error: string | null;
            /** @description Time of the last call, ISO 8601. */
            lastAttemptAt: string | null;
            /** @description Time of the next call; null once it is settled. */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When the delivery began, ISO 8601.
             */
            createdAt: string;
        };
        WebhookDeliveryWithBody: {
            /** @description Id of the delivery, of this webhook. */
            id: string;
            /** @description The header `webhook-id`: the same each time it is delivered. */
            eventId: string;
            /** @description What happened; `type` of the body. */
            event: ("message.received" | "message.sent" | "message.delivered" | "message.read" | "message.failed" | "template.status" | "number.quality" | "job.finished" | "job.paused" | "scheduled.refused" | "account.balance_low" | "account.paused") | "webhook.test";
            /**
             * @description `waiting` for its first or next call; `failed` once no call is left.
             * @enum {string}
             */
            state: "waiting" | "delivered" | "failed";
            /** @description Calls so far. */
            attempts: number;
            /** @description Status of the last answer; null without one. */
            statusCode: number | null;
            /** @description Duration of the last call. */
            latencyMs: number | null;
            /** @description Why the last call had no answer. */
            error: string | null;
            /** @description Time of the last call, ISO 8601. */
            lastAttemptAt: string | null;
            /** @description Time of the next call; null once it is settled. */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When the delivery began, ISO 8601.
             */
            createdAt: string;
            /** @description The body as it would be sent now; what was erased is null in it. */
            body: {
                [key: string]: unknown;
            } | null;
            /** @description Its calls, the last one first. */
            calls: {
                /** @description Counts the calls of the delivery from 1. */
                attempt: number;
                /**
                 * Format: date-time
                 * @description Time of the call, ISO 8601.
                 */
                at: string;
                /** @description Status of the answer; null without one. */
                statusCode: number | null;
                /** @description How long it took until the head of the answer. */
                latencyMs: number;
                /** @description Why there was no answer. */
                error: string | null;
                /** @description What was answered; null without an answer, once the contact is erased, and of calls by older versions. */
                answer: {
                    /** @description The first 2 KB of the headers, one a line. */
                    head: string;
                    /** @description The first 2 KB of the body. */
                    body: string | null;
                } | null;
            }[];
        };
        WebhookSecret: {
            /** @description Verifies the signatures of the deliveries. Shown this once: store it. */
            secret: string;
            /**
             * Format: date-time
             * @description Until then the old secret signs too.
             */
            previousUntil: string;
        };
    };
    responses: {
        /** @description The provider refused, with its words in `details`, or was out of reach: then try again. */
        BadGatewayProviderFailed: {
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
        /**
         * @description - `ACCOUNT_REQUIRED`: The person has several accounts: `X-Waybill-Account` says which. An account of others is 404.
         *     - The request does not match its schema; `error` lists the fields and reasons.
         *     - The body is not valid JSON or too complex, or a parameter is missing; see the text.
         */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AccountRequiredProblem"] | components["schemas"]["ValidationProblem"] | components["schemas"]["Problem"];
            };
        };
        /**
         * @description - `ACCOUNT_REQUIRED`: The person has several accounts: `X-Waybill-Account` says which. An account of others is 404.
         *     - The request does not match its schema; `error` lists the fields and reasons.
         */
        BadRequestRequestInvalid: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AccountRequiredProblem"] | components["schemas"]["ValidationProblem"];
            };
        };
        /**
         * @description - `IDEMPOTENCY_IN_PROGRESS`: A request with this `Idempotency-Key` is running: try again after `Retry-After`.
         *     - `QUOTE_CHANGED`: The send would cost something else than its `quoteId` says: `details` has both amounts. Nothing was sent or charged.
         */
        ConflictIdempotencyInProgressQuoteChanged: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IdempotencyInProgressProblem"] | components["schemas"]["QuoteChangedProblem"];
            };
        };
        /** @description `JOB_STATE`: The state of the job does not allow this; the text says which it is. */
        ConflictJobState: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["JobStateProblem"];
            };
        };
        /** @description The resource exists already, or the account has the maximum. */
        ConflictResourceConflict: {
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
        /**
         * @description - The key does not allow the `Origin` of this request. Servers send no origin.
         *     - `ORG_SUSPENDED`: The organisation of the key is suspended. Only the operator can reinstate it.
         */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] | components["schemas"]["OrgSuspendedProblem"];
            };
        };
        /**
         * @description - The key does not allow the `Origin` of this request. Servers send no origin.
         *     - `INSUFFICIENT_SCOPE`: The key lacks the scope that the text names: use a key with that scope.
         *     - `ORG_SUSPENDED`: The organisation of the key is suspended. Only the operator can reinstate it.
         */
        ForbiddenOther: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] | components["schemas"]["InsufficientScopeProblem"] | components["schemas"]["OrgSuspendedProblem"];
            };
        };
        /**
         * @description - The key does not allow the `Origin` of this request. Servers send no origin.
         *     - `INSUFFICIENT_SCOPE`: The key lacks the scope that the text names: use a key with that scope.
         *     - `ORG_SUSPENDED`: The organisation of the key is suspended. Only the operator can reinstate it.
         *     - `CONTENTS_HIDDEN`: The role does not see what customers write, and this holds or searches it.
         */
        ForbiddenOtherOther: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] | components["schemas"]["InsufficientScopeProblem"] | components["schemas"]["OrgSuspendedProblem"] | components["schemas"]["ContentsHiddenProblem"];
            };
        };
        /** @description `OUTCOME_UNKNOWN`: The provider did not answer. The charge was refunded; the history shows a sent message. */
        GatewayTimeoutProviderUnknownOutcome: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OutcomeUnknownProblem"];
            };
        };
        /**
         * @description - `QUOTE_EXPIRED`: A quote holds for 10 minutes. Nothing was sent or charged: ask for a new one.
         *     - `ERASED`: The data of a contact were erased. An answer with that contact is not given again, and its request is not repeated: nothing is sent or charged. A dead letter without its content can only be dismissed.
         */
        GoneQuoteExpiredResourceErased: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["QuoteExpiredProblem"] | components["schemas"]["ErasedProblem"];
            };
        };
        /** @description `ERASED`: The data of a contact were erased. An answer with that contact is not given again, and its request is not repeated: nothing is sent or charged. A dead letter without its content can only be dismissed. */
        GoneResourceErased: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErasedProblem"];
            };
        };
        /**
         * @description - The look-up of the credential failed. Try again with back-off.
         *     - A fault of the service. Try again with back-off.
         */
        InternalServerError: {
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
        MethodNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The path is unknown. */
        NotFound: {
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
        /**
         * @description - The account has no bot with this id.
         *     - The path is unknown.
         */
        NotFoundBotUnknown: {
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
        /**
         * @description - The account has no bot with this id.
         *     - The id is unknown; the text names the resource.
         *     - The path is unknown.
         */
        NotFoundBotUnknownResourceUnknown: {
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
        /**
         * @description - The account has no message with this id. Encode `=` and `/` of an id in the path.
         *     - The path is unknown.
         */
        NotFoundMessageUnknown: {
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
        /**
         * @description - `NO_PHONE`: The account has no number with an access token, or lacks the named one.
         *     - The path is unknown.
         */
        NotFoundNumberNone: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NoPhoneProblem"] | components["schemas"]["Problem"];
            };
        };
        /**
         * @description - The number is not linked to this account, or lacks a required access token.
         *     - The path is unknown.
         */
        NotFoundNumberUnknown: {
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
        /**
         * @description - `NOT_SEALED_YET`: The charge is newer than the last seal of the ledger; there is one each day. Ask again after `Retry-After`.
         *     - The id is unknown; the text names the resource.
         *     - The path is unknown.
         */
        NotFoundResourceNotSealedResourceUnknown: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotSealedYetProblem"] | components["schemas"]["Problem"];
            };
        };
        /**
         * @description - The id is unknown; the text names the resource.
         *     - The path is unknown.
         */
        NotFoundResourceUnknown: {
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
        /** @description The body is larger than 1 MB, or a file is larger than its type may be. Nothing was done; split it. */
        PayloadTooLarge: {
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
        /** @description Too few credits, or too little balance. Nothing was sent or charged; try after a top-up. */
        PaymentRequiredAccountInsufficient: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AccountInsufficientProblem"];
            };
        };
        /**
         * @description - `ACCOUNT_REQUIRED`: The person has several accounts: `X-Waybill-Account` says which. An account of others is 404.
         *     - The body is not valid JSON or too complex, or a parameter is missing; see the text.
         */
        PeopleBadRequestRequestMalformed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AccountRequiredProblem"] | components["schemas"]["Problem"];
            };
        };
        /** @description A revoked key stays revoked: create another one. */
        PeopleConflictKeyRevoked: {
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
        /**
         * @description - The key does not allow the `Origin` of this request. Servers send no origin.
         *     - `INSUFFICIENT_SCOPE`: The key lacks the scope that the text names: use a key with that scope.
         *     - `ORG_SUSPENDED`: The organisation of the key is suspended. Only the operator can reinstate it.
         *     - `PERSON_REQUIRED`: An API key cannot do this: a person signs in for it.
         */
        PeopleForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] | components["schemas"]["InsufficientScopeProblem"] | components["schemas"]["OrgSuspendedProblem"] | components["schemas"]["PersonRequiredProblem"];
            };
        };
        /** @description The body did not arrive in time. Nothing was done; send it again. */
        RequestTimeout: {
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
        /**
         * @description - Too many requests of this key are running. Try again after `Retry-After`.
         *     - This instance is stopping. Try again after `Retry-After`.
         *     - The service cannot store or read this now. Try again after `Retry-After`.
         */
        ServiceUnavailable: {
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
        /** @description Too many requests: wait `RateLimit-Reset` seconds. */
        TooManyRequests: {
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
        /**
         * @description - `LIMIT_REACHED`: A sending cap is reached, or the account is paused. Only `perMinute` clears by waiting.
         *     - `FREE_WRITES_REACHED`: The account has reached its plan's daily limit of unpaid data; wait `Retry-After`.
         *     - Too many requests: wait `RateLimit-Reset` seconds.
         *     - `LIMIT_REACHED`: So many sends of the account wait for their time that no further one is taken.
         */
        TooManyRequestsAccountCapReachedAccountFreeWritesScheduleFull: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AccountCapReachedProblem"] | components["schemas"]["FreeWritesReachedProblem"] | components["schemas"]["Problem"] | components["schemas"]["LimitReachedProblem"];
            };
        };
        /**
         * @description - `FREE_WRITES_REACHED`: The account has reached its plan's daily limit of unpaid data; wait `Retry-After`.
         *     - Too many requests: wait `RateLimit-Reset` seconds.
         */
        TooManyRequestsAccountFreeWrites: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FreeWritesReachedProblem"] | components["schemas"]["Problem"];
            };
        };
        /**
         * @description - `FREE_WRITES_REACHED`: The account has reached its plan's daily limit of unpaid data; wait `Retry-After`.
         *     - `JOBS_FULL`: So many jobs of the account, or megabytes of their rows, wait that no further file is taken.
         *     - Too many requests: wait `RateLimit-Reset` seconds.
         */
        TooManyRequestsAccountFreeWritesJobFull: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FreeWritesReachedProblem"] | components["schemas"]["JobsFullProblem"] | components["schemas"]["Problem"];
            };
        };
        /** @description The API key is missing, unknown, inactive, expired or revoked. */
        Unauthorized: {
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
        UnprocessableEntityIdempotencyMismatch: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IdempotencyMismatchProblem"];
            };
        };
        /** @description The body is compressed or not announced as JSON: send `Content-Type: application/json`. For a file: no form, or a type that the provider does not take. */
        UnsupportedMediaType: {
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
    getCatalog: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All 18 events, with their variables in positional order. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogEntry"][];
                };
            };
            400: components["responses"]["BadRequestRequestInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getReadiness: {
        parameters: {
            query?: {
                /** @description The account's oldest number with an access token by default. */
                phoneNumberId?: string;
                /** @description `true` first reads the approval status from the provider. */
                refresh?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All 18 events with their states, and what keeps the number from sending. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundNumberUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    submitCatalog: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description A number of the business account; the account's oldest one by default. */
                    phoneNumberId?: string;
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
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
             *     - `ACCOUNT_REQUIRED`: The person has several accounts: `X-Waybill-Account` says which. An account of others is 404.
             *     - The request does not match its schema; `error` lists the fields and reasons.
             *     - The body is not valid JSON or too complex, or a parameter is missing; see the text.
             *     - The provider refused the submission. Change it before another try.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] | components["schemas"]["AccountRequiredProblem"] | components["schemas"]["ValidationProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundNumberUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sendNotification: {
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
                    /** @description The recipient, in E.164 with the country code, or the `userId` of a customer, such as `US.1349…`. Of a number only digits count, a leading `00` counts as `+`. Nothing else is checked: a national number reaches another subscriber. */
                    to: string;
                    /**
                     * @description Event key of the catalog, with these variables:
                     *
                     *     - `otp_verification`: otp
                     *     - `password_reset`: otp
                     *     - `order_verification`: otp
                     *     - `order_confirmation`: customerName, orderId, orderTotal, trackingLink
                     *     - `order_status`: customerName, orderId, orderStatus, trackingLink
                     *     - `order_cancelled`: customerName, orderId, cancelReason
                     *     - `order_shipped`: orderId, awbCode, trackingLink
                     *     - `out_for_delivery`: customerName, orderId, trackingLink
                     *     - `order_delivered`: customerName, orderId
                     *     - `delivery_failed`: customerName, orderId, failureReason, trackingLink
                     *     - `payment_received`: customerName, amount, orderId
                     *     - `payment_failed`: customerName, amount, orderId, paymentLink
                     *     - `return_requested`: customerName, orderId, returnId
                     *     - `return_pickup_scheduled`: customerName, returnId, pickupDate
                     *     - `refund_processed`: customerName, refundAmount, orderId
                     *     - `cart_recovery`: customerName, productName, cartLink
                     *     - `review_request`: customerName, productName, reviewLink
                     *     - `back_in_stock`: productName, productLink
                     */
                    event: string;
                    /**
                     * @description Values by name. A blank one is replaced by `-` and named in `missingVariables`.
                     * @default {}
                     */
                    variables?: {
                        [key: string]: unknown;
                    };
                    /** @description The sending number; the account's oldest configured one by default. */
                    phoneNumberId?: string;
                    /** @description Locale of the template; its own by default. `en_US` also finds `en`. */
                    languageCode?: string;
                    /**
                     * @description Without an approved template, sends plain text in an open 24-hour window.
                     * @default false
                     */
                    allowTextFallback?: boolean;
                    /** @description Your reference of the message, which filters the history. */
                    clientReference?: string;
                    /** @description Refuses with 400, before any charge, variables that the event does not know, that are missing or blank, and a `to` that is no possible telephone number. When absent, the default of the account, which an administrator sets; else false. */
                    strict?: boolean;
                    /**
                     * Format: date-time
                     * @description Sends it then instead of now: ISO 8601 with `Z` or an offset, at most 90 days ahead. The answer is 202.
                     */
                    sendAt?: string;
                    /** @description Sends it at the first moment, from `sendAt` or now on, at which this window is open. */
                    deliverBetween?: {
                        /** @description When the window opens, such as `09:00`. */
                        from: string;
                        /** @description When it closes, such as `20:00`; before `from` it is on the next day. */
                        until: string;
                        /** @description Days on which it opens, 1 is Monday; every day by default. */
                        days?: number[];
                        /** @description IANA name. By default that of the recipient's country, in a country of several zones all of them, else that of the account. */
                        timeZone?: string;
                    };
                    /**
                     * Format: date-time
                     * @description Not sent after this time. By default 24 hours after it is due, 10 minutes for the category AUTHENTICATION.
                     */
                    notAfter?: string;
                    /** @description Sends it in the quiet hours of the account too, unless it is MARKETING. */
                    ignoreQuietHours?: boolean;
                    /** @description Of a quote: the send costs what it said, or is refused (409 `QUOTE_CHANGED`). Valid for 10 minutes, and as often as you like. */
                    quoteId?: string;
                    /** @description Sends and charges nothing: the 200 is then the answer of `POST /v1/quotes`, and no `Idempotency-Key` is claimed. */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description The provider accepted the message. `missingVariables` names the blank variables, sent as `-`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    /** @description Category of the price. */
                    "X-Message-Category": "MARKETING" | "UTILITY" | "AUTHENTICATION" | "SERVICE";
                    /** @description Sell price of the message, a decimal string. */
                    "X-Message-Price": string;
                    /** @description Charged credits. Credit plans only. */
                    "X-Credits-Charged"?: number;
                    /** @description Credits after the charge. Credit plans only. */
                    "X-Credits-Remaining"?: number;
                    /** @description Balance after the charge, a decimal string. Wallet plans only. */
                    "X-Wallet-Balance"?: string;
                    /** @description `true` for the stored response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true.
                         * @constant
                         */
                        success: true;
                        /** @description The provider's message id, for the status. */
                        messageId: string;
                        /**
                         * @description `direct`: the text of the event without a template, where the account may (Direct Send); `text`: after a fallback.
                         * @enum {string}
                         */
                        channel: "template" | "direct" | "text";
                        /** @description Event key of the catalog. */
                        event: string;
                        /** @description Null where the event went out without a template. */
                        template: string | null;
                        /** @description Blank variables: the message was sent with gaps, and charged. */
                        missingVariables?: string[];
                        /** @description Only while the provider holds the message: `held_for_quality_assessment` or `paused`. It may fail later. */
                        providerStatus?: string;
                    };
                };
            };
            /** @description It is taken, and goes out later; nothing is charged yet. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true.
                         * @constant
                         */
                        success: true;
                        /** @description When it goes out, and why then. */
                        scheduled: components["schemas"]["Later"];
                    };
                };
            };
            /**
             * @description - `UNKNOWN_EVENT`: The catalog has no such event; `supportedEvents` lists its events.
             *     - The content breaks a rule of the provider; the text names the field and the limit. Nothing was charged.
             *     - `ACCOUNT_REQUIRED`: The person has several accounts: `X-Waybill-Account` says which. An account of others is 404.
             *     - `QUOTE_INVALID`: The `quoteId` is no quote of this account, or was changed on its way.
             *     - The request does not match its schema; `error` lists the fields and reasons.
             *     - The body is not valid JSON or too complex, or a parameter is missing; see the text.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownEventProblem"] | components["schemas"]["Problem"] | components["schemas"]["AccountRequiredProblem"] | components["schemas"]["QuoteInvalidProblem"] | components["schemas"]["ValidationProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequiredAccountInsufficient"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundNumberNone"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            /**
             * @description - `IDEMPOTENCY_IN_PROGRESS`: A request with this `Idempotency-Key` is running: try again after `Retry-After`.
             *     - `QUOTE_CHANGED`: The send would cost something else than its `quoteId` says: `details` has both amounts. Nothing was sent or charged.
             *     - `TEMPLATE_NOT_APPROVED`: The event has no approved template on this number: read the readiness until it has.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotencyInProgressProblem"] | components["schemas"]["QuoteChangedProblem"] | components["schemas"]["TemplateNotApprovedProblem"];
                };
            };
            410: components["responses"]["GoneQuoteExpiredResourceErased"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntityIdempotencyMismatch"];
            429: components["responses"]["TooManyRequestsAccountCapReachedAccountFreeWritesScheduleFull"];
            500: components["responses"]["InternalServerError"];
            /** @description `SEND_FAILED`: The provider refused the message, or could not be reached: then `details.code` is `PROVIDER_UNREACHABLE`, and nothing was sent. The charge was refunded; another try costs again. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The error as text for people. */
                        error: string;
                        /**
                         * @description The error as a code to branch on.
                         * @constant
                         */
                        code: "SEND_FAILED";
                        /** @description The refusal of the provider. */
                        details: {
                            /** @description As requested. */
                            event: string;
                            /** @description The template, if any. */
                            template: string | null;
                            /**
                             * @description Where the provider was not reached: nothing was sent. Absent otherwise.
                             * @constant
                             */
                            code?: "PROVIDER_UNREACHABLE";
                            /** @description The provider's error code. */
                            providerCode: number | null;
                            /** @description The provider's words. */
                            providerMessage: string;
                            /** @description What to do about the provider's code. */
                            hint?: string;
                            /** @description The page of this error, at the address of the service. */
                            docUrl?: string;
                        };
                        /** @description What to do next. */
                        hint?: string;
                        /** @description The page of this error, at the address of the service. */
                        docUrl?: string;
                    };
                };
            };
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeoutProviderUnknownOutcome"];
        };
    };
    sendNotificationBatch: {
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
                    /**
                     * @description Event key of the catalog, with these variables:
                     *
                     *     - `otp_verification`: otp
                     *     - `password_reset`: otp
                     *     - `order_verification`: otp
                     *     - `order_confirmation`: customerName, orderId, orderTotal, trackingLink
                     *     - `order_status`: customerName, orderId, orderStatus, trackingLink
                     *     - `order_cancelled`: customerName, orderId, cancelReason
                     *     - `order_shipped`: orderId, awbCode, trackingLink
                     *     - `out_for_delivery`: customerName, orderId, trackingLink
                     *     - `order_delivered`: customerName, orderId
                     *     - `delivery_failed`: customerName, orderId, failureReason, trackingLink
                     *     - `payment_received`: customerName, amount, orderId
                     *     - `payment_failed`: customerName, amount, orderId, paymentLink
                     *     - `return_requested`: customerName, orderId, returnId
                     *     - `return_pickup_scheduled`: customerName, returnId, pickupDate
                     *     - `refund_processed`: customerName, refundAmount, orderId
                     *     - `cart_recovery`: customerName, productName, cartLink
                     *     - `review_request`: customerName, productName, reviewLink
                     *     - `back_in_stock`: productName, productLink
                     */
                    event: string;
                    /** @description 1 to 500 recipients. */
                    recipients: {
                        /** @description The recipient, in E.164 with the country code, or the `userId` of a customer, such as `US.1349…`. Of a number only digits count, a leading `00` counts as `+`. Nothing else is checked: a national number reaches another subscriber. */
                        to: string;
                        /**
                         * @description Values by name; a blank one is replaced by `-`.
                         * @default {}
                         */
                        variables?: {
                            [key: string]: unknown;
                        };
                        /** @description Your reference of the message, which filters the history. */
                        clientReference?: string;
                    }[];
                    /** @description The sending number; the account's oldest configured one by default. */
                    phoneNumberId?: string;
                    /** @description Locale of the template; its own by default. `en_US` also finds `en`. */
                    languageCode?: string;
                    /** @description As in a single send, for all recipients: one wrong recipient refuses the whole batch, before anything is sent. */
                    strict?: boolean;
                    /**
                     * Format: date-time
                     * @description Sends it then instead of now: ISO 8601 with `Z` or an offset, at most 90 days ahead. The answer is 202.
                     */
                    sendAt?: string;
                    /** @description Sends it at the first moment, from `sendAt` or now on, at which this window is open. */
                    deliverBetween?: {
                        /** @description When the window opens, such as `09:00`. */
                        from: string;
                        /** @description When it closes, such as `20:00`; before `from` it is on the next day. */
                        until: string;
                        /** @description Days on which it opens, 1 is Monday; every day by default. */
                        days?: number[];
                        /** @description IANA name. By default that of the recipient's country, in a country of several zones all of them, else that of the account. */
                        timeZone?: string;
                    };
                    /**
                     * Format: date-time
                     * @description Not sent after this time. By default 24 hours after it is due, 10 minutes for the category AUTHENTICATION.
                     */
                    notAfter?: string;
                    /** @description Sends it in the quiet hours of the account too, unless it is MARKETING. */
                    ignoreQuietHours?: boolean;
                    /** @description Of a quote of this batch: it costs in all what the quote said, or is refused as a whole (409 `QUOTE_CHANGED`). */
                    quoteId?: string;
                    /** @description Sends and charges nothing: the 200 is then the answer of `POST /v1/quotes`, and no `Idempotency-Key` is claimed. */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description The batch ran. Send again to the recipients without a result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    /** @description `true` for the stored response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true.
                         * @constant
                         */
                        success: true;
                        /** @description Recipients with `ok` true. */
                        sent: number;
                        /** @description Recipients with `ok` false. */
                        failed: number;
                        /** @description The processed recipients, in the order of the request. */
                        results: components["schemas"]["NotificationBatchResult"][];
                    };
                };
            };
            /**
             * @description - `ACCOUNT_REQUIRED`: The person has several accounts: `X-Waybill-Account` says which. An account of others is 404.
             *     - `QUOTE_INVALID`: The `quoteId` is no quote of this account, or was changed on its way.
             *     - The request does not match its schema; `error` lists the fields and reasons.
             *     - The body is not valid JSON or too complex, or a parameter is missing; see the text.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountRequiredProblem"] | components["schemas"]["QuoteInvalidProblem"] | components["schemas"]["ValidationProblem"] | components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictIdempotencyInProgressQuoteChanged"];
            410: components["responses"]["GoneQuoteExpiredResourceErased"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntityIdempotencyMismatch"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sendMessage: {
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
                    /** @description The recipient, in E.164 with the country code, or the `userId` of a customer, such as `US.1349…`. Of a number only digits count, a leading `00` counts as `+`. Nothing else is checked: a national number reaches another subscriber. */
                    to: string;
                    /**
                     * @description Which of the next fields holds the content.
                     * @enum {string}
                     */
                    type: "text" | "template" | "media" | "location" | "interactive" | "contacts" | "reaction";
                    /** @description The sending number; the account's oldest configured one by default. */
                    phoneNumberId?: string;
                    /** @description For type `text`: `body` is required. */
                    text?: {
                        /** @description The text. */
                        body?: string;
                        /** @description Whether the first link shows a preview. */
                        previewUrl?: boolean;
                    };
                    /** @description For type `template`: `name` is required, `components` stay untouched. */
                    template?: {
                        /** @description The provider's name of the template. */
                        name?: string;
                        /** @description Locale of the template; `en_US` by default. */
                        language?: string;
                        /** @description The provider's component objects. */
                        components?: unknown[];
                    };
                    /** @description For type `media`: `type` and exactly one of `link` and `id` are required. */
                    media?: {
                        /**
                         * @description Kind of the media.
                         * @enum {string}
                         */
                        type?: "image" | "video" | "audio" | "document" | "sticker";
                        /** @description A public http(s) URL for the provider; instead of `id`. */
                        link?: string;
                        /** @description The provider's media id; instead of `link`. */
                        id?: string;
                        /** @description Text under an image, a video or a document, of up to 1024 characters. Audio and stickers have none. */
                        caption?: string;
                        /** @description Name of a document. */
                        filename?: string;
                    };
                    /** @description For type `location`: `latitude` and `longitude` are required. */
                    location?: {
                        /** @description Degrees, -90 to 90. */
                        latitude?: number;
                        /** @description Degrees, -180 to 180. */
                        longitude?: number;
                        /** @description Name of the place. */
                        name?: string;
                        /** @description Address of the place. */
                        address?: string;
                    };
                    /** @description For type `interactive`: `type` and `action` are required; stays untouched. A flow is checked whole. */
                    interactive?: ({
                        /**
                         * @description A flow.
                         * @constant
                         */
                        type: "flow";
                        /** @description A text, or a medium. */
                        header?: {
                            [key: string]: unknown;
                        };
                        /** @description The text. */
                        body: {
                            /** @description The text. */
                            text: string;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @description A line below the text. */
                        footer?: {
                            /** @description The line. */
                            text: string;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @description The button that opens the flow. */
                        action: {
                            /**
                             * @description Always `flow`.
                             * @constant
                             */
                            name: "flow";
                            /** @description Which flow, and how it is opened. */
                            parameters: {
                                /**
                                 * @description Always `3`.
                                 * @constant
                                 */
                                flow_message_version: "3";
                                /** @description Id of the flow; else `flow_name`. */
                                flow_id?: string;
                                /** @description Name of the flow; else `flow_id`. */
                                flow_name?: string;
                                /** @description Label of the button, without emoji. */
                                flow_cta: string;
                                /** @description Your id of this use of the flow. */
                                flow_token?: string;
                                /**
                                 * @description `draft` tries a flow that is not published; `published` by default.
                                 * @enum {string}
                                 */
                                mode?: "draft" | "published";
                                /**
                                 * @description Whether it opens a screen, or asks your endpoint for one.
                                 * @enum {string}
                                 */
                                flow_action?: "navigate" | "data_exchange";
                                /** @description The first screen, and its data. */
                                flow_action_payload?: {
                                    /** @description Id of the first screen. */
                                    screen: string;
                                    /** @description What the first screen gets. */
                                    data?: {
                                        [key: string]: unknown;
                                    };
                                } & {
                                    [key: string]: unknown;
                                };
                            } & {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    }) | {
                        [key: string]: unknown;
                    };
                    /** @description For type `contacts`: 1 to 257 of the provider's contact objects, each with `name.formatted_name` and one more part of the name; stay untouched. */
                    contacts?: {
                        [key: string]: unknown;
                    }[];
                    /** @description For type `reaction`: both fields are required. */
                    reaction?: {
                        /** @description The message that the reaction is to. */
                        messageId?: string;
                        /** @description One emoji; an empty text removes the reaction. */
                        emoji?: string;
                    };
                    /** @description The message that this one answers. */
                    contextMessageId?: string;
                    /** @description Your reference of the message, which filters the history. */
                    clientReference?: string;
                    /** @description Refuses with 400, before any charge, a `to` that is no possible telephone number. When absent, the default of the account; else false. */
                    strict?: boolean;
                    /**
                     * Format: date-time
                     * @description Sends it then instead of now: ISO 8601 with `Z` or an offset, at most 90 days ahead. The answer is 202.
                     */
                    sendAt?: string;
                    /** @description Sends it at the first moment, from `sendAt` or now on, at which this window is open. */
                    deliverBetween?: {
                        /** @description When the window opens, such as `09:00`. */
                        from: string;
                        /** @description When it closes, such as `20:00`; before `from` it is on the next day. */
                        until: string;
                        /** @description Days on which it opens, 1 is Monday; every day by default. */
                        days?: number[];
                        /** @description IANA name. By default that of the recipient's country, in a country of several zones all of them, else that of the account. */
                        timeZone?: string;
                    };
                    /**
                     * Format: date-time
                     * @description Not sent after this time. By default 24 hours after it is due, 10 minutes for the category AUTHENTICATION.
                     */
                    notAfter?: string;
                    /** @description Sends it in the quiet hours of the account too, unless it is MARKETING. */
                    ignoreQuietHours?: boolean;
                    /** @description Of a quote: the send costs what it said, or is refused (409 `QUOTE_CHANGED`). Valid for 10 minutes, and as often as you like. */
                    quoteId?: string;
                    /** @description Sends and charges nothing: the 200 is then the answer of `POST /v1/quotes`, and no `Idempotency-Key` is claimed. */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description The provider accepted the message. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    /** @description Category of the price. */
                    "X-Message-Category": "MARKETING" | "UTILITY" | "AUTHENTICATION" | "SERVICE";
                    /** @description Sell price of the message, a decimal string. */
                    "X-Message-Price": string;
                    /** @description Charged credits. Credit plans only. */
                    "X-Credits-Charged"?: number;
                    /** @description Credits after the charge. Credit plans only. */
                    "X-Credits-Remaining"?: number;
                    /** @description Balance after the charge, a decimal string. Wallet plans only. */
                    "X-Wallet-Balance"?: string;
                    /** @description `true` for the stored response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true.
                         * @constant
                         */
                        success: true;
                        /** @description The provider's message id. */
                        messageId: string;
                        /** @description The sent type. */
                        type: string;
                        /** @description The recipient, digits only. */
                        to: string;
                        /** @description The sending number. */
                        phoneNumberId: string;
                        /** @description Only while the provider holds the message: `held_for_quality_assessment` or `paused`. It may fail later. */
                        providerStatus?: string;
                    };
                };
            };
            /** @description It is taken, and goes out later; nothing is charged yet. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true.
                         * @constant
                         */
                        success: true;
                        /** @description When it goes out, and why then. */
                        scheduled: components["schemas"]["Later"];
                    };
                };
            };
            /**
             * @description - A field of the named `type` is missing; the text names it.
             *     - The content breaks a rule of the provider; the text names the field and the limit. Nothing was charged.
             *     - `ACCOUNT_REQUIRED`: The person has several accounts: `X-Waybill-Account` says which. An account of others is 404.
             *     - `QUOTE_INVALID`: The `quoteId` is no quote of this account, or was changed on its way.
             *     - The request does not match its schema; `error` lists the fields and reasons.
             *     - The body is not valid JSON or too complex, or a parameter is missing; see the text.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] | components["schemas"]["AccountRequiredProblem"] | components["schemas"]["QuoteInvalidProblem"] | components["schemas"]["ValidationProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequiredAccountInsufficient"];
            /**
             * @description - The key does not allow the `Origin` of this request. Servers send no origin.
             *     - `INSUFFICIENT_SCOPE`: The key lacks the scope that the text names: use a key with that scope.
             *     - The customer has not written in the last 24 hours: only a template can be sent.
             *     - `ORG_SUSPENDED`: The organisation of the key is suspended. Only the operator can reinstate it.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The error as text for people. */
                        error: string;
                        /** @description End of the last window. */
                        windowExpiredAt?: string | null;
                        /** @description What to do next. */
                        hint?: string;
                        /** @description The page of this error, at the address of the service. */
                        docUrl?: string;
                    } | components["schemas"]["Problem"] | components["schemas"]["InsufficientScopeProblem"] | components["schemas"]["OrgSuspendedProblem"];
                };
            };
            404: components["responses"]["NotFoundNumberNone"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictIdempotencyInProgressQuoteChanged"];
            410: components["responses"]["GoneQuoteExpiredResourceErased"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntityIdempotencyMismatch"];
            429: components["responses"]["TooManyRequestsAccountCapReachedAccountFreeWritesScheduleFull"];
            500: components["responses"]["InternalServerError"];
            /** @description `SEND_FAILED`: The provider refused the message, or could not be reached: then `details.code` is `PROVIDER_UNREACHABLE`, and nothing was sent. The charge was refunded; another try costs again. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The error as text for people. */
                        error: string;
                        /**
                         * @description The error as a code to branch on.
                         * @constant
                         */
                        code: "SEND_FAILED";
                        /** @description The refusal of the provider. */
                        details: {
                            /** @description As requested. */
                            type: string;
                            /** @description The template, if any. */
                            template: string | null;
                            /**
                             * @description Where the provider was not reached: nothing was sent. Absent otherwise.
                             * @constant
                             */
                            code?: "PROVIDER_UNREACHABLE";
                            /** @description The provider's error code. */
                            providerCode: number | null;
                            /** @description The provider's words. */
                            providerMessage: string;
                            /** @description What to do about the provider's code. */
                            hint?: string;
                            /** @description The page of this error, at the address of the service. */
                            docUrl?: string;
                        };
                        /** @description What to do next. */
                        hint?: string;
                        /** @description The page of this error, at the address of the service. */
                        docUrl?: string;
                    };
                };
            };
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeoutProviderUnknownOutcome"];
        };
    };
    getMessageStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The provider's message id, as a send returned it. Encode what a path cannot hold, such as `/` and `=`. */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The provider's message id that was asked for. */
                        metaMessageId: string;
                        /** @description `sent`, `delivered`, `read` or `failed`: the farthest that was seen. */
                        status: string | null;
                        /** @description The provider's time of the status, ISO 8601. */
                        statusTimestamp: string | null;
                        /** @description Such as `text`, `template` or `image`. */
                        messageType: string;
                        /** @description The recipient, digits only; null while the number is not known. */
                        recipientWaId: string | null;
                        /** @description The provider's id of the customer; null where the provider gave none. */
                        contactUserId: string | null;
                        /** @description Only with the status `failed`. */
                        errorCode: string | null;
                        /** @description The provider's words, with the status `failed`. */
                        errorMessage: string | null;
                        /**
                         * Format: date-time
                         * @description Time of the send, ISO 8601.
                         */
                        createdAt: string;
                        /** @description Event key of the catalog. */
                        event: string | null;
                        /**
                         * @description Only after an erasure: what was personal in it is null.
                         * @constant
                         */
                        erased?: true;
                    };
                };
            };
            400: components["responses"]["BadRequestRequestInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundMessageUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /** @description Rows on a page, 1 to 100; 50 by default. */
                limit?: number;
                /** @description `nextCursor` of the previous page. New rows do not change the later pages. */
                cursor?: string;
                /** @description Messages of this number. */
                phoneNumberId?: string;
                /** @description Messages of this direction. */
                direction?: "inbound" | "outbound";
                /** @description Messages with this customer: the customer's number or user id. */
                contact?: string;
                /** @description Messages of this conversation. */
                conversationId?: string;
                /** @description Messages at `sent`, `delivered`, `read` or `failed`. */
                status?: "sent" | "failed" | "delivered" | "read";
                /** @description Messages of this type, such as `text` or `template`. */
                messageType?: string;
                /** @description Messages for this event of the catalog. */
                event?: "otp_verification" | "password_reset" | "order_verification" | "order_confirmation" | "order_status" | "order_cancelled" | "order_shipped" | "out_for_delivery" | "order_delivered" | "delivery_failed" | "payment_received" | "payment_failed" | "return_requested" | "return_pickup_scheduled" | "refund_processed" | "cart_recovery" | "review_request" | "back_in_stock";
                /** @description Messages with this reference of yours. */
                clientReference?: string;
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        messages: components["schemas"]["Message"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMessageTimeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The provider's message id, as a send returned it. Encode what a path cannot hold, such as `/` and `=`. */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events of the message. An inbound message shows the result of its forward: `answered`, `failed`, `left_out`, or `unknown` when the service stopped during the call. A status with another category than the charged one has `otherCategory: { charged, billed }`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The provider's message id; null once erased. */
                        messageId: string | null;
                        /**
                         * @description Only after an erasure: what was personal in it is null.
                         * @constant
                         */
                        erased?: true;
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
            400: components["responses"]["BadRequestRequestInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundMessageUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    explainMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The provider's message id, as a send returned it. Encode what a path cannot hold, such as `/` and `=`. */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rules, in the order in which they were asked. A message of a customer has none. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The provider's message id, as it was asked for. */
                        messageId: string;
                        /** @description The status of the message, or `received`. */
                        outcome: string;
                        /** @description The rules. */
                        rules: {
                            /** @description `plan`, `template` or `window`, `price`, `caps`, `strict`, `balance`, `sent`, `status`, `refund`. */
                            rule: string;
                            /** @description What the rule said. */
                            value: string;
                            /** @description Why, in words. */
                            why: string;
                            /** @description The event that it came from; null for what is built in or not in the log. */
                            event: {
                                /** @description Name of the event. */
                                type: string;
                                /** @description Position in the log: opaque. */
                                position: string;
                                /**
                                 * Format: date-time
                                 * @description Time of the event, ISO 8601.
                                 */
                                at: string;
                            } | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequestRequestInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundMessageUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The provider's message id, as a send returned it. Encode what a path cannot hold, such as `/` and `=`. */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Whether the customer also sees that a reply is being written: for 25 seconds, or until the reply.
                     * @default false
                     */
                    typing?: boolean;
                };
            };
        };
        responses: {
            /** @description The provider shows the receipt. The timeline of the message has it once. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
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
                        /** @description The provider's message id. */
                        messageId: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            /**
             * @description - The account has no message with this id. Encode `=` and `/` of an id in the path.
             *     - `NO_PHONE`: The account has no number with an access token, or lacks the named one.
             *     - The path is unknown.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] | components["schemas"]["NoPhoneProblem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["BadGatewayProviderFailed"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSendRefusals: {
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        refusals: components["schemas"]["SendRefusals"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSends: {
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        sends: components["schemas"]["Send"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listScheduled: {
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
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page; `nextCursor` leads to the next one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getScheduled: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the scheduled send. */
                scheduleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduledSend"];
                };
            };
            400: components["responses"]["BadRequestRequestInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelScheduled: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the scheduled send. */
                scheduleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduledSend"];
                };
            };
            400: components["responses"]["BadRequestRequestInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["ConflictResourceConflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateScheduled: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the scheduled send. */
                scheduleId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description All values by name, instead of those before. */
                    variables?: {
                        [key: string]: unknown;
                    };
                    /** @description The sending number; the account's oldest configured one by default. */
                    phoneNumberId?: string;
                    /** @description Locale of the template; its own by default. `en_US` also finds `en`. */
                    languageCode?: string;
                    /** @description As in the send. */
                    allowTextFallback?: boolean;
                    /** @description Your reference of the message, which filters the history. */
                    clientReference?: string;
                    /** @description Refuses with 400, before any charge, a `to` that is no possible telephone number. When absent, the default of the account; else false. */
                    strict?: boolean;
                    /** @description Another time; null for none. */
                    sendAt?: string | null;
                    /** @description Another window; null for none. */
                    deliverBetween?: {
                        /** @description When the window opens, such as `09:00`. */
                        from: string;
                        /** @description When it closes, such as `20:00`; before `from` it is on the next day. */
                        until: string;
                        /** @description Days on which it opens, 1 is Monday; every day by default. */
                        days?: number[];
                        /** @description IANA name. By default that of the recipient's country, in a country of several zones all of them, else that of the account. */
                        timeZone?: string;
                    } | null;
                    /** @description Another end; null for the default one. */
                    notAfter?: string | null;
                    /** @description Sends it in the quiet hours of the account too, unless it is MARKETING. */
                    ignoreQuietHours?: boolean;
                    /** @description For type `text`: `body` is required. */
                    text?: {
                        /** @description The text. */
                        body?: string;
                        /** @description Whether the first link shows a preview. */
                        previewUrl?: boolean;
                    };
                    /** @description For type `template`: `name` is required, `components` stay untouched. */
                    template?: {
                        /** @description The provider's name of the template. */
                        name?: string;
                        /** @description Locale of the template; `en_US` by default. */
                        language?: string;
                        /** @description The provider's component objects. */
                        components?: unknown[];
                    };
                    /** @description For type `media`: `type` and exactly one of `link` and `id` are required. */
                    media?: {
                        /**
                         * @description Kind of the media.
                         * @enum {string}
                         */
                        type?: "image" | "video" | "audio" | "document" | "sticker";
                        /** @description A public http(s) URL for the provider; instead of `id`. */
                        link?: string;
                        /** @description The provider's media id; instead of `link`. */
                        id?: string;
                        /** @description Text under an image, a video or a document, of up to 1024 characters. Audio and stickers have none. */
                        caption?: string;
                        /** @description Name of a document. */
                        filename?: string;
                    };
                    /** @description For type `location`: `latitude` and `longitude` are required. */
                    location?: {
                        /** @description Degrees, -90 to 90. */
                        latitude?: number;
                        /** @description Degrees, -180 to 180. */
                        longitude?: number;
                        /** @description Name of the place. */
                        name?: string;
                        /** @description Address of the place. */
                        address?: string;
                    };
                    /** @description For type `interactive`: `type` and `action` are required; stays untouched. A flow is checked whole. */
                    interactive?: ({
                        /**
                         * @description A flow.
                         * @constant
                         */
                        type: "flow";
                        /** @description A text, or a medium. */
                        header?: {
                            [key: string]: unknown;
                        };
                        /** @description The text. */
                        body: {
                            /** @description The text. */
                            text: string;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @description A line below the text. */
                        footer?: {
                            /** @description The line. */
                            text: string;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @description The button that opens the flow. */
                        action: {
                            /**
                             * @description Always `flow`.
                             * @constant
                             */
                            name: "flow";
                            /** @description Which flow, and how it is opened. */
                            parameters: {
                                /**
                                 * @description Always `3`.
                                 * @constant
                                 */
                                flow_message_version: "3";
                                /** @description Id of the flow; else `flow_name`. */
                                flow_id?: string;
                                /** @description Name of the flow; else `flow_id`. */
                                flow_name?: string;
                                /** @description Label of the button, without emoji. */
                                flow_cta: string;
                                /** @description Your id of this use of the flow. */
                                flow_token?: string;
                                /**
                                 * @description `draft` tries a flow that is not published; `published` by default.
                                 * @enum {string}
                                 */
                                mode?: "draft" | "published";
                                /**
                                 * @description Whether it opens a screen, or asks your endpoint for one.
                                 * @enum {string}
                                 */
                                flow_action?: "navigate" | "data_exchange";
                                /** @description The first screen, and its data. */
                                flow_action_payload?: {
                                    /** @description Id of the first screen. */
                                    screen: string;
                                    /** @description What the first screen gets. */
                                    data?: {
                                        [key: string]: unknown;
                                    };
                                } & {
                                    [key: string]: unknown;
                                };
                            } & {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    }) | {
                        [key: string]: unknown;
                    };
                    /** @description For type `contacts`: 1 to 257 of the provider's contact objects, each with `name.formatted_name` and one more part of the name; stay untouched. */
                    contacts?: {
                        [key: string]: unknown;
                    }[];
                    /** @description For type `reaction`: both fields are required. */
                    reaction?: {
                        /** @description The message that the reaction is to. */
                        messageId?: string;
                        /** @description One emoji; an empty text removes the reaction. */
                        emoji?: string;
                    };
                    /** @description The message that this one answers. */
                    contextMessageId?: string;
                };
            };
        };
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduledSend"];
                };
            };
            /**
             * @description - A field of the named `type` is missing; the text names it.
             *     - The content breaks a rule of the provider; the text names the field and the limit. Nothing was charged.
             *     - `ACCOUNT_REQUIRED`: The person has several accounts: `X-Waybill-Account` says which. An account of others is 404.
             *     - The request does not match its schema; `error` lists the fields and reasons.
             *     - The body is not valid JSON or too complex, or a parameter is missing; see the text.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] | components["schemas"]["AccountRequiredProblem"] | components["schemas"]["ValidationProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictResourceConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sendScheduledNow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the same key and body get the first response, and nothing happens twice. Kept for 24 hours. Name the purpose of the request, such as `order-A-1042-shipped`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the scheduled send. */
                scheduleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    /** @description `true` for the stored response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduledSend"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            /**
             * @description - `IDEMPOTENCY_IN_PROGRESS`: A request with this `Idempotency-Key` is running: try again after `Retry-After`.
             *     - The resource exists already, or the account has the maximum.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotencyInProgressProblem"] | components["schemas"]["Problem"];
                };
            };
            410: components["responses"]["GoneResourceErased"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntityIdempotencyMismatch"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listJobs: {
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createJob: {
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
                    /** @description A name for people. */
                    name?: string;
                    /** @description Event key of the catalog. */
                    event: string;
                    /** @description Locale of the template; its own by default. `en_US` also finds `en`. */
                    languageCode?: string;
                    /** @description The sending number; the account's oldest configured one by default. */
                    phoneNumberId?: string;
                    /** @description Which columns of the rows hold what. */
                    columns: {
                        /** @description Column with the recipients. */
                        to: string;
                        /** @description Column with your references. */
                        clientReference?: string;
                        /**
                         * @description Column of each variable of the event, by the name of the variable.
                         * @default {}
                         */
                        variables?: {
                            [key: string]: string;
                        };
                    };
                    /** @description The job never takes more: credits, or a decimal string on a wallet plan. Reached on the way, it pauses. */
                    maxAmount?: number | string;
                    /** @description Messages a second at most. */
                    perSecond?: number;
                    /**
                     * Format: date-time
                     * @description Sends nothing before it: ISO 8601 with `Z` or an offset, at most 90 days ahead.
                     */
                    sendAt?: string;
                    /** @description Each row goes out while this window is open for its recipient. */
                    deliverBetween?: {
                        /** @description When the window opens, such as `09:00`. */
                        from: string;
                        /** @description When it closes, such as `20:00`; before `from` it is on the next day. */
                        until: string;
                        /** @description Days on which it opens, 1 is Monday; every day by default. */
                        days?: number[];
                        /** @description IANA name. By default that of the recipient's country, in a country of several zones all of them, else that of the account. */
                        timeZone?: string;
                    };
                    /**
                     * @description Pauses above this share of failed messages, from 100 messages on, and at a quality of RED or RESTRICTED.
                     * @default {
                     *       "failedShare": 0.2,
                     *       "quality": true
                     *     }
                     */
                    pauseWhen?: {
                        /**
                         * @description Share of failed messages.
                         * @default 0.2
                         */
                        failedShare?: number;
                        /**
                         * @description Whether a poor quality pauses it.
                         * @default true
                         */
                        quality?: boolean;
                    };
                    /** @description Checks the rows and makes no job: the 200 then has the `plan`, and as `rows` the first 100 that cannot be sent. */
                    dryRun?: boolean;
                    /** @description The rows, as objects by column. */
                    rows: {
                        [key: string]: unknown;
                    }[];
                };
                "multipart/form-data": {
                    /** @description The other fields of the JSON form without `rows`, as JSON. */
                    spec: string;
                    /** @description CSV with a head, or JSON Lines (named `.jsonl`), in UTF-8, after the other field: 100 MB and 100,000 rows at most. */
                    file: string;
                };
            };
        };
        responses: {
            /** @description The rows are checked: read the job for its plan. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /** @description `true` for the stored response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description `job_…`. */
                        id: string;
                        /**
                         * @description Read the job until it is `ready`.
                         * @constant
                         */
                        state: "checking";
                    };
                };
            };
            /**
             * @description - `UNKNOWN_EVENT`: The catalog has no such event; `supportedEvents` lists its events.
             *     - `JOB_UNUSABLE`: The file of a job cannot be used; the text says why and where. Nothing of it is sent.
             *     - `ACCOUNT_REQUIRED`: The person has several accounts: `X-Waybill-Account` says which. An account of others is 404.
             *     - The request does not match its schema; `error` lists the fields and reasons.
             *     - The body is not valid JSON or too complex, or a parameter is missing; see the text.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownEventProblem"] | components["schemas"]["JobUnusableProblem"] | components["schemas"]["AccountRequiredProblem"] | components["schemas"]["ValidationProblem"] | components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            /** @description `IDEMPOTENCY_IN_PROGRESS`: A request with this `Idempotency-Key` is running: try again after `Retry-After`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotencyInProgressProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntityIdempotencyMismatch"];
            429: components["responses"]["TooManyRequestsAccountFreeWritesJobFull"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description JobId of the job. */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["BadRequestRequestInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    startJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description JobId of the job. */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job after it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictJobState"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    pauseJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description JobId of the job. */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job after it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictJobState"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resumeJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description JobId of the job. */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job after it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictJobState"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description JobId of the job. */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job after it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictJobState"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listJobRows: {
        parameters: {
            query?: {
                /** @description Rows in this state only. */
                state?: "waiting" | "sending" | "sent" | "delivered" | "read" | "failed" | "refused" | "bad" | "duplicate";
                /** @description Rows of the page. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description JobId of the job. */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows in the order of the file. A page may be short. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows, in the order of the file. */
                        rows: {
                            /** @description 1 is the first row after the head. */
                            row: number;
                            /**
                             * @description What became of it; `sending` while it is with the provider, as far as is known.
                             * @enum {string}
                             */
                            state: "waiting" | "sending" | "sent" | "delivered" | "read" | "failed" | "refused" | "bad" | "duplicate";
                            /** @description What is wrong with it. */
                            error: string | null;
                            /** @description The provider's message id. */
                            metaMessageId: string | null;
                            /** @description Id of the charge, as in the ledger. */
                            chargeId: string | null;
                        }[];
                        /** @description For the next page; null at the end. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getJobResult: {
        parameters: {
            query?: {
                /** @description Form of the lines. */
                format?: "csv" | "jsonl";
            };
            header?: never;
            path: {
                /** @description JobId of the job. */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One line for each row. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOtherOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retryJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the same key and body get the first response, and nothing happens twice. Kept for 24 hours. Name the purpose of the request, such as `order-A-1042-shipped`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description JobId of the job. */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new job; start it once it is `ready`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /** @description `true` for the stored response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description `job_…`. */
                        id: string;
                        /**
                         * @description Read the job until it is `ready`.
                         * @constant
                         */
                        state: "checking";
                    };
                };
            };
            /**
             * @description - `JOB_UNUSABLE`: The file of a job cannot be used; the text says why and where. Nothing of it is sent.
             *     - `ACCOUNT_REQUIRED`: The person has several accounts: `X-Waybill-Account` says which. An account of others is 404.
             *     - The request does not match its schema; `error` lists the fields and reasons.
             *     - The body is not valid JSON or too complex, or a parameter is missing; see the text.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobUnusableProblem"] | components["schemas"]["AccountRequiredProblem"] | components["schemas"]["ValidationProblem"] | components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            /**
             * @description - `IDEMPOTENCY_IN_PROGRESS`: A request with this `Idempotency-Key` is running: try again after `Retry-After`.
             *     - `JOB_STATE`: The state of the job does not allow this; the text says which it is.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotencyInProgressProblem"] | components["schemas"]["JobStateProblem"];
                };
            };
            410: components["responses"]["GoneResourceErased"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntityIdempotencyMismatch"];
            429: components["responses"]["TooManyRequestsAccountFreeWritesJobFull"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    uploadMedia: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** @description The sending number; the account's oldest configured one by default. */
                    phoneNumberId?: string;
                    /** @description The file, after the other fields, as one of: image/jpeg, image/png, image/webp, video/mp4, video/3gpp, audio/aac, audio/amr, audio/mpeg, audio/mp4, audio/ogg, text/plain, application/pdf, application/msword, application/vnd.ms-excel, application/vnd.ms-powerpoint, application/vnd.openxmlformats-officedocument.wordprocessingml.document, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, application/vnd.openxmlformats-officedocument.presentationml.presentation. */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Created, in its new state. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The provider's media id, for `media.id` of a message; lives 30 days. */
                        id: string;
                        /** @description The number that can send the file. */
                        phoneNumberId: string;
                        /**
                         * @description Which `media.type` of a message takes the file.
                         * @enum {string}
                         */
                        kind: "image" | "video" | "audio" | "document" | "sticker";
                        /** @description The type of the file. */
                        mimeType: string;
                        /** @description Size of the file. */
                        bytes: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundNumberNone"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["BadGatewayProviderFailed"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMedia: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the media. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, with its type in `Content-Type`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            400: components["responses"]["BadRequestRequestInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOtherOther"];
            /**
             * @description - `NO_PHONE`: The account has no number with an access token, or lacks the named one.
             *     - The id is unknown; the text names the resource.
             *     - The path is unknown.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoPhoneProblem"] | components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["BadGatewayProviderFailed"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOwnAccount: {
        parameters: {
            query?: {
                /** @description As it was known at this time, ISO 8601; 404 before it was there. Now by default. */
                asOf?: string;
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnAccount"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["ConflictResourceConflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateOwnAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The webhook event `account.balance_low` tells when the balance falls below it: whole credits, or a decimal string on a wallet plan; null for none. */
                    balanceLow: (number | string) | null;
                };
            };
        };
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnAccount"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOverview: {
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listConversations: {
        parameters: {
            query?: {
                /** @description Rows on a page, 1 to 100; 50 by default. */
                limit?: number;
                /** @description `nextCursor` of the previous page. New rows do not change the later pages. */
                cursor?: string;
                /** @description Conversations of this number. */
                phoneNumberId?: string;
                /** @description Conversations with an open, or a closed, 24-hour window. */
                windowOpen?: "true" | "false";
                /** @description Part of the customer's name, number or user id; 403 for a role that does not see them. */
                search?: string;
                /** @description `me`, `none`, or the id of the person who looks after it. */
                assigned?: string;
                /** @description Conversations with this label. */
                label?: string;
                /** @description Whether the customer has the last word. */
                waiting?: "true" | "false";
                /** @description Whether the newest message failed. */
                failed?: "true" | "false";
                /** @description Whether a bot wrote the newest reply, and nobody has taken over since. */
                withBot?: "true" | "false";
                /** @description Conversations with news since then, ISO 8601. */
                updatedSince?: string;
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        conversations: components["schemas"]["Conversation"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ConversationId of the conversation. */
                conversationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            400: components["responses"]["BadRequestRequestInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    takeConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ConversationId of the conversation. */
                conversationId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description For so many minutes from now; at most 30 days.
                     * @default 1440
                     */
                    minutes?: number;
                    /**
                     * Format: date-time
                     * @description Until this time instead, ISO 8601; within the same 30 days.
                     */
                    until?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
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
                        /**
                         * Format: date-time
                         * @description Until then no bot answers, ISO 8601.
                         */
                        until: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    giveConversationBack: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ConversationId of the conversation. */
                conversationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
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
            400: components["responses"]["BadRequestRequestInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAssignees: {
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        assignees: components["schemas"]["Assignee"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    assignConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ConversationId of the conversation. */
                conversationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Id of the person; null for nobody. */
                    personId: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    labelConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ConversationId of the conversation. */
                conversationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description All of its labels. */
                    labels: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            410: components["responses"]["GoneResourceErased"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listConversationNotes: {
        parameters: {
            query?: {
                /** @description Rows on a page, 1 to 100; 50 by default. */
                limit?: number;
                /** @description `nextCursor` of the previous page. New rows do not change the later pages. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description ConversationId of the conversation. */
                conversationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page; `nextCursor` leads to the next one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        notes: components["schemas"]["Note"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createConversationNote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ConversationId of the conversation. */
                conversationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What to note. */
                    text: string;
                };
            };
        };
        responses: {
            /** @description Created, in its new state. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Note"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            410: components["responses"]["GoneResourceErased"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listQuickReplies: {
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        quickReplies: components["schemas"]["QuickReply"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createQuickReply: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What it is found by; each once in an account. */
                    name: string;
                    /** @description What is sent. */
                    text: string;
                };
            };
        };
        responses: {
            /** @description Created, in its new state. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuickReply"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictResourceConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteQuickReply: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ReplyId of the quick reply. */
                replyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
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
            400: components["responses"]["BadRequestRequestInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateQuickReply: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ReplyId of the quick reply. */
                replyId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description What it is found by; each once in an account. */
                    name?: string;
                    /** @description What is sent. */
                    text?: string;
                };
            };
        };
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuickReply"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictResourceConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPhones: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list; empty without entries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Phone"][];
                };
            };
            400: components["responses"]["BadRequestRequestInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updatePhoneWebhook: {
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
                    /**
                     * @description URL for inbound messages; null for none.
                     * @default null
                     */
                    webhookUrl?: string | null;
                };
            };
        };
        responses: {
            /** @description The URL is saved. The previous URL receives nothing more. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundNumberUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listBots: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list; empty without entries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BotSummary"][];
                };
            };
            400: components["responses"]["BadRequestRequestInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createBot: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the bot. */
                    name: string;
                    /**
                     * @description Free text.
                     * @default null
                     */
                    description?: string | null;
                    /**
                     * @description The number of the bot; null for every number of the account.
                     * @default null
                     */
                    phoneNumberId?: string | null;
                    /**
                     * @description What starts a run.
                     * @default KEYWORD
                     * @enum {string}
                     */
                    trigger?: "KEYWORD" | "ANY_MESSAGE" | "BUTTON_REPLY" | "LIST_REPLY" | "OPTIN";
                    /**
                     * @description Keywords for the trigger `KEYWORD`; without any the bot never starts.
                     * @default []
                     */
                    triggerKeywords?: string[];
                    /**
                     * @description How a keyword matches; case and outer spaces are ignored.
                     * @default CONTAINS
                     * @enum {string}
                     */
                    triggerMatchType?: "EXACT" | "CONTAINS" | "STARTS_WITH";
                    /**
                     * @description Whether the bot runs.
                     * @default true
                     */
                    isActive?: boolean;
                    /**
                     * @description React Flow nodes: `id`, `type`, `position`, `data`. At most 200, and 256 KB with the edges.
                     * @default []
                     */
                    nodes?: {
                        [key: string]: unknown;
                    }[];
                    /**
                     * @description React Flow edges: `source`, `sourceHandle` (the outcome), `target`. At most 400.
                     * @default []
                     */
                    edges?: {
                        [key: string]: unknown;
                    }[];
                };
            };
        };
        responses: {
            /** @description Created, in its new state. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Bot"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundNumberUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictResourceConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getBot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot. */
                botId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Bot"];
                };
            };
            400: components["responses"]["BadRequestRequestInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundBotUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteBot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot. */
                botId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
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
            400: components["responses"]["BadRequestRequestInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundBotUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateBot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot. */
                botId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Name of the bot. */
                    name?: string;
                    /** @description Free text. */
                    description?: string | null;
                    /** @description The number of the bot; null for every number of the account. */
                    phoneNumberId?: string | null;
                    /**
                     * @description What starts a run.
                     * @enum {string}
                     */
                    trigger?: "KEYWORD" | "ANY_MESSAGE" | "BUTTON_REPLY" | "LIST_REPLY" | "OPTIN";
                    /** @description Keywords for the trigger `KEYWORD`; without any the bot never starts. */
                    triggerKeywords?: string[];
                    /**
                     * @description How a keyword matches; case and outer spaces are ignored.
                     * @enum {string}
                     */
                    triggerMatchType?: "EXACT" | "CONTAINS" | "STARTS_WITH";
                    /** @description Whether the bot runs. */
                    isActive?: boolean;
                    /** @description React Flow nodes: `id`, `type`, `position`, `data`. At most 200, and 256 KB with the edges. */
                    nodes?: {
                        [key: string]: unknown;
                    }[];
                    /** @description React Flow edges: `source`, `sourceHandle` (the outcome), `target`. At most 400. */
                    edges?: {
                        [key: string]: unknown;
                    }[];
                };
            };
        };
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Bot"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            /**
             * @description - The account has no bot with this id.
             *     - The number is not linked to this account, or lacks a required access token.
             *     - The path is unknown.
             */
            404: {
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
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getBotDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot. */
                botId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Null where there is none. */
                        draft: components["schemas"]["BotDraft"] | null;
                    };
                };
            };
            400: components["responses"]["BadRequestRequestInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundBotUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setBotDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot. */
                botId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description React Flow nodes of the draft. */
                    nodes: {
                        [key: string]: unknown;
                    }[];
                    /** @description React Flow edges of the draft. */
                    edges: {
                        [key: string]: unknown;
                    }[];
                };
            };
        };
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Null where there is none. */
                        draft: components["schemas"]["BotDraft"] | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundBotUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteBotDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot. */
                botId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
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
            400: components["responses"]["BadRequestRequestInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundBotUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    publishBot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot. */
                botId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description An earlier version, instead of the draft, which then stays. */
                    version?: number;
                };
            };
        };
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Bot"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundBotUnknownResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    validateBot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot. */
                botId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Nodes instead of the stored ones. */
                    nodes?: unknown;
                    /** @description Edges instead of the stored ones. */
                    edges?: unknown;
                };
            };
        };
        responses: {
            /** @description Everything that would stop the bot. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description True without problems. */
                        valid: boolean;
                        /** @description Everything that would stop the bot. */
                        problems: {
                            /** @description The node with the problem, or null. */
                            nodeId: string | null;
                            /** @description The edge with the problem, or null. */
                            edgeId: string | null;
                            /** @description The problem in one sentence. */
                            message: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundBotUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    simulateBot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot. */
                botId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What the customer does, in order. */
                    messages: ({
                        /** @description What the customer writes. */
                        text: string;
                    } | {
                        /** @description Id of the reply button that the customer taps. */
                        buttonId: string;
                    } | {
                        /** @description Id of the list row that the customer chooses. */
                        rowId: string;
                    } | {
                        /** @description Seconds that pass. */
                        wait: number;
                    })[];
                    /** @description The simulated customer. */
                    contact?: {
                        /** @description The customer's number, digits only; null for one who hides it. */
                        waId?: string | null;
                        /** @description The provider's id of the customer. */
                        userId?: string | null;
                        /** @description Name in the customer's profile. */
                        name?: string | null;
                    };
                    /** @description Nodes instead of the stored ones. */
                    nodes?: {
                        [key: string]: unknown;
                    }[];
                    /** @description Edges instead of the stored ones. */
                    edges?: {
                        [key: string]: unknown;
                    }[];
                    /**
                     * @description Responses of URLs by node id. Every other call fails.
                     * @default {}
                     */
                    httpResponses?: {
                        [key: string]: {
                            status: number;
                            body?: unknown;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description The conversation, and the bot's way through its graph. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The messages in order. */
                        transcript: {
                            /**
                             * @description `inbound`: from the customer. `outbound`: from the account.
                             * @enum {string}
                             */
                            direction: "inbound" | "outbound";
                            /** @description Such as `text` or `interactive`. */
                            type: string;
                            /** @description The text of the message, if any. */
                            text: string | null;
                            /** @description The node that sent the message. */
                            nodeId: string | null;
                            /**
                             * Format: date-time
                             * @description Simulated time, ISO 8601.
                             */
                            at: string;
                            /** @description Id of the tapped reply button. */
                            buttonId?: string;
                            /** @description Id of the chosen list row. */
                            rowId?: string;
                            /** @description The message as the provider would receive it. */
                            content?: {
                                [key: string]: unknown;
                            };
                        }[];
                        /** @description The reached nodes in order. */
                        path: string[];
                        /** @description The completed nodes. */
                        steps: components["schemas"]["Step"][];
                        /** @description All set variables, with their last values. */
                        variables: {
                            [key: string]: unknown;
                        };
                        /** @description Whether the run has ended; otherwise it waits. */
                        ended: boolean;
                        /** @description Why the run ended, or what it waits for. */
                        reason: (("completed" | "handoff" | "timeout" | "failed" | "bounds" | "superseded" | "bot_deleted" | "bot_inactive" | "number_unlinked" | "erased") | ("reply" | "delay")) | null;
                        /** @description Detail of the reason. */
                        detail: string | null;
                        /** @description Whether the first message would start the active bot by its trigger and keywords. Null without a first message. */
                        wouldStart: boolean | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundBotUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listBotRuns: {
        parameters: {
            query?: {
                /** @description Rows on a page, 1 to 100; 50 by default. */
                limit?: number;
                /** @description `nextCursor` of the previous page. New rows do not change the later pages. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the bot. */
                botId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of runs, each with its state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        runs: components["schemas"]["Run"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundBotUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getBotRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot. */
                botId: string;
                /** @description Id of the run. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Id of the run. */
                        id: string;
                        /** @description Id of the bot. */
                        botId: string;
                        /** @description The provider's phone number id. */
                        phoneNumberId: string;
                        /** @description The customer; null once erased. */
                        contact: components["schemas"]["Contact"] | null;
                        /**
                         * @description Only after an erasure: what was personal in it is null.
                         * @constant
                         */
                        erased?: true;
                        /** @description The message that started the run, if any; null once erased. */
                        messageId: string | null;
                        /**
                         * @description State of the run.
                         * @enum {string}
                         */
                        state: "running" | "waiting" | "ended";
                        /** @description What a waiting run waits for. */
                        waitsFor: ("reply" | "delay") | null;
                        /** @description End of the wait, ISO 8601, or null. */
                        waitsUntil: string | null;
                        /** @description The current node, or null. */
                        nodeId: string | null;
                        /** @description Number of completed nodes. */
                        stepCount: number;
                        /** @description Why the run ended, or null. */
                        reason: ("completed" | "handoff" | "timeout" | "failed" | "bounds" | "superseded" | "bot_deleted" | "bot_inactive" | "number_unlinked" | "erased") | null;
                        /** @description Detail of the reason. */
                        detail: string | null;
                        /**
                         * Format: date-time
                         * @description Start of the run, ISO 8601.
                         */
                        startedAt: string;
                        /** @description End of the run, ISO 8601, or null. */
                        endedAt: string | null;
                        /** @description The reached nodes in order. */
                        path: string[];
                        /** @description The completed nodes. */
                        steps: components["schemas"]["BotRunStep"][];
                        /** @description All set variables, with their last values. */
                        variables: {
                            [key: string]: unknown;
                        };
                        /** @description True when the run has more steps than the response. */
                        truncated: boolean;
                    };
                };
            };
            400: components["responses"]["BadRequestRequestInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundBotUnknownResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listBotVersions: {
        parameters: {
            query?: {
                /** @description Rows on a page, 1 to 100; 50 by default. */
                limit?: number;
                /** @description `nextCursor` of the previous page. New rows do not change the later pages. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the bot. */
                botId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of versions, each with its graph. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        versions: components["schemas"]["BotVersion"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundBotUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTemplates: {
        parameters: {
            query: {
                /** @description A number of the business account. */
                phoneNumberId: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list; empty without entries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundNumberUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A number of the business account. */
                    phoneNumberId: string;
                    /** @description Lower-case letters, digits and underscores. */
                    name: string;
                    /**
                     * @description Locale of the template.
                     * @default en_US
                     */
                    language?: string;
                    /**
                     * @description Category of the template, which decides the price.
                     * @enum {string}
                     */
                    category: "MARKETING" | "UTILITY" | "AUTHENTICATION";
                    /** @description The provider's component objects. */
                    components: {
                        [key: string]: unknown;
                    }[];
                    /**
                     * @description `NAMED` for placeholders such as `{{first_name}}`; `POSITIONAL` by default.
                     * @enum {string}
                     */
                    parameterFormat?: "NAMED" | "POSITIONAL";
                    /** @description After this time the provider drops an undelivered message; the limits depend on the category. -1 is 30 days. */
                    messageSendTtlSeconds?: number;
                };
            };
        };
        responses: {
            /** @description Submitted. `category` is the one that the provider assigned, maybe another. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The provider's id. */
                        id: string;
                        /** @description Name of the template. */
                        name: string;
                        /** @description Locale of the template, such as `en_US`. */
                        language: string;
                        /** @description Category of the template, which decides the price. */
                        category: string;
                        /**
                         * @description Only `APPROVED` can be sent.
                         * @enum {string}
                         */
                        status: "APPROVED" | "PENDING" | "REJECTED";
                        /** @description Only while the provider has announced a change of the category, and so of the price. */
                        changingTo?: {
                            /** @description The category after the change. */
                            category: string;
                            /** @description The provider's time of the change; null without one. */
                            at: string | null;
                        };
                    };
                };
            };
            /**
             * @description - `ACCOUNT_REQUIRED`: The person has several accounts: `X-Waybill-Account` says which. An account of others is 404.
             *     - The request does not match its schema; `error` lists the fields and reasons.
             *     - The body is not valid JSON or too complex, or a parameter is missing; see the text.
             *     - The provider refused the submission. Change it before another try.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountRequiredProblem"] | components["schemas"]["ValidationProblem"] | components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundNumberUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTemplate: {
        parameters: {
            query?: {
                /** @description The reading number; the newest by default. */
                phoneNumberId?: string;
                /** @description As it was known at this time, ISO 8601; 404 before it was there. Now by default. */
                asOf?: string;
            };
            header?: never;
            path: {
                /** @description The provider's global template id; not the name. */
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The provider's id; null for some local rows. */
                        id: string | null;
                        /** @description Name of the template. */
                        name: string;
                        /** @description Locale of the template, such as `en_US`. */
                        language: string;
                        /** @description Category of the template, which decides the price. */
                        category: string;
                        /**
                         * @description Only `APPROVED` can be sent.
                         * @enum {string}
                         */
                        status: "APPROVED" | "PENDING" | "REJECTED";
                        /** @description Only while the provider has announced a change of the category, and so of the price. */
                        changingTo?: {
                            /** @description The category after the change. */
                            category: string;
                            /** @description The provider's time of the change; null without one. */
                            at: string | null;
                        };
                        /** @description The provider's component objects. */
                        components: unknown[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            /**
             * @description - The number is not linked to this account, or lacks a required access token.
             *     - The path is unknown.
             *     - The template is unknown to the number's token. The id is the provider's, not the name.
             */
            404: {
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
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["ConflictResourceConflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["BadGatewayProviderFailed"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCredits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance and the newest movements; 0 and none on a wallet plan. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Available credits; 0 on a wallet plan. */
                        balance: number;
                        /** @description The newest movements, up to 20. */
                        transactions: components["schemas"]["Transaction"][];
                    };
                };
            };
            400: components["responses"]["BadRequestRequestInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createQuote: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Which send is asked about: `POST /v1/notifications/send`, `/v1/messages/send`, `/v1/notifications/send/batch` or `/v1/jobs` with `rows`, whose good rows it adds up.
                     * @enum {string}
                     */
                    kind: "notification" | "message" | "batch" | "job";
                    /** @description The body of that send. */
                    request: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description What would happen. A refusal that the send would meet is in `refusal`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quote"];
                };
            };
            /**
             * @description - `UNKNOWN_EVENT`: The catalog has no such event; `supportedEvents` lists its events.
             *     - A field of the named `type` is missing; the text names it.
             *     - The content breaks a rule of the provider; the text names the field and the limit. Nothing was charged.
             *     - `ACCOUNT_REQUIRED`: The person has several accounts: `X-Waybill-Account` says which. An account of others is 404.
             *     - The request does not match its schema; `error` lists the fields and reasons.
             *     - The body is not valid JSON or too complex, or a parameter is missing; see the text.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownEventProblem"] | components["schemas"]["Problem"] | components["schemas"]["AccountRequiredProblem"] | components["schemas"]["ValidationProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCharge: {
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Charge"];
                };
            };
            400: components["responses"]["BadRequestRequestInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCreditProof: {
        parameters: {
            query: {
                /** @description Id of the charge. */
                chargeId: string;
                /** @description Form of the answer. */
                format?: "json" | "tlog-proof";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The charge, its path to the root of the seal, and the signed seal. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChargeProof"];
                    "text/plain": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceNotSealedResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["ConflictResourceConflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWallet: {
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Available money, a decimal string. */
                        balance: string;
                        /** @description ISO 4217 code. */
                        currency: string;
                        /** @description The newest movements, up to 20. */
                        transactions: components["schemas"]["WalletTransaction"][];
                    };
                };
            };
            400: components["responses"]["BadRequestRequestInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getLedger: {
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
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page; `nextCursor` leads to the next one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhooks: {
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The webhooks of the account. */
                        webhooks: components["schemas"]["Webhook"][];
                    };
                };
            };
            400: components["responses"]["BadRequestRequestInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An https URL, port 443 or 8443. It must not name or resolve to a private, loopback, link-local or metadata address. */
                    url: string;
                    /** @description The events that it receives, one or more. */
                    events: ("message.received" | "message.sent" | "message.delivered" | "message.read" | "message.failed" | "template.status" | "number.quality" | "job.finished" | "job.paused" | "scheduled.refused" | "account.balance_low" | "account.paused")[];
                    /**
                     * @description Free text.
                     * @default null
                     */
                    description?: string | null;
                    /** @description Of the format `graph`: what the URL is asked for in the handshake, a GET with `hub.mode`, `hub.verify_token` and `hub.challenge`, when it is made and when URL or token change. */
                    verifyToken?: string;
                    /**
                     * @description `graph`: the envelope and the signature of the provider, for programs of its API; only for `message.*`, `template.status` and `number.quality`.
                     * @default standard
                     * @enum {string}
                     */
                    format?: "standard" | "graph";
                };
            };
        };
        responses: {
            /** @description Created, in its new state. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description WebhookId of the webhook. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequestRequestInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description WebhookId of the webhook. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
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
            400: components["responses"]["BadRequestRequestInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description WebhookId of the webhook. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description An https URL, port 443 or 8443. It must not name or resolve to a private, loopback, link-local or metadata address. */
                    url?: string;
                    /** @description The events that it receives, one or more. */
                    events?: ("message.received" | "message.sent" | "message.delivered" | "message.read" | "message.failed" | "template.status" | "number.quality" | "job.finished" | "job.paused" | "scheduled.refused" | "account.balance_low" | "account.paused")[];
                    /** @description Free text. */
                    description?: string | null;
                    /** @description Of the format `graph`: what the URL is asked for in the handshake, a GET with `hub.mode`, `hub.verify_token` and `hub.challenge`, when it is made and when URL or token change. */
                    verifyToken?: string;
                    /**
                     * @description A disabled one receives nothing.
                     * @enum {string}
                     */
                    state?: "active" | "disabled";
                };
            };
        };
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description WebhookId of the webhook. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, in its new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description WebhookId of the webhook. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictResourceConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description WebhookId of the webhook. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description Events from this time on, ISO 8601.
                     */
                    since: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true.
                         * @constant
                         */
                        success: true;
                        /** @description Id of the replay. */
                        replayId: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictResourceConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Rows on a page, 1 to 100; 50 by default. */
                limit?: number;
                /** @description `nextCursor` of the previous page. New rows do not change the later pages. */
                cursor?: string;
                /** @description Deliveries that began from this time on, ISO 8601. */
                since?: string;
                /** @description `waiting` for its first or next call; `failed` once no call is left. */
                state?: "waiting" | "delivered" | "failed";
            };
            header?: never;
            path: {
                /** @description WebhookId of the webhook. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page; `nextCursor` leads to the next one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The rows of the page. */
                        deliveries: components["schemas"]["WebhookDelivery"][];
                        /** @description `cursor` of the next page, or null. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description WebhookId of the webhook. */
                webhookId: string;
                /** @description DeliveryId of the delivery. */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryWithBody"];
                };
            };
            400: components["responses"]["BadRequestRequestInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resendWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description WebhookId of the webhook. */
                webhookId: string;
                /** @description DeliveryId of the delivery. */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listColleagues: {
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PeopleForbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    inviteColleague: {
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
                    role: "owner" | "manager" | "developer" | "agent" | "viewer";
                    /** @description Null: all accounts of the organisation. Absent: those of the caller. */
                    accounts?: string[] | null;
                };
            };
        };
        responses: {
            /** @description Invited. Only this response shows the link. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PeopleForbidden"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictResourceConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getColleague: {
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PeopleForbidden"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateColleague: {
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
                    role?: "owner" | "manager" | "developer" | "agent" | "viewer";
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PeopleForbidden"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    inviteColleagueAgain: {
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PeopleForbidden"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endColleagueSessions: {
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PeopleForbidden"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    suspendColleague: {
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PeopleForbidden"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    reinstateColleague: {
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PeopleForbidden"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listKeys: {
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PeopleForbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the key. */
                    name: string;
                    /** @description Origins that browsers may call from. */
                    allowedOrigins?: string[];
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PeopleForbidden"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictResourceConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deactivateOwnKey: {
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            400: components["responses"]["PeopleBadRequestRequestMalformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PeopleForbidden"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["PeopleConflictKeyRevoked"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    activateOwnKey: {
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            400: components["responses"]["PeopleBadRequestRequestMalformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PeopleForbidden"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["PeopleConflictKeyRevoked"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeOwnKey: {
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            400: components["responses"]["PeopleBadRequestRequestMalformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PeopleForbidden"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["PeopleConflictKeyRevoked"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequestsAccountFreeWrites"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getStatement: {
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
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statement. The same bytes for ever once `final` is true. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFoundResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["ConflictResourceConflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getStatementProof: {
        parameters: {
            query?: {
                /** @description A UTC month such as `2026-11`. */
                month?: string;
                /** @description Start, ISO 8601; instead of `month`, with `to`. */
                from?: string;
                /** @description End, not included, ISO 8601. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One line for each event, behind that of the proof. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOtherOther"];
            404: components["responses"]["NotFoundResourceNotSealedResourceUnknown"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["ConflictResourceConflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createConsoleLink: {
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleLink"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The key does not allow the `Origin` of this request. Servers send no origin.
             *     - `ORG_SUSPENDED`: The organisation of the key is suspended. Only the operator can reinstate it.
             *     - A session of the console cannot make links, with which it would outlast its 8 hours.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] | components["schemas"]["OrgSuspendedProblem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    find: {
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    followAccount: {
        parameters: {
            query?: {
                /** @description As the header `X-Waybill-Account`. */
                account?: string;
            };
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Waybill-Warnings": components["headers"]["X-Waybill-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["LiveEvents"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOther"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
