import { expect } from 'chai';
import nock from 'nock';
import { answered } from '../../support/answered.ts';
import { fieldErrorsOf, templateNotice, typesOf, useTenant } from '../../support/surface.ts';
import {
  type Json,
  openTenant,
  PROVIDER,
  providerHasTemplates,
  templateAnswer,
  VERSION,
} from '../../support/waybill.ts';

describe('POST /v1/notifications/templates/submit @long', () => {
  const on = useTenant();

  const submit = (body: Json = {}, token = on.tenant.apiKey) =>
    on.waybill.call('POST', '/v1/notifications/templates/submit', { token, body });
  const path = () => `/${VERSION}/${on.tenant.wabaId}/message_templates`;
  /** The provider takes every template and puts it into review. */
  const providerReviews = (status = 'PENDING') => {
    const drafts: Json[] = [];
    let underWay = 0;
    nock(PROVIDER)
      .persist()
      .post(path())
      .reply(200, async (request: Request) => {
        underWay += 1;
        expect(underWay, 'submissions at a time').to.equal(1);
        const draft = (await request.json()) as Json;
        await new Promise(setImmediate);
        drafts.push(draft);
        underWay -= 1;
        return { id: `7000${drafts.length}`, status, category: draft.category };
      });
    return drafts;
  };
  const providerSays = (status: number, error: Json) =>
    nock(PROVIDER).post(path()).reply(status, { error });
  const rowsOf = async (event: string) => {
    const { body } = await on.call('GET', '/v1/notifications/events');
    return body.events.find((one: Json) => one.event === event);
  };
  const duplicate = { code: 100, error_subcode: 2388024, message: 'exists already' };

  it('submits the whole catalog sequentially by default', async () => {
    const drafts = providerReviews();
    const { body } = await answered(200, submit());
    expect(body).to.have.all.keys(
      'success',
      'phoneNumberId',
      'submitted',
      'existing',
      'failed',
      'results',
      'note',
    );
    expect(body).to.deep.include({
      success: true,
      phoneNumberId: on.tenant.phoneNumberId,
      submitted: 18,
      existing: 0,
      failed: 0,
    });
    expect(body.note).to.be.a('string');
    expect(body.results).to.have.length(18);
    for (const [index, result] of body.results.entries()) {
      expect(result).to.deep.equal({
        event: result.event,
        templateName: drafts[index].name,
        category: drafts[index].category,
        state: 'submitted',
        status: 'PENDING',
        metaTemplateId: `7000${index + 1}`,
      });
    }
    expect(await rowsOf('order_status')).to.deep.include({ status: 'PENDING', ready: false });
  });

  it('gives the provider samples, and authentication templates their special form', async () => {
    const drafts = providerReviews();
    await submit({ events: ['order_shipped', 'otp_verification'] });
    const draftOf = (name: string) => drafts.find((draft) => draft.name === name);
    expect(draftOf('otp_verification')).to.deep.equal({
      name: 'otp_verification',
      language: 'en_US',
      category: 'AUTHENTICATION',
      components: [
        { type: 'BODY', add_security_recommendation: true },
        { type: 'FOOTER', code_expiration_minutes: 10 },
        { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }] },
      ],
    });
    const shipped = draftOf('order_shipped');
    expect(shipped).to.deep.include({ language: 'en_US', category: 'UTILITY' });
    const [component] = shipped.components;
    expect(component.type).to.equal('BODY');
    expect(component.example.body_text).to.have.length(1);
    expect(component.example.body_text[0]).to.have.length(3);
  });

  it('skips what is approved or pending with onlyMissing, submits the rest', async () => {
    const drafts = providerReviews();
    const events = ['order_shipped', 'order_delivered', 'cart_recovery'];
    const { results } = (await submit({ events })).body;
    const notify = (name: string, event: string) => {
      const { metaTemplateId } = results.find((one: Json) => one.templateName === name);
      return on.waybill.webhook(
        templateNotice(on.tenant.wabaId, name, event, 'INVALID_FORMAT', metaTemplateId),
      );
    };
    await notify('order_shipped', 'APPROVED');
    await notify('cart_recovery', 'REJECTED');
    drafts.length = 0;
    for (const choice of [{}, { onlyMissing: true }]) {
      const { body } = await submit({ events: ['order_shipped', 'order_delivered'], ...choice });
      expect(body).to.deep.include({ submitted: 0, existing: 0, failed: 0, results: [] });
    }
    const { body } = await submit({ events: ['order_shipped', 'cart_recovery'] });
    expect(body.results.map(({ event }: Json) => event)).to.deep.equal(['cart_recovery']);
    expect(drafts.map(({ name }) => name)).to.deep.equal(['cart_recovery']);
  });

  it('submits everything again without onlyMissing', async () => {
    const drafts = providerReviews();
    const body = { events: ['order_shipped', 'order_delivered'], onlyMissing: false };
    await submit(body);
    await submit(body);
    expect(drafts).to.have.length(4);
  });

  it('edits a rejected template that the provider has already: submitted', async () => {
    providerSays(400, duplicate);
    const row = { id: '4711', status: 'REJECTED', rejected_reason: 'INVALID_FORMAT' };
    providerHasTemplates(on.tenant, templateAnswer('order_shipped', row));
    const edits: Json[] = [];
    nock(PROVIDER)
      .post(`/${VERSION}/4711`)
      .reply(200, async (request: Request) => {
        edits.push(await request.json());
        return { success: true };
      });
    nock(PROVIDER)
      .get(`/${VERSION}/4711`)
      .query(true)
      .reply(200, templateAnswer('order_shipped', { id: '4711', status: 'PENDING' }));
    const { body } = await submit({ events: ['order_shipped'] });
    expect(body).to.deep.include({ submitted: 1, existing: 0, failed: 0 });
    expect(body.results[0]).to.deep.include({
      state: 'submitted',
      status: 'PENDING',
      metaTemplateId: '4711',
    });
    expect(edits).to.have.length(1);
    expect(edits[0].components[0].type).to.equal('BODY');
    expect((await rowsOf('order_shipped')).status).to.equal('PENDING');
  });

  it('adopts what the provider has already, with its real id and status', async () => {
    providerSays(400, duplicate);
    providerHasTemplates(on.tenant, templateAnswer('order_shipped', { id: '4712' }));
    const { body } = await submit({ events: ['order_shipped'] });
    expect(body).to.deep.include({ submitted: 0, existing: 1, failed: 0 });
    expect(body.results).to.deep.equal([
      {
        event: 'order_shipped',
        templateName: 'order_shipped',
        category: 'UTILITY',
        state: 'already_exists',
      },
    ]);
    expect(await rowsOf('order_shipped')).to.deep.include({ status: 'APPROVED', ready: true });
    const stream = `template-${on.tenant.wabaId}.order_shipped.en_US`;
    const [adopted] = await on.waybill.events(stream);
    expect([adopted!.type, (adopted!.data as Json).metaTemplateId]).to.deep.equal([
      'TemplateAdopted',
      '4712',
    ]);
  });

  it('reports a refusal of one template and goes on with the next', async () => {
    providerSays(400, { code: 100, message: '(#100) Invalid parameter' });
    providerReviews();
    const { body } = await answered(200, submit({ events: ['order_shipped', 'order_delivered'] }));
    expect(body).to.deep.include({ success: true, submitted: 1, existing: 0, failed: 1 });
    const failed = body.results.find(({ state }: Json) => state === 'failed');
    expect(failed).to.have.all.keys('event', 'templateName', 'category', 'state', 'error');
    expect(failed.error).to.contain('Invalid parameter');
    expect((await rowsOf(failed.event)).status).to.equal('NOT_CREATED');
  });

  it('400 Unknown events, naming them, and nothing is submitted', async () => {
    const drafts = providerReviews();
    const { status, body } = await submit({ events: ['order_shipped', 'nope', 'nada', 'nope'] });
    expect(status).to.equal(400);
    expect(body).to.deep.equal({ error: 'Unknown events: nope, nada' });
    expect(drafts).to.deep.equal([]);
  });

  it('400 when the provider refuses the call as a whole', async () => {
    const refusals: [number, Json][] = [
      [401, { code: 190, message: 'Access token has expired' }],
      [403, { code: 10, message: 'Permission denied' }],
      [400, { code: 100, error_subcode: 33, message: 'Unsupported post request' }],
    ];
    for (const [httpStatus, error] of refusals) {
      providerSays(httpStatus, error);
      const { body } = await answered(400, submit());
      expect(body).to.have.all.keys('error');
      expect(body.error).to.contain(error.message);
      expect(nock.isDone()).to.equal(true);
    }
  });

  it('400 for a number without a token, 404 for an unknown number', async () => {
    const tokenless = `${on.tenant.phoneNumberId}9`;
    await on.waybill.admin('POST', `/accounts/${on.tenant.accountId}/numbers`, {
      phoneNumberId: tokenless,
      wabaId: on.tenant.wabaId,
    });
    const without = await answered(400, submit({ phoneNumberId: tokenless }));
    expect(without.body).to.deep.equal({ error: 'Phone number has no access token configured' });
    const other = await openTenant(on.waybill);
    for (const phoneNumberId of ['1', other.phoneNumberId]) {
      const { body } = await answered(404, submit({ phoneNumberId }));
      expect(body).to.deep.equal({ error: 'Phone number not found or not configured' });
    }
    const bare = await openTenant(on.waybill, { number: false });
    const none = await answered(404, submit({}, bare.apiKey));
    expect(none.body.error).to.match(/^No configured messaging number/);
  });

  it('400 with a validation object for a body of other types', async () => {
    for (const [body, field] of [
      [{ events: 'order_shipped' }, 'events'],
      [{ events: [1] }, 'events'],
      [{ onlyMissing: 'yes' }, 'onlyMissing'],
      [{ phoneNumberId: 5 }, 'phoneNumberId'],
    ] as const) {
      expect(fieldErrorsOf(await submit(body))).to.deep.equal([field]);
    }
    expect(fieldErrorsOf(await submit([]))).to.deep.equal([]);
  });

  it('records each submission under its template', async () => {
    providerReviews();
    await submit({ events: ['order_status'] });
    const stream = `template-${on.tenant.wabaId}.order_status_update.en_US`;
    const events = await on.waybill.events(stream);
    expect(typesOf(events)).to.deep.equal(['TemplateSubmitted']);
    expect(events[0]!.data).to.deep.include({ metaTemplateId: '70001', status: 'PENDING' });
  });

  describe('as an administrator does it, for a number of any account', () => {
    const asAdmin = (phoneNumberId: string, body: Json = {}) =>
      on.waybill.admin('POST', `/numbers/${phoneNumberId}/catalog/submit`, body);

    it('submits for the account of the number, and records who did it', async () => {
      providerReviews();
      const { status, body } = await asAdmin(on.tenant.phoneNumberId, { events: ['order_status'] });
      expect(status).to.equal(200);
      expect(body).to.deep.include({
        phoneNumberId: on.tenant.phoneNumberId,
        submitted: 1,
        failed: 0,
      });
      expect((await rowsOf('order_status')).status).to.equal('PENDING');
      const [event] = await on.waybill.events(
        `template-${on.tenant.wabaId}.order_status_update.en_US`,
      );
      expect(event!.meta).to.deep.include({ accountId: on.tenant.accountId });
      expect(event!.meta.by).to.include({ id: 'root' });
    });
  });
});
