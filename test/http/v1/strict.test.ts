import { expect } from 'chai';
import { answered } from '../../support/answered.ts';
import { accountEvents, useTenant } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import {
  type Answer,
  type Json,
  openTenant,
  orderShipped,
  providerAccepts,
  providerHasTemplates,
  type Tenant,
  templateAnswer,
} from '../../support/waybill.ts';

const GOOD = orderShipped().variables;

describe('a strict send', () => {
  const on = useTenant({ once: true });
  before(async () => {
    await useKey(on.tenant);
  });
  const post = (path: string, body: Json, of = on.tenant) =>
    on.waybill.call('POST', path, { token: of.apiKey, body });
  const send = (change: Json, of = on.tenant) =>
    post('/v1/notifications/send', orderShipped(change), of);
  const setLimits = (of: Tenant, body: Json) =>
    on.waybill.admin('PATCH', `/accounts/${of.accountId}/limits`, body);
  const lastPosition = async () => (await on.waybill.log()).length;

  const usesOfKeys = async () =>
    (await on.waybill.log()).filter(({ type }) => type === 'ApiKeyUsed').length;
  /** The log notes the first use of a key: a refusal after it adds nothing. */
  const useKey = async (of: Tenant) => {
    const before = await usesOfKeys();
    await post('/v1/notifications/send', {}, of);
    await untilTrue('the use of the key is noted', async () => (await usesOfKeys()) > before);
  };

  /** The problems by field, of a refusal that left no event. */
  const refused = async (act: () => Promise<Answer>): Promise<Json> => {
    const before = await lastPosition();
    const { body } = await answered(400, act());
    expect(body.error.formErrors).to.deep.equal([]);
    expect(await lastPosition()).to.equal(before);
    return body.error.fieldErrors;
  };
  /** Takes one accepted message. */
  const accepted = async (act: () => Promise<Answer>, of = on.tenant): Promise<Answer> => {
    providerHasTemplates(of, templateAnswer('order_shipped'));
    providerAccepts(of);
    return answered(200, act());
  };

  it('comes before caps and 402', async () => {
    const paused = await openTenant(on.waybill, { credits: 0 });
    await setLimits(paused, { paused: true });
    await useKey(paused);
    const strict = { strict: true, to: '12345' };
    expect(await refused(() => send(strict, paused))).to.have.key('to');
    await setLimits(paused, { paused: false });
    expect(await refused(() => send(strict, paused))).to.have.key('to');
    await answered(402, send({ strict: true }, paused));
  });

  it('is the default of an account that asks for it, unless a body says false', async () => {
    const account = await openTenant(on.waybill);
    const { body: changed } = await setLimits(account, { strict: true });
    expect(changed.limits.strict).to.equal(true);
    const { body: shown } = await on.waybill.admin('GET', `/accounts/${account.accountId}`);
    expect(shown.limits.strict).to.equal(true);
    const set = () => accountEvents(on.waybill, account, 'StrictSendingSet');
    expect(await set()).to.have.length(1);

    await useKey(account);
    const text = { to: '12345', type: 'text', text: { body: 'Hello' } };
    const batch = { event: 'order_shipped', recipients: [{ to: '12345', variables: GOOD }] };
    expect(await refused(() => send({ to: '12345' }, account))).to.have.key('to');
    expect(await refused(() => post('/v1/messages/send', text, account))).to.have.key('to');
    const inBatch = await refused(() => post('/v1/notifications/send/batch', batch, account));
    expect(inBatch).to.have.key('recipients[0].to');
    const { body } = await accepted(() => send({ variables: {}, strict: false }, account), account);
    expect(body.missingVariables).to.deep.equal(['orderId', 'awbCode', 'trackingLink']);

    // The next send follows a change at once, and the same again adds no event.
    await setLimits(account, { strict: false });
    await setLimits(account, { strict: false });
    await accepted(() => send({ variables: {} }, account), account);
    expect(await set()).to.have.length(2);
  });

  it('refuses fields and parameters that nobody knows; others name them in a header', async () => {
    const header = 'x-waybill-warnings';
    const body = { language_code: 'de', 'größe"': 1 };
    expect(await refused(() => send({ ...body, strict: true }))).to.deep.equal({
      language_code: ['is no field of this request; did you mean languageCode?'],
      'größe"': [
        'is no field of this request; known are to, event, variables, phoneNumberId, languageCode, allowTextFallback, clientReference, strict, sendAt, deliverBetween, notAfter, ignoreQuietHours, quoteId, dryRun',
      ],
    });
    const { headers } = await accepted(() => send(body));
    expect(headers[header]).to.equal(
      'unknown;name="language_code";near="languageCode", unknown;name="gr%C3%B6%C3%9Fe\\""',
    );
    expect((await accepted(() => send({}))).headers).to.not.have.property(header);

    const recipients = [{ to: '+919812345678', variables: GOOD, reference: 'A' }];
    const batch = { event: 'order_shipped', recipients };
    const wrong = post('/v1/notifications/send/batch', { ...batch, dryrun: 1, strict: true });
    const answer = await answered(400, wrong);
    expect(answer.body.error.fieldErrors).to.have.keys('recipients[0].reference', 'dryrun');
    expect(answer.headers[header]).to.match(/^unknown;name="recipients\[0\]\.reference"/);

    const list = '/v1/messages?phone=1&limit=1';
    const get = (of: Tenant) => on.waybill.call('GET', list, { token: of.apiKey });
    const shown = await answered(200, get(on.tenant));
    expect(shown.headers[header]).to.equal('unknown;name="phone";near="contact"');
    const careful = await openTenant(on.waybill);
    await setLimits(careful, { strict: true });
    const refusal = await answered(400, get(careful));
    const [words] = refusal.body.error.fieldErrors.phone;
    expect(words).to.match(/^is no query parameter .* did you mean contact\?$/);
  });
});
