import { type ContactJoin, contactKeyOf } from '../../events/contact.ts';
import { StoreUnavailable } from '../../events/store.ts';
import type { CommandContext } from '../core/decider.ts';
import { type ContactState, contactDecider, NewNumber } from './contact.ts';
import { type ContactName, createSearch, type JoinsDeps } from './contact-search.ts';
import { createHomes } from './homes.ts';
import { isPseudonym, subjectOf } from './subjects.ts';

/** Each attempt fails only if another message has brought the contact to a new number. */
const ATTEMPTS_MAX = 10;
interface Join {
  accountId: string;
  user: ContactName;
  contact: ContactName;
  by: ContactJoin['by'];
}

type Homes = ReturnType<typeof createHomes>;

/** Writes joins. */
const createWriting = (
  { writer, subjects }: JoinsDeps,
  homes: Homes,
  { complete }: Pick<ReturnType<typeof createSearch>, 'complete'>,
) => {
  /** False where the user id came to a new number meanwhile. */
  return async (
    { accountId, user, contact, by }: Join,
    context: CommandContext,
    { met, joined }: ContactState,
  ): Promise<boolean> => {
    const subject = await subjectOf(subjects, accountId, contact.ref);
    const named = [user.ref, contact.ref].filter(isPseudonym);
    // One that was erased meanwhile is not joined. An instance that has not heard of it yet must ask:
    // the join would bring what the erasure is about to take away into another conversation.
    if (!subject || !(await subjects.areHeld(named))) return true;
    const refs = { accountId, userRef: user.ref, contactRef: contact.ref };
    const homesOf = joined ? [] : await homes.choose(refs, met);
    const ids = { contactKind: contact.kind, userId: user.id, contact: contact.id };
    const command = { type: 'Join' as const, ...refs, ...ids, by, homes: homesOf };
    const key = contactKeyOf(accountId, user.ref);
    const on = { ...context, accountId, subjects: [subject] };
    try {
      const assumeNew = met.length === 0 && joined === null;
      const { state } = await writer.execute(contactDecider, key, command, on, { assumeNew });
      if (state.joined) await complete(state.joined, context);
      return true;
    } catch (error) {
      if (error instanceof NewNumber) return false;
      throw error;
    }
  };
};

/** Gives user ids to contacts. */
const createJoining = (deps: JoinsDeps, homes: Homes, search: ReturnType<typeof createSearch>) => {
  const { writer } = deps;
  const { contactIn, load, find } = search;
  const write = createWriting(deps, homes, search);

  /** Resolves to the contact that the user id belongs to; null while it is one of its own. */
  const meet = async (
    ids: { accountId: string; userRef: string; phoneNumberId: string },
    context: CommandContext,
  ): Promise<ContactName | null> => {
    const key = contactKeyOf(ids.accountId, ids.userRef);
    const command = { type: 'Meet' as const, ...ids };
    const on = { ...context, accountId: ids.accountId };
    const { joined } = (await writer.execute(contactDecider, key, command, on)).state;
    return joined && contactIn(joined);
  };

  /**
   * The contact that is to have the conversations of a user id. One that is a user id itself notes them,
   * for its own join; one that was joined meanwhile is no contact any more.
   */
  const keeperOf = async (
    { accountId, contact }: Join,
    met: readonly string[],
    context: CommandContext,
  ): Promise<ContactName> => {
    for (const phoneNumberId of contact.kind === 'userId' ? met : []) {
      const other = await meet({ accountId, userRef: contact.ref, phoneNumberId }, context);
      if (other !== null) return find(accountId, other, context);
    }
    return contact;
  };

  /** False where the user id came to a new number, or its contact to another one, meanwhile. */
  const tryJoin = async (
    pair: Join,
    context: CommandContext,
    state: ContactState,
  ): Promise<boolean> => {
    const keeper = await keeperOf(pair, state.met, context);
    return keeper.ref === pair.contact.ref
      ? write(pair, context, state)
      : tryJoin({ ...pair, contact: keeper }, context, state);
  };

  /** `known` spares the first attempt a read. */
  const join = async (pair: Join, context: CommandContext, known?: ContactState): Promise<void> => {
    let state = known ?? (await load(pair.accountId, pair.user.ref));
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      if (await tryJoin(pair, context, state)) return;
      state = await load(pair.accountId, pair.user.ref);
    }
    throw new StoreUnavailable('a contact comes to ever new numbers');
  };

  return { meet, join };
};

/** Joins user ids with their contacts. */
export const createJoins = (deps: JoinsDeps) => {
  const homes = createHomes(deps);
  const search = createSearch(deps, homes);
  const { known, contactIn, complete, load, find } = search;
  const { meet, join } = createJoining(deps, homes, search);

  /** Joins a number and a user id that were seen together. */
  const joinSeen = async (
    { accountId, user, contact }: Omit<Join, 'by'>,
    context: CommandContext,
  ): Promise<void> => {
    if (known.has(contactKeyOf(accountId, user.ref))) return;
    const state = await load(accountId, user.ref);
    const { joined } = state;
    if (joined?.by === 'seen') {
      await complete(joined, context);
      return;
    }
    const kept = joined && (await contactIn(joined));
    const older = kept && (await find(accountId, kept, context));
    if (older && older.kind === 'userId' && older.ref !== user.ref) {
      await join({ accountId, user: older, contact, by: 'changed' }, context);
    }
    await join({ accountId, user, contact, by: 'seen' }, context, state);
  };

  return { find, meet, join, joinSeen };
};
