import { expect } from 'chai';
import type { Refused } from '../../../src/commands/inbound/dead-letters.ts';
import { createIngress } from '../../../src/commands/inbound/ingress.ts';
import { StoreUnavailable } from '../../../src/events/store.ts';
import type { UnknownItem, WebhookItem } from '../../../src/provider/webhook/item.ts';
import { fixedClock } from '../../support/ambient.ts';

const unknown = (raw: string, reason = 'unreadable: no object'): UnknownItem => ({
  ...{ kind: 'unknown', field: 'messages', wabaId: '20', phoneNumberId: '10' },
  ...{ reason, raw },
});
const context = { requestId: 'r' };

/** An ingress that can take nothing in, and whose dead letters are kept by `keep`. */
const open = (keep: (letter: Refused) => Promise<void>) =>
  createIngress({
    writer: {} as never,
    statuses: {} as never,
    links: {} as never,
    lookups: { number: async () => undefined, numbersOfWaba: async () => [] },
    deadLetters: { keep },
    clock: fixedClock(),
  });

describe('items of the provider', () => {
  it('are kept whole where they cannot be ingested', async () => {
    const kept: Refused[] = [];
    const ingress = open(async (letter) => void kept.push(letter));
    await ingress.ingestAll([unknown('a'), unknown('b', 'not handled: flows')], context);
    const place = { field: 'messages', wabaId: '20', phoneNumberId: '10' };
    expect(
      kept.map(({ error, ...rest }) => [rest, (error as { kind: string }).kind]),
    ).to.deep.equal([
      [{ ...place, raw: 'a' }, 'unreadable'],
      [{ ...place, raw: 'b' }, 'not_handled'],
    ]);
  });

  it('of different subjects are ingested 64 at a time, those of one in their order', async () => {
    let running = 0;
    let most = 0;
    const order: string[] = [];
    const ingress = open(async ({ field, raw }) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      if (field === 'status') order.push(raw);
      running -= 1;
    });
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => unknown(`${index}`));
    await ingress.ingestAll(many(64), context);
    expect(most).to.equal(64);
    await ingress.ingestAll(many(200), context);
    expect(most).to.equal(64);
    const same = ['first', 'second', 'third'].map(
      (envelope) => ({ kind: 'status', messageId: 'wamid.1', envelope }) as never,
    );
    most = 0;
    await ingress.ingestAll(same, context);
    expect([most, order]).to.deep.equal([1, ['"first"', '"second"', '"third"']]);
  });

  it('that cannot be read and say the same are kept once', async () => {
    const kept: string[] = [];
    const ingress = open(async ({ raw }) => void kept.push(raw));
    await ingress.ingestAll(
      ['a', 'b', 'a', 'a', 'b'].map((raw) => unknown(raw)),
      context,
    );
    expect(kept).to.deep.equal(['a', 'b']);
  });

  it('in thousands let the event loop run other work, whether they differ or are one subject', async () => {
    const different = Array.from({ length: 2000 }, (_, index) => unknown(`${index}`));
    const repeated = Array.from({ length: 20_000 }, () => unknown('same'));
    const ofOne = different.map(
      (_, envelope) => ({ kind: 'status', messageId: 'wamid.1', envelope }) as never,
    );
    const ingress = open(async () => undefined);
    const turnsOf = async (items: readonly WebhookItem[]) => {
      let turns = 0;
      const count = () => {
        turns += 1;
        next = setImmediate(count);
      };
      let next = setImmediate(count);
      await ingress.ingestAll(items, context);
      clearImmediate(next);
      return turns;
    };
    expect(await turnsOf(different)).to.be.at.least(30);
    expect(await turnsOf(repeated)).to.be.at.least(70);
    expect(await turnsOf(ofOne)).to.be.at.least(7);
  });

  it('are all tried, and fail together where one cannot be stored', async () => {
    const kept: string[] = [];
    const ingress = open(async ({ raw }) => {
      if (raw === '3' || raw === '70') throw new StoreUnavailable(`away at ${raw}`);
      kept.push(raw);
    });
    const items = Array.from({ length: 100 }, (_, index) => unknown(`${index}`));
    const error = await ingress.ingestAll(items, context).catch((thrown) => thrown);
    expect(error).to.be.instanceOf(StoreUnavailable);
    expect(error.message).to.equal('away at 3');
    expect(kept).to.have.length(98);
  });

  it('of a dead letter are tried again, up to the first that is still refused', async () => {
    const ingress = open(async () => undefined);
    const reason = 'x'.repeat(600);
    expect(await ingress.retry([unknown('a', reason)], context)).to.equal('x'.repeat(500));
    expect(await ingress.retry([], context)).to.equal('nothing in it could be read');
  });

  it('are left to the provider, and are no dead letters, where the store is away', async () => {
    const kept: unknown[] = [];
    const ingress = createIngress({
      ...{ writer: {} as never, statuses: {} as never, links: {} as never },
      lookups: {
        number: () => Promise.reject(new StoreUnavailable('away')),
        numbersOfWaba: async () => [],
      },
      deadLetters: { keep: async (letter) => void kept.push(letter) },
      clock: fixedClock(),
    });
    const item = { kind: 'status', phoneNumberId: '10', at: '2026-11-21T12:00:00.000Z' } as never;
    for (const work of [ingress.ingestAll([item], context), ingress.retry([item], context)]) {
      expect(await work.catch((thrown) => thrown)).to.be.instanceOf(StoreUnavailable);
    }
    expect(kept).to.deep.equal([]);
  });
});
