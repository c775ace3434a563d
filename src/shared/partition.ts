const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** A hash of 32 bits (FNV-1a over UTF-16 units): the same in every process and version. */
const hashOf = (text: string): number => {
  let hash = FNV_OFFSET;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  }
  // The lower bits of FNV-1a alone spread badly over small counts.
  return (hash ^ (hash >>> 16)) >>> 0;
};

/** The partition, of so many, that all work on a unit, such as an account, belongs to. */
export const partitionOf = (unit: string, count: number): number =>
  count === 1 ? 0 : hashOf(unit) % count;
