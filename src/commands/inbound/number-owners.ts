import type { Clock } from '../../shared/clock.ts';
import type { Lookups, NumberRecord } from '../core/lookups.ts';
import type { NumberLinks } from '../numbers/number-links.ts';
import { Rejected } from './rejected.ts';

/** How far the provider's clock, which counts in seconds, may be behind ours. */
const CLOCKS_APART_MS_MAX = 10_000;

export interface NumberOwnersDeps {
  lookups: Pick<Lookups, 'number'>;
  links: NumberLinks;
  clock: Clock;
}

const notLinked = () => new Rejected('not_linked', 'the number is not linked');

/** Finds the owners of numbers. Throws Rejected where there is none. */
export const createNumberOwners = ({ lookups, links, clock }: NumberOwnersDeps) => {
  const linkedNumber = async (phoneNumberId: string): Promise<NumberRecord> => {
    const number = await lookups.number(phoneNumberId);
    if (!number) throw notLinked();
    return number;
  };

  return {
    linkedNumber,
    /**
     * The account that holds the number now. A contact's message belongs to that account, unless
     * the message is older than the link and another account has held the number.
     */
    async ownerOf(phoneNumberId: string, writtenAt: string | null): Promise<string> {
      const number = await linkedNumber(phoneNumberId);
      const link = await links.linkOf(phoneNumberId);
      if (!link) throw notLinked();
      const { accountId } = link;
      if (!link.moved || writtenAt === null) return accountId;
      // A look-up that does not show the link yet is moments behind it.
      const linkedAt = number.accountId === accountId ? Date.parse(number.linkedAt) : clock.now();
      if (Date.parse(writtenAt) >= linkedAt - CLOCKS_APART_MS_MAX) return accountId;
      throw new Rejected('before_link', 'from before the number was linked to this account');
    },
  };
};
