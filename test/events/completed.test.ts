import { expect } from 'chai';
import { chargeOf, complete, completed } from '../../src/events/completed.ts';
import type { KnownEvent } from '../../src/events/index.ts';
import { type EventReader, interestIn, type Recorded, UNREADABLE } from '../../src/events/store.ts';
import {
  recorded,
  reserved,
  sent,
  type Written,
  withData,
  written,
} from '../support/projections-facts.ts';

const ACCOUNT = 'acc_1';
const filler = (stream: string, type: string): Written =>
  written(stream, { type, data: { refs: [] } });
const charge = (revision: number) => reserved(ACCOUNT, { revision });
const message = (revision: number) => {
  const { charge: _, ...record } = sent(`m${revision}`, ACCOUNT, { revision });
  return record;
};

/** A log whose account has events at revision 0 and 1, and charges from revision 2 on. */
const open = (facts: readonly Written[]) => {
  const events = recorded([
    filler(`account-${ACCOUNT}`, 'AccountOpened'),
    filler(`account-${ACCOUNT}`, 'CreditsGranted'),
    ...facts,
  ]);
  const reads: unknown[] = [];
  const batches = (size: number) =>
    Array.from({ length: Math.ceil(events.length / size) }, (_, index) =>
      events.slice(index * size, (index + 1) * size),
    );
  const log = {
    async read(stream: string, options: { from: number; limit: number }) {
      reads.push([stream, options]);
      return events.filter((one) => one.stream === stream && one.revision === options.from);
    },
    async readAll(position: string, limit: number) {
      const page = events.filter((one) => one.position > position).slice(0, limit);
      return { events: page, to: page.at(-1)?.position ?? position };
    },
    async *follow(_: string, __: AbortSignal, interest?: ReadonlyMap<string, number>) {
      for (const batch of batches(2)) {
        const asked = batch.filter(({ type }) => !interest || interest.has(type));
        yield { events: asked, to: batch.at(-1)!.position };
      }
    },
  } as unknown as EventReader;
  return { log: completed(log), reads };
};

const followed = async (log: EventReader, interest?: readonly string[]): Promise<Recorded[]> => {
  const all: Recorded[] = [];
  const { signal } = new AbortController();
  for await (const { events } of log.follow('', signal, interest && interestIn(interest))) {
    all.push(...events);
  }
  return all;
};

const sentIn = (events: readonly Recorded[]) =>
  (events as readonly KnownEvent[]).filter((event) => event.type === 'MessageSent');
const chargesIn = (events: readonly Recorded[]) =>
  sentIn(events).map((event) => chargeOf(event).data.chargeId);

describe('records of sent messages with their charges', () => {
  it('take a charge that has just passed from memory, in a later batch too', async () => {
    const { log, reads } = open([charge(2), charge(3), message(3), message(2)]);
    expect(chargesIn(await followed(log))).to.deep.equal(['chg_acc_1_3', 'chg_acc_1_2']);
    expect(reads).to.deep.equal([]);
  });

  it('read another one where it was reserved, page by page or as the log is followed', async () => {
    const { log, reads } = open([charge(2), message(2)]);
    const { events } = await log.readAll('0000000000000003', 10);
    expect(chargesIn(events)).to.deep.equal(['chg_acc_1_2']);
    const where = ['account-acc_1', { from: 2, limit: 1 }];
    expect(reads).to.deep.equal([where]);
    expect(chargesIn(await followed(log, ['MessageSent']))).to.deep.equal(['chg_acc_1_2']);
    expect(reads).to.deep.equal([where, where]);
  });

  it('read a charge again once keys were destroyed after it', async () => {
    const erased = filler('destroyedkeys-all', 'ContactErased');
    const { log, reads } = open([charge(2), erased, message(2)]);
    expect(chargesIn(await followed(log))).to.deep.equal(['chg_acc_1_2']);
    expect(reads).to.have.length(1);
  });

  it('cannot be read without one', async () => {
    const { log } = open([charge(2), message(7)]);
    const last = (await followed(log)).at(-1);
    expect(last).to.include({ type: UNREADABLE, stream: 'message-acc_1.m7' });
    expect(last?.data).to.include({ type: 'MessageSent' });
    const [bare] = recorded([message(2)]) as unknown as [ReturnType<typeof sentIn>[0]];
    expect(() => chargeOf(bare)).to.throw('came without its charge');
  });

  const others = (count: number) =>
    Array.from({ length: count }, () => filler(`account-${ACCOUNT}`, 'CreditsGranted'));
  const unreadableIn = (events: readonly Recorded[]) =>
    events.filter(({ type }) => type === UNREADABLE).length;

  it('read a charge at the revision that its id ends with, in base 36', async () => {
    const { log, reads } = open([...others(33), charge(35), message(35)]);
    expect(chargesIn(await followed(log, ['MessageSent']))).to.deep.equal(['chg_acc_1_z']);
    expect(reads).to.deep.equal([['account-acc_1', { from: 35, limit: 1 }]]);
  });

  it('take no other event for their charge', async () => {
    const named = (chargeId: string) => withData(message(2), { chargeId });
    const { log, reads } = open([charge(2), named('chg_acc_2_2'), named('chg_acc_1_0')]);
    expect(unreadableIn(await followed(log, ['MessageSent']))).to.equal(2);
    expect(reads).to.have.length(2);
    const nameless = open([charge(2), named('chg_acc_1_?')]);
    expect(unreadableIn(await followed(nameless.log))).to.equal(1);
    expect(nameless.reads).to.deep.equal([]);
  });

  it('keep the last 4,096 charges in memory, and each until its message', async () => {
    const all = Array.from({ length: 4_097 }, (_, index) => charge(index + 2));
    const { log, reads } = open([...all, message(2), message(3), message(4_098)]);
    expect(chargesIn(await followed(log))).to.have.length(3);
    expect(reads).to.deep.equal([['account-acc_1', { from: 2, limit: 1 }]]);
    const again = open([charge(2), message(2), message(2)]);
    expect(chargesIn(await followed(again.log))).to.have.length(2);
    expect(again.reads).to.have.length(1);
  });

  it('are completed whatever their number in a page', async () => {
    const count = 40;
    const revisions = Array.from({ length: count }, (_, index) => index + 2);
    const { log } = open([...revisions.map(charge), ...revisions.map(message)]);
    const { events } = await log.readAll(recorded(others(count + 2)).at(-1)!.position, 100);
    expect(chargesIn(events)).to.deep.equal(
      revisions.map((revision) => `chg_acc_1_${revision.toString(36)}`),
    );
  });

  it('keep none in memory where destructions are not followed, or events are given', async () => {
    const { log, reads } = open([charge(2), message(2)]);
    await followed(log, ['ChargeReserved', 'MessageSent']);
    expect(reads).to.have.length(1);
    const { events } = await log.readAll('', 10);
    reads.length = 0;
    expect(chargesIn(await complete(log, events))).to.deep.equal(['chg_acc_1_2']);
    expect(reads).to.have.length(1);
  });

  it('leave other events as they are', async () => {
    const { log, reads } = open([charge(2), charge(3)]);
    const all = await followed(log);
    const types = ['AccountOpened', 'CreditsGranted', 'ChargeReserved', 'ChargeReserved'];
    expect(all.map(({ type }) => type)).to.deep.equal(types);
    expect(all.some((event) => 'charge' in event)).to.equal(false);
    expect(reads).to.deep.equal([]);
  });
});
