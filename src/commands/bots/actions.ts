import { contactIdOf } from '../../events/contact.ts';
import { StoreUnavailable } from '../../events/store.ts';
import { isRefusal } from '../../shared/errors.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Outbound } from '../core/outbound.ts';
import { findEvent } from '../sending/catalog.ts';
import type { Notifications } from '../sending/notification.ts';
import type { PassThrough } from '../sending/pass-through.ts';
import type { RunOwner } from './bot.ts';
import { RESPONSE_LENGTH_MAX } from './requests.ts';
import type { Next, Result, Run } from './run.ts';

type Send = Extract<Next, { kind: 'send' }>;
type Request = Extract<Next, { kind: 'request' }>;

/**
 * Executes one action of a run, once, and resolves to its result. Throws StoreUnavailable alone, and
 * only where nothing was begun: it may be tried again.
 */
export type Act = (
  run: Run,
  owner: RunOwner,
  next: Send | Request,
  context: CommandContext,
) => Promise<Result>;

/** A character has 4 bytes at most; one more shows that a response is too long. */
const ANSWER_BYTES_MAX = 4 * RESPONSE_LENGTH_MAX + 4;
const SUSPENDED = 'the organisation is suspended';

const notSent = (detail: string): Result => ({ type: 'not_sent', detail });

export const createActions = (deps: {
  passThrough: PassThrough;
  notifications: Notifications;
  outbound: Pick<Outbound, 'request'>;
  /** False while the organisation of the account is suspended. */
  mayAct: (accountId: string) => Promise<boolean>;
  onFault: (error: unknown) => void;
}): Act => {
  const { passThrough, notifications, outbound, mayAct, onFault } = deps;

  const send = async (run: Run, owner: RunOwner, { message }: Send, context: CommandContext) => {
    const { accountId, phoneNumberId } = owner;
    const to = contactIdOf(run.contact);
    if (!(await mayAct(accountId))) return notSent(SUSPENDED);
    const from = { to, phoneNumberId, source: 'bot' as const, reason: `bot:${run.botId}` };
    const on = { ...context, accountId };
    const { content, event } = message;
    if (content.type !== 'notification') {
      const { messageId } = await passThrough.send({ ...from, content }, on);
      return { type: 'sent' as const, messageId };
    }
    const names = findEvent(event ?? '')?.variables ?? [];
    const variables = Object.fromEntries(
      names.map((name, index) => [name, content.parameters[index]]),
    );
    const asked = { ...from, event: event ?? '', variables };
    const { messageId } = await notifications.send(asked, on);
    return { type: 'sent' as const, messageId };
  };

  const failureOf = (error: unknown): Result => {
    // After these, the provider may have accepted the message.
    if (isRefusal(error, 'provider.unknown_outcome', 'service.unavailable')) {
      return { type: 'unknown' };
    }
    if (isRefusal(error)) return notSent(error.message);
    if (error instanceof StoreUnavailable) throw error;
    onFault(error);
    return notSent('the service could not send it');
  };

  const request = async ({ accountId }: RunOwner, { request: call }: Request): Promise<Result> => {
    if (!(await mayAct(accountId))) return { type: 'no_response', detail: SUSPENDED };
    const outcome = await outbound.request({ ...call, bytesMax: ANSWER_BYTES_MAX });
    return outcome.kind === 'answered'
      ? { type: 'response', status: outcome.status, body: outcome.body }
      : { type: 'no_response', detail: outcome.reason };
  };

  return async (run, owner, next, context) => {
    if (next.kind === 'send') return send(run, owner, next, context).catch(failureOf);
    return request(owner, next).catch((error): Result => {
      if (error instanceof StoreUnavailable) throw error;
      onFault(error);
      return { type: 'no_response', detail: 'the service could not call it' };
    });
  };
};
