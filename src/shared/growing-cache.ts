import { LRUCache } from 'lru-cache';

/**
 * A cache of at most `max` entries, without those that were used longest ago. It takes memory as it
 * fills; with the library's own `max`, room for all entries is allocated at once, some ms for 20,000.
 */
export const createGrowingCache = <Key extends {}, Value extends {}>(
  max: number,
): LRUCache<Key, Value> => new LRUCache({ maxSize: max, sizeCalculation: () => 1 });
