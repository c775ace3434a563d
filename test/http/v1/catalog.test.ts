import { expect } from 'chai';
import { useWaybill } from '../../support/surface.ts';
import { type Json, openTenant } from '../../support/waybill.ts';

const eighteen: [string, string, string, string][] = [
  ['otp_verification', 'Authentication', 'AUTHENTICATION', 'otp'],
  ['password_reset', 'Authentication', 'AUTHENTICATION', 'otp'],
  ['order_verification', 'Authentication', 'AUTHENTICATION', 'otp'],
  ['order_confirmation', 'Orders', 'UTILITY', 'customerName orderId orderTotal trackingLink'],
  ['order_status', 'Orders', 'UTILITY', 'customerName orderId orderStatus trackingLink'],
  ['order_cancelled', 'Orders', 'UTILITY', 'customerName orderId cancelReason'],
  ['order_shipped', 'Shipping', 'UTILITY', 'orderId awbCode trackingLink'],
  ['out_for_delivery', 'Shipping', 'UTILITY', 'customerName orderId trackingLink'],
  ['order_delivered', 'Shipping', 'UTILITY', 'customerName orderId'],
  ['delivery_failed', 'Shipping', 'UTILITY', 'customerName orderId failureReason trackingLink'],
  ['payment_received', 'Payments & Returns', 'UTILITY', 'customerName amount orderId'],
  ['payment_failed', 'Payments & Returns', 'UTILITY', 'customerName amount orderId paymentLink'],
  ['return_requested', 'Payments & Returns', 'UTILITY', 'customerName orderId returnId'],
  ['return_pickup_scheduled', 'Payments & Returns', 'UTILITY', 'customerName returnId pickupDate'],
  ['refund_processed', 'Payments & Returns', 'UTILITY', 'customerName refundAmount orderId'],
  ['cart_recovery', 'Marketing', 'MARKETING', 'customerName productName cartLink'],
  ['review_request', 'Marketing', 'MARKETING', 'customerName productName reviewLink'],
  ['back_in_stock', 'Marketing', 'MARKETING', 'productName productLink'],
];

describe('GET /v1/notifications/catalog', () => {
  const on = useWaybill();
  const read = async (): Promise<{ status: number; body: Json[] }> => {
    const { apiKey } = await openTenant(on.waybill, { number: false });
    return on.waybill.call('GET', '/v1/notifications/catalog', { token: apiKey });
  };

  it('lists exactly the 18 events, without any number', async () => {
    const { status, body } = await read();
    expect(status).to.equal(200);
    const rows = body.map(({ event, group, category, variables }) => [
      event,
      group,
      category,
      variables.join(' '),
    ]);
    expect(rows).to.deep.equal(eighteen);
  });

  it('describes each with the ten fields of an entry and no others', async () => {
    const { body } = await read();
    for (const entry of body) {
      expect(entry).to.have.all.keys(
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
      );
      expect(entry.title).to.be.a('string').and.not.equal('');
      expect(entry.description).to.be.a('string').and.not.equal('');
      expect(entry.language).to.equal('en_US');
      expect(Object.keys(entry.variableDocs)).to.have.members(entry.variables);
    }
  });

  it('names the template as the event, but for order_status', async () => {
    const { body } = await read();
    const renamed = body.filter(({ event, templateName }) => event !== templateName);
    expect(renamed.map(({ event, templateName }) => [event, templateName])).to.deep.equal([
      ['order_status', 'order_status_update'],
    ]);
  });

  it('leaves the placeholders in the preview, one for each variable', async () => {
    const { body } = await read();
    for (const { variables, preview } of body) {
      const places = [...preview.matchAll(/\{\{(\d+)\}\}/g)].map(([, digits]) => Number(digits));
      expect(places).to.deep.equal(variables.map((_: string, index: number) => index + 1));
    }
    const shipped = body.find(({ event }) => event === 'order_shipped');
    expect(shipped.preview).to.equal(
      'Your order {{1}} has been shipped with tracking number {{2}}. Track it here: {{3}} . Thank you.',
    );
  });
});
