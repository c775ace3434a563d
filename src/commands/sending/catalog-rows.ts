import { lengths } from '../../provider/rules/message-limits.ts';
import type { TemplateCategory } from '../pricing/template-category.ts';

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

export type CatalogGroup =
  | 'Authentication'
  | 'Orders'
  | 'Shipping'
  | 'Payments & Returns'
  | 'Marketing';

interface CatalogRow {
  event: string;
  title: string;
  description: string;
  group: CatalogGroup;
  category: TemplateCategory;
  /** Where it differs from the event. */
  templateName?: string;
  variables: readonly VariableName[];
  preview: string;
}

/** The text that the provider gives every authentication template. */
const CODE_PREVIEW = '{{1}} is your verification code. For your security, do not share this code.';

const authentication = (event: string, title: string, description: string): CatalogRow => ({
  event,
  title,
  description,
  group: 'Authentication',
  category: 'AUTHENTICATION',
  variables: ['otp'],
  preview: CODE_PREVIEW,
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

export const catalogRows: readonly CatalogRow[] = [
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
    preview:
      'Hi {{1}}, your order {{2}} for {{3}} is confirmed. Follow it here: {{4}} . ' +
      'Thank you for shopping with us.',
  }),
  order({
    event: 'order_status',
    title: 'Order status update',
    description: 'Sent when the status of an order changes and no other event says so.',
    templateName: 'order_status_update',
    variables: ['customerName', 'orderId', 'orderStatus', 'trackingLink'],
    preview: 'Hi {{1}}, the status of your order {{2}} is now: {{3}}. Details: {{4}} . Thank you.',
  }),
  order({
    event: 'order_cancelled',
    title: 'Order cancelled',
    description: 'Sent when an order has been cancelled, by the customer or by the shop.',
    variables: ['customerName', 'orderId', 'cancelReason'],
    preview:
      'Hi {{1}}, your order {{2}} was cancelled. Reason: {{3}}. Reply here if you need help.',
  }),
  shipping({
    event: 'order_shipped',
    title: 'Order shipped',
    description: 'Sent when an order has been handed to the carrier.',
    variables: ['orderId', 'awbCode', 'trackingLink'],
    preview:
      'Your order {{1}} has been shipped with tracking number {{2}}. ' +
      'Track it here: {{3}} . Thank you.',
  }),
  shipping({
    event: 'out_for_delivery',
    title: 'Out for delivery',
    description: 'Sent when the carrier is on the way to the customer.',
    variables: ['customerName', 'orderId', 'trackingLink'],
    preview:
      'Hi {{1}}, your order {{2}} is out for delivery today. Track it here: {{3}} . ' +
      'Please keep your phone near.',
  }),
  shipping({
    event: 'order_delivered',
    title: 'Order delivered',
    description: 'Sent when the carrier reports that an order was delivered.',
    variables: ['customerName', 'orderId'],
    preview: 'Hi {{1}}, your order {{2}} has been delivered. Reply here if anything is wrong.',
  }),
  shipping({
    event: 'delivery_failed',
    title: 'Delivery failed',
    description: 'Sent when an order could not be delivered and a new time must be chosen.',
    variables: ['customerName', 'orderId', 'failureReason', 'trackingLink'],
    preview:
      'Hi {{1}}, we could not deliver your order {{2}}. Reason: {{3}}. ' +
      'Choose a new time: {{4}} . Thank you.',
  }),
  payment({
    event: 'payment_received',
    title: 'Payment received',
    description: 'Sent when a payment for an order has arrived.',
    variables: ['customerName', 'amount', 'orderId'],
    preview: 'Hi {{1}}, we received your payment of {{2}} for order {{3}}. Thank you.',
  }),
  payment({
    event: 'payment_failed',
    title: 'Payment failed',
    description: 'Sent when a payment did not go through and can be tried again.',
    variables: ['customerName', 'amount', 'orderId', 'paymentLink'],
    preview:
      'Hi {{1}}, the payment of {{2}} for order {{3}} did not go through. ' +
      'Try again: {{4}} . Your order is kept for now.',
  }),
  payment({
    event: 'return_requested',
    title: 'Return requested',
    description: 'Sent when the request to return an order has been received.',
    variables: ['customerName', 'orderId', 'returnId'],
    preview:
      'Hi {{1}}, we received the return request for order {{2}}. ' +
      'Your return number is {{3}}. We will update you soon.',
  }),
  payment({
    event: 'return_pickup_scheduled',
    title: 'Return pickup scheduled',
    description: 'Sent when the day on which a return is collected has been set.',
    variables: ['customerName', 'returnId', 'pickupDate'],
    preview:
      'Hi {{1}}, the pickup for return {{2}} is planned on {{3}}. Please keep the parcel ready.',
  }),
  payment({
    event: 'refund_processed',
    title: 'Refund processed',
    description: 'Sent when a refund has been issued.',
    variables: ['customerName', 'refundAmount', 'orderId'],
    preview:
      'Hi {{1}}, your refund of {{2}} for order {{3}} has been issued. ' +
      'It can take a few days to show on your account.',
  }),
  marketing({
    event: 'cart_recovery',
    title: 'Cart recovery',
    description: 'Sent when a customer has left a cart without paying. Check for an opt-out first.',
    variables: ['customerName', 'productName', 'cartLink'],
    preview:
      'Hi {{1}}, you left {{2}} in your cart. Complete your order: {{3}} . ' +
      'Reply STOP to opt out.',
  }),
  marketing({
    event: 'review_request',
    title: 'Review request',
    description:
      'Sent some days after a delivery, to ask for a review. Check for an opt-out first.',
    variables: ['customerName', 'productName', 'reviewLink'],
    preview: 'Hi {{1}}, how do you like {{2}}? Tell us here: {{3}} . Reply STOP to opt out.',
  }),
  marketing({
    event: 'back_in_stock',
    title: 'Back in stock',
    description:
      'Sent when a product that a customer waits for can be bought again. ' +
      'Check for an opt-out first.',
    variables: ['productName', 'productLink'],
    preview: 'Good news: {{1}} is back in stock. Get it here: {{2}} . Reply STOP to opt out.',
  }),
];
