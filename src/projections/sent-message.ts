import { chargeOf } from '../events/completed.ts';
import type { EventOf } from '../events/index.ts';
import { intentOf } from '../events/intent.ts';
import { oldestMonth } from '../events/personal.ts';

/** Where a message is that names further contacts: one erasure of these must reach all that names them. */
export const placeInLog = ({
  data,
  stream,
  revision,
}: Pick<EventOf<'ChargeReserved' | 'MessageReceived'>, 'data' | 'stream' | 'revision'>) =>
  data.otherRefs ? { stream, revision } : undefined;

/** The record of a sent message with its charge, as folds need them. */
export const readSent = (event: EventOf<'MessageSent'>) => {
  const { data } = event;
  const charge = chargeOf(event);
  const { outline, said } = charge.data;
  // Both are about one person, whose ids may differ: without one of the keys, all of it is erased.
  const isErased = event.isErased === true || charge.isErased === true;
  const intent = intentOf(outline, isErased ? null : said);
  const sealedMonth = oldestMonth(
    [event.sealedMonth, charge.sealedMonth].filter((month) => month !== undefined),
  );
  return {
    charge: charge.data,
    outline,
    isErased,
    intent,
    inLog: placeInLog(charge),
    /** The provider's id of the message; null where it is erased. */
    messageId: isErased ? null : data.messageId,
    /** The contact's id: digits, or a user id; null where it is erased. */
    waId: isErased ? null : (data.recipient?.waId ?? intent.to),
    userId: isErased ? null : (data.recipient?.userId ?? null),
    /** The recipient of the charge, where the provider calls the recipient otherwise. */
    ...(charge.data.contactRef !== data.contactRef && { otherRef: charge.data.contactRef }),
    /** The oldest month of the keys of all this. */
    months: sealedMonth === undefined ? {} : { sealedMonth },
  };
};
