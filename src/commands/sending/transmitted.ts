import type { Outline } from '../../events/intent.ts';
import type { Price } from '../../events/price.ts';

/** The charge as the caller sees it (contract 4.3). */
export interface Charge {
  chargeId: string;
  price: Price;
  /** In the plan's unit: credits, or millionths. */
  balanceAfter: number;
}

/** The provider's word where it accepted a message and holds it, such as paused; absent otherwise. */
export interface Held {
  providerStatus?: string | undefined;
}

/** A message that went out. */
export interface Transmitted extends Held {
  messageId: string;
  charge: Charge;
  outline: Outline;
  /** The provider's id of the recipient; absent where it is not known any more. */
  recipientWaId?: string | null;
}
