import { createDataSubjects } from '../../src/keys/data-subjects.ts';
import { createWrapping } from '../../src/keys/wrapping.ts';
import type { Clock } from '../../src/shared/clock.ts';
import { fixedClock } from './ambient.ts';
import { createMemoryKeys } from './key-store.ts';

/** The subjects of contacts with their data keys in memory. */
export const erasableSubjects = (clock: Clock = fixedClock()) => {
  const keys = createMemoryKeys().open();
  const wrapping = createWrapping(Buffer.alloc(32, 7));
  const subjects = createDataSubjects({ keys, wrapping, clock });
  /** Destroys what is held of these ids, as an erasure does. */
  const erase = async (accountId: string, ...ids: readonly string[]): Promise<void> => {
    const refs = await Promise.all(ids.map((id) => subjects.refOf(accountId, id)));
    const held = refs.filter((ref) => ref !== undefined);
    await keys.destroySubjects(held);
    subjects.ring.forget(held);
  };
  return { keys, subjects, erase };
};
