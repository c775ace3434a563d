import { expect } from 'chai';
import { createLiveBuffer } from '../../../src/events/sqlite/live-buffer.ts';
import type { AppendJob } from '../../../src/events/sqlite/protocol.ts';
import { interestIn } from '../../../src/events/store.ts';
import { created } from '../../contract/store-events.ts';

const append = (stream: string, names: readonly string[]): AppendJob => ({
  kind: 'append',
  stream,
  expected: -1,
  rows: names.map((name) => {
    const { data, meta, ...event } = created(name);
    return { ...event, data: JSON.stringify(data), meta: JSON.stringify(meta) };
  }),
});

const CREATED = interestIn(['OrganisationCreated']);
const OPENED = interestIn(['AccountOpened']);
/** An event of a megabyte. */
const large = (stream: string) => append(stream, ['x'.repeat(1e6)]);

const watchingAll = () => {
  const buffer = createLiveBuffer();
  buffer.watch(undefined);
  return buffer;
};

const namesAfter = (buffer: ReturnType<typeof createLiveBuffer>, position: number): string[] =>
  (buffer.after(position, 100)?.events ?? []).map(({ data }) => (data as { name: string }).name);

describe('the live buffer', () => {
  it('holds the events after a position, up to a limit', () => {
    const buffer = watchingAll();
    buffer.push(append('organisation-1', ['a', 'b']), 2);
    buffer.push(append('organisation-2', ['c']), 3);
    expect(buffer.head()).to.equal(3);
    expect(namesAfter(buffer, 0)).to.deep.equal(['a', 'b', 'c']);
    expect(namesAfter(buffer, 1)).to.deep.equal(['b', 'c']);
    expect(buffer.after(1, 1)?.events).to.have.length(1);
    expect(buffer.after(3, 1)?.events).to.deep.equal([]);
    expect(buffer.after(0, 2)?.events[1]).to.include({ stream: 'organisation-1', revision: 1 });
  });

  it('leaves out other types, and says how far it has looked', () => {
    const buffer = watchingAll();
    buffer.push(append('organisation-1', ['a', 'b']), 2);
    expect(buffer.after(0, 100, OPENED)).to.deep.equal({ events: [], count: 2, to: 2 });
    expect(buffer.after(0, 100, CREATED)?.events).to.have.length(2);
  });

  it('does not change with a repeated append', () => {
    const buffer = watchingAll();
    buffer.push(append('organisation-1', ['a', 'b']), 2);
    buffer.push(append('organisation-1', ['a', 'b']), 2);
    buffer.push(append('organisation-2', ['c']), 3);
    for (let i = 0; i < 20; i += 1) buffer.push(large('organisation-1'), 1);
    expect(namesAfter(buffer, 0)).to.deep.equal(['a', 'b', 'c']);
  });

  it('starts again at the end of the log after a reset', () => {
    const buffer = watchingAll();
    buffer.push(append('organisation-1', ['a', 'b']), 2);
    buffer.reset(4);
    expect(buffer.head()).to.equal(4);
    for (const position of [0, 2, 3]) expect(namesAfter(buffer, position)).to.deep.equal([]);
    buffer.push(append('organisation-2', ['e']), 5);
    expect(namesAfter(buffer, 4)).to.deep.equal(['e']);
    expect(namesAfter(buffer, 3)).to.deep.equal([]);
    for (let i = 6; i < 46; i += 2) {
      buffer.push(large('organisation-3'), i);
      buffer.reset(i + 1);
    }
    buffer.push(append('organisation-3', ['f'.repeat(1e6), 'g']), 47);
    expect(namesAfter(buffer, 45)).to.deep.equal(['f'.repeat(1e6), 'g']);
  });

  it('keeps only what a follower wants, from when it asks', () => {
    const buffer = createLiveBuffer();
    const late = new Map([['OrganisationCreated', 1]]);
    buffer.push(append('organisation-1', ['a', 'b']), 2);
    expect(buffer.after(2, 100, CREATED)).to.equal(undefined);
    buffer.watch(late);
    expect(buffer.after(0, 100, late)).to.equal(undefined);
    buffer.push(append('organisation-2', ['c', 'd']), 4);
    const seen = buffer.after(2, 100, late);
    expect(seen).to.include({ count: 2, to: 4 });
    expect(seen?.events.map(({ revision }) => revision)).to.deep.equal([1]);
    buffer.watch(CREATED);
    expect(buffer.after(2, 100, CREATED)).to.equal(undefined);
    buffer.push(append('organisation-3', ['e', 'f']), 6);
    expect(buffer.after(4, 100, CREATED)?.events).to.have.length(2);
    expect(buffer.after(4, 100, late)?.events).to.have.length(1);
    expect(buffer.after(4, 1, late)).to.deep.equal({ events: [], count: 1, to: 5 });
    expect(buffer.after(4, 100)).to.equal(undefined);
  });

  it('wakes only those that want an event, and the others once many have passed', async () => {
    const buffer = createLiveBuffer();
    for (const interest of [CREATED, OPENED]) buffer.watch(interest);
    const woken: (typeof CREATED)[] = [];
    const wait = async (interest: typeof CREATED) => {
      await buffer.changed(buffer.head(), new AbortController().signal, interest);
      woken.push(interest);
    };
    const both = [wait(CREATED), wait(OPENED)];
    buffer.push(append('organisation-1', ['a']), 1);
    await both[0];
    expect(woken).to.deep.equal([CREATED]);
    for (let position = 2; position <= 256; position += 1) {
      buffer.push(append('organisation-1', ['a']), position);
    }
    await both[1];
  });

  it('keeps no more for a follower that has ended', () => {
    const buffer = createLiveBuffer();
    const unwatch = buffer.watch(CREATED);
    buffer.watch(OPENED);
    buffer.watch(CREATED)();
    buffer.push(append('organisation-1', ['a']), 1);
    expect(buffer.after(0, 100, CREATED)?.events, 'another one goes on').to.have.length(1);
    unwatch();
    expect(buffer.after(0, 100, CREATED)).to.equal(undefined);
    for (let i = 2; i < 10; i += 1) buffer.push(large(`organisation-${i}`), i);
    expect(buffer.after(0, 100, OPENED), 'nothing was dropped').to.include({ count: 9, to: 9 });
  });

  it('drops events, oldest first, when they are too many or too large', () => {
    const many = watchingAll();
    for (let i = 1; i <= 1_900; i += 1) many.push(append('organisation-1', ['a']), i);
    expect(namesAfter(many, 800)).to.deep.equal([]);
    expect(namesAfter(many, 1_890)).to.have.length(10);
    expect(many.after(1_900 - 768, 1_024)?.events).to.have.length(768);

    const heavy = watchingAll();
    for (let i = 1; i <= 20; i += 1) heavy.push(large('organisation-1'), i);
    expect(heavy.after(15, 1)).to.equal(undefined);
    expect(heavy.after(17, 100)?.events).to.have.length(3);
  });
});
