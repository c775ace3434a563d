import { type QuickReplyFact, QuickReplyRemoved, QuickReplySet } from '../../events/quick-reply.ts';
import { type Ids, sortedId } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import type { CommandContext, Decider } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';

/** Quick replies of one account. */
const REPLIES_MAX = 200;

type Reply = { name: string; text: string };

type ReplyChange = { name?: string | undefined; text?: string | undefined };

type QuickReplyCommand =
  | { type: 'Add'; accountId: string; replyId: string; name: string; text: string }
  | ({ type: 'Change'; accountId: string; replyId: string } & ReplyChange)
  | { type: 'Remove'; accountId: string; replyId: string };

const unknown = (): AppError => new AppError('resource.unknown', 'Quick reply not found');

/** The quick replies of an account by id, at most so many. */
const quickRepliesDecider: Decider<
  Readonly<Record<string, Reply>>,
  QuickReplyCommand,
  QuickReplyFact
> = {
  category: 'quickreplies',
  initial: {},
  evolve(replies, { type, data }) {
    const { replyId } = data;
    if (type === 'QuickReplySet') {
      return { ...replies, [replyId]: { name: data.name, text: data.text } };
    }
    const { [replyId]: _, ...others } = replies;
    return others;
  },
  decide(command, replies) {
    const { accountId, replyId } = command;
    const known = Object.hasOwn(replies, replyId) ? replies[replyId] : undefined;
    if (command.type !== 'Add' && !known) throw unknown();
    if (command.type === 'Remove') return [QuickReplyRemoved.of({ accountId, replyId })];
    const after = { name: known?.name ?? '', text: known?.text ?? '' };
    if (command.name !== undefined) after.name = command.name;
    if (command.text !== undefined) after.text = command.text;
    if (after.name === known?.name && after.text === known.text) return [];
    const taken = Object.entries(replies).some(
      ([id, { name }]) => id !== replyId && name.toLowerCase() === after.name.toLowerCase(),
    );
    if (taken) throw new AppError('resource.conflict', `A quick reply has the name ${after.name}`);
    if (!known && Object.keys(replies).length >= REPLIES_MAX) {
      throw new AppError(
        'resource.conflict',
        `An account has ${REPLIES_MAX} quick replies at most: remove one first`,
      );
    }
    return [QuickReplySet.of({ accountId, replyId, ...after })];
  },
};

/** Texts that people of an account send often. */
export const createQuickReplies = ({ writer, ids }: { writer: Writer; ids: Ids }) => {
  const execute = (command: QuickReplyCommand, context: CommandContext) =>
    writer.execute(quickRepliesDecider, command.accountId, command, context);
  return {
    async add(accountId: string, reply: Reply, context: CommandContext): Promise<string> {
      const replyId = sortedId('qr', ids);
      await execute({ type: 'Add', accountId, replyId, ...reply }, context);
      return replyId;
    },
    async change(
      accountId: string,
      replyId: string,
      change: ReplyChange,
      context: CommandContext,
    ): Promise<void> {
      await execute({ type: 'Change', accountId, replyId, ...change }, context);
    },
    async remove(accountId: string, replyId: string, context: CommandContext): Promise<void> {
      await execute({ type: 'Remove', accountId, replyId }, context);
    },
  };
};

export type QuickReplies = ReturnType<typeof createQuickReplies>;
