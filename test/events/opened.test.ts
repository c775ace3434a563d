import { expect } from 'chai';
import { DeadLetterKept } from '../../src/events/dead-letter.ts';
import type { Fact } from '../../src/events/define.ts';
import { ContactErased, MonthsExpired } from '../../src/events/erasure.ts';
import { decode, encode, versionOf } from '../../src/events/index.ts';
import { type KeyRing, opened } from '../../src/events/opened.ts';
import type { DataSubject } from '../../src/events/personal.ts';
import {
  type EventReader,
  interestIn,
  type Recorded,
  START,
  UNREADABLE,
} from '../../src/events/store.ts';

const subject = (ref: string, month = '2026-11'): DataSubject => ({
  ref,
  month,
  key: new Uint8Array(32).fill(ref.charCodeAt(0)),
});
const [ann, bob] = [subject('ann'), subject('bob')];

const kept = ({ ref }: DataSubject, raw: string) =>
  DeadLetterKept.of({
    deadLetterId: 'dlq_1',
    field: 'messages',
    wabaId: null,
    phoneNumberId: null,
    accountId: 'acc',
    contactRefs: [ref],
    reason: 'unreadable',
    rawLength: raw.length,
    raw,
  });
const erased = (...refs: string[]) => ContactErased.of({ erasureId: 'ers_1', refs });
const expired = (through: string) => MonthsExpired.of({ accountId: 'acc', through });

const META = { at: '2026-11-22T10:00:00.000Z', requestId: 'req' };

/** Events as a log without keys reads them. */
const stored = (facts: readonly Fact[], subjects = [ann, bob]): Recorded[] =>
  facts.map((fact, index) =>
    decode({
      id: `e${index}`,
      type: fact.type,
      version: versionOf(fact.type),
      data: JSON.parse(JSON.stringify(encode(fact, META, { subjects, chain: '' }).data)),
      meta: META,
      stream: 's-1',
      revision: index,
      position: String(index).padStart(4, '0'),
    }),
  );

const logOf = (events: readonly Recorded[], asked: unknown[] = []): EventReader =>
  ({
    read: async () => [...events],
    readAll: async () => ({ events: [...events], to: 'end' }),
    async *follow(_position: string, _signal: AbortSignal, interest: unknown) {
      asked.push(interest);
      yield { events: [...events], to: 'end' };
    },
  }) as unknown as EventReader;

/** A ring over a store that still has these keys; memory holds what was loaded. */
const ringOf = (subjects: readonly DataSubject[]) => {
  const memory = new Map<string, Uint8Array>();
  const loads: string[][] = [];
  const ring: KeyRing = {
    async load(names) {
      loads.push(names.map(({ ref }) => ref));
      for (const { ref, month } of names) {
        const known = subjects.find((one) => one.ref === ref && one.month === month);
        if (known) memory.set(`${ref}.${month}`, known.key);
      }
    },
    find: (ref, month) => memory.get(`${ref}.${month}`),
    clear: async () => memory.clear(),
    forget: (refs) => {
      for (const name of memory.keys()) if (refs.includes(name.split('.')[0]!)) memory.delete(name);
    },
    forgetMonths: (_account, through) => {
      for (const name of memory.keys()) if (name.split('.')[1]! <= through) memory.delete(name);
    },
  };
  return { ring, loads, memory };
};

const rawOf = ({ data }: Recorded) => (data as { raw: string | null }).raw;
const rawsOf = (events: readonly Recorded[]) =>
  events.filter(({ type }) => type === DeadLetterKept.type).map(rawOf);
const signal = new AbortController().signal;

describe('a log that is opened', () => {
  it('shows personal fields, and loads the keys of a page at once', async () => {
    const events = stored([kept(ann, 'from Ann'), kept(bob, 'from Bob'), kept(ann, 'again')]);
    expect(rawsOf(events)).to.deep.equal([null, null, null]);
    const { ring, loads } = ringOf([ann, bob]);
    const read = await opened(logOf(events), ring).read('s-1');
    expect(rawsOf(read)).to.deep.equal(['from Ann', 'from Bob', 'again']);
    expect(read[0]).to.include({ sealedMonth: '2026-11' });
    expect(read[0]).not.to.have.any.keys('sealed', 'isErased');
    expect(loads).to.have.length(1);
    const { events: all } = await opened(logOf(events), ring).readAll(START, 10);
    expect(rawsOf(all)).to.deep.equal(rawsOf(read));
    expect(loads, 'further loads').to.have.length(1);
  });

  it('shows null for ever where the key was destroyed, and marks the event', async () => {
    const events = stored([kept(ann, 'from Ann'), kept(bob, 'from Bob')]);
    const read = await opened(logOf(events), ringOf([bob]).ring).read('s-1');
    expect(rawsOf(read)).to.deep.equal([null, 'from Bob']);
    expect(read[0]).to.include({ isErased: true, sealedMonth: '2026-11' });
    expect(read[1]).not.to.have.property('isErased');
  });

  it('keeps a key until its event is opened, also if the memory drops it meanwhile', async () => {
    const { ring, memory } = ringOf([ann, bob]);
    await ring.load([{ ref: 'ann', month: '2026-11' }]);
    const load = ring.load;
    ring.load = async (names) => {
      await load(names);
      memory.delete('ann.2026-11');
    };
    const events = stored([kept(ann, 'from Ann'), kept(bob, 'from Bob')]);
    const read = await opened(logOf(events), ring).read('s-1');
    expect(rawsOf(read)).to.deep.equal(['from Ann', 'from Bob']);
  });

  for (const [what, destruction] of [
    ['an erasure', erased('ann')],
    ['an expired month', expired('2026-11')],
  ] as const) {
    it(`forgets keys when it passes ${what}, before it opens later events`, async () => {
      const { ring } = ringOf([]);
      const inMemory = ringOf([ann]);
      await inMemory.ring.load([{ ref: 'ann', month: '2026-11' }]);
      // The store has destroyed the key; only the memory still has it.
      const both: KeyRing = { ...inMemory.ring, load: ring.load };
      const events = stored([kept(ann, 'before'), destruction, kept(ann, 'after')]);
      for await (const batch of opened(logOf(events), both).follow(START, signal)) {
        expect(rawsOf(batch.events)).to.deep.equal(['before', null]);
        expect(batch.events.map(({ type }) => type)[1]).to.equal(destruction.type);
      }
    });
  }

  it('passes destructions in every follower, and shows them to those that asked', async () => {
    const events = stored([kept(ann, 'before'), erased('ann'), kept(ann, 'after')]);
    const { ring } = ringOf([ann]);
    const asked: ReadonlyMap<string, number>[] = [];
    const log = opened(logOf(events, asked), ring);
    for await (const batch of log.follow(START, signal, interestIn([DeadLetterKept.type]))) {
      expect(batch.events.map(({ revision }) => revision)).to.deep.equal([0, 2]);
    }
    expect([...asked[0]!.keys()]).to.include.members([ContactErased.type, MonthsExpired.type]);
    const both = interestIn([DeadLetterKept.type, ContactErased.type]);
    for await (const batch of log.follow(START, signal, both)) {
      expect(batch.events.map(({ revision }) => revision)).to.deep.equal([0, 1, 2]);
    }
  });

  it('halts visibly at a sealed part that was changed', async () => {
    const [event] = stored([kept(ann, 'from Ann')]);
    const changed = { ...event!, sealed: `${event!.sealed!.slice(0, -6)}AAAAAA` };
    const [read] = await opened(logOf([changed]), ringOf([ann]).ring).read('s-1');
    expect(read!.type).to.equal(UNREADABLE);
    expect((read!.data as { reason: string }).reason).to.contain('was changed');
  });

  it('hands on pages without sealed parts as they are', async () => {
    const events = stored([expired('2026-10')]).map((event) => ({ ...event, type: 'BotChanged' }));
    const { ring, loads } = ringOf([]);
    expect(await opened(logOf(events), ring).read('s-1')).to.deep.equal(events);
    expect(loads).to.deep.equal([]);
  });
});
