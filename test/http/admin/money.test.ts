import { expect } from 'chai';
import { answered, bodyOf } from '../../support/answered.ts';
import { makeAdministrator } from '../../support/people.ts';
import { fieldErrorsOf, notify, typesOf, useTenant } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import {
  type Json,
  openTenant,
  providerAccepts,
  providerRefuses,
  statusPayload,
} from '../../support/waybill.ts';

describe('Administration of money @long', () => {
  const on = useTenant({ credits: 0, templates: ['order_shipped'] });
  let of: string;
  before(async () => {
    const plan = { name: 'W', billing: 'wallet', currency: 'USD', markupPercent: '0' };
    await on.waybill.admin('POST', '/plans', { id: 'wallet', ...plan });
  });
  beforeEach(() => {
    of = `/accounts/${on.tenant.accountId}`;
  });

  const post = (path: string, body: Json) => on.waybill.admin('POST', path, body);
  const get = (path: string) => bodyOf(200, on.waybill.admin('GET', path));
  const send = () => notify(on.waybill, on.tenant);
  const walletOf = async () => {
    const wallet = await openTenant(on.waybill, { planId: 'wallet', number: false });
    return `/accounts/${wallet.accountId}`;
  };

  describe('credits', () => {
    it('are granted and revoked: 201 with the ledger entry', async () => {
      const grant = { amount: 10, reason: 'start' };
      const { body: granted } = await answered(201, post(`${of}/credits/grant`, grant));
      const { id, position, hash } = granted;
      expect(granted).to.deep.equal({
        id,
        amount: 10,
        balanceAfter: 10,
        type: 'GRANT',
        reason: 'start',
        metadata: null,
        createdAt: '2026-11-21T12:00:00.000Z',
        grantedBy: { id: 'root', name: 'Root administrator', email: 'root@localhost' },
        position,
        hash,
      });
      expect(hash).to.match(/^[0-9a-f]{64}$/);
      const revoked = await answered(201, post(`${of}/credits/revoke`, { amount: 4 }));
      expect(revoked.body).to.deep.include({ amount: -4, balanceAfter: 6, type: 'REVOKE' });
      const events = await on.waybill.events(`account-${on.tenant.accountId}`);
      expect(typesOf(events)).to.deep.equal(['AccountOpened', 'CreditsGranted', 'CreditsRevoked']);
    });

    it('must be whole, at least 1, and on credit plans of existing accounts', async () => {
      for (const amount of [0, -1, 1.5, '5', null, undefined, 1e300]) {
        expect(fieldErrorsOf(await post(`${of}/credits/grant`, { amount }))).to.include('amount');
      }
      const wallet = await walletOf();
      await answered(409, post(`${wallet}/credits/grant`, { amount: 1 }));
      await answered(409, post(`${wallet}/credits/revoke`, { amount: 1 }));
      await answered(404, post('/accounts/none/credits/grant', { amount: 1 }));
    });

    it('name the acting administrator, not one from the body', async () => {
      const made = await makeAdministrator(on.waybill, 'admin');
      const grant = { amount: 1, grantedBy: { id: 'x', name: 'x', email: 'x' } };
      const how = { token: made.token, body: grant };
      const { body } = await on.waybill.call('POST', `/admin/v1${of}/credits/grant`, how);
      const ada = { id: made.id, name: 'Ada', email: 'ada@shop.example' };
      expect(body.grantedBy).to.deep.equal(ada);
      const [, granted] = await on.waybill.events(`account-${on.tenant.accountId}`);
      expect(granted!.meta.by).to.deep.equal(ada);
    });
  });

  describe('wallets', () => {
    it('are topped up and adjusted: 201 with decimal strings', async () => {
      const wallet = await walletOf();
      const reason = 'transfer';
      const up = await answered(201, post(`${wallet}/wallet/top-up`, { amount: '25.00', reason }));
      const topped = { amount: '25.0000', balanceAfter: '25.0000', type: 'GRANT', reason };
      expect(up.body).to.deep.include(topped);
      const amount = '-0.000001';
      const down = await answered(201, post(`${wallet}/wallet/adjust`, { amount }));
      expect(down.body).to.deep.include({ amount, balanceAfter: '24.999999', type: 'REVOKE' });
      expect((await get(wallet)).balance).to.equal('24.999999');
    });

    it('refuse malformed amounts, a balance below zero, and credit plans', async () => {
      const wallet = await walletOf();
      for (const amount of ['-1', '0', '1e3', '1.0000001', ' 1', '', 5, null, 'NaN']) {
        const answer = await post(`${wallet}/wallet/top-up`, { amount });
        expect(fieldErrorsOf(answer), String(amount)).to.deep.equal(['amount']);
      }
      const zero = await post(`${wallet}/wallet/adjust`, { amount: '0.00' });
      expect(fieldErrorsOf(zero)).to.deep.equal(['amount']);
      await answered(409, post(`${wallet}/wallet/adjust`, { amount: '-0.01' }));
      await answered(409, post(`${of}/wallet/top-up`, { amount: '1' }));
    });
  });

  describe('GET /accounts/:id/ledger', () => {
    const ledger = (query = '') => get(`${of}/ledger${query}`);
    const amountsOf = ({ entries }: Json) => entries.map(({ amount }: Json) => amount);

    it('pages through the whole history, stable while rows arrive', async () => {
      for (let amount = 1; amount <= 7; amount += 1) await post(`${of}/credits/grant`, { amount });
      const first = await ledger('?limit=3');
      expect(amountsOf(first)).to.deep.equal([7, 6, 5]);
      await post(`${of}/credits/grant`, { amount: 8 });
      const second = await ledger(`?limit=3&cursor=${first.nextCursor}`);
      expect(amountsOf(second)).to.deep.equal([4, 3, 2]);
      const third = await ledger(`?limit=3&cursor=${second.nextCursor}`);
      expect(amountsOf(third)).to.deep.equal([1]);
      expect(third.nextCursor).to.equal(null);
      expect(amountsOf(await ledger())).to.deep.equal([8, 7, 6, 5, 4, 3, 2, 1]);
    });

    it('filters by type, charge and time', async () => {
      await post(`${of}/credits/grant`, { amount: 10 });
      on.waybill.clock.advance(60_000);
      const since = new Date(on.waybill.clock.now()).toISOString();
      const { bodies } = providerAccepts(on.tenant);
      await send();
      providerRefuses(on.tenant);
      await send();
      on.waybill.clock.advance(60_000);
      const until = new Date(on.waybill.clock.now()).toISOString();
      await post(`${of}/credits/revoke`, { amount: 2 });
      expect(amountsOf(await ledger('?type=DEDUCT'))).to.deep.equal([-1, -1]);
      expect(amountsOf(await ledger('?type=REFUND'))).to.deep.equal([1]);
      expect(amountsOf(await ledger('?type=GRANT'))).to.deep.equal([10]);
      expect(amountsOf(await ledger('?type=REVOKE'))).to.deep.equal([-2]);
      const chargeId = bodies[0].biz_opaque_callback_data;
      expect(amountsOf(await ledger(`?chargeId=${chargeId}`))).to.deep.equal([-1]);
      expect(amountsOf(await ledger(`?since=${since}`))).to.deep.equal([-2, 1, -1, -1]);
      expect(amountsOf(await ledger(`?until=${since}`))).to.deep.equal([10]);
      expect(amountsOf(await ledger(`?since=${since}&until=${until}`))).to.deep.equal([1, -1, -1]);
      const whole = since.replace('.000Z', 'Z');
      expect(amountsOf(await ledger(`?since=${whole}&until=${until}`))).to.deep.equal([1, -1, -1]);
    });

    it('leads to the message of a charge, and from the message to its rows', async () => {
      await post(`${of}/credits/grant`, { amount: 10 });
      const { ids } = providerAccepts(on.tenant, 2);
      await send();
      await send();
      await on.waybill.webhook(statusPayload(on.tenant, { id: ids[0]!, status: 'failed' }));
      const hasRefund = async () => (await ledger('?type=REFUND')).entries.length === 1;
      await untilTrue('the refund', hasRefund);
      const { entries } = await ledger();
      const rows = entries.map(({ type, messageId, cause }: Json) => [type, messageId, cause]);
      expect(rows).to.deep.equal([
        ['REFUND', ids[0], 'delivery_failed'],
        ['DEDUCT', ids[1], undefined],
        ['DEDUCT', ids[0], undefined],
        ['GRANT', undefined, undefined],
      ]);
      const { messages } = await get(`/messages?accountId=${on.tenant.accountId}`);
      for (const { id, chargeId } of messages) {
        const own = (await ledger(`?chargeId=${chargeId}`)).entries;
        expect(own.map(({ messageId }: Json) => messageId)).to.deep.equal(own.map(() => id));
      }
    });
  });

  describe('GET /accounts/:id/balance', () => {
    it('tells the balance at any time, from the events', async () => {
      const now = () => new Date(on.waybill.clock.now()).toISOString();
      const times = [now()];
      for (const amount of [5, 7]) {
        on.waybill.clock.advance(1000);
        await post(`${of}/credits/grant`, { amount });
        on.waybill.clock.advance(1000);
        times.push(now());
      }
      const { entries } = await get(`${of}/ledger`);
      const ids = [null, entries[1].id, entries[0].id];
      for (const [count, balance] of [0, 5, 12].entries()) {
        const asOf = times[count];
        const told = await get(`${of}/balance?asOf=${asOf}`);
        expect(told).to.deep.equal({ balance, asOf, entryId: ids[count] });
      }
      const latest = { balance: 12, asOf: times[2], entryId: ids[2] };
      expect(await get(`${of}/balance`)).to.deep.equal(latest);
    });

    it('is a decimal string on a wallet; 404 and 400 as elsewhere', async () => {
      const wallet = await walletOf();
      await post(`${wallet}/wallet/top-up`, { amount: '1.5' });
      expect((await get(`${wallet}/balance`)).balance).to.equal('1.5000');
      await answered(404, on.waybill.admin('GET', '/accounts/none/balance'));
      const bad = await on.waybill.admin('GET', `${of}/balance?asOf=never`);
      expect(fieldErrorsOf(bad)).to.deep.equal(['asOf']);
    });
  });
});
