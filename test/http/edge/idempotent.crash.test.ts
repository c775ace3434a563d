import { expect } from 'chai';
import nock from 'nock';
import { ABANDONED_AFTER_MS } from '../../../src/commands/idempotency/idempotency.ts';
import type { EventStore, NewEvent } from '../../../src/events/store.ts';
import { isoTime } from '../../../src/shared/clock.ts';
import { fixedClock } from '../../support/ambient.ts';
import { answered } from '../../support/answered.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { countCharges } from '../../support/surface.ts';
import {
  ADMIN_TOKEN,
  type Answer,
  type Json,
  onlyLoopback,
  openTenant,
  orderShipped,
  providerAccepts,
  startWaybill,
  type Tenant,
  type Waybill,
} from '../../support/waybill.ts';

const HOUR_MS = 3_600_000;

describe('a request whose process dies under it @long', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let clock: ReturnType<typeof fixedClock>;
  let first: Waybill;
  /** An append with such an event fails: the process died just before it. */
  let isLost: (event: NewEvent) => boolean;
  let running: Waybill | undefined;
  let tenant: Tenant;
  beforeEach(async () => {
    onlyLoopback();
    nock.cleanAll();
    folder = temporaryFolder();
    clock = fixedClock();
    running = undefined;
    isLost = () => false;
    const wrapStore = (store: EventStore): EventStore => ({
      ...store,
      async append(stream, expected, events) {
        if (events.some((event) => isLost(event))) throw new Error('the process has died');
        return store.append(stream, expected, events);
      },
    });
    first = await startWaybill({ directory: folder.path, clock, wrapStore });
    running = first;
    tenant = await openTenant(first, { templates: ['order_shipped'] });
  });
  afterEach(async () => {
    await running?.stop();
    folder.remove();
    nock.cleanAll();
    nock.enableNetConnect();
  });

  const restart = async () => {
    await running?.stop();
    // One among several, who cannot know that the first is dead.
    running = await startWaybill({ directory: folder.path, clock, soleWriter: false });
    return running;
  };
  const ask = (waybill: Waybill, path: string, body: unknown, key: string) => {
    const headers = { 'idempotency-key': key };
    return waybill.call('POST', path, { token: tenant.apiKey, body, headers });
  };
  /** From now on the log takes no answer of a request; the returned function counts them. */
  const keepsNoAnswer = () => {
    let lost = 0;
    isLost = ({ type }) => {
      if (type === 'RequestAnswered') lost += 1;
      return type === 'RequestAnswered';
    };
    return () => lost;
  };

  it('continues a batch: no recipient twice, none left out', async () => {
    const list = Array.from({ length: 60 }, (_, index) => ({ to: `+9198000${10_000 + index}` }));
    list[59] = list[0]!;
    const body = { event: 'order_shipped', recipients: list };
    const batch = (waybill: Waybill) => ask(waybill, '/v1/notifications/send/batch', body, 'key');
    const { ids, bodies } = providerAccepts(tenant, 200);
    let recorded = 0;
    isLost = ({ type }) => {
      recorded += type === 'MessageSent' ? 1 : 0;
      return recorded > 20;
    };
    await batch(first);
    const inFlight = ids.length - 20;
    expect(inFlight).to.be.above(0);
    const second = await restart();
    clock.advance(ABANDONED_AFTER_MS + 1);
    // To leave those out whose charges are open would say that they were not sent to.
    const early = await batch(second);
    expect([early.status, early.body.code]).to.deep.equal([409, 'IDEMPOTENCY_IN_PROGRESS']);
    clock.advance(60_000);
    const done = await answered(200, batch(second));
    expect(done.body.results).to.have.length(60);
    const codes = done.body.results.filter(({ ok }: Json) => !ok).map(({ code }: Json) => code);
    expect(new Set(codes)).to.deep.equal(new Set(['SEND_FAILED']));
    expect(ids.length).to.be.at.most(60);
    expect(done.body.sent).to.equal(60 - codes.length);
    const told = done.body.results.filter(({ ok }: Json) => ok).map((one: Json) => one.messageId);
    expect(new Set(told).size).to.equal(told.length);
    const times = Map.groupBy(bodies, ({ to }: Json) => to);
    for (const [to, sends] of times) {
      expect(sends.length, to).to.be.at.most(list.filter((one) => one.to === to).length);
    }
    const { reserved, refunded } = await countCharges(second, tenant);
    expect(reserved - refunded).to.equal(done.body.sent);
    expect((await batch(second)).headers).to.have.property('idempotency-replayed', 'true');
  });

  it('plans nothing anew that went out or waits, whatever the hours are by then', async () => {
    const quiet = { UTILITY: { from: '00:00', until: '23:59' } };
    const hours = (waybill: Waybill, quietHours: object | null) =>
      waybill.admin('PATCH', `/accounts/${tenant.accountId}/limits`, { quietHours });
    const recipients = [{ to: '+919812345678' }];
    const asked: [string, object][] = [
      ['/v1/notifications/send', orderShipped()],
      ['/v1/notifications/send/batch', { event: 'order_shipped', recipients }],
      ['/v1/notifications/send', orderShipped({ sendAt: isoTime(clock.now() + HOUR_MS) })],
    ];
    const all = async (waybill: Waybill, name: string) => {
      const answers: Pick<Answer, 'status' | 'body'>[] = [];
      for (const [index, [path, body]] of asked.entries()) {
        const { status, body: answer } = await ask(waybill, path, body, `${name} ${index}`);
        answers.push({ status, body: answer });
      }
      return answers;
    };
    const { ids } = providerAccepts(tenant, 10);
    keepsNoAnswer();
    const sent = await all(first, 'by day');
    await hours(first, quiet);
    const held = await all(first, 'by night');
    expect(held.map(({ status }) => status)).to.deep.equal([202, 200, 202]);
    const calls = ids.length;
    const second = await restart();
    clock.advance(ABANDONED_AFTER_MS + 1);
    expect(await all(second, 'by day')).to.deep.equal(sent);
    await hours(second, null);
    expect(await all(second, 'by night')).to.deep.equal(held);
    expect(ids).to.have.length(calls);
    const types = (await second.log()).map(({ type }) => type);
    expect(types.filter((type) => type === 'SendScheduled')).to.have.length(4);
  });

  it('grants no credits twice, and makes no second plan or rate card', async () => {
    const rate = { MARKETING: '0.01', UTILITY: '0.01', AUTHENTICATION: '0.01' };
    const effectiveFrom = '2027-01-01T00:00:00Z';
    const asked: [string, object][] = [
      [`/accounts/${tenant.accountId}/credits/grant`, { amount: 5 }],
      ['/plans', { name: 'W', billing: 'wallet', currency: 'USD', markupPercent: '20' }],
      ['/plans', { id: 'own', name: 'O', billing: 'wallet', currency: 'USD', markupPercent: '1' }],
      ['/rate-cards', { currency: 'EUR', effectiveFrom, rates: { Other: rate } }],
    ];
    const call = (waybill: Waybill, index: number) => {
      const [path, body] = asked[index]!;
      const headers = { 'idempotency-key': `admin-${index}` };
      return waybill.call('POST', `/admin/v1${path}`, { token: ADMIN_TOKEN, body, headers });
    };
    // Each is broken off before its own answer is kept: the first dies, the others follow it.
    const lost: Answer[] = [];
    const answersLost = keepsNoAnswer();
    for (const index of asked.keys()) lost.push(await call(first, index));
    expect(answersLost()).to.equal(4);
    const second = await restart();
    clock.advance(ABANDONED_AFTER_MS + 1);
    for (const [index, before] of lost.entries()) {
      const again = await call(second, index);
      expect(again.status, JSON.stringify(again.body)).to.equal(201);
      expect(again.body).to.deep.equal(before.body);
    }
    const log = await second.log();
    const made = ['CreditsGranted', 'PlanPublished', 'RateCardPublished'].map(
      (wanted) => log.filter(({ type }) => type === wanted).length,
    );
    expect(made).to.deep.equal([2, 2, 1]);
  });
});
