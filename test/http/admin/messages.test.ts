import { expect } from 'chai';
import { answered, bodyOf } from '../../support/answered.ts';
import { makeAdministrator } from '../../support/people.ts';
import { customerWrites, notified, useWaybill } from '../../support/surface.ts';
import { type Json, openTenant, statusPayload, type Tenant } from '../../support/waybill.ts';

const CONTACT = '919812345678';

describe('Messages of any account, for administrators @long', () => {
  const on = useWaybill();
  let one: Tenant;
  let other: Tenant;
  let sent: string;
  let another: string;
  let received: string;

  const find = (query: string) => bodyOf(200, on.waybill.admin('GET', `/messages?${query}`));
  const idsOf = ({ messages }: Json): string[] => messages.map(({ id }: Json) => id);

  beforeEach(async () => {
    one = await openTenant(on.waybill, { templates: ['order_shipped'] });
    other = await openTenant(on.waybill, { templates: ['order_shipped'] });
    received = await customerWrites(on.waybill, one);
    const send = (by: Tenant) => notified(on.waybill, by, { clientReference: 'order 7' });
    sent = (await send(one)).body.messageId;
    another = (await send(other)).body.messageId;
  });

  it('are found by account, contact, reference, direction and time, of that account alone', async () => {
    const found = (query = '') => find(`accountId=${one.accountId}${query}`);
    const all = await found();
    expect(idsOf(all)).to.deep.equal([sent, received]);
    expect(idsOf(await found(`&contact=${CONTACT}`))).to.deep.equal([sent, received]);
    expect(idsOf(await found('&clientReference=order 7'))).to.deep.equal([sent]);
    expect(idsOf(await found('&clientReference=order'))).to.deep.equal([]);
    expect(idsOf(await found('&direction=outbound'))).to.deep.equal([sent]);
    const [{ createdAt }] = all.messages;
    expect(idsOf(await found(`&since=${createdAt}`))).to.include(sent);
    expect(idsOf(await found(`&until=${createdAt}`))).not.to.include(sent);
  });

  it('are found by their id or charge, of any account', async () => {
    const { messages } = await find(`messageId=${sent}`);
    expect(messages).to.have.length(1);
    expect(messages[0]).to.deep.include({ id: sent, accountId: one.accountId, refunded: false });
    expect(idsOf(await find(`messageId=${received}`))).to.deep.equal([received]);
    expect(idsOf(await find(`chargeId=${messages[0].chargeId}`))).to.deep.equal([sent]);
    for (const unknown of ['messageId=wamid.none', 'chargeId=chg_nupdate1', 'chargeId=none']) {
      expect(await find(unknown)).to.deep.equal({ messages: [], nextCursor: null });
    }
  });

  it('of one account are not shown where another account is asked for', async () => {
    const { messages } = await find(`messageId=${sent}`);
    const account = `accountId=${other.accountId}`;
    expect(idsOf(await find(`${account}&messageId=${sent}`))).to.deep.equal([]);
    expect(idsOf(await find(`${account}&chargeId=${messages[0].chargeId}`))).to.deep.equal([]);
  });

  it('are found by contact, reference and direction in all accounts, page by page', async () => {
    const early = statusPayload(one, { id: 'wamid.EARLY', status: 'sent' });
    await answered(200, on.waybill.webhook(early));
    // Other tests have accounts in the same service.
    const found = async (query: string) =>
      (await find(query)).messages
        .filter(({ accountId }: Json) => [one.accountId, other.accountId].includes(accountId))
        .map(({ id }: Json) => id);
    const all = [another, sent, received];
    expect(await found('')).to.deep.equal(all);
    expect(await found(`contact=${CONTACT}`)).to.deep.equal(all);
    expect(await found('contact=919812345670')).to.deep.equal([]);
    expect(await found('clientReference=order 7')).to.deep.equal([another, sent]);
    expect(await found(`contact=${CONTACT}&direction=inbound`)).to.deep.equal([received]);
    const { messages, nextCursor } = await find('limit=2');
    expect(idsOf({ messages })).to.deep.equal([another, sent]);
    expect(await found(`limit=2&cursor=${nextCursor}`)).to.deep.equal([received]);
  });

  it('are read one by one with every event, also by auditors', async () => {
    const { token } = await makeAdministrator(on.waybill);
    const body = await bodyOf(200, on.waybill.call('GET', `/admin/v1/messages/${sent}`, { token }));
    expect(body).to.deep.include({ id: sent, accountId: one.accountId });
    expect(body.timeline.map(({ type }: Json) => type)).to.deep.equal(['MessageSent']);
    const inbound = await on.waybill.admin('GET', `/messages/${received}`);
    expect(inbound.body).to.deep.include({ id: received, direction: 'inbound' });
    expect(inbound.body.timeline[0].type).to.equal('MessageReceived');
    expect(inbound.body.providerCost).to.equal(null);
    await answered(404, on.waybill.admin('GET', '/messages/wamid.none'));
  });

  it('show what the provider takes by the rate card, until a status says how it bills', async () => {
    const cost = async () => (await on.waybill.admin('GET', `/messages/${sent}`)).body.providerCost;
    const unsaid = { amount: '0.0014', currency: 'USD', basis: 'rate_card', pricingType: null };
    expect(await cost()).to.deep.equal(unsaid);
    const pricing = { pricing_model: 'PMP', type: 'regular', category: 'utility' };
    const update = statusPayload(one, { id: sent, status: 'sent', pricing });
    await answered(200, on.waybill.webhook(update));
    expect(await cost()).to.deep.equal({ ...unsaid, basis: 'status', pricingType: 'regular' });
  });
});
