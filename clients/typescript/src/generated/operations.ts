// Written by `npm run openapi`: change the routes or the catalog instead.

import type { Call, CallOptions, SendOptions } from '../transport.ts';
import type { List } from '../list.ts';
import type { AnswerOf, BodyOf, FormOf, Operations, QueryOf, RowOf } from '../types.ts';

const part = (text: string): string => encodeURIComponent(text);

/** The operations that are called as they are. */
export abstract class OperationMethods {
  protected abstract ask<Id extends keyof Operations>(
    operation: Id,
    call: Call,
    options?: CallOptions,
  ): Promise<AnswerOf<Id>>;

  /** JSON, or text where the query asks for another format. */
  protected abstract form<Id extends keyof Operations, Format>(
    call: Call,
    options?: CallOptions,
  ): Promise<FormOf<Id, Format>>;

  /** A file, or what is sent as it comes. */
  protected abstract file(call: Call, options?: CallOptions): Promise<Response>;

  protected abstract list<Id extends keyof Operations, Field extends keyof AnswerOf<Id> & string>(
    operation: Id,
    list: { path: string; field: Field; query: object | undefined },
    options: CallOptions | undefined,
  ): List<AnswerOf<Id> & { nextCursor: string | null }, RowOf<AnswerOf<Id>, Field>>;

  /** List the 18 events and their variables. */
  getCatalog(options?: CallOptions) {
    return this.ask('getCatalog', { method: 'GET', path: '/v1/notifications/catalog' }, options);
  }

  /** Show which events can be sent from a number. */
  getReadiness(query?: QueryOf<'getReadiness'>, options?: CallOptions) {
    return this.ask('getReadiness', { method: 'GET', path: '/v1/notifications/events', query: { ...query } }, options);
  }

  /** Submit the catalog, or some of its events, for approval. */
  submitCatalog(body: BodyOf<'submitCatalog'> = {} as never, options?: CallOptions) {
    return this.ask('submitCatalog', { method: 'POST', path: '/v1/notifications/templates/submit', json: body }, options);
  }

  /** Read the delivery status of a message. */
  getMessageStatus(messageId: string, options?: CallOptions) {
    return this.ask('getMessageStatus', { method: 'GET', path: `/v1/notifications/status/${part(messageId)}` }, options);
  }

  /** List messages with their delivery status, newest first. */
  listMessages(query?: QueryOf<'listMessages'>, options?: CallOptions) {
    return this.list('listMessages', { path: '/v1/messages', field: 'messages', query }, options);
  }

  /** Read every event of one message, in order. */
  getMessageTimeline(messageId: string, options?: CallOptions) {
    return this.ask('getMessageTimeline', { method: 'GET', path: `/v1/messages/${part(messageId)}/timeline` }, options);
  }

  /** Explain a message: every rule that led to its outcome and price. */
  explainMessage(messageId: string, options?: CallOptions) {
    return this.ask('explainMessage', { method: 'GET', path: `/v1/messages/${part(messageId)}/explain` }, options);
  }

  /** Show a customer that you read the customer's message. */
  readMessage(messageId: string, body: BodyOf<'readMessage'> = {} as never, options?: CallOptions) {
    return this.ask('readMessage', { method: 'POST', path: `/v1/messages/${part(messageId)}/read`, json: body }, options);
  }

  /** Count the sends that were refused before a charge, newest first. */
  listSendRefusals(query?: QueryOf<'listSendRefusals'>, options?: CallOptions) {
    return this.list('listSendRefusals', { path: '/v1/sends/refusals', field: 'refusals', query }, options);
  }

  /** List attempts to send and what became of each, newest first. */
  listSends(query?: QueryOf<'listSends'>, options?: CallOptions) {
    return this.list('listSends', { path: '/v1/sends', field: 'sends', query }, options);
  }

  /** List scheduled sends, newest first. */
  listScheduled(query?: QueryOf<'listScheduled'>, options?: CallOptions) {
    return this.list('listScheduled', { path: '/v1/scheduled', field: 'scheduled', query }, options);
  }

  /** Read one scheduled send. */
  getScheduled(scheduleId: string, options?: CallOptions) {
    return this.ask('getScheduled', { method: 'GET', path: `/v1/scheduled/${part(scheduleId)}` }, options);
  }

  /** Change time or content of a send that waits. */
  updateScheduled(scheduleId: string, body: BodyOf<'updateScheduled'> = {} as never, options?: CallOptions) {
    return this.ask('updateScheduled', { method: 'PATCH', path: `/v1/scheduled/${part(scheduleId)}`, json: body }, options);
  }

  /** Cancel a send that waits. */
  cancelScheduled(scheduleId: string, options?: CallOptions) {
    return this.ask('cancelScheduled', { method: 'DELETE', path: `/v1/scheduled/${part(scheduleId)}` }, options);
  }

  /** Send what waits now, or after the quiet hours. */
  sendScheduledNow(scheduleId: string, options?: SendOptions) {
    return this.ask('sendScheduledNow', { method: 'POST', path: `/v1/scheduled/${part(scheduleId)}/send-now`, isKeyed: true }, options);
  }

  /** Make a job: one event for the rows of a file. */
  createJob(body: BodyOf<'createJob'>, options?: SendOptions) {
    return this.ask('createJob', { method: 'POST', path: '/v1/jobs', json: body, isKeyed: true }, options);
  }

  /** List the jobs, newest first. */
  listJobs(query?: QueryOf<'listJobs'>, options?: CallOptions) {
    return this.list('listJobs', { path: '/v1/jobs', field: 'jobs', query }, options);
  }

  /** Read a job: its state, plan and counts. */
  getJob(jobId: string, options?: CallOptions) {
    return this.ask('getJob', { method: 'GET', path: `/v1/jobs/${part(jobId)}` }, options);
  }

  /** Start a job. */
  startJob(jobId: string, options?: CallOptions) {
    return this.ask('startJob', { method: 'POST', path: `/v1/jobs/${part(jobId)}/start` }, options);
  }

  /** Pause a job. */
  pauseJob(jobId: string, options?: CallOptions) {
    return this.ask('pauseJob', { method: 'POST', path: `/v1/jobs/${part(jobId)}/pause` }, options);
  }

  /** Go on with a paused job. */
  resumeJob(jobId: string, options?: CallOptions) {
    return this.ask('resumeJob', { method: 'POST', path: `/v1/jobs/${part(jobId)}/resume` }, options);
  }

  /** Cancel a job. */
  cancelJob(jobId: string, options?: CallOptions) {
    return this.ask('cancelJob', { method: 'POST', path: `/v1/jobs/${part(jobId)}/cancel` }, options);
  }

  /** List the rows of a job. */
  listJobRows(jobId: string, query?: QueryOf<'listJobRows'>, options?: CallOptions) {
    return this.list('listJobRows', { path: `/v1/jobs/${part(jobId)}/rows`, field: 'rows', query }, options);
  }

  /** Download what became of the rows. */
  getJobResult(jobId: string, query?: QueryOf<'getJobResult'>, options?: CallOptions): Promise<Response> {
    return this.file({ method: 'GET', path: `/v1/jobs/${part(jobId)}/result`, query: { ...query } }, options);
  }

  /** Make a job of the rows that failed or were refused. */
  retryJob(jobId: string, options?: SendOptions) {
    return this.ask('retryJob', { method: 'POST', path: `/v1/jobs/${part(jobId)}/retry`, isKeyed: true }, options);
  }

  /** Download a file that a customer sent or that you uploaded. */
  getMedia(id: string, options?: CallOptions): Promise<Response> {
    return this.file({ method: 'GET', path: `/v1/media/${part(id)}` }, options);
  }

  /** Read the name, the unit and the caps of the account. */
  getOwnAccount(query?: QueryOf<'getOwnAccount'>, options?: CallOptions) {
    return this.ask('getOwnAccount', { method: 'GET', path: '/v1/account', query: { ...query } }, options);
  }

  /** Set the balance below which the account is warned. */
  updateOwnAccount(body: BodyOf<'updateOwnAccount'>, options?: CallOptions) {
    return this.ask('updateOwnAccount', { method: 'PATCH', path: '/v1/account', json: body }, options);
  }

  /** Show sends, failures, refunds and spend of the last hours. */
  getOverview(query?: QueryOf<'getOverview'>, options?: CallOptions) {
    return this.ask('getOverview', { method: 'GET', path: '/v1/overview', query: { ...query } }, options);
  }

  /** List conversations, most recently active first. */
  listConversations(query?: QueryOf<'listConversations'>, options?: CallOptions) {
    return this.list('listConversations', { path: '/v1/conversations', field: 'conversations', query }, options);
  }

  /** Show a conversation. */
  getConversation(conversationId: string, options?: CallOptions) {
    return this.ask('getConversation', { method: 'GET', path: `/v1/conversations/${part(conversationId)}` }, options);
  }

  /** Take a conversation from the bots. */
  takeConversation(conversationId: string, body: BodyOf<'takeConversation'> = {} as never, options?: CallOptions) {
    return this.ask('takeConversation', { method: 'POST', path: `/v1/conversations/${part(conversationId)}/handoff`, json: body }, options);
  }

  /** Give a conversation back to the bots. */
  giveConversationBack(conversationId: string, options?: CallOptions) {
    return this.ask('giveConversationBack', { method: 'DELETE', path: `/v1/conversations/${part(conversationId)}/handoff` }, options);
  }

  /** List the people to whom a conversation can be given. */
  listAssignees(query?: QueryOf<'listAssignees'>, options?: CallOptions) {
    return this.list('listAssignees', { path: '/v1/assignees', field: 'assignees', query }, options);
  }

  /** Give a conversation to a person, or to nobody. */
  assignConversation(conversationId: string, body: BodyOf<'assignConversation'>, options?: CallOptions) {
    return this.ask('assignConversation', { method: 'POST', path: `/v1/conversations/${part(conversationId)}/assign`, json: body }, options);
  }

  /** Set the labels of a conversation. */
  labelConversation(conversationId: string, body: BodyOf<'labelConversation'>, options?: CallOptions) {
    return this.ask('labelConversation', { method: 'POST', path: `/v1/conversations/${part(conversationId)}/labels`, json: body }, options);
  }

  /** Note something of a conversation. */
  createConversationNote(conversationId: string, body: BodyOf<'createConversationNote'>, options?: CallOptions) {
    return this.ask('createConversationNote', { method: 'POST', path: `/v1/conversations/${part(conversationId)}/notes`, json: body }, options);
  }

  /** List the notes of a conversation, newest first. */
  listConversationNotes(conversationId: string, query?: QueryOf<'listConversationNotes'>, options?: CallOptions) {
    return this.list('listConversationNotes', { path: `/v1/conversations/${part(conversationId)}/notes`, field: 'notes', query }, options);
  }

  /** List the quick replies of the account, newest first. */
  listQuickReplies(query?: QueryOf<'listQuickReplies'>, options?: CallOptions) {
    return this.list('listQuickReplies', { path: '/v1/quick-replies', field: 'quickReplies', query }, options);
  }

  /** Add a quick reply. */
  createQuickReply(body: BodyOf<'createQuickReply'>, options?: CallOptions) {
    return this.ask('createQuickReply', { method: 'POST', path: '/v1/quick-replies', json: body }, options);
  }

  /** Change a quick reply: only the fields that are sent. */
  updateQuickReply(replyId: string, body: BodyOf<'updateQuickReply'> = {} as never, options?: CallOptions) {
    return this.ask('updateQuickReply', { method: 'PATCH', path: `/v1/quick-replies/${part(replyId)}`, json: body }, options);
  }

  /** Remove a quick reply. */
  deleteQuickReply(replyId: string, options?: CallOptions) {
    return this.ask('deleteQuickReply', { method: 'DELETE', path: `/v1/quick-replies/${part(replyId)}` }, options);
  }

  /** List the numbers of the account. */
  listPhones(options?: CallOptions) {
    return this.ask('listPhones', { method: 'GET', path: '/v1/phones' }, options);
  }

  /** Set or clear the URL to which inbound messages of a number are forwarded. */
  updatePhoneWebhook(phoneNumberId: string, body: BodyOf<'updatePhoneWebhook'> = {} as never, options?: CallOptions) {
    return this.ask('updatePhoneWebhook', { method: 'PATCH', path: `/v1/phones/${part(phoneNumberId)}/webhook`, json: body }, options);
  }

  /** List the bots of the account, newest first. */
  listBots(options?: CallOptions) {
    return this.ask('listBots', { method: 'GET', path: '/v1/bots' }, options);
  }

  /** Create a bot. */
  createBot(body: BodyOf<'createBot'>, options?: CallOptions) {
    return this.ask('createBot', { method: 'POST', path: '/v1/bots', json: body }, options);
  }

  /** Read one bot with its graph. */
  getBot(botId: string, options?: CallOptions) {
    return this.ask('getBot', { method: 'GET', path: `/v1/bots/${part(botId)}` }, options);
  }

  /** Change a bot: only the fields that are sent. */
  updateBot(botId: string, body: BodyOf<'updateBot'> = {} as never, options?: CallOptions) {
    return this.ask('updateBot', { method: 'PATCH', path: `/v1/bots/${part(botId)}`, json: body }, options);
  }

  /** Delete a bot for good. */
  deleteBot(botId: string, options?: CallOptions) {
    return this.ask('deleteBot', { method: 'DELETE', path: `/v1/bots/${part(botId)}` }, options);
  }

  /** Read the draft of a bot. */
  getBotDraft(botId: string, options?: CallOptions) {
    return this.ask('getBotDraft', { method: 'GET', path: `/v1/bots/${part(botId)}/draft` }, options);
  }

  /** Keep a graph as the draft of a bot. */
  setBotDraft(botId: string, body: BodyOf<'setBotDraft'>, options?: CallOptions) {
    return this.ask('setBotDraft', { method: 'PUT', path: `/v1/bots/${part(botId)}/draft`, json: body }, options);
  }

  /** Throw the draft of a bot away. */
  deleteBotDraft(botId: string, options?: CallOptions) {
    return this.ask('deleteBotDraft', { method: 'DELETE', path: `/v1/bots/${part(botId)}/draft` }, options);
  }

  /** Make the draft of a bot live, or an earlier version of it. */
  publishBot(botId: string, body: BodyOf<'publishBot'> = {} as never, options?: CallOptions) {
    return this.ask('publishBot', { method: 'POST', path: `/v1/bots/${part(botId)}/publish`, json: body }, options);
  }

  /** Find the problems of the stored graph, or of the graph in the request. */
  validateBot(botId: string, body: BodyOf<'validateBot'> = {} as never, options?: CallOptions) {
    return this.ask('validateBot', { method: 'POST', path: `/v1/bots/${part(botId)}/validate`, json: body }, options);
  }

  /** Simulate a bot, without sends, calls and charges. */
  simulateBot(botId: string, body: BodyOf<'simulateBot'>, options?: CallOptions) {
    return this.ask('simulateBot', { method: 'POST', path: `/v1/bots/${part(botId)}/simulate`, json: body }, options);
  }

  /** List the runs of a bot, newest first. */
  listBotRuns(botId: string, query?: QueryOf<'listBotRuns'>, options?: CallOptions) {
    return this.list('listBotRuns', { path: `/v1/bots/${part(botId)}/runs`, field: 'runs', query }, options);
  }

  /** Read one run, node by node. */
  getBotRun(botId: string, runId: string, options?: CallOptions) {
    return this.ask('getBotRun', { method: 'GET', path: `/v1/bots/${part(botId)}/runs/${part(runId)}` }, options);
  }

  /** List what a bot was after each change, newest first. */
  listBotVersions(botId: string, query?: QueryOf<'listBotVersions'>, options?: CallOptions) {
    return this.list('listBotVersions', { path: `/v1/bots/${part(botId)}/versions`, field: 'versions', query }, options);
  }

  /** List the templates of a number, live; from the local mirror when out of reach. */
  listTemplates(query: QueryOf<'listTemplates'>, options?: CallOptions) {
    return this.ask('listTemplates', { method: 'GET', path: '/v1/templates', query: { ...query } }, options);
  }

  /** Submit a template of your own for approval. */
  createTemplate(body: BodyOf<'createTemplate'>, options?: CallOptions) {
    return this.ask('createTemplate', { method: 'POST', path: '/v1/templates', json: body }, options);
  }

  /** Read one template with its components, live. */
  getTemplate(id: string, query?: QueryOf<'getTemplate'>, options?: CallOptions) {
    return this.ask('getTemplate', { method: 'GET', path: `/v1/templates/${part(id)}`, query: { ...query } }, options);
  }

  /** Read the credit balance and its latest movements. */
  getCredits(options?: CallOptions) {
    return this.ask('getCredits', { method: 'GET', path: '/v1/credits' }, options);
  }

  /** Read a charge: its price, its message, and why it was given back. */
  getCharge(id: string, options?: CallOptions) {
    return this.ask('getCharge', { method: 'GET', path: `/v1/charges/${part(id)}` }, options);
  }

  /** Prove a charge: its place in the next seal of the ledger. */
  getCreditProof<Format extends QueryOf<'getCreditProof'>['format'] = 'json'>(query: QueryOf<'getCreditProof'> & { format?: Format }, options?: CallOptions) {
    return this.form<'getCreditProof', Format>({ method: 'GET', path: '/v1/credits/proof', query: { ...query } }, options);
  }

  /** Read the wallet balance and its latest movements. */
  getWallet(options?: CallOptions) {
    return this.ask('getWallet', { method: 'GET', path: '/v1/wallet' }, options);
  }

  /** Read the movements of the balance, newest first, the whole history. */
  getLedger(query?: QueryOf<'getLedger'>, options?: CallOptions) {
    return this.list('getLedger', { path: '/v1/ledger', field: 'entries', query }, options);
  }

  /** List the webhooks of the account, newest first. */
  listWebhooks(options?: CallOptions) {
    return this.ask('listWebhooks', { method: 'GET', path: '/v1/webhooks' }, options);
  }

  /** Create a webhook. */
  createWebhook(body: BodyOf<'createWebhook'>, options?: CallOptions) {
    return this.ask('createWebhook', { method: 'POST', path: '/v1/webhooks', json: body }, options);
  }

  /** Read one webhook. */
  getWebhook(webhookId: string, options?: CallOptions) {
    return this.ask('getWebhook', { method: 'GET', path: `/v1/webhooks/${part(webhookId)}` }, options);
  }

  /** Change a webhook: only the fields that are sent. */
  updateWebhook(webhookId: string, body: BodyOf<'updateWebhook'> = {} as never, options?: CallOptions) {
    return this.ask('updateWebhook', { method: 'PATCH', path: `/v1/webhooks/${part(webhookId)}`, json: body }, options);
  }

  /** Delete a webhook and what is known of its deliveries, for good. */
  deleteWebhook(webhookId: string, options?: CallOptions) {
    return this.ask('deleteWebhook', { method: 'DELETE', path: `/v1/webhooks/${part(webhookId)}` }, options);
  }

  /** Replace the secret of a webhook. */
  rotateWebhook(webhookId: string, options?: CallOptions) {
    return this.ask('rotateWebhook', { method: 'POST', path: `/v1/webhooks/${part(webhookId)}/rotate` }, options);
  }

  /** Deliver an event `webhook.test` to a webhook. */
  testWebhook(webhookId: string, options?: CallOptions) {
    return this.ask('testWebhook', { method: 'POST', path: `/v1/webhooks/${part(webhookId)}/test` }, options);
  }

  /** Deliver all events since a time once more. */
  replayWebhook(webhookId: string, body: BodyOf<'replayWebhook'>, options?: CallOptions) {
    return this.ask('replayWebhook', { method: 'POST', path: `/v1/webhooks/${part(webhookId)}/replay`, json: body }, options);
  }

  /** List the deliveries of a webhook, newest first. */
  listWebhookDeliveries(webhookId: string, query?: QueryOf<'listWebhookDeliveries'>, options?: CallOptions) {
    return this.list('listWebhookDeliveries', { path: `/v1/webhooks/${part(webhookId)}/deliveries`, field: 'deliveries', query }, options);
  }

  /** Read one delivery with its body and its calls. */
  getWebhookDelivery(webhookId: string, deliveryId: string, options?: CallOptions) {
    return this.ask('getWebhookDelivery', { method: 'GET', path: `/v1/webhooks/${part(webhookId)}/deliveries/${part(deliveryId)}` }, options);
  }

  /** Deliver the event of a delivery once more. */
  resendWebhookDelivery(webhookId: string, deliveryId: string, options?: CallOptions) {
    return this.ask('resendWebhookDelivery', { method: 'POST', path: `/v1/webhooks/${part(webhookId)}/deliveries/${part(deliveryId)}/resend` }, options);
  }

  /** Invite a person, with a link that works once. */
  inviteColleague(body: BodyOf<'inviteColleague'>, options?: CallOptions) {
    return this.ask('inviteColleague', { method: 'POST', path: '/v1/people', json: body }, options);
  }

  /** List the people of the organisation. */
  listColleagues(query?: QueryOf<'listColleagues'>, options?: CallOptions) {
    return this.list('listColleagues', { path: '/v1/people', field: 'people', query }, options);
  }

  /** Read one person, with the sessions that are open. */
  getColleague(id: string, options?: CallOptions) {
    return this.ask('getColleague', { method: 'GET', path: `/v1/people/${part(id)}` }, options);
  }

  /** Change the name, the role or the accounts of a person. */
  updateColleague(id: string, body: BodyOf<'updateColleague'> = {} as never, options?: CallOptions) {
    return this.ask('updateColleague', { method: 'PATCH', path: `/v1/people/${part(id)}`, json: body }, options);
  }

  /** Make another invitation; earlier ones work no more. */
  inviteColleagueAgain(id: string, options?: CallOptions) {
    return this.ask('inviteColleagueAgain', { method: 'POST', path: `/v1/people/${part(id)}/invitation` }, options);
  }

  /** End all sessions of a person. */
  endColleagueSessions(id: string, options?: CallOptions) {
    return this.ask('endColleagueSessions', { method: 'DELETE', path: `/v1/people/${part(id)}/sessions` }, options);
  }

  /** Suspend a person. */
  suspendColleague(id: string, options?: CallOptions) {
    return this.ask('suspendColleague', { method: 'POST', path: `/v1/people/${part(id)}/suspend` }, options);
  }

  /** Reinstate a suspended person. */
  reinstateColleague(id: string, options?: CallOptions) {
    return this.ask('reinstateColleague', { method: 'POST', path: `/v1/people/${part(id)}/reinstate` }, options);
  }

  /** List the keys of the account, without their secrets. */
  listKeys(query?: QueryOf<'listKeys'>, options?: CallOptions) {
    return this.list('listKeys', { path: '/v1/keys', field: 'keys', query }, options);
  }

  /** Create an API key; the key itself is shown only here. */
  createKey(body: BodyOf<'createKey'>, options?: CallOptions) {
    return this.ask('createKey', { method: 'POST', path: '/v1/keys', json: body }, options);
  }

  /** Switch a key off for now. */
  deactivateOwnKey(id: string, options?: CallOptions) {
    return this.ask('deactivateOwnKey', { method: 'POST', path: `/v1/keys/${part(id)}/deactivate` }, options);
  }

  /** Switch a key on again. */
  activateOwnKey(id: string, options?: CallOptions) {
    return this.ask('activateOwnKey', { method: 'POST', path: `/v1/keys/${part(id)}/activate` }, options);
  }

  /** Revoke a key for good. */
  revokeOwnKey(id: string, options?: CallOptions) {
    return this.ask('revokeOwnKey', { method: 'POST', path: `/v1/keys/${part(id)}/revoke` }, options);
  }

  /** Read the statement of a month, counted from the log. */
  getStatement<Format extends QueryOf<'getStatement'>['format'] = 'json'>(query?: QueryOf<'getStatement'> & { format?: Format }, options?: CallOptions) {
    return this.form<'getStatement', Format>({ method: 'GET', path: '/v1/statement', query: { ...query } }, options);
  }

  /** Download what proves a statement: its movements, and their seal. */
  getStatementProof(query?: QueryOf<'getStatementProof'>, options?: CallOptions): Promise<Response> {
    return this.file({ method: 'GET', path: '/v1/statement/proof', query: { ...query } }, options);
  }

  /** Make a link that signs the holder of the credential in to the console, once. */
  createConsoleLink(options?: CallOptions) {
    return this.ask('createConsoleLink', { method: 'POST', path: '/v1/console-links' }, options);
  }
}
