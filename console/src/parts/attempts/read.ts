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

interface Asked {
  since: string;
  until: string;
  cursor: string | undefined;
}

/** Messages to the same customer or of the same reference: they tell what became of attempts. */
const readMessages = (
  { session, accountId }: Scope,
  { contact, clientReference }: AttemptFilters,
  asked: Asked,
  signal: AbortSignal,
): Promise<{ messages: readonly Message[]; nextCursor: string | null }> => {
  const direction = 'outbound' as const;
  const query = { limit: 100, direction, contact, clientReference, ...asked };
  return session.kind === 'key'
    ? bodyOf(api.GET('/v1/messages', { params: { query }, signal }))
    : bodyOf(api.GET('/admin/v1/messages', { params: { query: { ...query, accountId } }, signal }));
};

/** Pages of messages that are read for one page of attempts. */
const MESSAGE_PAGES_MAX = 5;
/** A message is recorded this long after the reservation of its attempt, at most. */
const RECORDED_WITHIN_MS = 300_000;

/** The attempts, those that went out with their messages. */
export const withMessages = async (
  sends: readonly Attempt[],
  read: (asked: Asked) => ReturnType<typeof readMessages>,
): Promise<readonly Attempt[]> => {
  const sent = sends.filter(({ metaMessageId }) => metaMessageId !== null);
  if (sent.length === 0) return sends;
  const times = sent.map(({ at }) => Date.parse(at));
  const since = new Date(Math.min(...times)).toISOString();
  const until = new Date(Math.max(...times) + RECORDED_WITHIN_MS).toISOString();
  const found = new Map<string | null, Message>();
  let cursor: string | null | undefined;
  for (let page = 0; page < MESSAGE_PAGES_MAX && cursor !== null; page += 1) {
    const { messages, nextCursor } = await read({ since, until, cursor });
    for (const message of messages) found.set(message.chargeId, message);
    cursor = sent.every(({ id }) => found.has(id)) ? null : nextCursor;
  }
  return sends.map((send) => {
    const message = found.get(send.id);
    return message ? { ...send, message } : send;
  });
};

/** A page of attempts, the newest first, each with its message's last status. */
export const readAttempts = async (
  scope: Scope,
  filters: AttemptFilters,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<{ rows: readonly Attempt[]; nextCursor: string | null }> => {
  const { sends, nextCursor } = await readSends(scope, filters, cursor, signal);
  const read = (asked: Asked) => readMessages(scope, filters, asked, signal);
  return { rows: await withMessages(sends, read), nextCursor };
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
