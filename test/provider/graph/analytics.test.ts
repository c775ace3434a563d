import { expect } from 'chai';
import nock from 'nock';
import { ProviderRefused, ProviderUnreachable } from '../../../src/provider/provider.ts';
import { sender } from '../../support/provider.ts';
import { failureOf } from '../../support/spec.ts';
import { GRAPH, useGraphProvider } from './stage.ts';

const DAY = 86_400;
const FROM = 1_793_491_200;

const dimensions = 'dimensions(COUNTRY,PHONE,PRICING_CATEGORY,PRICING_TYPE)';
const fieldsFor = (from: number, to: number) =>
  `pricing_analytics.start(${from}).end(${to}).granularity(DAILY).${dimensions}.metric_types(COST,VOLUME)`;

const point = (change: object) => ({
  start: FROM,
  end: FROM + DAY,
  country: 'IN',
  phone_number: '15550100001',
  pricing_category: 'UTILITY',
  pricing_type: 'REGULAR',
  volume: 2,
  cost: 0.5,
  ...change,
});
const analytics = (...points: object[]) => ({
  id: '200000000000002',
  pricing_analytics: { data: [{ data_points: points }] },
});

describe('the volumes that the provider tells', () => {
  const provider = useGraphProvider();

  const asked = (from: number, to: number) =>
    nock(GRAPH)
      .get('/v25.0/200000000000002')
      .query({ fields: fieldsFor(from, to) });
  const read = (days: number) =>
    provider.readVolumes(sender(), { from: FROM, to: FROM + days * DAY });

  it('are asked for by months, and summed over days', async () => {
    asked(FROM, FROM + 31 * DAY).reply(
      200,
      analytics(point({}), point({ volume: '3', cost: undefined }), point({ country: 'GB' })),
    );
    asked(FROM + 31 * DAY, FROM + 40 * DAY).reply(200, analytics(point({ phone_number: null })));
    const utility = { category: 'UTILITY', type: 'REGULAR' };
    expect(await read(40)).to.deep.equal([
      { ...utility, phoneNumber: '15550100001', countryCode: 'IN', volume: 5, cost: 0.5 },
      { ...utility, phoneNumber: '15550100001', countryCode: 'GB', volume: 2, cost: 0.5 },
      { ...utility, phoneNumber: null, countryCode: 'IN', volume: 2, cost: 0.5 },
    ]);
  });

  it('are asked for in halves where the answer is too long', async () => {
    asked(FROM, FROM + 3 * DAY).reply(200, '{"pricing_analytics":');
    asked(FROM, FROM + DAY).reply(200, analytics(point({ cost: undefined })));
    asked(FROM + DAY, FROM + 3 * DAY).reply(200, analytics(point({ cost: null })));
    const [volume, ...others] = await read(3);
    expect(volume).to.include({ volume: 4, cost: null });
    expect(others).to.deep.equal([]);
  });

  it('fail where one day is too long, or a point has no volume', async () => {
    asked(FROM, FROM + DAY).reply(200, 'no JSON');
    expect(await failureOf(read(1))).to.be.instanceOf(ProviderRefused);
    asked(FROM, FROM + DAY).reply(200, analytics(point({ volume: -1 })));
    expect(await failureOf(read(1))).to.be.instanceOf(ProviderUnreachable);
  });

  it('are none where the provider has none, and fail in its words where it refuses', async () => {
    asked(FROM, FROM + DAY).reply(200, { id: '200000000000002' });
    expect(await read(1)).to.deep.equal([]);
    const error = { message: '(#10) Permission EAAsecret0123456789 denied', code: 10 };
    asked(FROM, FROM + DAY).reply(403, { error });
    const refused = await failureOf(read(1));
    expect(refused).to.be.instanceOf(ProviderRefused);
    expect(refused.message).to.equal('(#10) Permission [access token] denied');
  });
});
