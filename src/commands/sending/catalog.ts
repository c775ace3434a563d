import { catalogText, catalogTextVersion } from '../../events/catalog-texts.ts';
import type { TemplateCategory } from '../../events/category.ts';
import { lengths } from '../../provider/rules/message-limits.ts';

/** Every variable of the catalog: what callers read of it, and the provider's reviewers see in it. */
export const glossary = {
  otp: {
    description: `The one-time code, ${lengths.code} characters at most. Also what the copy-code button copies.`,
    sample: '482913',
  },
  customerName: { description: 'The name by which the customer is greeted.', sample: 'Asha' },
  orderId: { description: 'The order number as the customer knows it.', sample: 'A-1042' },
  orderTotal: {
    description: 'The total of the order, formatted and with its currency.',
    sample: 'Rs. 1,499.00',
  },
  orderStatus: { description: 'The new status of the order, in words.', sample: 'Packed' },
  cancelReason: { description: 'Why the order was cancelled.', sample: 'Item out of stock' },
  awbCode: { description: 'The tracking number of the carrier.', sample: 'AWB7788990011' },
  trackingLink: {
    description: 'A link to the page that shows where the order is.',
    sample: 'https://shop.example.com/track/A-1042',
  },
  failureReason: { description: 'Why the delivery failed.', sample: 'Nobody was at home' },
  amount: { description: 'The amount, formatted and with its currency.', sample: 'Rs. 1,499.00' },
  paymentLink: {
    description: 'A link to the page on which the customer can pay.',
    sample: 'https://shop.example.com/pay/A-1042',
  },
  returnId: { description: 'The return number as the customer knows it.', sample: 'R-77' },
  pickupDate: { description: 'The day of the pickup, in words.', sample: 'Tuesday, 6 October' },
  refundAmount: {
    description: 'The amount refunded, formatted and with its currency.',
    sample: 'Rs. 1,499.00',
  },
  productName: { description: 'The name of the product.', sample: 'Blue cotton shirt' },
  cartLink: {
    description: 'A link to the cart that the customer left.',
    sample: 'https://shop.example.com/cart/5521',
  },
  reviewLink: {
    description: 'A link to the page on which the customer can write a review.',
    sample: 'https://shop.example.com/review/5521',
  },
  productLink: {
    description: 'A link to the product.',
    sample: 'https://shop.example.com/p/5521',
  },
} as const;

export type VariableName = keyof typeof glossary;

type CatalogGroup = 'Authentication' | 'Orders' | 'Shipping' | 'Payments & Returns' | 'Marketing';

interface CatalogRow {
  event: string;
  title: string;
  description: string;
  group: CatalogGroup;
  category: TemplateCategory;
  /** Where it differs from the event. */
  templateName?: string;
  variables: readonly VariableName[];
}

const authentication = (event: string, title: string, description: string): CatalogRow => ({
  event,
  title,
  description,
  group: 'Authentication',
  category: 'AUTHENTICATION',
  variables: ['otp'],
});

type Texts = Omit<CatalogRow, 'group' | 'category'>;
const order = (row: Texts): CatalogRow => ({ ...row, group: 'Orders', category: 'UTILITY' });
const shipping = (row: Texts): CatalogRow => ({ ...row, group: 'Shipping', category: 'UTILITY' });
const payment = (row: Texts): CatalogRow => ({
  ...row,
  group: 'Payments & Returns',
  category: 'UTILITY',
});
const marketing = (row: Texts): CatalogRow => ({
  ...row,
  group: 'Marketing',
  category: 'MARKETING',
});

const catalogRows: readonly CatalogRow[] = [
  authentication(
    'otp_verification',
    'OTP verification',
    'Sent when a customer signs in or confirms a number with a one-time code.',
  ),
  authentication(
    'password_reset',
    'Password reset',
    'Sent when a customer asks to reset a password and must prove who they are.',
  ),
  authentication(
    'order_verification',
    'Order verification',
    'Sent when a customer must confirm an order with a one-time code before it is processed.',
  ),
  order({
    event: 'order_confirmation',
    title: 'Order confirmation',
    description: 'Sent when an order has been placed and accepted.',
    variables: ['customerName', 'orderId', 'orderTotal', 'trackingLink'],
  }),
  order({
    event: 'order_status',
    title: 'Order status update',
    description: 'Sent when the status of an order changes and no other event says so.',
    templateName: 'order_status_update',
    variables: ['customerName', 'orderId', 'orderStatus', 'trackingLink'],
  }),
  order({
    event: 'order_cancelled',
    title: 'Order cancelled',
    description: 'Sent when an order has been cancelled, by the customer or by the shop.',
    variables: ['customerName', 'orderId', 'cancelReason'],
  }),
  shipping({
    event: 'order_shipped',
    title: 'Order shipped',
    description: 'Sent when an order has been handed to the carrier.',
    variables: ['orderId', 'awbCode', 'trackingLink'],
  }),
  shipping({
    event: 'out_for_delivery',
    title: 'Out for delivery',
    description: 'Sent when the carrier is on the way to the customer.',
    variables: ['customerName', 'orderId', 'trackingLink'],
  }),
  shipping({
    event: 'order_delivered',
    title: 'Order delivered',
    description: 'Sent when the carrier reports that an order was delivered.',
    variables: ['customerName', 'orderId'],
  }),
  shipping({
    event: 'delivery_failed',
    title: 'Delivery failed',
    description: 'Sent when an order could not be delivered and a new time must be chosen.',
    variables: ['customerName', 'orderId', 'failureReason', 'trackingLink'],
  }),
  payment({
    event: 'payment_received',
    title: 'Payment received',
    description: 'Sent when a payment for an order has arrived.',
    variables: ['customerName', 'amount', 'orderId'],
  }),
  payment({
    event: 'payment_failed',
    title: 'Payment failed',
    description: 'Sent when a payment did not go through and can be tried again.',
    variables: ['customerName', 'amount', 'orderId', 'paymentLink'],
  }),
  payment({
    event: 'return_requested',
    title: 'Return requested',
    description: 'Sent when the request to return an order has been received.',
    variables: ['customerName', 'orderId', 'returnId'],
  }),
  payment({
    event: 'return_pickup_scheduled',
    title: 'Return pickup scheduled',
    description: 'Sent when the day on which a return is collected has been set.',
    variables: ['customerName', 'returnId', 'pickupDate'],
  }),
  payment({
    event: 'refund_processed',
    title: 'Refund processed',
    description: 'Sent when a refund has been issued.',
    variables: ['customerName', 'refundAmount', 'orderId'],
  }),
  marketing({
    event: 'cart_recovery',
    title: 'Cart recovery',
    description: 'Sent when a customer has left a cart without paying. Check for an opt-out first.',
    variables: ['customerName', 'productName', 'cartLink'],
  }),
  marketing({
    event: 'review_request',
    title: 'Review request',
    description:
      'Sent some days after a delivery, to ask for a review. Check for an opt-out first.',
    variables: ['customerName', 'productName', 'reviewLink'],
  }),
  marketing({
    event: 'back_in_stock',
    title: 'Back in stock',
    description:
      'Sent when a product that a customer waits for can be bought again. ' +
      'Check for an opt-out first.',
    variables: ['productName', 'productLink'],
  }),
];

/** An event as callers see it: these fields and no others (contract 2.1). */
export interface CatalogEntry {
  readonly event: string;
  readonly title: string;
  readonly description: string;
  readonly group: CatalogGroup;
  readonly category: TemplateCategory;
  readonly templateName: string;
  readonly language: string;
  readonly variables: readonly string[];
  readonly variableDocs: Readonly<Record<string, string>>;
  readonly preview: string;
}

const LANGUAGE = 'en_US';

const describe = (variables: readonly VariableName[]): Record<string, string> =>
  Object.fromEntries(variables.map((name) => [name, glossary[name].description]));

/** All events, always in this order. */
export const catalog: readonly CatalogEntry[] = Object.freeze(
  catalogRows.map((row) =>
    Object.freeze({
      event: row.event,
      title: row.title,
      description: row.description,
      group: row.group,
      category: row.category,
      templateName: row.templateName ?? row.event,
      language: LANGUAGE,
      variables: Object.freeze([...row.variables]),
      variableDocs: Object.freeze(describe(row.variables)),
      preview: catalogText(row.event, catalogTextVersion(row.event))!,
    }),
  ),
);

export const supportedEvents: readonly string[] = Object.freeze(catalog.map(({ event }) => event));

const byEvent = new Map(catalog.map((entry) => [entry.event, entry]));
const byTemplateName = new Map(catalog.map((entry) => [entry.templateName, entry]));

export const findEvent = (event: string): CatalogEntry | undefined => byEvent.get(event);

export const findEventByTemplate = (templateName: string): CatalogEntry | undefined =>
  byTemplateName.get(templateName);

/** The lifetime of a code that the provider shows to the customer; its own default too. */
const CODE_EXPIRATION_MINUTES = 10;

/**
 * The components under which an entry is submitted. The provider writes the text of an
 * authentication template itself and takes none of ours; every other placeholder needs a sample.
 */
export const templateComponents = (entry: CatalogEntry): Record<string, unknown>[] => {
  if (entry.category === 'AUTHENTICATION') {
    return [
      { type: 'BODY', add_security_recommendation: true },
      { type: 'FOOTER', code_expiration_minutes: CODE_EXPIRATION_MINUTES },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }] },
    ];
  }
  const samples = entry.variables.map((name) => glossary[name as VariableName].sample);
  return [{ type: 'BODY', text: entry.preview, example: { body_text: [samples] } }];
};
