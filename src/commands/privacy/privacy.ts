import { SUBJECTS_MAX } from '../../events/erasure.ts';
import { PEOPLE } from '../../events/person.ts';
import { type Ids, sortedId } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups } from '../core/lookups.ts';
import { erasureDecider } from './erasure.ts';
import type { HeldSubject } from './keys.ts';
import { retentionDecider } from './retention.ts';

interface Wanted {
  /** Digits, or a user id of the provider; or the ref of a person who signed in. */
  contact: string | { personRef: string };
  /** Null: all accounts. */
  accountId: string | null;
  reason: string | null;
}

interface PrivacyDeps {
  writer: Writer;
  lookups: Pick<Lookups, 'account'>;
  /** All ids of a contact of which something is held, those that are joined with it included. */
  findSubjects: (contact: string, accountId: string | null) => Promise<readonly HeldSubject[]>;
  ids: Ids;
}

/** The commands of administrators for personal data. */
export const createPrivacy = ({ writer, lookups, findSubjects, ids }: PrivacyDeps) => {
  const mustKnow = async (accountId: string): Promise<void> => {
    const account = await lookups.account(accountId, { fresh: true });
    if (!account) throw new AppError('resource.unknown', 'Account not found');
  };

  return {
    mustKnow,
    findSubjects,
    /** Resolves to the id of the erasure, which is then under way. */
    async erase({ contact, accountId, reason }: Wanted, context: CommandContext): Promise<string> {
      const { claim } = context;
      const erasureId = sortedId('era', ids, claim);
      // A run that continues an interrupted one erases nothing that came since.
      if (claim && (await writer.load(erasureDecider, erasureId)).state.request) return erasureId;
      if (accountId !== null) await mustKnow(accountId);
      const subjects =
        typeof contact === 'string'
          ? await findSubjects(contact, accountId)
          : [{ accountId: PEOPLE, ref: contact.personRef }];
      if (subjects.length > SUBJECTS_MAX) {
        const most = SUBJECTS_MAX.toLocaleString('en');
        throw new AppError(
          'resource.conflict',
          `The contact has more than ${most} ids in all accounts: erase it account by account`,
        );
      }
      const request = { erasureId, accountId, reason, subjects: [...subjects] };
      await writer.execute(erasureDecider, erasureId, { type: 'Request', request }, context, {
        assumeNew: true,
      });
      return erasureId;
    },
    /** Personal data of months that ended so many months ago go; null keeps all. */
    async setRetention(
      accountId: string,
      months: number | null,
      context: CommandContext,
    ): Promise<void> {
      await mustKnow(accountId);
      const command = { type: 'Set' as const, accountId, months };
      await writer.execute(retentionDecider, accountId, command, { ...context, accountId });
    },
  };
};

export type Privacy = ReturnType<typeof createPrivacy>;
