import { expect } from 'chai';
import { answered } from '../../support/answered.ts';
import { eraseContact } from '../../support/privacy/erase.ts';
import { useTenant } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import { type Json, orderShipped } from '../../support/waybill.ts';

const TO = '919812345678';

describe('GET /v1/sends/refusals @long', () => {
  const on = useTenant(
    { templates: ['order_shipped'], credits: 0 },
    { bounds: { refusalsAfterMs: 20 } },
  );

  const get = (path: string) => on.call('GET', path);
  const post = (path: string, body: Json, requestId: string) =>
    on.call('POST', path, body, { 'x-request-id': requestId });
  const notify = (change: Json, requestId: string) =>
    post('/v1/notifications/send', orderShipped(change), requestId);
  const refusals = async (query = ''): Promise<Json[]> =>
    (await get(`/v1/sends/refusals${query}`)).body.refusals;
  const counted = async () => (await refusals()).map(({ code, count }) => `${count} ${code}`);
  const counts = (wanted: number) =>
    untilTrue('the counts', async () => {
      const all = (await refusals()).map(({ count }) => count);
      return all.reduce((sum, count) => sum + count, 0) === wanted;
    });
  const minute = () => {
    const now = on.waybill.clock.now();
    return new Date(now - (now % 60_000)).toISOString();
  };

  it('counts what is refused before a charge by code and minute', async () => {
    await answered(402, notify({}, 'req-1'));
    await answered(402, notify({ to: '919812345679' }, 'req-2'));
    await answered(400, notify({ variables: {}, strict: true }, 'req-3'));
    const free = { to: TO, type: 'text', text: { body: 'Hi' } };
    await answered(403, post('/v1/messages/send', free, 'req-4'));
    await notify({ event: 'unheard_of' }, 'req-5');
    await notify({ to: '1' }, 'req-6');
    await counts(4);
    const codes = ['2 INSUFFICIENT_CREDITS', '1 STRICT', '1 WINDOW_CLOSED'];
    expect(await counted()).to.have.members(codes);
    expect((await refusals('?code=INSUFFICIENT_CREDITS'))[0]).to.deep.equal({
      code: 'INSUFFICIENT_CREDITS',
      minute: minute(),
      count: 2,
      firstRequestId: 'req-1',
      lastRequestId: 'req-2',
      to: '919812345679',
    });
    expect(await refusals('?contact=919812345679')).to.have.length(1);
    expect(await refusals('?until=2020-01-01T00:00:00Z')).to.deep.equal([]);
    const { totals, refused } = (await get('/v1/overview')).body;
    expect(totals.refused).to.equal(4);
    expect(refused[0]).to.deep.equal({ code: 'INSUFFICIENT_CREDITS', count: 2 });
    const { accountId } = on.tenant;
    // Other tests have accounts in the same service.
    const asAdmin = async (query: string): Promise<Json[]> =>
      (await on.waybill.admin('GET', `/sends/refusals?${query}`)).body.refusals.filter(
        (one: Json) => one.accountId === accountId,
      );
    const own = (await refusals()).map((row) => ({ ...row, accountId }));
    for (const query of ['', `accountId=${accountId}`]) {
      expect(await asAdmin(query), query).to.deep.equal(own);
    }
    expect(await asAdmin('contact=919812345679')).to.have.length(1);
    expect(await asAdmin('accountId=acc_other')).to.deep.equal([]);
    const sealed = await on.waybill.sealed.read(`account-${on.tenant.accountId}`);
    expect(JSON.stringify(sealed)).to.not.include('919812345679');
    const found = (await get('/v1/find?q=919812345679')).body.results;
    expect(found.map(({ kind }: Json) => kind)).to.include('refusal');
  });

  it('counts the recipients of a batch, caps and a paused account, once each', async () => {
    const limits = `/accounts/${on.tenant.accountId}/limits`;
    await on.waybill.admin('PATCH', limits, { daily: 0 });
    const recipients = [{ to: TO, variables: {} }];
    await post('/v1/notifications/send/batch', { event: 'order_shipped', recipients }, 'req-batch');
    await notify({}, 'req-cap');
    await on.waybill.admin('PATCH', limits, { paused: true });
    await notify({}, 'req-paused');
    await counts(3);
    expect(await counted()).to.have.members(['2 CAP_DAILY', '1 PAUSED']);
  });

  it('names nobody once the contact is erased, and keeps the row', async () => {
    await notify({}, 'req-1');
    await counts(1);
    expect((await refusals())[0].to).to.equal(TO);
    await eraseContact(on.waybill, TO);
    const [row] = await refusals();
    expect(row).to.include({ count: 1, to: null });
    expect(await refusals(`?contact=${TO}`)).to.deep.equal([]);
  });
});
