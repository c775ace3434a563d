import { expect } from 'chai';
import fc from 'fast-check';
import { firstPast, firstRevision, logPages, streamPages } from '../../src/events/paging.ts';
import { type EventReader, READ_MAX, type Recorded, START } from '../../src/events/store.ts';

const positionOf = (number: number) => String(number).padStart(6, '0');

const eventAt = (revision: number) =>
  ({ stream: 's-1', revision, position: positionOf(revision + 1) }) as unknown as Recorded;

/** A log with one stream, which notes each read; a `readAll` finds only each `every`th event ours. */
const logOf = (count: number, { every = 1 } = {}) => {
  const all = Array.from({ length: count }, (_, revision) => eventAt(revision));
  const reads: number[] = [];
  const log: Pick<EventReader, 'read' | 'readAll'> = {
    async read(_, { from, direction = 'forwards', limit = READ_MAX } = {}) {
      reads.push(limit);
      if (limit > READ_MAX || (from ?? 0) < 0) throw new Error('out of the bounds of the port');
      if (direction === 'forwards') return all.slice(from ?? 0).slice(0, limit);
      return all
        .slice(0, (from ?? count) + 1)
        .toReversed()
        .slice(0, limit);
    },
    async readAll(position, limit) {
      const after = all.filter((event) => event.position > position).slice(0, limit);
      const events = after.filter(({ revision }) => revision % every === 0);
      return { events, to: after.at(-1)?.position ?? position };
    },
  };
  return { log, all, reads };
};

const sizes = fc.record({ count: fc.nat(40), pageSize: fc.integer({ min: 1, max: 12 }) });
const revisionsOf = (pages: readonly (readonly Recorded[])[]) =>
  pages.flat().map(({ revision }) => revision);

describe('Paging a stream', () => {
  it('gives every event from a revision on, in order, in full pages', async () => {
    const property = fc.asyncProperty(sizes, fc.nat(45), async ({ count, pageSize }, from) => {
      const { log, all } = logOf(count);
      const pages = await Array.fromAsync(streamPages(log, 's-1', { from, pageSize }));
      expect(pages.flat()).to.deep.equal(all.slice(from));
      for (const page of pages.slice(0, -1)) expect(page).to.have.length(pageSize);
      for (const page of pages) expect(page).not.to.deep.equal([]);
    });
    await fc.assert(property);
  });

  it('reads backwards to the first event', async () => {
    const property = fc.asyncProperty(sizes, fc.nat(39), async ({ count, pageSize }, at) => {
      const from = Math.min(at, count - 1);
      const { log, all } = logOf(count);
      const paging = { from, direction: 'backwards', pageSize } as const;
      const pages = await Array.fromAsync(streamPages(log, 's-1', paging));
      expect(pages.flat()).to.deep.equal(all.slice(0, from + 1).toReversed());
    });
    await fc.assert(property);
  });

  it('reads no more than asked for', async () => {
    const { log, reads } = logOf(100);
    const paging = { from: 5, eventsMax: 7, pageSize: 3 };
    const pages = await Array.fromAsync(streamPages(log, 's-1', paging));
    expect(revisionsOf(pages)).to.deep.equal([5, 6, 7, 8, 9, 10, 11]);
    expect(reads).to.deep.equal([3, 3, 1]);
  });

  it('never asks for a larger page than a store gives, and so never ends too early', async () => {
    const { log, all } = logOf(READ_MAX + 5);
    const pages = await Array.fromAsync(streamPages(log, 's-1', { pageSize: 10 * READ_MAX }));
    expect(pages.flat()).to.have.length(all.length);
  });

  it('lets other work run between two pages', async () => {
    const { log } = logOf(4);
    const order: string[] = [];
    setImmediate(() => order.push('other work'));
    for await (const [first] of streamPages(log, 's-1', { pageSize: 2 })) {
      order.push(`page ${first!.revision}`);
    }
    expect(order).to.deep.equal(['page 0', 'other work', 'page 2']);
  });
});

describe('Paging the log', () => {
  it('gives every event after a position, past pages that hold none', async () => {
    const property = fc.asyncProperty(sizes, fc.nat(45), async ({ count, pageSize }, skip) => {
      const { log, all } = logOf(count, { every: 7 });
      const pages = await Array.fromAsync(logPages(log, positionOf(skip), { pageSize }));
      const expected = all.slice(skip).filter(({ revision }) => revision % 7 === 0);
      expect(pages.flatMap(({ events }) => events)).to.deep.equal(expected);
    });
    await fc.assert(property);
  });

  it('ends exactly at a position, also where the log ends before it', async () => {
    const property = fc.asyncProperty(sizes, fc.nat(45), async ({ count, pageSize }, end) => {
      const { log, all } = logOf(count, { every: 2 });
      const upTo = positionOf(end);
      const pages = await Array.fromAsync(logPages(log, START, { upTo, pageSize }));
      const expected = all.slice(0, end).filter(({ revision }) => revision % 2 === 0);
      expect(pages.flatMap(({ events }) => events)).to.deep.equal(expected);
      expect(pages.at(-1)?.to).to.equal(upTo);
    });
    await fc.assert(property);
  });

  it('reads nothing from a position that is already reached', async () => {
    const { log } = logOf(3);
    const pages = logPages(log, positionOf(2), { upTo: positionOf(2) });
    expect(await Array.fromAsync(pages)).to.deep.equal([]);
  });
});

describe('Halving a stream', () => {
  it('finds the first event that is past, or the end', async () => {
    const property = fc.asyncProperty(fc.nat(40), fc.nat(45), async (count, first) => {
      const { log } = logOf(count);
      const found = await firstRevision(log, 's-1', ({ revision }) => revision >= first);
      expect(found).to.equal(Math.min(first, count));
    });
    await fc.assert(property);
  });

  it('finds the same place in a longer stream, also where some events are not in order', async () => {
    const flags = fc.array(fc.boolean(), { maxLength: 40 });
    const property = fc.asyncProperty(flags, fc.nat(40), async (past, more) => {
      const isPast = ({ revision }: { revision: number }) => past[revision] ?? true;
      const found = await firstRevision(logOf(past.length).log, 's-1', isPast);
      const again = await firstRevision(logOf(past.length + more).log, 's-1', isPast);
      expect(again).to.equal(found);
    });
    await fc.assert(property);
  });
});

describe('the first item that is past', () => {
  for (const count of [0, 1, 2, 7, 8, 9]) {
    it(`is found wherever it stands among ${count}, and after all when there is none`, () => {
      const items = Array.from({ length: count }, (_, index) => index);
      for (let first = 0; first <= count; first += 1) {
        expect(firstPast(items, (item) => item >= first)).to.equal(first);
      }
    });
  }
});
