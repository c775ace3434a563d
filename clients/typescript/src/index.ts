export type { Billing } from './billing.ts';
export * from './errors.ts';
export type { EventVariables, VariableValue } from './generated/events.ts';
export type { JobRows, Jobs, NewJob, WatchOptions } from './jobs.ts';
export { List } from './list.ts';
export type {
  BatchRecipient,
  EventName,
  Message,
  Notification,
  NotificationBatch,
  NotificationBatchOf,
  NotificationOf,
  QuoteRequest,
} from './notification.ts';
export type { CallOptions, SendOptions } from './transport.ts';
export type { AnswerOf, BodyOf, ErrorCode, ProblemOf, QueryOf, Schemas } from './types.ts';
export { type Sent, Waybill, type WaybillOptions } from './waybill.ts';
export { verifyWebhook, WebhookError, type WebhookEvent, type WebhookRequest } from './webhook.ts';
