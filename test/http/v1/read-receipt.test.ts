import { expect } from 'chai';
import nock from 'nock';
import { refOfMessage, streamOfMessage } from '../../support/message-refs.ts';
import { customerWrites, fieldErrorsOf, typesOf, useTenant } from '../../support/surface.ts';
import { type Json, PROVIDER, VERSION } from '../../support/waybill.ts';

describe('POST /v1/messages/:messageId/read', () => {
  const on = useTenant();
  let messageId: string;
  beforeEach(async () => {
    messageId = await customerWrites(on.waybill, on.tenant);
  });

  const read = (id = messageId, body?: Json, token = on.tenant.apiKey) =>
    on.waybill.call('POST', `/v1/messages/${encodeURIComponent(id)}/read`, {
      token,
      ...(body !== undefined && { body }),
    });
  const events = async (id = messageId) =>
    typesOf(await on.waybill.events(streamOfMessage(on.tenant, id)));

  /** The provider takes receipts; resolves to the bodies of the calls. */
  const takesReceipts = (times = 1, answer: [number, Json] = [200, { success: true }]): Json[] => {
    const bodies: Json[] = [];
    nock(PROVIDER)
      .post(`/${VERSION}/${on.tenant.phoneNumberId}/messages`)
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
    const account = await on.waybill.events(`account-${on.tenant.accountId}`);
    const { status, body, headers } = await read();
    expect([status, body]).to.deep.equal([200, { success: true, messageId }]);
    expect(headers).not.to.have.property('x-message-price');
    expect(bodies).to.deep.equal([
      { messaging_product: 'whatsapp', status: 'read', message_id: messageId },
    ]);
    const [, marked] = await on.waybill.events(streamOfMessage(on.tenant, messageId));
    expect(marked).to.deep.include({
      type: 'MessageMarkedRead',
      data: {
        messageRef: refOfMessage(messageId),
        accountId: on.tenant.accountId,
        phoneNumberId: on.tenant.phoneNumberId,
      },
    });
    expect(await on.waybill.events(`account-${on.tenant.accountId}`)).to.deep.equal(account);
  });

  it('shows with typing that a reply is being written', async () => {
    const bodies = takesReceipts(2);
    await read(messageId, { typing: true });
    await read(messageId, { typing: false });
    expect(bodies[0].typing_indicator).to.deep.equal({ type: 'text' });
    expect(bodies[1]).not.to.have.property('typing_indicator');
  });

  it('is 400 for a typing that is no boolean, without a call', async () => {
    expect(fieldErrorsOf(await read(messageId, { typing: 'yes' }))).to.deep.equal(['typing']);
    expect(await events()).to.deep.equal(['InboundIdClaimed']);
  });

  it('is 502 with the provider’s words, and records nothing', async () => {
    const error = { message: '(#131009) Parameter value is not valid', code: 131009 };
    takesReceipts(1, [400, { error }]);
    const { status, body } = await read();
    expect(status).to.equal(502);
    expect(body.details).to.deep.equal({
      providerCode: 131009,
      providerMessage: error.message,
    });
    takesReceipts(1, [200, { success: false }]);
    expect((await read()).status).to.equal(502);
    expect(await events()).to.deep.equal(['InboundIdClaimed']);
  });
});
