import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { PlanAssigned } from '../../../src/events/account.ts';
import type { EventStore } from '../../../src/events/store.ts';
import { typesOf, useWaybill } from '../../support/surface.ts';
import {
  openTenant,
  orderShipped,
  providerAccepts,
  providerHasTemplates,
  type Tenant,
  templateAnswer,
} from '../../support/waybill.ts';

describe('a plan that changes between the price of a send and its reservation', () => {
  /** Plans that another instance assigns, each right before a reservation of ours arrives. */
  let assigned: string[] = [];
  const meta = { at: '2026-11-21T12:00:00.000Z', requestId: 'another-instance' };
  const overtaken = (store: EventStore): EventStore => ({
    ...store,
    async append(stream, expected, events) {
      const planId = events[0]?.type === 'ChargeReserved' ? assigned.shift() : undefined;
      if (planId) {
        const accountId = stream.slice('account-'.length);
        const fact = PlanAssigned.of({ accountId, planId, billing: 'credits', currency: 'USD' });
        await store.append(stream, expected, [
          { ...fact, id: randomUUID(), version: PlanAssigned.version, meta },
        ]);
      }
      return store.append(stream, expected, events);
    },
  });
  const on = useWaybill({ wrapStore: overtaken });
  let tenant: Tenant;

  const plan = async (markupPercent: string) => {
    const terms = { name: `Markup ${markupPercent}`, billing: 'credits', currency: 'USD' };
    const body = { ...terms, markupPercent, creditValue: '0.001' };
    return (await on.waybill.admin('POST', '/plans', body)).body.id as string;
  };
  const send = () =>
    on.waybill.call('POST', '/v1/notifications/send', {
      token: tenant.apiKey,
      body: orderShipped(),
    });
  const accountEvents = async () =>
    (await on.waybill.events(`account-${tenant.accountId}`)).slice(2);

  beforeEach(async () => {
    tenant = await openTenant(on.waybill);
    providerHasTemplates(tenant, templateAnswer('order_shipped'));
    providerAccepts(tenant);
    expect((await send()).headers['x-credits-charged']).to.equal('1');
  });

  it('is 503 when it keeps changing: nothing is sent or charged', async () => {
    assigned = await Promise.all(['10', '20', '30'].map(plan));
    const { bodies } = providerAccepts(tenant);
    const { status, headers, body } = await send();
    expect([status, headers['retry-after']]).to.deep.equal([503, '1']);
    expect(body.error).to.be.a('string');
    expect(bodies).to.deep.equal([]);
    expect(typesOf(await accountEvents())).to.deep.equal([
      'ChargeReserved',
      'PlanAssigned',
      'PlanAssigned',
      'PlanAssigned',
    ]);
  });
});
