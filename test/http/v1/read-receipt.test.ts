import { expect } from 'chai';
import { answered } from '../../support/answered.ts';
import { refOfMessage, streamOfMessage } from '../../support/message-refs.ts';
import { customerWrites, fieldErrorsOf, typesOf, useTenant } from '../../support/surface.ts';
import { type Json, nextMessage } from '../../support/waybill.ts';

describe('POST /v1/messages/:messageId/read', () => {
  const on = useTenant();
  let messageId: string;
  beforeEach(async () => {
    messageId = await customerWrites(on.waybill, on.tenant);
  });

  const read = (body?: Json) =>
    on.call('POST', `/v1/messages/${encodeURIComponent(messageId)}/read`, body);
  const events = () => on.waybill.events(streamOfMessage(on.tenant, messageId));

  /** The provider takes receipts; resolves to the bodies of the calls. */
  const takesReceipts = (times = 1, answer: [number, Json] = [200, { success: true }]): Json[] => {
    const bodies: Json[] = [];
    nextMessage(on.tenant)
      .times(times)
      .matchHeader('authorization', /^Bearer ./)
      .reply(answer[0], async (request: Request) => {
        bodies.push(await request.json());
        return answer[1];
      });
    return bodies;
  };

  it('marks the message as read at the provider, without a charge', async () => {
    const bodies = takesReceipts();
    const { accountId, phoneNumberId } = on.tenant;
    const account = await on.waybill.events(`account-${accountId}`);
    const { body, headers } = await answered(200, read());
    expect(body).to.deep.equal({ success: true, messageId });
    expect(headers).not.to.have.property('x-message-price');
    const receipt = { messaging_product: 'whatsapp', status: 'read', message_id: messageId };
    expect(bodies).to.deep.equal([receipt]);
    const [, marked] = await events();
    const data = { messageRef: refOfMessage(messageId), accountId, phoneNumberId };
    expect(marked).to.deep.include({ type: 'MessageMarkedRead', data });
    expect(await on.waybill.events(`account-${accountId}`)).to.deep.equal(account);
  });

  it('shows with typing that a reply is being written', async () => {
    const bodies = takesReceipts(2);
    await read({ typing: true });
    await read({ typing: false });
    expect(bodies[0].typing_indicator).to.deep.equal({ type: 'text' });
    expect(bodies[1]).not.to.have.property('typing_indicator');
  });

  it('is 400 for a typing that is no boolean, without a call', async () => {
    expect(fieldErrorsOf(await read({ typing: 'yes' }))).to.deep.equal(['typing']);
    expect(typesOf(await events())).to.deep.equal(['InboundIdClaimed']);
  });

  it('is 502 with the provider’s words, and records nothing', async () => {
    const error = { message: '(#131009) Parameter value is not valid', code: 131009 };
    takesReceipts(1, [400, { error }]);
    const { body } = await answered(502, read());
    const details = { providerCode: 131009, providerMessage: error.message };
    expect(body.details).to.deep.equal(details);
    takesReceipts(1, [200, { success: false }]);
    await answered(502, read());
    expect(typesOf(await events())).to.deep.equal(['InboundIdClaimed']);
  });
});
