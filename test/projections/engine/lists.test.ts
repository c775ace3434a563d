import { expect } from 'chai';
import { defineProjection } from '../../../src/projections/define.ts';
import { createLists, ListsBusy, ListTooSlow } from '../../../src/projections/engine/lists.ts';
import type { Page } from '../../../src/projections/engine/reader.ts';
import type { Scan } from '../../../src/projections/views.ts';
import { until } from '../../support/until.ts';

const things = defineProjection<{ n: number }>({
  name: 'things',
  version: 1,
  indexes: [['n']],
  on: {},
});
const order = { field: 'n', direction: 'ascending' } as const;
const query = { where: {}, order, limit: 2 };

describe('lists', () => {
  /** Readings that wait for the test, oldest first. */
  const open: { scan: Scan; answer(page: Page<unknown>): void }[] = [];
  const refused: string[] = [];
  const createHeld = (bounds = {}, rest?: (ms: number) => Promise<void>) =>
    createLists({
      ...(rest && { rest }),
      reader: {
        scan: (_, scan, signal) =>
          new Promise((resolve, reject) => {
            open.push({ scan, answer: resolve as (page: Page<unknown>) => void });
            signal?.addEventListener('abort', () => reject(signal.reason));
          }),
      },
      bounds,
      onRefused: (owner, projection, reason) => refused.push(`${owner} ${projection} ${reason}`),
    });
  beforeEach(() => {
    open.length = refused.length = 0;
  });
  const turn = () => new Promise(setImmediate);
  const empty = { rows: [], next: null };

  it('lets one owner have two places of six, and the others theirs', async () => {
    const lists = createHeld();
    const busy = Array.from({ length: 5 }, () => lists.page('busy', things, query));
    await turn();
    expect(open).to.have.length(2);
    const other = lists.page('other', things, query);
    await turn();
    expect(open).to.have.length(3);
    open[2]!.answer(empty);
    expect(await other).to.equal(empty);
    for (const [at] of busy.entries()) {
      const asked = at < 2 ? at : at + 1;
      await until('the next is read', () => open.length > asked);
      open[asked]!.answer(empty);
    }
    expect(await Promise.all(busy)).to.deep.equal([empty, empty, empty, empty, empty]);
    expect(refused).to.deep.equal([]);
  });
  it('refuses what would wait beyond the bounds of one owner, or of all', async () => {
    const lists = createHeld({ waitingMax: 2, waitingOfAllMax: 3 });
    const page = (owner: string) => lists.page(owner, things, query).catch((error) => error);
    const all = ['a', 'a', 'a', 'a', 'a', 'b', 'b', 'b', 'b'].map(page);
    expect(await all[4])
      .to.be.instanceOf(ListsBusy)
      .with.property('retryAfterSeconds', 1);
    expect(await all[8], 'one of b waits, and then there are three').to.be.instanceOf(ListsBusy);
    expect(refused).to.deep.equal(['a things busy', 'b things busy']);
    for (let at = 0; at < 7; at += 1) {
      await until('the next is read', () => open.length > at);
      open[at]!.answer(empty);
    }
    expect(await all[3]).to.equal(empty);
  });
  it('stops a list that takes too long, and frees its place', async () => {
    const lists = createHeld({ timeMs: 200, places: 2 });
    const slow = await lists.page('a', things, query).catch((error) => error);
    expect(slow).to.be.instanceOf(ListTooSlow).with.property('retryAfterSeconds', 2);
    expect(refused).to.deep.equal(['a things slow']);
    const again = lists.page('a', things, query);
    await turn();
    open[1]!.answer(empty);
    expect(await again).to.equal(empty);
  });
  it('refuses a list whose turn does not come in time, and does not read it', async () => {
    const lists = createHeld({ timeMs: 50, places: 2 }, () => new Promise(() => undefined));
    const [first, second] = [1, 2].map(() => lists.page('a', things, query));
    await until('the first is read', () => open.length === 1);
    open[0]!.answer(empty);
    expect(await first).to.equal(empty);
    expect(await second!.catch((error) => error)).to.be.instanceOf(ListTooSlow);
    expect(refused).to.deep.equal(['a things slow']);
    expect(open).to.have.length(1);
  });
  it('lets an owner who asks for more than its places rest between its lists', async () => {
    const rests: (() => void)[] = [];
    const lists = createHeld({ places: 2 }, () => new Promise((resolve) => rests.push(resolve)));
    const [first, second] = [1, 2].map(() => lists.page('a', things, query));
    await until('the first is read', () => open.length === 1);
    open[0]!.answer(empty);
    expect(await first, 'is answered at once').to.equal(empty);
    const other = lists.page('b', things, query);
    await until('that of another owner is read', () => open.length === 2);
    expect(rests).to.have.length(1);
    rests[0]!();
    await until('the second is read', () => open.length === 3);
    for (const { answer } of open) answer(empty);
    await Promise.all([second, other]);
    expect(rests, 'nothing waited behind these').to.have.length(1);
  });
  it('reads all of a list page by page, with the bounds of a page', async () => {
    const lists = createHeld({ rowsMax: 7, charactersMax: 8 });
    const where = { colour: 'red' };
    const whole = lists.all('a', things, { ...query, where, limit: 150 });
    await turn();
    const { rowsMax, charactersMax, limit } = open[0]!.scan;
    expect([rowsMax, charactersMax, limit]).to.deep.equal([7, 8, 100]);
    open[0]!.answer({ rows: [{ n: 1 }], next: 1 });
    await turn();
    expect(open[1]!.scan).to.deep.include({ where: { ...where, n: { gt: 1 } }, limit: 100 });
    open[1]!.answer({ rows: Array.from({ length: 100 }, (_, n) => ({ n })), next: 9 });
    await turn();
    expect(open[2]!.scan.limit, 'no more than was asked for').to.equal(49);
    open[2]!.answer({ rows: [{ n: 10 }], next: null });
    expect(await whole).to.have.length(102);
  });
  it('reads all of a list backwards where it is asked for so', async () => {
    const lists = createHeld();
    const descending = { field: 'n', direction: 'descending' } as const;
    const whole = lists.all('a', things, { ...query, order: descending, limit: 150 });
    await turn();
    open[0]!.answer({ rows: [{ n: 9 }], next: 9 });
    await turn();
    expect(open[1]!.scan).to.deep.include({ where: { n: { lt: 9 } } });
    open[1]!.answer(empty);
    expect(await whole).to.deep.equal([{ n: 9 }]);
  });
});
