import { expect } from 'chai';
import type { Content } from '../../../src/events/content.ts';
import type { TemplateDraft } from '../../../src/provider/provider.ts';
import { outgoing, sender } from '../../support/provider.ts';
import { failureOf } from '../../support/spec.ts';
import { until } from '../../support/until.ts';
import type { Json } from '../../support/waybill.ts';
import { callAt, useSimulator } from './stage.ts';

const body = (text: string, samples: string[]) => ({
  type: 'BODY',
  text,
  ...(samples.length > 0 && { example: { body_text: [samples] } }),
});
const draft = (change: Partial<TemplateDraft> = {}): TemplateDraft => ({
  name: 'order_ready',
  language: 'en_US',
  category: 'UTILITY',
  components: [body('Hi {{1}}, order {{2}} is ready.', ['Mia', 'A-77'])],
  ...change,
});
const plain = body('Your order is ready.', []);
const { wabaId } = sender();
const header = (text: string, samples: string[] = []) => ({
  type: 'HEADER',
  format: 'TEXT',
  text,
  ...(samples.length > 0 && { example: { header_text: samples } }),
});
const buttons = (...types: string[]) => ({
  type: 'BUTTONS',
  buttons: types.map((type) => ({ type, text: 'x'.repeat(25) })),
});
const authentication = draft({
  name: 'login_code',
  category: 'AUTHENTICATION',
  components: [
    { type: 'BODY', add_security_recommendation: true },
    { type: 'FOOTER', code_expiration_minutes: 5 },
    { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
  ],
});

const notification = (
  change: Partial<Extract<Content, { type: 'notification' }>> = {},
): Content => ({
  type: 'notification',
  name: 'order_ready',
  language: 'en_US',
  authentication: false,
  parameters: ['Mia', 'A-77'],
  ...change,
});

/** Longer than any test. */
const NEVER_MS = 2 ** 31 - 1;

describe('the simulator and templates', () => {
  const on = useSimulator(() => ({ timings: { reviewMs: 5, authenticationReviewMs: 1 } }));

  const submit = (change: Partial<TemplateDraft> = {}) =>
    on.provider.submitTemplate(sender(), draft(change));
  /** The provider has it, approved. */
  const keep = (change: Json = {}) => on.simulator.setTemplate(wabaId, { ...draft(), ...change });
  const list = (name?: string) => on.provider.listTemplates(sender(), name);
  const codeOf = async (content: Content) => {
    const outcome = await on.provider.send(sender(), { ...outgoing(), content });
    return outcome.kind === 'refused' ? outcome.refusal.code : outcome.kind;
  };

  it('changes a template by POST alone', async () => {
    const { id } = keep({ name: 'welcome' });
    for (const method of ['PUT', 'DELETE']) {
      const answer = await callAt(on.baseUrl, method, id, { components: [plain] });
      expect(answer.body, method).to.have.property('error');
    }
    expect((await list('welcome'))[0]).to.include({ status: 'APPROVED' });
  });

  it('bills a message by the category of the template in its language', async () => {
    const of = { name: 'welcome', components: [plain] };
    keep({ ...of, language: 'en' });
    keep({ ...of, language: 'de', category: 'MARKETING' });
    const content: Content = { type: 'template', name: 'welcome', language: 'de', components: [] };
    expect(await codeOf(content)).to.equal('accepted');
    await on.settled();
    const priced = on.receiver.items.find((one) => one.kind === 'status' && one.pricing);
    expect(priced).to.have.nested.property('pricing.category', 'marketing');
  });

  it('reviews a submitted template and notifies the service', async () => {
    const outcome = await submit();
    expect(outcome).to.include({ kind: 'submitted', status: 'PENDING', category: 'UTILITY' });
    await on.settled();
    expect((await list())[0]?.status).to.equal('APPROVED');
    expect(on.receiver.items[0]).to.deep.include({
      kind: 'template_status',
      wabaId,
      metaTemplateId: outcome.kind === 'submitted' && outcome.metaTemplateId,
      name: 'order_ready',
      language: 'en_US',
      state: { status: 'APPROVED', statusReason: null },
    });
    expect(await codeOf(notification())).to.equal('accepted');
  });

  it('rejects, recategorises or keeps a template pending by its name', async () => {
    await submit({ name: 'please_reject' });
    await submit({ name: 'recategorise_me' });
    await submit({ name: 'let_it_stay_pending' });
    await on.settled();
    const found = new Map((await list()).map((template) => [template.name, template]));
    const rejected = { status: 'REJECTED', statusReason: 'INVALID_FORMAT' };
    expect(found.get('please_reject')).to.include(rejected);
    expect(found.get('recategorise_me')).to.include({ status: 'APPROVED', category: 'MARKETING' });
    expect(found.get('let_it_stay_pending')).to.include({ status: 'PENDING' });
    expect(on.receiver.items.map(({ kind }) => kind)).to.include('template_category');
    expect(await codeOf(notification({ name: 'let_it_stay_pending' }))).to.equal(132001);
  });

  it('accepts a name and language once', async () => {
    await submit();
    expect(await submit()).to.deep.equal({ kind: 'exists' });
    expect(await submit({ language: 'de' })).to.include({ kind: 'submitted' });
  });

  it('may create a template although its answer is an error', async () => {
    // It is looked up after the refusal; the review may have ended by then.
    expect(await submit({ name: 'opaque' })).to.include({ kind: 'submitted' });
  });

  for (const [what, components] of [
    ['without a body', [{ type: 'FOOTER', text: 'x' }]],
    ['without samples', [{ type: 'BODY', text: 'Hi {{1}}!' }]],
    ['with too few samples', [body('Hi {{1}} and {{2}}!', ['Mia'])]],
    ['with a variable at the end', [body('Hi {{1}}', ['Mia'])]],
    ['with no components', []],
    ['with variables side by side', [body('Hi {{1}} {{2}}!', ['Mia', 'A'])]],
    ['with a long header', [header('x'.repeat(61)), plain]],
    ['with two variables in the header', [header('{{1}} and {{2}}', ['A', 'B']), plain]],
    ['with a long footer', [{ type: 'FOOTER', text: 'x'.repeat(61) }, plain]],
    ['with a variable in the footer', [{ type: 'FOOTER', text: 'For {{1}}.' }, plain]],
    ['with eleven buttons', [plain, buttons(...Array(11).fill('QUICK_REPLY'))]],
    ['with three addresses', [plain, buttons('URL', 'URL', 'URL')]],
    ['with two telephone numbers', [plain, buttons('PHONE_NUMBER', 'PHONE_NUMBER')]],
    [
      'with a long label',
      [plain, { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'x'.repeat(26) }] }],
    ],
  ] as [string, unknown[]][]) {
    it(`refuses one ${what}`, async () =>
      expect((await submit({ components })).kind).to.equal('refused'));
  }

  it('takes one at all its limits', async () => {
    const components = [
      header(`${'x'.repeat(55)}{{1}}`, ['A']),
      plain,
      { type: 'FOOTER', text: 'x'.repeat(60) },
      buttons('URL', 'URL', 'PHONE_NUMBER', 'COPY_CODE', ...Array(6).fill('QUICK_REPLY')),
    ];
    expect((await submit({ components })).kind).to.equal('submitted');
  });

  it('takes a long text in a template that is nothing but a body', async () => {
    const long = notification({ parameters: ['Mia', 'x'.repeat(1024)] });
    keep();
    expect(await codeOf(long)).to.equal('accepted');
    const footer = { type: 'FOOTER', text: 'Shop X' };
    keep({ name: 'with_footer', components: [...draft().components, footer] });
    expect(await codeOf({ ...long, name: 'with_footer' } as Content)).to.equal(132005);
  });

  it('edits a rejected template, and reviews it again', async () => {
    await submit({ name: 'please_reject' });
    await on.settled();
    const [rejected] = await list();
    // The second review must not end before the test has looked.
    on.simulator.configure({ timings: { reviewMs: NEVER_MS } });
    const components = [body('Hello {{1}}!', ['Mia'])];
    const { metaTemplateId: id } = rejected!;
    const edit = () => on.provider.editTemplate(sender(), id, components);
    expect(await edit()).to.include({ kind: 'submitted', status: 'PENDING' });
    const shown = await on.provider.readTemplate(sender(), id);
    expect(shown?.components).to.deep.equal(components);
    expect((await edit()).kind).to.equal('refused');
  });

  it('lists in pages, by name, and for the business account only', async () => {
    for (let i = 0; i < 230; i += 1) keep({ name: `template_${i}` });
    on.simulator.setTemplate('999', { ...draft(), name: 'template_of_another' });
    expect(await list()).to.have.length(230);
    expect((await list('template_1')).map(({ name }) => name)).to.deep.equal(['template_1']);
  });

  it('hides a template of another account that the token can read', async () => {
    const { id } = on.simulator.setTemplate('999', { ...draft() });
    expect(await on.provider.readTemplate(sender(), id)).to.equal(undefined);
    expect(await on.provider.readTemplate(sender(), '12345')).to.equal(undefined);
  });

  it('accepts authentication templates in their own form only', async () => {
    await on.provider.submitTemplate(sender(), authentication);
    await on.settled();
    const code = { name: 'login_code', parameters: ['482913'] };
    expect(await codeOf(notification({ ...code, authentication: true }))).to.equal('accepted');
    expect(await codeOf(notification(code))).to.equal(131008);
  });

  it('takes a code of up to 15 characters', async () => {
    await on.provider.submitTemplate(sender(), authentication);
    await on.settled();
    const send = (code: string) => {
      const content = notification({
        name: 'login_code',
        authentication: true,
        parameters: [code],
      });
      return on.provider.send(sender(), { ...outgoing(), content });
    };
    expect(await send('1'.repeat(15))).to.include({ kind: 'accepted' });
    expect(await send('1'.repeat(16))).to.have.nested.include({
      'refusal.code': 131009,
      'refusal.message':
        'template parameter at index 0 exceeds the maximum length in the AUTHENTICATION category (15 characters).',
    });
  });

  const mismatches: [string, Partial<Extract<Content, { type: 'notification' }>>, number][] = [
    ['too few parameters', { parameters: ['Mia'] }, 132000],
    ['too many parameters', { parameters: ['Mia', 'A', 'B'] }, 132000],
    ['an empty parameter', { parameters: ['Mia', ''] }, 131008],
    ['a newline in a parameter', { parameters: ['Mia', 'A\nB'] }, 132018],
    ['five spaces in a parameter', { parameters: ['Mia', 'A     B'] }, 132018],
    ['another language', { language: 'en' }, 132001],
    ['another name', { name: 'order_lost' }, 132001],
    ['a long parameter', { parameters: ['Mia', 'x'.repeat(32_768)] }, 132005],
  ];
  for (const [what, change, code] of mismatches) {
    it(`refuses to send with ${what}: ${code}`, async () => {
      keep();
      expect(await codeOf(notification(change))).to.equal(code);
    });
  }

  it('requires the medium of a header and the value of an address', async () => {
    const track = { type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}' };
    const picture = { type: 'HEADER', format: 'IMAGE' };
    keep({ components: [picture, plain, { type: 'BUTTONS', buttons: [track] }] });
    const image = { type: 'header', parameters: [{ type: 'image', image: { id: '7' } }] };
    const parameters = [{ type: 'text', text: 'A-77' }];
    const button = { type: 'button', sub_type: 'url', index: 0, parameters };
    const send = (...given: unknown[]) =>
      codeOf({ type: 'template', name: 'order_ready', language: 'en_US', components: given });
    expect(await send()).to.equal(132012);
    expect(await send(image)).to.equal(131008);
    expect(await send(image, button)).to.equal('accepted');
  });

  it('stops and removes templates on demand', async () => {
    const { id } = keep();
    await on.simulator.decideTemplate(id, 'PAUSED');
    expect(await codeOf(notification())).to.equal(132015);
    await on.simulator.decideTemplate(id, 'DELETED');
    expect(await list()).to.deep.equal([]);
    const states = on.receiver.items.map((item) => item.kind === 'template_status' && item.state);
    const paused =
      'PAUSED: the provider paused it for low quality (FIRST_PAUSE: The template is paused for 3 hours.)';
    expect(states).to.have.deep.members([{ status: 'REJECTED', statusReason: paused }, null]);
  });

  it('says how long a pause is, and when a template was disabled', async () => {
    const { id } = keep();
    for (const state of ['PAUSED', 'PAUSED', 'DISABLED']) {
      await on.simulator.decideTemplate(id, state);
    }
    const values = on.receiver.bodies.map((text) => JSON.parse(text).entry[0].changes[0].value);
    const titles = values.map(({ other_info }) => other_info?.title);
    expect(titles).to.deep.equal(['FIRST_PAUSE', 'SECOND_PAUSE', undefined]);
    expect(values[2].disable_info.disable_date).to.match(/^\d{4}-\d\d-\d\d$/);
  });

  it('may take a template for MARKETING at once', async () => {
    const submitted = await submit({ name: 'promotional' });
    expect(submitted).to.include({ kind: 'submitted', category: 'MARKETING' });
  });

  describe('with named variables', () => {
    const sample = (param_name: string) => ({ param_name, example: 'Mia' });
    const named = (text: string, names: string[]) => ({
      type: 'BODY',
      text,
      example: { body_text_named_params: names.map(sample) },
    });
    const welcome = named('Hi {{first_name}}, welcome to {{shop}}.', ['first_name', 'shop']);
    const header = {
      type: 'HEADER',
      format: 'TEXT',
      text: 'For {{first_name}}',
      example: { header_text_named_params: [sample('first_name')] },
    };
    const refusalOf = async (components: unknown[], parameterFormat?: 'NAMED' | 'POSITIONAL') => {
      const outcome = await submit({ components, parameterFormat });
      return outcome.kind === 'refused' ? outcome.refusal.message : outcome.kind;
    };

    it('takes them in the format NAMED only, each with a sample of its name', async () => {
      expect(await refusalOf([welcome])).to.contain('parameter_format');
      const unsampled = named('Hi {{first_name}}, welcome to {{shop}}.', ['first_name', 'store']);
      expect(await refusalOf([unsampled], 'NAMED')).to.contain('Samples');
      expect(await refusalOf([body('Hi {{1}}, welcome.', ['Mia'])], 'NAMED')).to.contain('NAMED');
      expect(await refusalOf([header, welcome], 'NAMED')).to.equal('submitted');
    });

    it('takes numbers from 1 on in the format POSITIONAL', async () => {
      const gap = body('Hi {{1}}, order {{3}} is ready.', ['Mia', 'A-77']);
      expect(await refusalOf([gap])).to.contain('from 1 on');
    });

    const text = (parameter_name: string | undefined, value = 'x') => ({
      type: 'text',
      text: value,
      ...(parameter_name !== undefined && { parameter_name }),
    });
    const sends: [string, object[], number | string][] = [
      ['in any order', [text('shop'), text('first_name')], 'accepted'],
      ['without names', [text(undefined), text(undefined)], 100],
      ['with one missing', [text('shop')], 132000],
      ['with one of another name', [text('shop'), text('last_name')], 132000],
      ['with one twice', [text('shop'), text('shop')], 132000],
      ['with one too many', [text('shop'), text('first_name'), text('x')], 132000],
    ];
    for (const [what, parameters, expected] of sends) {
      it(`${expected === 'accepted' ? 'sends' : 'refuses to send'} them ${what}`, async () => {
        const of = { name: 'welcome', language: 'en' };
        keep({ ...of, parameter_format: 'NAMED', components: [welcome] });
        const components = [{ type: 'body', parameters }];
        expect(await codeOf({ type: 'template', ...of, components })).to.equal(expected);
      });
    }
  });

  it('explains a rejection in its notice', async () => {
    await submit({ name: 'please_explain' });
    await until('the review is over', () => on.receiver.items.length > 0);
    const [item] = on.receiver.items;
    expect(item).to.have.nested.property(
      'state.statusReason',
      'INVALID_FORMAT: The variables of the text do not match its samples.; Give one sample for each variable.',
    );
  });

  it('holds or pauses the message of a template, by its recipient', async () => {
    keep({ components: [plain] });
    const of = { name: 'order_ready', language: 'en_US', components: [] };
    const content: Content = { type: 'template', ...of };
    for (const [to, providerStatus] of [
      ['15550199938', 'held_for_quality_assessment'],
      ['15550199939', 'paused'],
    ] as const) {
      const held = await on.provider.send(sender(), { ...outgoing(to), content });
      expect(held).to.include({ providerStatus });
      expect(await on.provider.send(sender(), outgoing(to))).not.to.have.property('providerStatus');
    }
  });

  it('shows its numbers', async () => {
    const { phoneNumberId } = sender();
    const change = (number: object) => on.simulator.setNumber({ phoneNumberId, ...number });
    const read = async () => {
      const { registered, blockers, limits } = await on.provider.readNumber(sender());
      return [registered, blockers.length, limits.length];
    };
    change({ wabaId, verifiedName: 'Shop X' });
    expect((await on.provider.readNumber(sender())).verifiedName).to.equal('Shop X');
    expect(await read()).to.deep.equal([true, 0, 0]);
    change({ registered: false, blockedBecause: 'Payment method problem' });
    expect(await read()).to.deep.equal([false, 2, 0]);
    change({ registered: true, blockedBecause: null, limitedBecause: 'Business not verified' });
    change({ codeVerificationStatus: 'NOT_VERIFIED' });
    expect(await read()).to.deep.equal([true, 1, 1]);
    change({ pin: '123456' });
    expect(await failureOf(on.provider.registerNumber(sender(), '654321'))).to.be.instanceOf(Error);
  });
});
