import { expect } from 'chai';
import nock from 'nock';
import { streamOfMessage } from '../../support/message-refs.ts';
import { useTenant } from '../../support/surface.ts';
import { type Json, orderShipped, PROVIDER, VERSION } from '../../support/waybill.ts';

let sent = 0;

describe('A message that the provider accepts and holds', () => {
  const on = useTenant({ templates: ['order_shipped'] });
  /** The provider accepts the next message in this state; returns its id. */
  const accepts = (message_status?: string): string => {
    sent += 1;
    const id = `wamid.HELD${sent}`;
    nock(PROVIDER)
      .post(`/${VERSION}/${on.tenant.phoneNumberId}/messages`)
      .reply(200, { messages: [{ id, message_status }] });
    return id;
  };
  const { call } = on;
  const send = async () => (await call('POST', '/v1/notifications/send', orderShipped())).body;
  const inHistory = async (id: string) =>
    (await call('GET', '/v1/messages')).body.messages.find((one: Json) => one.id === id);
  const recorded = async (id: string) =>
    ((await on.waybill.events(streamOfMessage(on.tenant, id)))[0] as Json).data.providerStatus;

  it('is shown with the word of the provider in the answer, the history and the event', async () => {
    for (const word of ['held_for_quality_assessment', 'paused']) {
      const id = accepts(word);
      expect(await send()).to.include({ success: true, messageId: id, providerStatus: word });
      expect(await inHistory(id)).to.include({ status: 'sent', providerStatus: word });
      expect(await recorded(id)).to.equal(word);
    }
  });
});
