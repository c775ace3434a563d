import type { Writer } from '../core/execute.ts';
import { phoneDecider } from './phone.ts';

/** A number while it is linked to an account. */
interface NumberLink {
  accountId: string;
  /** Number of this link, from 1. */
  link: number;
  /** Whether another account had the number before. */
  moved: boolean;
}

export interface NumberLinks {
  /**
   * The current link, from the number's own stream; null for an unlinked number. A look-up in the
   * read models may be a moment old, and would then give one account the messages of another.
   */
  linkOf(phoneNumberId: string): Promise<NumberLink | null>;
}

export interface NumberHolders {
  /** The accounts that have had the number, the latest first. */
  holdersOf(phoneNumberId: string): Promise<readonly string[]>;
}

export const createNumberLinks = ({
  writer,
}: {
  writer: Pick<Writer, 'load'>;
}): NumberLinks & NumberHolders => ({
  async linkOf(phoneNumberId) {
    const { state } = await writer.load(phoneDecider, phoneNumberId);
    const { accountId, links: link, holders } = state;
    return accountId === null ? null : { accountId, link, moved: holders.length > 1 };
  },
  async holdersOf(phoneNumberId) {
    return (await writer.load(phoneDecider, phoneNumberId)).state.holders.toReversed();
  },
});

/** Whether work that began under one link may continue under the current link. */
export const isSameLink = (
  begun: { accountId: string; link: number | null },
  now: Omit<NumberLink, 'moved'> | null,
): boolean =>
  now !== null &&
  begun.accountId === now.accountId &&
  (begun.link === null || begun.link === now.link);
