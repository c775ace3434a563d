import { expect } from 'chai';
import { sourcesOf } from '../../../src/commands/webhooks/sources.ts';
import type { KnownEvent } from '../../../src/events/index.ts';

const stream = 'message-1';
const event = (type: string, revision: number, data: object, meta: object = {}) =>
  ({
    id: `e-${revision}`,
    type,
    stream,
    revision,
    position: `p${revision}`,
    meta,
    data: { accountId: 'acc_1', contactRef: 'c-1', ...data },
  }) as unknown as KnownEvent;

const deps = (change: object = {}) =>
  ({
    log: { read: async () => [] },
    lookups: { templates: async () => [], numbersOfWaba: async () => [] },
    wants: () => true,
    ...change,
  }) as never;
const told = async (one: KnownEvent, change: object = {}) =>
  (await sourcesOf(one, deps(change))).map(({ accountId, source }) => [
    accountId,
    source.topic,
    source.eventId,
    source.asOf,
  ]);

/** The account of the events is told this, as it was then. */
const own = (topic: string, eventId: string, asOf?: number) => ['acc_1', topic, eventId, asOf];

describe('whom an event is told to', () => {
  it('is the account of the message, for the statuses that have a topic', async () => {
    const status = (name: string) => event('StatusUpdated', 1, { status: name });
    expect(await told(status('delivered'))).to.deep.equal([own('message.delivered', 'e-1')]);
    expect(await told(status('sent'))).to.deep.equal([]);
  });

  it('of a record, also what its statuses before it had told nobody', async () => {
    const log = {
      read: async () => [
        event('StatusUpdated', 0, { status: 'delivered', contactRef: 'as-shown' }),
        event('StatusUpdated', 1, { status: 'sent' }),
      ],
    };
    const sent = event('MessageSent', 2, {});
    const both = [own('message.sent', 'e-2'), own('message.delivered', 'e-0', 2)];
    expect(await told(sent, { log })).to.deep.equal(both);
    const keys = (await sourcesOf(sent, deps({ log }))).map(({ source }) => source.orderKey);
    expect(keys).to.deep.equal(['c-1', 'c-1']);
    expect(await told(sent, { log, wants: () => false })).to.have.length(1);
    expect(await told(event('MessageSent', 0, {}))).to.have.length(1);
  });

  it('of a template, is its owner, or all accounts of the business account', async () => {
    const template = event('TemplateStatusChanged', 3, { wabaId: 'w', name: 'n', language: 'en' });
    const row = (accountId: string | null) => async () => [{ language: 'en', accountId }];
    const numbersOfWaba = async () =>
      ['acc_1', 'acc_2', 'acc_1'].map((accountId) => ({ accountId }));
    const accounts = async (owner: string | null) => {
      const lookups = { templates: row(owner), numbersOfWaba };
      return (await told(template, { lookups })).map(([account]) => account);
    };
    expect(await accounts('acc_2')).to.deep.equal(['acc_2']);
    expect(await accounts(null)).to.deep.equal(['acc_1', 'acc_2']);
  });

  it('of a scheduled send, where it was refused', async () => {
    const refused = event('ScheduleEnded', 6, { state: 'refused' });
    expect(await told(refused)).to.deep.equal([own('scheduled.refused', 'e-6')]);
    expect(await told(event('ScheduleEnded', 6, { state: 'sent' }))).to.deep.equal([]);
  });

  it('of a job, once it is over, and where the service has paused it', async () => {
    const paused = (reason: string | null) => event('JobPaused', 6, { reason });
    expect(await told(event('JobFinished', 6, {}))).to.deep.equal([own('job.finished', 'e-6')]);
    expect(await told(paused('MAX_AMOUNT'))).to.deep.equal([own('job.paused', 'e-6')]);
    expect(await told(paused(null))).to.deep.equal([]);
  });

  it('of a pause alone where limits are set, and of a number the account that has it', async () => {
    expect(await told(event('LimitsSet', 4, { paused: false }))).to.deep.equal([]);
    expect(await told(event('LimitsSet', 4, { paused: true }))).to.have.length(1);
    const read = event('PhoneProfileRead', 5, {}, { accountId: 'acc_3' });
    expect((await told(read))[0]![0]).to.equal('acc_3');
  });
});
