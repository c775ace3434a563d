import { expect } from 'chai';
import { createSimulator, type Simulator } from '../../../src/provider/simulator/simulator.ts';
import { fixedClock } from '../../support/ambient.ts';
import { useRealConnections } from '../../support/network.ts';
import { NOW } from '../../support/samples.ts';
import { until } from '../../support/until.ts';
import { APP_SECRET, type Json } from '../../support/waybill.ts';
import { callAt } from './stage.ts';

const START = Date.parse('2026-11-01T00:00:00.000Z') / 1000;
const END = Date.parse('2026-12-01T00:00:00.000Z') / 1000;
const HALF_HOUR = 1800;
const DAY = 86_400;

describe('the analytics of the simulator', () => {
  useRealConnections();
  let simulator: Simulator;
  let baseUrl: string;
  const clock = fixedClock();

  const get = async (path: string) => (await callAt(baseUrl, 'GET', path)).body;
  const send = (body: object) =>
    callAt(baseUrl, 'POST', '1001/messages', { messaging_product: 'whatsapp', ...body });
  const read = async (more: string, [start, end]: readonly number[] = [START, END]) => {
    const fields = `pricing_analytics.start(${start}).end(${end})${more}`;
    return get(`2001?fields=${encodeURIComponent(fields)}`);
  };
  const pointsOf = async (more: string) => (await read(more)).pricing_analytics.data[0].data_points;

  before(async () => {
    const timings = { sentMs: 1, deliveredMs: 2, readMs: 3 };
    simulator = createSimulator({ appSecret: APP_SECRET, enforceWindow: false, clock, timings });
    baseUrl = await simulator.start();
    // Nobody takes the updates: what is delivered counts all the same.
    simulator.configure({ webhookUrl: 'http://127.0.0.1:9/', timings: { retryMs: [] } });
    const displayPhoneNumber = '+1 555-010-0001';
    simulator.setNumber({ phoneNumberId: '1001', wabaId: '2001', displayPhoneNumber });
    const of = { name: 'hello', language: 'en', components: [{ type: 'BODY', text: 'Hello' }] };
    simulator.setTemplate('2001', { ...of, category: 'AUTHENTICATION_INTERNATIONAL' });
    const template = { name: 'hello', language: { code: 'en' } };
    await send({ to: '+919812345678', type: 'template', template });
    await send({ to: '+919812345678', text: { body: 'Hi' } });
    await send({ to: '+15550199932', text: { body: 'only sent' } });
    await until('it is quiet', () => simulator.pending() === 0);
    clock.advance(DAY * 1000);
    await send({ to: '+447400123456', text: { body: 'Hi' } });
    await send({ to: '+15550199934', text: { body: 'every update twice' } });
    await until('it is quiet', () => simulator.pending() === 0);
  });
  after(() => simulator.stop());

  const all = '.dimensions(COUNTRY,PHONE,PRICING_CATEGORY,PRICING_TYPE,TIER)';

  it('count each delivered message once, in every dimension', async () => {
    const points = await pointsOf(`.granularity(MONTHLY)${all}.metric_types(COST,VOLUME)`);
    const one = {
      start: START,
      end: END,
      phone_number: '15550100001',
      tier: '0:750000',
      volume: 1,
    };
    const free = { pricing_category: 'SERVICE', pricing_type: 'FREE_CUSTOMER_SERVICE', cost: 0 };
    const regular = { pricing_category: 'AUTHENTICATION_INTERNATIONAL', pricing_type: 'REGULAR' };
    expect(points).to.have.deep.members([
      { ...one, ...regular, country: 'IN', cost: 0.004 },
      ...['IN', 'GB', 'ZZ'].map((country) => ({ ...one, ...free, country })),
    ]);
  });

  it('tell them by half hours, days and months', async () => {
    const now = NOW / 1000;
    const dayOf = (time: number) => time - (time % DAY);
    expect(await pointsOf('.granularity(HALF_HOUR)')).to.deep.equal([
      { start: now, end: now + HALF_HOUR, volume: 2 },
      { start: now + DAY, end: now + DAY + HALF_HOUR, volume: 2 },
    ]);
    expect(await pointsOf('.granularity(DAILY).metric_types(["VOLUME"])')).to.deep.equal([
      { start: dayOf(now), end: dayOf(now) + DAY, volume: 2 },
      { start: dayOf(now) + DAY, end: dayOf(now) + 2 * DAY, volume: 2 },
    ]);
    const month = await pointsOf('.granularity(MONTHLY)');
    expect(month).to.deep.equal([{ start: START, end: END, volume: 4 }]);
    const yesterday = await read('.granularity(DAILY)', [START, now + HALF_HOUR]);
    expect(yesterday.pricing_analytics.data[0].data_points).to.have.length(1);
  });

  it('are limited to countries and numbers', async () => {
    const volumes = async (more: string) =>
      (await pointsOf(`.granularity(MONTHLY)${more}`)).map(({ volume }: Json) => volume);
    expect(await volumes('.country_codes(GB,ZZ)')).to.deep.equal([2]);
    expect(await volumes('.phone_numbers(["15550100001"])')).to.deep.equal([4]);
    expect(await volumes('.phone_numbers(4915550100)')).to.deep.equal([]);
  });

  it('are refused for what the provider does not take', async () => {
    const refusals: [string, number[], string][] = [
      ['.granularity(WEEKLY)', [START, END], 'granularity must be'],
      ['.granularity(DAILY).dimensions(MOON)', [START, END], 'no dimension MOON'],
      ['.granularity(DAILY)', [END, START], 'start and end must be times'],
      ['.granularity(DAILY)', [START - 366 * DAY, END], 'start is over a year ago'],
    ];
    for (const [more, times, details] of refusals) {
      const { error } = await read(more, times);
      expect(error.code).to.equal(100);
      expect(error.error_data.details).to.include(details);
    }
    simulator.configure({ strict: true });
    const unknown = await get('2999?fields=pricing_analytics.start(1).end(2)');
    simulator.configure({ strict: false });
    expect(unknown.error.code).to.equal(100);
  });
});
