import { api, bodyOf } from '../../api/client.ts';
import type { components } from '../../api/reference.ts';
import type { Session } from '../../session/api.ts';
import type { Message } from '../messages/read.ts';

type Send = components['schemas']['Send'];

/** An attempt to send, with its message where one went out. */
export type Attempt = Send & { accountId?: string; message?: Message };
export type Refusal = components['schemas']['SendRefusals'];

/** Whose attempts are read: of the key's account, or of the one that an administrator chose. */
export interface Scope {
  session: Session;
  accountId?: string | undefined;
}

export interface AttemptFilters {
  contact?: string | undefined;
  clientReference?: string | undefined;
  requestId?: string | undefined;
  state?: Send['state'] | undefined;
}

export interface RefusalFilters {
  contact?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  code?: string | undefined;
}

const PAGE = 50;

const readSends = (
  { session, accountId }: Scope,
  filters: AttemptFilters,
  cursor: string | undefined,
  signal: AbortSignal,
) => {
  const query = { limit: PAGE, cursor, ...filters };
  return session.kind === 'key'
    ? bodyOf(api.GET('/v1/sends', { params: { query }, signal }))
    : bodyOf(
        api.GET('/admin/v1/sends', {
          params: { query: { ...query, accountId: accountId ?? '' } },
          signal,
        }),
      );
};

/** Messages of the same customer or reference: they tell what became of accepted attempts. */
const readMessages = async (
  { session, accountId }: Scope,
  { contact, clientReference }: AttemptFilters,
  until: string | undefined,
  signal: AbortSignal,
): Promise<readonly Message[]> => {
  const query = { limit: 100, contact, clientReference, ...(until && { until }) };
  const { messages } =
    session.kind === 'key'
      ? await bodyOf(api.GET('/v1/messages', { params: { query }, signal }))
      : await bodyOf(
          api.GET('/admin/v1/messages', { params: { query: { ...query, accountId } }, signal }),
        );
  return messages;
};

/** A moment after the newest row: the list of messages begins there. */
const after = (at: string | undefined): string | undefined =>
  at === undefined ? undefined : new Date(Date.parse(at) + 60_000).toISOString();

/** A page of attempts, the newest first, each with its message's last status. */
export const readAttempts = async (
  scope: Scope,
  filters: AttemptFilters,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<{ rows: readonly Attempt[]; nextCursor: string | null }> => {
  const { sends, nextCursor } = await readSends(scope, filters, cursor, signal);
  const isSent = sends.some(({ state }) => state === 'accepted');
  const messages = isSent ? await readMessages(scope, filters, after(sends[0]?.at), signal) : [];
  const byCharge = new Map(messages.map((message) => [message.chargeId, message]));
  const rows = sends.map((send) => {
    const message = byCharge.get(send.id);
    return message ? { ...send, message } : send;
  });
  return { rows, nextCursor };
};

/** Sends that were refused before an attempt: counted by code and minute. */
export const readRefusals = async (
  { session, accountId }: Scope,
  asked: RefusalFilters,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<{ rows: readonly Refusal[]; nextCursor: string | null }> => {
  const query = { limit: PAGE, cursor, ...asked };
  const { refusals, nextCursor } =
    session.kind === 'key'
      ? await bodyOf(api.GET('/v1/sends/refusals', { params: { query }, signal }))
      : await bodyOf(
          api.GET('/admin/v1/sends/refusals', {
            params: { query: { ...query, accountId: accountId ?? '' } },
            signal,
          }),
        );
  return { rows: refusals, nextCursor };
};
