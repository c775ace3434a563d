import { LRUCache } from 'lru-cache';
import { type ContactJoin, contactKeyOf, ID_CHAIN_MAX, isUserId } from '../../events/contact.ts';
import { StoreUnavailable } from '../../events/store.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import { type ContactState, contactDecider, NewNumber } from './contact.ts';
import { createHomes } from './homes.ts';

/** Each attempt fails only if another message has brought the contact to a new number. */
const ATTEMPTS_MAX = 10;
/** Joins kept in memory. */
const JOINS_MAX = 50_000;

interface Join {
  accountId: string;
  userId: string;
  contact: string;
  by: ContactJoin['by'];
}

/** Reads to whom user ids belong. */
const createSearch = (writer: Writer, homes: ReturnType<typeof createHomes>) => {
  // What was seen together stays so: these answers need no invalidation.
  const known = new LRUCache<string, string>({ max: JOINS_MAX });

  /** A join stands once its conversations are joined too: a crash may have come before that. */
  const complete = async (joined: ContactJoin, context: CommandContext): Promise<string> => {
    const { accountId, userId, contact, by } = joined;
    await homes.join(joined, { ...context, accountId });
    if (by === 'seen') known.set(contactKeyOf(accountId, userId), contact);
    return contact;
  };

  const load = async (accountId: string, userId: string) =>
    (await writer.load(contactDecider, contactKeyOf(accountId, userId))).state;

  /** The next id on the way to the contact; null at its end. */
  const nextOf = async (accountId: string, userId: string, context: CommandContext) => {
    const kept = known.get(contactKeyOf(accountId, userId));
    if (kept !== undefined) return kept;
    const { joined } = await load(accountId, userId);
    return joined && complete(joined, context);
  };

  /** Rivals that were joined with each other have the smallest one of them as their contact. */
  const find = async (accountId: string, id: string, context: CommandContext): Promise<string> => {
    const passed: string[] = [];
    for (let at = id; ; ) {
      if (!isUserId(at)) return at;
      const first = passed.indexOf(at);
      if (first >= 0) return passed.slice(first).sort()[0]!;
      passed.push(at);
      const next = passed.length > ID_CHAIN_MAX ? null : await nextOf(accountId, at, context);
      if (next === null) return at;
      at = next;
    }
  };

  return { known, complete, load, find };
};

/** Gives user ids to contacts. */
const createJoining = (
  writer: Writer,
  homes: ReturnType<typeof createHomes>,
  { complete, load, find }: ReturnType<typeof createSearch>,
) => {
  /** Resolves to the contact that the user id belongs to; null while it is one of its own. */
  const meet = async (
    ids: { accountId: string; userId: string; phoneNumberId: string },
    context: CommandContext,
  ): Promise<string | null> => {
    const key = contactKeyOf(ids.accountId, ids.userId);
    const command = { type: 'Meet' as const, ...ids };
    const on = { ...context, accountId: ids.accountId };
    const { state } = await writer.execute(contactDecider, key, command, on);
    return state.joined?.contact ?? null;
  };

  /**
   * The contact that is to have the conversations of a user id. One that is a user id itself notes them,
   * for its own join; one that was joined meanwhile is no contact any more.
   */
  const keeperOf = async (
    { accountId, contact }: Join,
    met: readonly string[],
    context: CommandContext,
  ): Promise<string> => {
    for (const phoneNumberId of isUserId(contact) ? met : []) {
      const other = await meet({ accountId, userId: contact, phoneNumberId }, context);
      if (other !== null) return find(accountId, other, context);
    }
    return contact;
  };

  /** False where the user id came to a new number, or its contact to another one, meanwhile. */
  const tryJoin = async (
    pair: Join,
    context: CommandContext,
    { met, joined }: ContactState,
  ): Promise<boolean> => {
    const { accountId, userId, contact } = pair;
    const keeper = await keeperOf(pair, met, context);
    if (keeper !== contact) return tryJoin({ ...pair, contact: keeper }, context, { met, joined });
    const chosen = joined ? [] : await homes.choose(pair, met);
    const command = { type: 'Join' as const, ...pair, homes: chosen };
    const key = contactKeyOf(accountId, userId);
    const on = { ...context, accountId };
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

  /** `known` spares the first attempt a read. */
  const join = async (pair: Join, context: CommandContext, known?: ContactState): Promise<void> => {
    let state = known ?? (await load(pair.accountId, pair.userId));
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      if (await tryJoin(pair, context, state)) return;
      state = await load(pair.accountId, pair.userId);
    }
    throw new StoreUnavailable('a contact comes to ever new numbers');
  };

  return { meet, join };
};

/** Joins user ids with their contacts. */
export const createJoins = (writer: Writer) => {
  const homes = createHomes({ writer });
  const search = createSearch(writer, homes);
  const { known, complete, load, find } = search;
  const { meet, join } = createJoining(writer, homes, search);

  /** Joins a number and a user id that were seen together. */
  const joinSeen = async (
    { accountId, userId, contact }: Omit<Join, 'by'>,
    context: CommandContext,
  ): Promise<void> => {
    if (known.has(contactKeyOf(accountId, userId))) return;
    const state = await load(accountId, userId);
    const { joined } = state;
    if (joined?.by === 'seen') {
      await complete(joined, context);
      return;
    }
    const older = joined && (await find(accountId, joined.contact, context));
    if (older && isUserId(older) && older !== userId) {
      await join({ accountId, userId: older, contact, by: 'changed' }, context);
    }
    await join({ accountId, userId, contact, by: 'seen' }, context, state);
  };

  return { find, meet, join, joinSeen };
};
