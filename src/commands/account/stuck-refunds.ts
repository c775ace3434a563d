/** A refund that fails because of the account's own state. Its caller retries it. */
interface StuckRefund {
  accountId: string;
  chargeId: string;
  error: unknown;
}

export interface StuckRefunds {
  failed(accountId: string, chargeId: string, error: unknown): void;
  settled(chargeId: string): void;
  /** Accounts with stuck refunds, and how many of each; the rest together as `other`. */
  counts(): ReadonlyMap<string, number>;
}

/** Bounds of the charges and accounts that are counted one by one. */
const CHARGES_MAX = 10_000;
const ACCOUNTS_SHOWN = 100;

/**
 * Reports each stuck refund once, and counts stuck refunds by account. They do not make the service
 * unready.
 */
export const createStuckRefunds = (onStuck: (refund: StuckRefund) => void): StuckRefunds => {
  const accountOf = new Map<string, string>();
  return {
    failed(accountId, chargeId, error) {
      if (accountOf.has(chargeId) || accountOf.size >= CHARGES_MAX) return;
      accountOf.set(chargeId, accountId);
      onStuck({ accountId, chargeId, error });
    },
    settled(chargeId) {
      accountOf.delete(chargeId);
    },
    counts() {
      const counts = new Map<string, number>();
      for (const accountId of accountOf.values()) {
        const isShown = counts.has(accountId) || counts.size < ACCOUNTS_SHOWN;
        const label = isShown ? accountId : 'other';
        counts.set(label, (counts.get(label) ?? 0) + 1);
      }
      return counts;
    },
  };
};
