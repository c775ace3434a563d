import type { ContactJoin } from '../../events/contact.ts';
import { joinedIdsAt } from '../../events/conversation.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import { Continued, conversationDecider } from '../inbound/conversation.ts';

type Homes = NonNullable<ContactJoin['conversations']>;
type Pair = Pick<ContactJoin, 'accountId' | 'userRef' | 'contactRef'>;

/**
 * Runs a command in the stream that goes on with a conversation: the conversation's own, unless
 * another one has taken its place. Streams that name each other end the search.
 */
export const inHome = async <T>(
  conversationId: string,
  run: (conversationId: string, isLast: boolean) => Promise<T>,
): Promise<T> => {
  const passed: string[] = [];
  for (let id = conversationId; ; ) {
    const isLast = passed.includes(id);
    try {
      return await run(id, isLast);
    } catch (error) {
      if (!(error instanceof Continued) || isLast) throw error;
      passed.push(id);
      id = error.conversationId;
    }
  }
};

/** Lets one conversation go on with another, in two appends that may be repeated. */
const createUnion = (writer: Writer) => {
  const load = async (conversationId: string) =>
    (await writer.load(conversationDecider, conversationId)).state;

  /** What the bots have to know of a conversation that has ended. */
  const takeIn = async (from: string, into: string, accountId: string, context: CommandContext) => {
    const { silentUntil, sentAt } = (await load(from)).bots;
    if (silentUntil === null && sentAt.length === 0) return;
    const command = { type: 'TakeIn' as const, accountId, conversationId: into, from };
    const bots = { silentUntil, sentAt };
    await writer.execute(conversationDecider, into, { ...command, ...bots }, context);
  };

  return {
    load,
    takeIn,
    /** The ids of the streams from a conversation's own to its home. */
    async wayOf(conversationId: string): Promise<string[]> {
      const way = [conversationId];
      for (;;) {
        const { continuesIn } = await load(way.at(-1)!);
        if (continuesIn === null || way.includes(continuesIn)) return way;
        way.push(continuesIn);
      }
    },
    async unite(source: string, home: string, accountId: string, context: CommandContext) {
      const command = { type: 'Continue' as const, accountId, conversationId: source, in: home };
      await writer.execute(conversationDecider, source, command, context);
      await takeIn(source, home, accountId, context);
    },
  };
};

/** Joins the conversations of a user id with those of the contact that it belongs to. */
export const createHomes = ({ writer }: { writer: Writer }) => {
  const { load, takeIn, wayOf, unite } = createUnion(writer);

  const homeAt = async (pair: Pair, phoneNumberId: string): Promise<Homes[number]> => {
    const { ofContact, ofUserId } = joinedIdsAt(pair, phoneNumberId);
    const kept = await load((await wayOf(ofContact)).at(-1)!);
    const own = await load((await wayOf(ofUserId)).at(-1)!);
    // An open run goes on where it is; else the newer conversation, which is that of the user id.
    const staysKept = kept.bots.run !== null && own.bots.run === null;
    return { phoneNumberId, home: staysKept ? 'contact' : 'userId' };
  };

  return {
    /** Whose stream is to go on at each number. The answer counts once the join records it. */
    choose: (pair: Pair, phoneNumberIds: readonly string[]): Promise<Homes> =>
      Promise.all(phoneNumberIds.map((phoneNumberId) => homeAt(pair, phoneNumberId))),

    /** Lets one stream go on with both conversations, as the join says. Doing it again changes nothing. */
    async join(
      { conversations = [], ...pair }: ContactJoin,
      context: CommandContext,
    ): Promise<void> {
      const { accountId } = pair;
      for (const { phoneNumberId, home } of conversations) {
        const { ofContact, ofUserId } = joinedIdsAt(pair, phoneNumberId);
        const ways = [await wayOf(ofContact), await wayOf(ofUserId)] as const;
        const [from, to] = home === 'userId' ? ways : ways.toReversed();
        const [source, into] = [from!.at(-1)!, to!.at(-1)!];
        if (source !== into) {
          await unite(source, into, accountId, context);
          continue;
        }
        // It was done before, but perhaps not to its end.
        for (const [at, id] of from!.slice(1).entries()) {
          await takeIn(from![at]!, id, accountId, context);
        }
      }
    },
  };
};
