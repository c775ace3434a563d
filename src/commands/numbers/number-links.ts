import type { Writer } from '../core/execute.ts';
import { phoneDecider } from './phone.ts';

/** A number while it is linked to an account. */
export interface NumberLink {
  accountId: string;
  /** Which link of the number it is, counted from 1. */
  link: number;
  /** Whether another account has ever had it before. */
  moved: boolean;
}

export interface NumberLinks {
  /**
   * Whose the number is now, read from its own stream: a look-up of the read models may be a moment
   * old, and a moment is enough to give one account what is another's. Null while nobody has it.
   */
  linkOf(phoneNumberId: string): Promise<NumberLink | null>;
}

export const createNumberLinks = ({ writer }: { writer: Pick<Writer, 'load'> }): NumberLinks => ({
  async linkOf(phoneNumberId) {
    const { state } = await writer.load(phoneDecider, phoneNumberId);
    const { accountId, links: link, moved } = state;
    return accountId === null ? null : { accountId, link, moved };
  },
});

/** Whether what was begun under a link may go on under the one that holds now. */
export const isSameLink = (
  begun: { accountId: string; link: number | null },
  now: Omit<NumberLink, 'moved'> | null,
): boolean =>
  now !== null &&
  begun.accountId === now.accountId &&
  (begun.link === null || begun.link === now.link);
