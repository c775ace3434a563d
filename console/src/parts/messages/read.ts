import { api, bodyOf } from '../../api/client.ts';
import type { components } from '../../api/reference.ts';
import type { Session } from '../../session/api.ts';
import type { MessageFilters } from './filters.ts';

export type Message = components['schemas']['Message'] & { accountId?: string };
export type Charge = components['schemas']['Charge'] & { accountId?: string };
type Timeline = readonly { type: string; at: string; data: Record<string, unknown> }[];

/** The customer's number, else the provider's id of the customer; null once erased. */
export const contactOf = (message: Message): string | null => {
  const { direction, recipientWaId, senderWaId, contactUserId } = message;
  return (direction === 'inbound' ? senderWaId : recipientWaId) ?? contactUserId ?? null;
};

/** Its last status; what customers wrote has none. */
export const stateOf = ({ status, direction }: Pick<Message, 'status' | 'direction'>): string =>
  status ?? (direction === 'inbound' ? 'received' : 'sent');

/** Everything that is known of a message. */
export interface Story {
  /** Null for what a tenant's key cannot read by its id alone: a received message. */
  message: Message | null;
  timeline: Timeline;
  charge: Charge | null;
  providerCost: components['schemas']['ProviderCost'] | null;
}

/** A page of the history that the filters leave. */
export const readMessages = async (
  { kind }: Session,
  { account, contact, reference, status }: MessageFilters,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<{ rows: readonly Message[]; nextCursor: string | null }> => {
  const common = { limit: 100, cursor, contact, clientReference: reference };
  const { messages, nextCursor } =
    kind === 'key'
      ? await bodyOf(
          api.GET('/v1/messages', {
            params: { query: { ...common, status: status as 'failed' | undefined } },
            signal,
          }),
        )
      : await bodyOf(
          api.GET('/admin/v1/messages', {
            params: { query: { ...common, accountId: account } },
            signal,
          }),
        );
  return { rows: messages, nextCursor };
};

export const readCharge = async (
  { kind }: Session,
  id: string,
  signal: AbortSignal,
): Promise<Charge> => {
  const init = { params: { path: { id } }, signal };
  return kind === 'key'
    ? bodyOf(api.GET('/v1/charges/{id}', init))
    : bodyOf(api.GET('/admin/v1/charges/{id}', init));
};

const chargeIn = (timeline: Timeline): string | undefined => {
  const sent = timeline.find(({ type }) => type === 'MessageSent');
  return sent?.data.chargeId as string | undefined;
};

/** A message with its events and its charge. */
export const readStory = async (
  session: Session,
  id: string,
  signal: AbortSignal,
): Promise<Story> => {
  if (session.kind === 'key') {
    const init = { params: { path: { messageId: id } }, signal };
    const { timeline } = await bodyOf(api.GET('/v1/messages/{messageId}/timeline', init));
    const chargeId = chargeIn(timeline);
    const charge = chargeId === undefined ? null : await readCharge(session, chargeId, signal);
    return { message: charge?.message ?? null, timeline, charge, providerCost: null };
  }
  const init = { params: { path: { id } }, signal };
  const { timeline, providerCost, ...message } = await bodyOf(
    api.GET('/admin/v1/messages/{id}', init),
  );
  const { chargeId } = message;
  const charge = chargeId === null ? null : await readCharge(session, chargeId, signal);
  return { message, timeline, charge, providerCost };
};
