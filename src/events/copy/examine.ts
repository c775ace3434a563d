import { setImmediate as nextTurn } from 'node:timers/promises';
import { decode } from '../index.ts';
import { UNREADABLE } from '../store.ts';
import { type CopySource, type CopyTarget, type SourceEvent, toNewEvent } from './ports.ts';

/** Why an event cannot be copied. */
export interface Flaw {
  stream: string;
  revision: number;
  detail: string;
}

export interface Flaws {
  /** The first LISTED_MAX flaws. */
  listed: readonly Flaw[];
  count: number;
}

const LISTED_MAX = 100;

const flawOf = (event: SourceEvent, target: CopyTarget): string | undefined => {
  try {
    const { stream, revision, data, meta } = event;
    const fresh = toNewEvent(event);
    const read = decode({ ...fresh, stream, revision, position: '' });
    if (read.type !== UNREADABLE) return target.refuses(fresh, data.length + meta.length);
    return `cannot be read: ${(read.data as { reason: string }).reason}`;
  } catch (error) {
    return `cannot be copied: ${(error as Error).message}`;
  }
};

/** Reads the whole source before the copy, and lists all events that cannot be copied. */
export const examine = async (
  source: CopySource,
  target: CopyTarget,
  onProgress: (events: number) => void,
): Promise<Flaws> => {
  const listed: Flaw[] = [];
  let count = 0;
  const add = ({ stream, revision }: Omit<Flaw, 'detail'>, detail: string): void => {
    count += 1;
    if (listed.length < LISTED_MAX) listed.push({ stream, revision, detail: detail.slice(0, 500) });
  };
  for (const one of source.misplaced()) {
    add(one, 'does not come right after the revision before it');
  }
  let at = 0;
  for (;;) {
    const page = source.after(at);
    for (const event of page) {
      if (event.position !== at + 1) add(event, 'comes after a gap in the log');
      at = event.position;
      const flaw = flawOf(event, target);
      if (flaw !== undefined) add(event, flaw);
    }
    if (page.length === 0) return { listed, count };
    onProgress(at);
    await nextTurn();
  }
};
