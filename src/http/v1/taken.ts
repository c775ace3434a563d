import type { MessageDocument, ParkedStatus } from '../../projections/messages.ts';
import { type RefundDocument, type RefundsKnown, refunds } from '../../projections/refunds.ts';
import type { ReadModels } from '../route/read-models.ts';

const NOTHING = '0.0000';

type Charged = Pick<MessageDocument, 'chargeId' | 'price' | 'creditsCharged'>;

/**
 * What was taken for a message in the end: nothing where its charge was given back. A charge that
 * was closed without a movement, because the account counts in another unit by now, stays taken.
 */
export const takenFor = (
  { price, creditsCharged, chargeId }: Charged,
  refund: Pick<RefundDocument, 'amount'> | undefined,
) => {
  const refunded = refund !== undefined && (refund.amount !== 0 || price === NOTHING);
  return {
    price: refunded ? NOTHING : price,
    creditsCharged: refunded && creditsCharged !== null ? 0 : creditsCharged,
    chargeId,
    refunded,
  };
};

const isOfCharge = (one: RefundDocument | RefundsKnown): one is RefundDocument =>
  one.of === 'charge';

/** The refunds of a page's messages, by their charges: as many look-ups as the page has rows. */
export const refundsOf = async (
  models: ReadModels,
  page: readonly (MessageDocument | ParkedStatus)[],
): Promise<ReadonlyMap<string, RefundDocument>> => {
  const charges = page.flatMap((one) => (one.recorded && one.chargeId ? [one.chargeId] : []));
  const found = charges.length === 0 ? [] : await models.getMany(refunds, charges);
  return new Map(found.filter(isOfCharge).map((one) => [one.id, one]));
};
