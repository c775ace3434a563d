import { type AbsorbedConversation, isAbsorbed, isThread } from './absorbed-threads.ts';
import { conversations } from './conversations.ts';
import type { Reader } from './engine/reader.ts';
import type { ConversationDocument } from './thread.ts';
import { mergeThreads } from './thread.ts';

type Source = Pick<Reader, 'get' | 'getMany'>;

/** Conversations that are followed from one to the one that has absorbed it. */
const CHAIN_MAX = 8;
/** Absorbed conversations of one page that are read. */
const LATE_MAX = 2000;

/** What came late in conversations that were absorbed, by their ids. */
const readLate = async (source: Pick<Source, 'getMany'>, ids: readonly string[]) => {
  const known = new Map<string, AbsorbedConversation>();
  for (let asked = ids; asked.length > 0 && known.size < LATE_MAX; ) {
    const found = (await source.getMany(conversations, asked)).filter(isAbsorbed);
    for (const one of found) known.set(one.id, one);
    asked = found.flatMap(({ absorbs }) => absorbs.map(({ id }) => id));
    asked = asked.filter((id) => !known.has(id));
  }
  const lateIn = (id: string): ConversationDocument[] => {
    const one = known.get(id);
    known.delete(id);
    if (!one) return [];
    return [...(one.late ? [one.late] : []), ...one.absorbs.flatMap((other) => lateIn(other.id))];
  };
  return lateIn;
};

/** The conversations with what came late in those that they have absorbed. Most have absorbed none. */
export const withLate = async (
  source: Pick<Source, 'getMany'>,
  threads: readonly ConversationDocument[],
): Promise<readonly ConversationDocument[]> => {
  const ids = threads.flatMap(({ absorbs }) => absorbs.map(({ id }) => id));
  if (ids.length === 0) return threads;
  const lateIn = await readLate(source, ids);
  return threads.map((thread) =>
    thread.absorbs.flatMap(({ id }) => lateIn(id)).reduce(mergeThreads, thread),
  );
};

/** The conversation of this id, or the one that has absorbed it. */
export const readThread = async (
  source: Source,
  id: string,
): Promise<ConversationDocument | undefined> => {
  let thread = await source.get(conversations, id);
  for (let hops = 0; thread && isAbsorbed(thread) && hops < CHAIN_MAX; hops += 1) {
    thread = await source.get(conversations, thread.absorbedBy);
  }
  if (!thread || !isThread(thread)) return undefined;
  return (await withLate(source, [thread]))[0];
};
