import { expect } from 'chai';
import {
  AppendTooLarge,
  type EventStore,
  NO_STREAM,
  UNREADABLE,
  WrongRevision,
} from '../../src/events/store.ts';
import { created, createdMany, freshStream, idsOf, outcomeOf } from './store-events.ts';

/** What an append promises. */
export const appendContract = (store: () => EventStore): void => {
  it('gives back what was appended, with its place', async () => {
    const stream = freshStream();
    const event = created();
    const appended = await store().append(stream, NO_STREAM, [event]);
    expect(appended.revision).to.equal(0);
    const [read] = await store().read(stream);
    expect(read).to.deep.equal({ ...event, stream, revision: 0, position: appended.position });
  });

  it('appends several events as one, and answers with the last', async () => {
    const stream = freshStream();
    const appended = await store().append(stream, NO_STREAM, createdMany(3));
    expect(appended.revision).to.equal(2);
    const read = await store().read(stream);
    expect(read.map(({ revision }) => revision)).to.deep.equal([0, 1, 2]);
    expect(read[2]?.position).to.equal(appended.position);
  });

  it('refuses a wrong revision and writes nothing of it', async () => {
    const stream = freshStream();
    await store().append(stream, NO_STREAM, createdMany(2));
    for (const expected of [NO_STREAM, 0, 2, 7]) {
      const error = await outcomeOf(store().append(stream, expected, createdMany(2)));
      expect(error, `expected ${expected}`).to.be.instanceOf(WrongRevision);
      expect(error).to.include({ stream, expected });
    }
    expect(await store().read(stream)).to.have.length(2);
  });

  it('refuses any revision but NO_STREAM for a stream that is not there', async () => {
    const stream = freshStream();
    const error = await outcomeOf(store().append(stream, 0, [created()]));
    expect(error).to.be.instanceOf(WrongRevision);
    expect(await store().read(stream)).to.deep.equal([]);
  });

  for (const count of [2, 20]) {
    it(`lets exactly one of ${count} rivals win`, async () => {
      const stream = freshStream();
      const rivals = Array.from({ length: count }, () => [created(), created()]);
      const errors = await Promise.all(
        rivals.map((events) => outcomeOf(store().append(stream, NO_STREAM, events))),
      );
      const losers = errors.filter((error) => error !== undefined);
      expect(losers).to.have.length(count - 1);
      for (const error of losers) expect(error).to.be.instanceOf(WrongRevision);
      const winner = rivals[errors.indexOf(undefined)] ?? [];
      expect(idsOf(await store().read(stream))).to.deep.equal(idsOf(winner));
    });
  }
};

/** An append whose answer was lost can be sent again. */
export const repeatContract = (store: () => EventStore): void => {
  it('resolves a repeated append as the first, also when the stream has gone on', async () => {
    const stream = freshStream();
    const events = createdMany(2);
    const first = await store().append(stream, NO_STREAM, events);
    expect(await store().append(stream, NO_STREAM, events)).to.deep.equal(first);
    await store().append(stream, 1, [created()]);
    expect(await store().append(stream, NO_STREAM, events)).to.deep.equal(first);
    expect(await store().read(stream)).to.have.length(3);
  });

  it('does an append that is sent twice at the same time once', async () => {
    const stream = freshStream();
    const events = createdMany(2);
    const twice = [0, 1].map(() => store().append(stream, NO_STREAM, events));
    const [one, other] = await Promise.all(twice);
    expect(one).to.deep.equal(other);
    expect(await store().read(stream)).to.have.length(2);
  });

  it('treats an append as repeated only when all of its events are stored in order', async () => {
    const stream = freshStream();
    const [a, b, c] = [created(), created(), created()];
    await store().append(stream, NO_STREAM, [a, b]);
    for (const events of [[a, c], [b, a], [b], [a, b, c]]) {
      const error = await outcomeOf(store().append(stream, NO_STREAM, events));
      expect(error).to.be.instanceOf(WrongRevision);
    }
  });
};

/** What an event may hold. */
export const contentContract = (store: () => EventStore): void => {
  it('keeps 900 KB and refuses more than 1 MiB as too large', async () => {
    const stream = freshStream();
    const large = created('é'.repeat(450_000));
    await store().append(stream, NO_STREAM, [large]);
    const half = created('x'.repeat(600_000));
    const error = await outcomeOf(store().append(stream, 0, [half, { ...half, id: large.id }]));
    expect(error).to.be.instanceOf(AppendTooLarge);
    const read = await store().read(stream);
    expect(read.map(({ data }) => data)).to.deep.equal([large.data]);
  });

  it('keeps every character', async () => {
    const stream = freshStream();
    const name = 'नमस्ते 👩‍👩‍👧 "quoted" \\ \u0000 \u2028 é e\u0301 \u{10ffff}';
    await store().append(stream, NO_STREAM, [created(name), created('a\ud800b')]);
    const read = await store().read(stream);
    const [plain, lone] = read.map(({ data }) => (data as { name: string }).name);
    expect(plain).to.equal(name);
    expect(lone === 'a\ud800b' || lone!.isWellFormed()).to.equal(true);
  });

  it('shows fields that were added to a money event', async () => {
    const stream = freshStream();
    const link = {
      accountId: 'a-1',
      entryId: 'led_1',
      amount: 5,
      balanceAfter: 5,
      sequence: 1,
      at: '2026-11-21T12:00:00.000Z',
      reason: null,
      grantedBy: { id: 'adm_1', email: 'asha@example.com', name: 'Asha Rao' },
    };
    const more = { ...link, grantedBy: { ...link.grantedBy, note: 'added' } };
    const beside = { previousHash: '0'.repeat(64), hash: '1'.repeat(64) };
    const kind = { type: 'CreditsGranted', version: 2, link: beside };
    const granted = (data: object) => ({ ...created(), ...kind, data });
    await store().append(stream, NO_STREAM, [granted(link), granted(more)]);
    const [whole, changed] = await store().read(stream);
    expect(whole?.data).to.deep.equal({ ...link, ...beside });
    expect(whole?.link).to.deep.equal(beside);
    expect(whole?.asStored?.data).to.deep.equal(link);
    expect(changed?.data).to.deep.equal({ ...link, ...beside });
    expect(changed?.asStored?.data).to.deep.equal(more);
  });

  it('stores events that it cannot read, and returns them as unreadable with the reason', async () => {
    const stream = freshStream();
    const unknown = { ...created(), type: 'NeverDefined' };
    const newer = { ...created(), version: 99 };
    const misshapen = { ...created(), data: { name: 7 } };
    await store().append(stream, NO_STREAM, [unknown, newer, misshapen, created()]);
    const read = await store().read(stream);
    const types = read.map(({ type }) => type);
    expect(types).to.deep.equal([UNREADABLE, UNREADABLE, UNREADABLE, 'OrganisationCreated']);
    const told = read.map(({ data }) => data as { type: string; reason: string; raw: unknown });
    expect(told[0]).to.deep.include({ type: 'NeverDefined', raw: unknown.data });
    expect(told[1]).to.include({ type: 'OrganisationCreated' });
    expect(told[1]!.reason).to.match(/99/);
    expect(told[2]!.reason).to.match(/organisationId/);
  });
};
