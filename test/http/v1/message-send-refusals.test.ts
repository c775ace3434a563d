import { expect } from 'chai';
import { answered } from '../../support/answered.ts';
import { customerWrites, fieldErrorsOf, typesOf, useTenant } from '../../support/surface.ts';
import {
  type Json,
  providerHasTemplates,
  providerRefuses,
  templateAnswer,
} from '../../support/waybill.ts';

const TO = '919812345678';
const text = (change: Json = {}) => ({ to: TO, type: 'text', text: { body: 'Hi' }, ...change });
const template = (name: string, change: Json = {}) => ({
  to: TO,
  type: 'template',
  template: { name, ...change },
});

describe('POST /v1/messages/send refuses @long', () => {
  const on = useTenant({ credits: 100 });

  const send = (body: Json) => on.call('POST', '/v1/messages/send', body);
  const accountEvents = async () =>
    (await on.waybill.events(`account-${on.tenant.accountId}`)).slice(2);

  const incomplete: [Json, RegExp][] = [
    [{ type: 'text' }, /text\.body/],
    [{ type: 'text', text: {} }, /text\.body/],
    [{ type: 'text', text: { body: '' } }, /text\.body/],
    [{ type: 'template' }, /template\.name/],
    [{ type: 'template', template: { language: 'en' } }, /template\.name/],
    [{ type: 'media' }, /media\.type/],
    [{ type: 'media', media: { link: 'https://x.example' } }, /media\.type/],
    [{ type: 'media', media: { type: 'image' } }, /media\.link.*media\.id/],
    [{ type: 'location', location: { latitude: 1 } }, /location\.longitude/],
    [{ type: 'location' }, /location\.latitude/],
    [{ type: 'interactive', interactive: { type: 'button' } }, /interactive.*action/],
    [{ type: 'interactive' }, /interactive\.type/],
    [{ type: 'contacts' }, /contacts/],
    [{ type: 'contacts', contacts: [] }, /contacts/],
    [{ type: 'reaction' }, /reaction\.messageId/],
    [{ type: 'reaction', reaction: { emoji: '👍' } }, /reaction\.messageId/],
    [{ type: 'reaction', reaction: { messageId: 'wamid.A' } }, /reaction\.emoji/],
  ];
  it('400 with a string that names what is missing for the type', async () => {
    for (const [given, pattern] of incomplete) {
      const { body } = await answered(400, send({ to: TO, ...given }), JSON.stringify(given));
      expect(body).to.have.all.keys('error');
      expect(body.error).to.match(pattern);
    }
    expect(await accountEvents()).to.deep.equal([]);
  });

  it('400 with a string that names the rule of the provider, before any charge', async () => {
    await customerWrites(on.waybill, on.tenant);
    const reaction = { messageId: 'wamid.A', emoji: '👍' };
    const reply = { to: TO, type: 'reaction', reaction, contextMessageId: 'wamid.B' };
    const { body } = await answered(400, send(reply));
    expect(body).to.have.all.keys('error');
    expect(body.error).to.match(/contextMessageId/);
    const long = await send(text({ text: { body: 'x'.repeat(4097) } }));
    expect(fieldErrorsOf(long)).to.deep.equal(['text']);
    expect(JSON.stringify(long.body)).to.include('4096');
    expect(await accountEvents()).to.deep.equal([]);
  });

  it('400 with a validation object for the recipient, the type and wrong primitives', async () => {
    const wrong: [Json, string[]][] = [
      [{}, ['to', 'type']],
      [text({ to: '1234' }), ['to']],
      [text({ to: 919812345678 }), ['to']],
      [text({ type: 'fax' }), ['type']],
      [text({ type: null }), ['type']],
      [text({ text: 'Hi' }), ['text']],
      [text({ text: { body: 7 } }), ['text']],
      [text({ clientReference: 'x'.repeat(129) }), ['clientReference']],
      [{ to: TO, type: 'location', location: { latitude: '1', longitude: 2 } }, ['location']],
      [{ to: TO, type: 'media', media: { type: 'hologram', id: '1' } }, ['media']],
      [template('x', { components: {} }), ['template']],
    ];
    for (const [given, fields] of wrong) {
      expect(fieldErrorsOf(await send(given)), JSON.stringify(given)).to.deep.equal(fields);
    }
    expect(await accountEvents()).to.deep.equal([]);
  });

  it('502 SEND_FAILED with the provider’s words, in two rows', async () => {
    providerHasTemplates(on.tenant, templateAnswer('order_shipped'));
    providerRefuses(on.tenant, 132000, 'Number of parameters does not match');
    const { body } = await answered(502, send(template('order_shipped')));
    expect(body.code).to.equal('SEND_FAILED');
    expect(body.details).to.deep.equal({
      type: 'template',
      template: 'order_shipped',
      providerCode: 132000,
      providerMessage: '(#132000) Number of parameters does not match',
    });
    expect(typesOf(await accountEvents())).to.deep.equal(['ChargeReserved', 'ChargeRefunded']);
  });
});
