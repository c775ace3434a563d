import type { MessageDocument, ParkedStatus } from '../../projections/message-document.ts';
import { type RefundDocument, type RefundsKnown, refunds } from '../../projections/refunds.ts';
import type { ReadModels } from '../route/read-models.ts';

const NOTHING = '0.0000';

type Charged = Pick<MessageDocument, 'chargeId' | 'price' | 'creditsCharged'>;

/**
 * The final charge of a message: zero after a refund. A charge that closed without a movement,
 * because the account has changed its unit, remains.
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

/** The refunds of a page's messages by charge: one look-up per row. */
export const refundsOf = async (
  models: Pick<ReadModels, 'getMany'>,
  page: readonly (MessageDocument | ParkedStatus)[],
): Promise<ReadonlyMap<string, RefundDocument>> => {
  const charges = page.flatMap((one) => (one.recorded && one.chargeId ? [one.chargeId] : []));
  const found = charges.length === 0 ? [] : await models.getMany(refunds, charges);
  return new Map(found.filter(isOfCharge).map((one) => [one.id, one]));
};
