import { expect } from 'chai';
import { aPerson, makeAdministrator } from '../../support/people.ts';
import { signIn } from '../../support/session.ts';
import { notified, useWaybill } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import { credentialsOf, openTenant, statusPayload, type Tenant } from '../../support/waybill.ts';

/** Connections of one account. */
const SHARE = 16;

describe('Places at the live events', () => {
  const on = useWaybill();
  const opened: AbortController[] = [];
  const follow = async ({ apiKey }: Tenant): Promise<number> => {
    const controller = new AbortController();
    const { status } = await fetch(`${on.waybill.url}/api/v1/live`, {
      headers: { Authorization: `Bearer ${apiKey}` },
      signal: controller.signal,
    });
    opened.push(controller);
    return status;
  };
  const leave = () => {
    for (const controller of opened.splice(0)) controller.abort();
  };
  afterEach(leave);

  it('are shared, so that one account cannot take those of another', async () => {
    const greedy = await openTenant(on.waybill, { number: false });
    const other = await openTenant(on.waybill, { number: false });
    const statuses = await Promise.all(Array.from({ length: SHARE }, () => follow(greedy)));
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    expect(await follow(greedy)).to.equal(503);
    expect(await follow(other)).to.equal(200);
    leave();
    await untilTrue('the places to be free again', async () => (await follow(greedy)) === 200);
  });
});

describe('The live events of a viewer who is not admitted any more', () => {
  const on = useWaybill();

  /** Follows as a browser does; `ended` resolves to all that was told. */
  const followWith = async (cookie: string, path: string) => {
    const headers = credentialsOf({ cookie });
    const response = await fetch(`${on.waybill.url}/api${path}`, { headers });
    expect(response.status).to.equal(200);
    return { cookie, ended: response.text() };
  };
  const follow = async (path: string, credential: string) =>
    followWith(await signIn(on.waybill, credential), path);
  const sending = () => openTenant(on.waybill, { templates: ['order_shipped'] });
  /** The next event ends what follows, and is not in it. */
  const mustTellNothing = async (tenant: Tenant, ...ended: Promise<string>[]) => {
    await notified(on.waybill, tenant);
    expect((await Promise.all(ended)).join('')).not.to.contain('data:');
  };

  it('end before the next event: a revoked key, a revoked administrator, a session that is over', async () => {
    const tenant = await sending();
    const of = `/accounts/${tenant.accountId}/keys`;
    const { body: key } = await on.waybill.admin('POST', of, { name: 'Another' });
    const auditor = await makeAdministrator(on.waybill);
    const ofKey = await follow('/v1/live', key.key);
    const ofAuditor = await follow('/admin/v1/live', auditor.token);
    await on.waybill.admin('POST', `/keys/${key.id}/revoke`);
    await on.waybill.admin('POST', `/administrators/${auditor.id}/revoke`);
    await mustTellNothing(tenant, ofKey.ended, ofAuditor.ended);

    const ofSession = await follow('/v1/live', tenant.apiKey);
    on.waybill.clock.advance(8 * 3_600_000);
    await mustTellNothing(tenant, ofSession.ended);
  });

  it('end before the next event: a session that its holder ended', async () => {
    const tenant = await sending();
    const { cookie, ended } = await follow('/v1/live', tenant.apiKey);
    await on.waybill.call('POST', '/console/session/end', { cookie });
    await mustTellNothing(tenant, ended);
  });

  it('end before the next event: a person from whom the account was taken', async () => {
    const tenant = await sending();
    const { organisationId } = tenant;
    const path = `/organisations/${organisationId}/accounts`;
    const { body: other } = await on.waybill.admin('POST', path, { name: 'Other' });
    const accounts = [tenant.accountId];
    const { id, cookie } = await aPerson(on.waybill, { role: 'viewer', organisationId, accounts });
    const { ended } = await followWith(cookie, '/v1/live');
    await on.waybill.admin('PATCH', `/people/${id}`, { accounts: [other.id] });
    await mustTellNothing(tenant, ended);
  });

  it('end before the next event: a suspended organisation', async () => {
    const tenant = await sending();
    const { ended } = await follow('/v1/live', tenant.apiKey);
    const { messageId: id } = (await notified(on.waybill, tenant)).body;
    await on.waybill.admin('POST', `/organisations/${tenant.organisationId}/suspend`, {});
    await on.waybill.webhook(statusPayload(tenant, { id, status: 'read' }));
    expect(await ended).not.to.contain('StatusUpdated');
  });
});
