import { hash } from 'node:crypto';
import { expect } from 'chai';
import {
  type CatalogEntry,
  catalog,
  findEvent,
  findEventByTemplate,
  supportedEvents,
  templateComponents,
} from '../../../src/commands/sending/catalog.ts';

/** event | group | category | variables */
const expected = `
  otp_verification | Authentication | AUTHENTICATION | otp
  password_reset | Authentication | AUTHENTICATION | otp
  order_verification | Authentication | AUTHENTICATION | otp
  order_confirmation | Orders | UTILITY | customerName, orderId, orderTotal, trackingLink
  order_status | Orders | UTILITY | customerName, orderId, orderStatus, trackingLink
  order_cancelled | Orders | UTILITY | customerName, orderId, cancelReason
  order_shipped | Shipping | UTILITY | orderId, awbCode, trackingLink
  out_for_delivery | Shipping | UTILITY | customerName, orderId, trackingLink
  order_delivered | Shipping | UTILITY | customerName, orderId
  delivery_failed | Shipping | UTILITY | customerName, orderId, failureReason, trackingLink
  payment_received | Payments & Returns | UTILITY | customerName, amount, orderId
  payment_failed | Payments & Returns | UTILITY | customerName, amount, orderId, paymentLink
  return_requested | Payments & Returns | UTILITY | customerName, orderId, returnId
  return_pickup_scheduled | Payments & Returns | UTILITY | customerName, returnId, pickupDate
  refund_processed | Payments & Returns | UTILITY | customerName, refundAmount, orderId
  cart_recovery | Marketing | MARKETING | customerName, productName, cartLink
  review_request | Marketing | MARKETING | customerName, productName, reviewLink
  back_in_stock | Marketing | MARKETING | productName, productLink
`;
const rows = expected
  .trim()
  .split('\n')
  .map((line) => line.trim().split(' | '));

const bodyOf = (entry: CatalogEntry) =>
  templateComponents(entry)[0] as {
    type: string;
    text: string;
    example: { body_text: string[][] };
  };

describe('catalog', () => {
  it('has the 18 events, in order', () => {
    expect(supportedEvents).to.deep.equal(rows.map(([event]) => event));
    expect(catalog.map(({ event }) => event)).to.deep.equal(supportedEvents);
    expect(supportedEvents).to.have.length(18);
  });

  for (const [event = '', group, category, variables = ''] of rows) {
    it(`knows ${event}`, () => {
      const entry = findEvent(event) ?? expect.fail();
      expect(entry).to.include({ event, group, category, language: 'en_US' });
      expect(entry.variables).to.deep.equal(variables.split(', '));
      expect(entry.templateName).to.equal(event === 'order_status' ? 'order_status_update' : event);
      expect(findEventByTemplate(entry.templateName)).to.equal(entry);
    });
  }

  for (const entry of catalog) {
    it(`describes ${entry.event} in full`, () => {
      expect(Object.keys(entry)).to.deep.equal([
        'event',
        'title',
        'description',
        'group',
        'category',
        'templateName',
        'language',
        'variables',
        'variableDocs',
        'preview',
      ]);
      expect(Object.keys(entry.variableDocs)).to.deep.equal(entry.variables);
      for (const words of [entry.title, entry.description, ...Object.values(entry.variableDocs)]) {
        expect(words).to.match(/^[A-Z].{3,}/);
      }
    });

    it(`places every variable of ${entry.event} once, in order`, () => {
      const placeholders = [...entry.preview.matchAll(/\{\{(\d+)\}\}/g)].map(([, n]) => Number(n));
      expect(placeholders).to.deep.equal(entry.variables.map((_, index) => index + 1));
    });
  }

  it('knows no other names', () => {
    for (const name of ['', 'nope', 'order_status_update', '__proto__', 'constructor']) {
      expect(findEvent(name), name).to.equal(undefined);
    }
    for (const name of ['', 'order_status', '__proto__']) {
      expect(findEventByTemplate(name), name).to.equal(undefined);
    }
  });

  it('cannot be changed by its readers', () => {
    const entry = catalog[0] ?? expect.fail();
    expect(() => Object.assign(entry, { event: 'x' })).to.throw(TypeError);
    expect(() => (entry.variables as string[]).push('x')).to.throw(TypeError);
    expect(() => Object.assign(entry.variableDocs, { x: 'x' })).to.throw(TypeError);
  });
});

describe('templateComponents', () => {
  const [authentication, others] = [true, false].map((wanted) =>
    catalog.filter(({ category }) => (category === 'AUTHENTICATION') === wanted),
  );

  for (const entry of authentication ?? []) {
    it(`submits ${entry.event} in the form of a one-time code`, () => {
      expect(templateComponents(entry)).to.deep.equal([
        { type: 'BODY', add_security_recommendation: true },
        { type: 'FOOTER', code_expiration_minutes: 10 },
        { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }] },
      ]);
    });
  }

  for (const entry of others ?? []) {
    it(`submits ${entry.event} as the provider's rules want it`, () => {
      expect(templateComponents(entry)).to.have.length(1);
      const { type, text, example } = bodyOf(entry);
      expect(type).to.equal('BODY');
      expect(text).to.equal(entry.preview);
      expect(text.length).to.be.at.most(1_024);
      expect(text).not.to.match(/^\{\{|\}\}$|\}\}\s*\{\{/);
      expect(example.body_text).to.have.length(1);
      const samples = example.body_text[0] ?? [];
      expect(samples).to.have.length(entry.variables.length);
      for (const sample of samples) expect(sample.trim()).not.to.equal('');
    });
  }

  it('gives each caller a copy of its own', () => {
    const entry = findEvent('order_shipped') ?? expect.fail();
    bodyOf(entry).example.body_text[0]?.push('x');
    expect(bodyOf(entry).example.body_text[0]).to.have.length(3);
  });
});

describe('the words of the catalog', () => {
  it('are those under which templates were approved: other ones must be submitted anew', () => {
    // Whoever changes a text or a sample on purpose puts the new hash here.
    const words = JSON.stringify(catalog.map((entry) => [entry, templateComponents(entry)]));
    expect(hash('sha256', words)).to.equal(
      'c8bc1f9c2a42d268f236db71fc5a8e38ae8a261e77c556c63b5f3a8fcfd464ee',
    );
  });
});
