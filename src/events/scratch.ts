/** A temporary table of texts by key, on disk. It is private, and gone when it is closed. */
export interface Scratch {
  get(key: string): string | undefined;
  /** A key keeps its place when it is put again. */
  put(key: string, text: string): void;
  /** Texts in the order in which their keys were first put, page by page. */
  pages(size: number): Iterable<readonly string[]>;
  close(): void;
}

export type OpenScratch = () => Scratch;

/** Values by key, of which a bounded number is in memory. */
export interface Spilled<T> {
  get(key: string): T | undefined;
  /** Also after a change of a value that `get` returned. */
  set(key: string, value: T): void;
  /** All values, about in the order in which they were first set. Set nothing meanwhile. */
  pages(): Iterable<readonly T[]>;
  close(): void;
}

const PAGE = 500;

/** Keeps the `kept` values in memory that were used last, and the others in a scratch table. */
export const createSpilled = <T>(open: OpenScratch, kept: number): Spilled<T> => {
  const scratch = open();
  const held = new Map<string, { value: T; isStored: boolean }>();

  const store = (key: string): void => {
    const { value, isStored } = held.get(key)!;
    if (!isStored) scratch.put(key, JSON.stringify(value));
  };
  const hold = (key: string, value: T, isStored: boolean): void => {
    held.delete(key);
    held.set(key, { value, isStored });
    if (held.size <= kept) return;
    const [oldest] = held.keys();
    store(oldest!);
    held.delete(oldest!);
  };

  return {
    get(key) {
      const known = held.get(key);
      if (known !== undefined) return known.value;
      const text = scratch.get(key);
      if (text === undefined) return undefined;
      const value = JSON.parse(text) as T;
      hold(key, value, true);
      return value;
    },
    set: (key, value) => hold(key, value, false),
    *pages() {
      for (const key of held.keys()) store(key);
      for (const texts of scratch.pages(PAGE)) yield texts.map((text) => JSON.parse(text) as T);
    },
    close() {
      held.clear();
      scratch.close();
    },
  };
};
