import { expect } from 'chai';
import type { Refused } from '../../../src/commands/inbound/dead-letters.ts';
import { createIngress, type TurnTimes } from '../../../src/commands/inbound/ingress.ts';
import { type Rejected, reasonOf } from '../../../src/commands/inbound/rejected.ts';
import { StoreUnavailable } from '../../../src/events/store.ts';
import { NotReached } from '../../../src/projections/engine/reader.ts';
import type { UnknownItem, WebhookItem } from '../../../src/provider/webhook/item.ts';
import { fixedClock } from '../../support/ambient.ts';

const unknown = (raw: string, reason = 'unreadable: no object'): UnknownItem => ({
  kind: 'unknown',
  field: 'messages',
  wabaId: '20',
  phoneNumberId: '10',
  reason,
  raw,
});
/** A status of the one message. */
const statusAs = (envelope: string | number) =>
  ({ kind: 'status', messageId: 'wamid.1', envelope }) as never;
const context = { requestId: 'r' };

/** An ingress that can take nothing in, and whose dead letters are kept by `keep`. */
const open = (
  keep: (letter: Refused) => Promise<void>,
  times: TurnTimes = {},
  number: () => Promise<undefined> = async () => undefined,
) =>
  createIngress({
    ...times,
    writer: {} as never,
    statuses: {} as never,
    contacts: {} as never,
    subjects: {} as never,
    secrets: {} as never,
    links: {} as never,
    lookups: { number, numbersOfWaba: async () => [] },
    deadLetters: { keep },
    clock: fixedClock(),
  });

describe('items of the provider', () => {
  it('are kept whole where they cannot be ingested', async () => {
    const kept: Refused[] = [];
    const ingress = open(async (letter) => void kept.push(letter));
    await ingress.ingestAll([unknown('a'), unknown('b', 'not handled: flows')], context);
    const place = { field: 'messages', wabaId: '20', phoneNumberId: '10' };
    const told = kept.map(({ error, ...rest }) => ({ ...rest, kind: (error as Rejected).kind }));
    expect(told).to.deep.equal([
      { ...place, raw: 'a', kind: 'unreadable' },
      { ...place, raw: 'b', kind: 'not_handled' },
    ]);
  });

  it('of one subject are ingested in their order', async () => {
    const order: string[] = [];
    const ingress = open(async ({ raw }) => {
      await new Promise(setImmediate);
      order.push(raw);
    });
    await ingress.ingestAll(['first', 'second', 'third'].map(statusAs), context);
    expect(order).to.deep.equal(['"first"', '"second"', '"third"']);
  });

  for (const [what, kinds] of Object.entries({
    'a message': ['status', 'message'],
    'a template': ['template_status', 'template_category', 'template_quality'],
    'a business account': ['phone_quality', 'account_update'],
  })) {
    it(`of ${what} are one subject, whatever they say of it`, async () => {
      const order: string[] = [];
      const ingress = open(async ({ field, raw }) => {
        // The later ones would overtake the earlier ones.
        for (let turn = 3 * Number(raw); turn < 9; turn += 1) await new Promise(setImmediate);
        order.push(field);
      });
      const of = { wabaId: '20', messageId: 'wamid.1', metaTemplateId: '30', at: null };
      const items = kinds.map((kind, envelope) => ({ ...of, kind, envelope }) as never);
      await ingress.ingestAll(items, context);
      expect(order).to.deep.equal(kinds);
    });
  }

  /** Holds every item until the test lets it go on. */
  const openHeld = (times?: TurnTimes) => {
    const held: { wabaId: string | null; goOn: () => void }[] = [];
    const keep = ({ wabaId }: Refused) =>
      new Promise<void>((goOn) => void held.push({ wabaId, goOn }));
    const takeIn = (wabaId: string, count: number) =>
      ingress.ingestAll(
        Array.from({ length: count }, (_, i) => ({ ...unknown(`${wabaId} ${i}`), wabaId })),
        context,
      );
    const ingress = open(keep, times);
    const countOf = (wabaId: string) => held.filter((one) => one.wabaId === wabaId).length;
    const goOn = () => {
      for (const one of held.splice(0)) one.goOn();
    };
    const goOnUntil = async (all: readonly Promise<unknown>[], look = (): unknown => undefined) => {
      let isDone = false;
      const finished = Promise.all(all).then(() => {
        isDone = true;
      });
      while (!isDone) {
        look();
        goOn();
        await new Promise(setImmediate);
      }
      await finished;
    };
    return { held, takeIn, countOf, goOn, goOnUntil };
  };

  it('row 40: of all webhooks are ingested 8 at a time, of one business account 6', async () => {
    const { held, takeIn, countOf, goOnUntil } = openHeld();
    const all = [takeIn('heavy', 40), takeIn('heavy', 40)];
    await new Promise(setImmediate);
    expect(countOf('heavy')).to.equal(6);
    all.push(takeIn('other', 40), takeIn('third', 40));
    await new Promise(setImmediate);
    expect([held.length, countOf('heavy')]).to.deep.equal([8, 6]);
    const counts = new Set<number>();
    await goOnUntil(all, () => counts.add(held.length));
    expect(Math.max(...counts)).to.equal(8);
  });

  it('row 40: of a small webhook do not wait for the items of a large one', async () => {
    const { takeIn, countOf, goOnUntil } = openHeld();
    const large = takeIn('heavy', 200);
    // Once it has taken what it may have.
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    const small = takeIn('small', 1);
    await new Promise(setImmediate);
    expect(countOf('small')).to.equal(1);
    await goOnUntil([large, small]);
  });

  it('row 40: that get no place in time fail, so that the provider sends them again', async () => {
    // No time passes but that of the waits: else the first webhook is too late itself on a busy machine.
    const { held, takeIn, goOn } = openHeld({ webhookMsMax: 20, monotonicMs: () => 0 });
    const stuck = takeIn('heavy', 6);
    const late = takeIn('heavy', 100).catch((thrown) => thrown);
    expect(await late).to.be.instanceOf(StoreUnavailable);
    expect(held).to.have.length(6);
    goOn();
    await stuck;
    const later = takeIn('heavy', 1);
    await new Promise(setImmediate);
    goOn();
    await later;
  });

  it('that cannot be read and say the same are kept once', async () => {
    const kept: string[] = [];
    const ingress = open(async ({ raw }) => void kept.push(raw));
    const items = ['a', 'b', 'a', 'a', 'b'].map((raw) => unknown(raw));
    await ingress.ingestAll(items, context);
    expect(kept).to.deep.equal(['a', 'b']);
  });

  it('row 40: in thousands let the event loop run other work, whether they differ or are one subject', async () => {
    const different = Array.from({ length: 2000 }, (_, index) => unknown(`${index}`));
    const repeated = Array.from({ length: 20_000 }, () => unknown('same'));
    const ofOne = different.map((_, envelope) => statusAs(envelope));
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

  /** Tries of 1,000 items of one account, each of which takes 5 s of a clock of the test. */
  const triesOfSlow = async (fails: boolean) => {
    let nowMs = 0;
    let tries = 0;
    const ingress = open(
      async () => {
        tries += 1;
        // Those that run side by side take these 5 s together.
        const endMs = 5_000 * Math.ceil(tries / 6);
        await new Promise(setImmediate);
        nowMs = Math.max(nowMs, endMs);
        if (fails) throw new NotReached(['numbers'], '7');
      },
      { monotonicMs: () => nowMs },
    );
    const items = Array.from({ length: 1_000 }, (_, index) => unknown(`${index}`));
    const error = await ingress.ingestAll(items, context).catch((thrown) => thrown);
    expect(error).to.be.instanceOf(fails ? NotReached : StoreUnavailable);
    return tries;
  };

  it('row 63: do not multiply the wait for read models that are behind', async () => {
    expect(await triesOfSlow(true)).to.be.within(6, 8);
  });

  it('row 63: are left to the provider once their webhook has taken 30 s', async () => {
    expect(await triesOfSlow(false)).to.be.within(30, 48);
  });

  it('of a dead letter are tried again, up to the first that is still refused', async () => {
    const ingress = open(async () => undefined);
    const failed = async (items: readonly WebhookItem[]) =>
      reasonOf((await ingress.retry(items, context))?.error);
    expect(await failed([unknown('a', 'not an object')])).to.equal('not an object');
    expect(await failed([])).to.equal('nothing in it could be read');
  });

  for (const away of [new StoreUnavailable('away'), new NotReached(['numbers'], '7')]) {
    it(`row 63: are left to the provider, and are no dead letters, after ${away.name}`, async () => {
      const kept: unknown[] = [];
      const keep = async (letter: Refused) => void kept.push(letter);
      const ingress = open(keep, {}, () => Promise.reject(away));
      const item = { kind: 'status', phoneNumberId: '10', at: '2026-11-21T12:00:00.000Z' } as never;
      for (const work of [ingress.ingestAll([item], context), ingress.retry([item], context)]) {
        expect(await work.catch((thrown) => thrown)).to.equal(away);
      }
      expect(kept).to.deep.equal([]);
    });
  }
});
