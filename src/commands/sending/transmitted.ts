import type { Intent } from '../../events/content.ts';
import type { Price } from '../../events/price.ts';

/** The charge as the caller sees it (contract 4.3). */
export interface Charge {
  chargeId: string;
  price: Price;
  /** In the plan's unit: credits, or millionths. */
  balanceAfter: number;
}

/** A message that went out. */
export interface Transmitted {
  messageId: string;
  charge: Charge;
  /** As the log has it. */
  intent: Intent;
}
