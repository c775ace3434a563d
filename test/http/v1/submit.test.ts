import { expect } from 'chai';
import nock from 'nock';
import { findEvent, templateComponents } from '../../../src/commands/sending/catalog.ts';
import { answered, bodyOf } from '../../support/answered.ts';
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
    const { results, note, ...counts } = body;
    expect(counts).to.deep.equal({
      success: true,
      phoneNumberId: on.tenant.phoneNumberId,
      submitted: 18,
      existing: 0,
      failed: 0,
    });
    expect(note).to.be.a('string');
    expect(results).to.have.length(18);
    for (const [index, result] of results.entries()) {
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
    const events = ['otp_verification', 'order_shipped'];
    await submit({ events });
    const entries = events.map((event) => findEvent(event)!);
    expect(drafts).to.deep.equal(
      entries.map((entry) => ({
        name: entry.event,
        language: 'en_US',
        category: entry.category,
        components: templateComponents(entry),
      })),
    );
    const [code, shipped] = drafts.map(({ components }) => components);
    expect(code.at(-1).buttons[0]).to.include({ type: 'OTP', otp_type: 'COPY_CODE' });
    expect(shipped[0].example.body_text[0]).to.have.length(3);
  });

  it('skips what is approved or pending with onlyMissing, submits the rest', async () => {
    const drafts = providerReviews();
    const events = ['order_shipped', 'order_delivered', 'cart_recovery'];
    const { results } = (await submit({ events })).body;
    const notify = (name: string, event: string) => {
      const { metaTemplateId: id } = results.find((one: Json) => one.templateName === name);
      const notice = templateNotice(on.tenant.wabaId, name, event, 'INVALID_FORMAT', id);
      return on.waybill.webhook(notice);
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
    const pending = templateAnswer('order_shipped', { id: '4711', status: 'PENDING' });
    nock(PROVIDER).get(`/${VERSION}/4711`).query(true).reply(200, pending);
    const { body } = await submit({ events: ['order_shipped'] });
    expect(body).to.deep.include({ submitted: 1, existing: 0, failed: 0 });
    const submitted = { state: 'submitted', status: 'PENDING', metaTemplateId: '4711' };
    expect(body.results[0]).to.deep.include(submitted);
    expect(edits).to.have.length(1);
    expect(edits[0].components[0].type).to.equal('BODY');
    expect((await rowsOf('order_shipped')).status).to.equal('PENDING');
  });

  it('adopts what the provider has already, with its real id and status', async () => {
    providerSays(400, duplicate);
    providerHasTemplates(on.tenant, templateAnswer('order_shipped', { id: '4712' }));
    const { body } = await submit({ events: ['order_shipped'] });
    expect(body).to.deep.include({ submitted: 0, existing: 1, failed: 0 });
    const there = { event: 'order_shipped', templateName: 'order_shipped', category: 'UTILITY' };
    expect(body.results).to.deep.equal([{ ...there, state: 'already_exists' }]);
    expect(await rowsOf('order_shipped')).to.deep.include({ status: 'APPROVED', ready: true });
    const stream = `template-${on.tenant.wabaId}.order_shipped.en_US`;
    const [adopted] = await on.waybill.events(stream);
    expect(adopted!.type).to.equal('TemplateAdopted');
    expect(adopted!.data).to.include({ metaTemplateId: '4712' });
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
    const events = ['order_shipped', 'nope', 'nada', 'nope'];
    const { body } = await answered(400, submit({ events }));
    expect(body).to.deep.equal({ error: 'Unknown events: nope, nada' });
    expect(drafts).to.deep.equal([]);
  });

  it('400 when the provider refuses the call as a whole', async () => {
    providerSays(401, { code: 190, message: 'Access token has expired' });
    const { body } = await answered(400, submit());
    expect(body).to.have.all.keys('error');
    expect(body.error).to.contain('Access token has expired');
    expect(nock.isDone()).to.equal(true);
  });

  it('400 for a number without a token, 404 for an unknown number', async () => {
    const tokenless = `${on.tenant.phoneNumberId}9`;
    const number = { phoneNumberId: tokenless, wabaId: on.tenant.wabaId };
    await on.waybill.admin('POST', `/accounts/${on.tenant.accountId}/numbers`, number);
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

  it('submits for an administrator, for the account of the number, and records who did it', async () => {
    providerReviews();
    const { phoneNumberId, accountId, wabaId } = on.tenant;
    const path = `/numbers/${phoneNumberId}/catalog/submit`;
    const body = await bodyOf(200, on.waybill.admin('POST', path, { events: ['order_status'] }));
    expect(body).to.deep.include({ phoneNumberId, submitted: 1, failed: 0 });
    expect((await rowsOf('order_status')).status).to.equal('PENDING');
    const [event] = await on.waybill.events(`template-${wabaId}.order_status_update.en_US`);
    expect(event!.meta).to.include({ accountId });
    expect(event!.meta.by).to.include({ id: 'root' });
  });
});
