import type { Fact } from '../../src/events/define.ts';
import { encode } from '../../src/events/index.ts';
import type { Meta, NewEvent } from '../../src/events/store.ts';
import { systemIds } from '../../src/shared/system.ts';
import { customer } from './subjects.ts';

/** Facts as the log takes them after the link with this hash, and the hash of the last link. */
export const stamped = (facts: readonly Fact[], before: string, metaOf: () => Meta) => {
  let chain = before;
  const events = facts.map((fact): NewEvent => {
    const stored = encode(fact, metaOf(), { subjects: [customer], chain });
    chain = stored.link?.hash ?? chain;
    return { id: systemIds.uuid(), ...stored };
  });
  return { events, chain };
};
