import { expect } from 'chai';
import fc from 'fast-check';
import { isSecret, keptContent, MASKED } from '../../../src/commands/sending/outgoing.ts';
import type { Content } from '../../../src/events/content.ts';

const CODE = '739105';
const template = (components: unknown[], name = 'login_code'): Content => ({
  type: 'template',
  name,
  language: 'en_US',
  components,
});
const text = (value: string) => ({ type: 'text', text: value });
const formOf = (body: string, button = body) => [
  { type: 'body', parameters: [text(body)] },
  { type: 'button', sub_type: 'url', index: '0', parameters: [text(button)] },
];
const form = formOf(CODE);

describe('what the log keeps of a message', () => {
  it('masks every value of an authentication template, and keeps its form', () => {
    const masked = template(formOf(MASKED));
    expect(keptContent(template(form), 'AUTHENTICATION')).to.deep.equal(masked);
  });

  it('masks wherever a code may stand: other fields, numbers, nested lists', () => {
    const odd = [
      { type: 'button', sub_type: 'copy_code', index: 0, coupon: { coupon_code: CODE } },
      { type: CODE, parameters: [[{ text: Number(CODE), ok: true, none: null }], CODE] },
      CODE,
    ];
    const kept = keptContent(template(odd), 'AUTHENTICATION');
    expect(JSON.stringify(kept)).not.to.contain(CODE);
    expect(kept).to.deep.include({ type: 'template', name: 'login_code' });
  });

  it('keeps words that describe a value, and no longer or other ones', () => {
    const word = 'a'.repeat(40);
    const kept = { type: word, sub_type: word, index: '12', parameter_name: word };
    const masked = { type: `${word}a`, sub_type: 'a1', index: '123', parameter_name: `a${word}` };
    const odd = { type: 'a b', sub_type: '', index: 'a', parameter_name: 'a1' };
    const allMasked = Object.fromEntries(Object.keys(odd).map((field) => [field, MASKED]));
    const anywhere = { TYPE: 'text', name: 'text', toString: 'text' };
    const nowhere = { TYPE: MASKED, name: MASKED, toString: MASKED };
    expect(keptContent(template([kept, masked, odd, anywhere]), 'AUTHENTICATION')).to.deep.equal(
      template([kept, allMasked, allMasked, nowhere]),
    );
  });

  it('leaves nothing of a code behind, in whatever place', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 3 }), (one, other) => {
        const given = template([one, { parameters: [other, CODE, { a: CODE, type: CODE }] }]);
        const { components } = keptContent(given, 'AUTHENTICATION') as { components: unknown[] };
        const [, second] = components as [unknown, { parameters: unknown[] }];
        expect(JSON.stringify(second.parameters.slice(1))).not.to.contain(CODE);
      }),
    );
  });

  it('keeps the values of other templates as they are', () => {
    const given = template(form);
    expect(keptContent(given, 'UTILITY')).to.equal(given);
    expect(keptContent(given, 'MARKETING')).to.equal(given);
  });

  it('keeps a code of the catalog secret whatever the provider calls its template', () => {
    expect(isSecret(template(form, 'otp_verification'), 'UTILITY')).to.equal(true);
    expect(isSecret(template(form, 'password_reset'), undefined)).to.equal(true);
  });

  it('goes by the form where the category is not known', () => {
    expect(isSecret(template(form), undefined)).to.equal(true);
    const others = [
      [],
      form.slice(0, 1),
      formOf(CODE, 'A-77'),
      [null, 7, { type: 'body' }, { type: 'button' }],
    ];
    for (const components of others) {
      expect(isSecret(template(components), undefined), JSON.stringify(components)).to.equal(false);
    }
  });

  it('masks each parameter of a notification', () => {
    const given: Content = {
      type: 'notification',
      name: 'order_delivered',
      language: 'en',
      authentication: true,
      parameters: ['Mia', CODE],
    };
    const masked = { ...given, parameters: [MASKED, MASKED] };
    expect(keptContent(given, 'AUTHENTICATION')).to.deep.equal(masked);
    expect(keptContent(given, 'UTILITY')).to.equal(given);
  });

  it('leaves other contents than templates alone', () => {
    const given: Content = { type: 'text', body: CODE, previewUrl: false };
    expect(keptContent(given, 'SERVICE')).to.equal(given);
  });
});
