import { expect } from 'chai';
import { streamOfMessage } from '../../support/message-refs.ts';
import { notify, useTenant } from '../../support/surface.ts';
import { type Json, nextMessage } from '../../support/waybill.ts';

describe('A message that the provider accepts and holds', () => {
  const on = useTenant({ templates: ['order_shipped'] });

  it('is shown with the word of the provider in the answer, the history and the event', async () => {
    for (const word of ['held_for_quality_assessment', 'paused']) {
      const id = `wamid.HELD.${word}`;
      nextMessage(on.tenant).reply(200, { messages: [{ id, message_status: word }] });
      const { body } = await notify(on.waybill, on.tenant);
      expect(body).to.include({ success: true, messageId: id, providerStatus: word });
      const { messages } = (await on.call('GET', '/v1/messages')).body;
      const shown = messages.find((one: Json) => one.id === id);
      expect(shown).to.include({ status: 'sent', providerStatus: word });
      const [recorded] = await on.waybill.events(streamOfMessage(on.tenant, id));
      expect((recorded as Json).data.providerStatus).to.equal(word);
    }
  });
});
