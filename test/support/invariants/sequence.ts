import type { KnownEvent } from '../../../src/events/index.ts';
import type { Charge } from './charges.ts';

// What must stand in the log before what, over all its streams. A crash between two appends shows only
// sometimes that they are in the wrong order; the log that they leave shows it always.

interface Needed {
  /** The number of the invariant. */
  invariant: string;
  /** What must stand before the event. */
  fact: string;
}

/** What is so from this event on. */
const factsOf = ({ type, data }: KnownEvent): string[] => {
  switch (type) {
    case 'ChargeReserved':
      return [`the reservation of ${data.chargeId}`];
    case 'MessageSent':
      return [`the message of ${data.chargeId}`];
    case 'ChargeRefunded':
      return [`the refund of ${data.chargeId}`];
    case 'ChargeExpired':
      return [`the expiry of ${data.chargeId}`];
    case 'ChargeMatched':
      return [`the match of ${data.chargeId}`];
    case 'StatusUpdated':
      return [`the word ${data.status} of ${data.messageRef} at ${data.phoneNumberId}`];
    case 'ErasureRequested':
      return [`the request of ${data.erasureId}`];
    case 'ContactErased':
      return [`the destruction of ${data.erasureId}`];
    case 'ErasureStarted':
      return [`the count of ${data.erasureId}`];
    default:
      return [];
  }
};

/** The charges of each work under an idempotency key that sent a message, but for recovered ones. */
const sentByWork = (charges: ReadonlyMap<string, Charge>): ReadonlyMap<string, string[]> => {
  const works = new Map<string, string[]>();
  for (const { chargeId, reserved, messages } of charges.values()) {
    const work = reserved?.meta.claim?.id;
    if (work === undefined || messages.every(({ data }) => data.recovered)) continue;
    works.set(work, [...(works.get(work) ?? []), chargeId]);
  }
  return works;
};

const createNeeds = (events: readonly KnownEvent[], charges: ReadonlyMap<string, Charge>) => {
  const sent = sentByWork(charges);
  const works = new Map<string, string>();
  const asked = new Set<string>();
  for (const { type, data } of events) {
    if (type === 'RequestClaimed') works.set(data.claimId, data.workId);
    if (type === 'ErasureRequested') asked.add(data.erasureId);
  }
  const needs =
    (invariant: string) =>
    (...facts: string[]): Needed[] =>
      facts.map((fact) => ({ invariant, fact }));
  const messageOf = (chargeId: string) => `the message of ${chargeId}`;

  const ofRefund = ({ cause, chargeId }: { cause: string; chargeId: string }): string[] => {
    const [message] = charges.get(chargeId)?.messages ?? [];
    if (cause === 'expired') return [`the expiry of ${chargeId}`];
    if (cause !== 'delivery_failed' || !message) return [];
    const { messageRef, phoneNumberId } = message.data;
    return [messageOf(chargeId), `the word failed of ${messageRef} at ${phoneNumberId}`];
  };

  /** What must stand before this event. */
  return ({ type, data }: KnownEvent): Needed[] => {
    switch (type) {
      case 'MessageSent':
        return needs('I4')(
          `the reservation of ${data.chargeId}`,
          ...(data.recovered ? [`the match of ${data.chargeId}`] : []),
        );
      case 'ChargeRefunded':
        return needs('I3')(`the reservation of ${data.chargeId}`, ...ofRefund(data));
      case 'RefundedSendCounted':
        return needs('I13')(`the refund of ${data.chargeId}`);
      case 'RequestAnswered':
        return data.status >= 300
          ? []
          : needs('I9')(...(sent.get(works.get(data.claimId) ?? '') ?? []).map(messageOf));
      case 'ScheduleEnded':
        return needs('I4')(...(data.state === 'sent' ? [messageOf(data.chargeId!)] : []));
      case 'JobRowsSettled':
        return needs('I10')(...data.sent.map(([, chargeId]) => messageOf(chargeId)));
      case 'ContactErased':
        return asked.has(data.erasureId) ? needs('I14')(`the request of ${data.erasureId}`) : [];
      case 'ErasureStarted':
        return needs('I14')(`the destruction of ${data.erasureId}`);
      case 'ErasureDone':
        return needs('I14')(`the count of ${data.erasureId}`);
      default:
        return [];
    }
  };
};

/** I3, I4, I9, I10, I13, I14: each event has before it what it follows from. */
export const checkSequence = (
  events: readonly KnownEvent[],
  charges: ReadonlyMap<string, Charge>,
): string[] => {
  const needsOf = createNeeds(events, charges);
  const facts = new Set<string>();
  return events.flatMap((event) => {
    const missing = needsOf(event).filter(({ fact }) => !facts.has(fact));
    for (const fact of factsOf(event)) facts.add(fact);
    const name = `${event.type} at ${event.position}`;
    return missing.map(({ invariant, fact }) => `${invariant} ${name}: ${fact} is not before it`);
  });
};

/** I10: a scheduled send, and each row of a job, has one message at most. */
export const checkSentOnce = (charges: ReadonlyMap<string, Charge>): string[] => {
  const sent = [...charges.values()].filter(({ reserved, messages }) => {
    const { requestId = '', claim } = reserved?.meta ?? {};
    return claim !== undefined && messages.length > 0 && /^(sch|job)_/.test(requestId);
  });
  const groups = Map.groupBy(sent, ({ reserved }) => {
    const { requestId, claim } = reserved!.meta;
    return claim!.part === undefined ? requestId : `row ${claim!.part} of ${requestId}`;
  });
  return [...groups].flatMap(([name, all]) =>
    all.length > 1 ? [`I10 ${name}: it was sent ${all.length} times`] : [],
  );
};
