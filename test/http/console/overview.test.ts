import { expect } from 'chai';
import type { ReadModels } from '../../../src/http/route/read-models.ts';
import { overviewOf } from '../../../src/http/v1/overview.ts';
import { ALL_ACCOUNTS, activity, hourOf } from '../../../src/projections/activity.ts';
import type { Projection } from '../../../src/projections/define.ts';
import type { Query, Range } from '../../../src/projections/views.ts';
import { aPerson } from '../../support/people.ts';
import { customerWrites, notified, notify, useWaybill } from '../../support/surface.ts';
import { until } from '../../support/until.ts';
import { ADMIN_TOKEN, openTenant, providerRefuses, type Tenant } from '../../support/waybill.ts';

describe('The overview @long', () => {
  const on = useWaybill();
  const overview = async ({ apiKey: token }: Tenant, query = '') =>
    (await on.waybill.call('GET', `/v1/overview${query}`, { token })).body;
  const sending = () => openTenant(on.waybill, { templates: ['order_shipped'] });

  it('counts what an account sent, what it cost and what was given back', async () => {
    const tenant = await sending();
    const other = await sending();
    await notified(on.waybill, tenant);
    providerRefuses(tenant);
    expect((await notify(on.waybill, tenant)).status).to.equal(502);
    const body = await overview(tenant);
    expect(body.totals).to.deep.equal({ sends: 2, refunds: 1, failures: 0, refused: 0 });
    expect(body.money).to.deep.equal([{ unit: 'credits', charged: '2', refunded: '1' }]);
    expect(body.refunds).to.deep.equal([{ cause: 'not_sent', count: 1 }]);
    expect(body.reservations).to.deep.equal({ open: 0, oldestAt: null });
    expect((await overview(other)).totals.sends).to.equal(0);
    const before = await on.waybill.store.head();
    const { body: all } = await on.waybill.admin('GET', '/overview');
    expect(all.totals.sends).to.be.at.least(2);
    // The use of a key may be noted meanwhile.
    expect(all.log.position >= before).to.equal(true);
    expect(all.log.position <= (await on.waybill.store.head())).to.equal(true);
  });

  it('shows money to keys with the scope credits:read alone', async () => {
    const tenant = await sending();
    await notified(on.waybill, tenant);
    const moneyFor = async (scopes: string[]) => {
      const path = `/accounts/${tenant.accountId}/keys`;
      const made = await on.waybill.admin('POST', path, { name: 'Scoped', scopes });
      const { totals, money } = await overview({ ...tenant, apiKey: made.body.key });
      expect(totals.sends).to.equal(1);
      return money.length;
    };
    expect(await moneyFor(['messages:read'])).to.equal(0);
    expect(await moneyFor(['messages:read', 'credits:read'])).to.equal(1);
  });

  it('has each hour of the period, also those without an event', async () => {
    const body = await overview(await openTenant(on.waybill, { number: false }), '?hours=6');
    expect(body.hours).to.have.length(6);
    expect(body.hours[0].hour).to.equal(body.since);
    expect(body.hours.every(({ sends }: { sends: number }) => sends === 0)).to.equal(true);
  });
});

describe('The overview of all accounts', () => {
  it('has all of a week, however many buckets and currencies', async () => {
    const now = Date.parse('2026-11-21T12:30:00Z');
    const hours = 168;
    const documents = Array.from({ length: hours }, (_, back) => {
      const hour = hourOf(new Date(now - back * 3_600_000).toISOString());
      const of = { accountId: ALL_ACCOUNTS, hour, billing: 'wallet', charged: 1, refunds: {} };
      return Array.from({ length: 80 }, (_, unit) => ({ ...of, currency: `U${unit}`, sends: 1 }));
    }).flat();
    const find = async ({ name }: Projection, { where, limit }: Query) => {
      if (name !== activity.name) return [];
      const { gte = '', lte = '~' } = where.hour as Range;
      return documents.filter(({ hour }) => hour >= gte && hour <= lte).slice(0, limit);
    };
    const models = { find } as unknown as ReadModels;
    const figures = await overviewOf(models, undefined, { hours, now });
    expect(figures.totals.sends).to.equal(documents.length);
    expect(figures.hours.map(({ sends }) => sends)).to.deep.equal(Array(hours).fill(80));
  });
});

describe('The live events @long', () => {
  const on = useWaybill();
  /** Follows until `done`, and resolves to all text that came. */
  const follow = async (path: string, token: string, during: () => Promise<unknown>) => {
    const response = await fetch(`${on.waybill.url}/api${path}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(response.headers.get('content-type')).to.equal('text/event-stream; charset=utf-8');
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const reading = (async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read())
        text += part.value;
    })();
    await during();
    await until('a charge is told', () => text.includes('ChargeReserved'));
    await reader.cancel();
    await reading;
    return text;
  };
  const sending = () => openTenant(on.waybill, { templates: ['order_shipped'] });

  it('say that a conversation was given, labelled and noted, and nothing of what was written', async () => {
    const mine = await sending();
    const { apiKey: token, organisationId } = mine;
    const { id: personId } = await aPerson(on.waybill, { role: 'agent', organisationId });
    await customerWrites(on.waybill, mine);
    const { body } = await on.waybill.call('GET', '/v1/conversations', { token });
    const path = `/v1/conversations/${body.conversations[0].id}`;
    const text = await follow('/v1/live', token, async () => {
      const care = {
        assign: { personId },
        labels: { labels: ['VIP'] },
        notes: { text: 'a secret' },
      };
      for (const [verb, said] of Object.entries(care)) {
        await on.waybill.call('POST', `${path}/${verb}`, { token, body: said });
      }
      await notified(on.waybill, mine);
    });
    for (const type of ['ConversationAssigned', 'ConversationLabelled', 'NoteAdded']) {
      expect(text).to.contain(type);
    }
    for (const said of [personId, 'VIP', 'a secret', '919812345678']) {
      expect(text).not.to.contain(said);
    }
  });

  it('come to administrators from all accounts', async () => {
    const one = await sending();
    const text = await follow('/admin/v1/live', ADMIN_TOKEN, () => notified(on.waybill, one));
    expect(text).to.contain(one.accountId);
  });
});
