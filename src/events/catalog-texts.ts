// The texts that customers read of the catalog's templates. Stored messages name a text by its event and
// version and do not repeat it, so a text that was ever sent stays as it is: a change adds a version.

/** The text that the provider gives every authentication template. */
const CODE = '{{1}} is your verification code. For your security, do not share this code.';

/** The texts of each event, oldest first. */
const texts: Readonly<Record<string, readonly [string, ...string[]]>> = {
  otp_verification: [CODE],
  password_reset: [CODE],
  order_verification: [CODE],
  order_confirmation: [
    'Hi {{1}}, your order {{2}} for {{3}} is confirmed. Follow it here: {{4}} . ' +
      'Thank you for shopping with us.',
  ],
  order_status: [
    'Hi {{1}}, the status of your order {{2}} is now: {{3}}. Details: {{4}} . Thank you.',
  ],
  order_cancelled: [
    'Hi {{1}}, your order {{2}} was cancelled. Reason: {{3}}. Reply here if you need help.',
  ],
  order_shipped: [
    'Your order {{1}} has been shipped with tracking number {{2}}. ' +
      'Track it here: {{3}} . Thank you.',
  ],
  out_for_delivery: [
    'Hi {{1}}, your order {{2}} is out for delivery today. Track it here: {{3}} . ' +
      'Please keep your phone near.',
  ],
  order_delivered: [
    'Hi {{1}}, your order {{2}} has been delivered. Reply here if anything is wrong.',
  ],
  delivery_failed: [
    'Hi {{1}}, we could not deliver your order {{2}}. Reason: {{3}}. ' +
      'Choose a new time: {{4}} . Thank you.',
  ],
  payment_received: ['Hi {{1}}, we received your payment of {{2}} for order {{3}}. Thank you.'],
  payment_failed: [
    'Hi {{1}}, the payment of {{2}} for order {{3}} did not go through. ' +
      'Try again: {{4}} . Your order is kept for now.',
  ],
  return_requested: [
    'Hi {{1}}, we received the return request for order {{2}}. ' +
      'Your return number is {{3}}. We will update you soon.',
  ],
  return_pickup_scheduled: [
    'Hi {{1}}, the pickup for return {{2}} is planned on {{3}}. Please keep the parcel ready.',
  ],
  refund_processed: [
    'Hi {{1}}, your refund of {{2}} for order {{3}} has been issued. ' +
      'It can take a few days to show on your account.',
  ],
  cart_recovery: [
    'Hi {{1}}, you left {{2}} in your cart. Complete your order: {{3}} . ' +
      'Reply STOP to opt out.',
  ],
  review_request: ['Hi {{1}}, how do you like {{2}}? Tell us here: {{3}} . Reply STOP to opt out.'],
  back_in_stock: ['Good news: {{1}} is back in stock. Get it here: {{2}} . Reply STOP to opt out.'],
};

/** Version of the text that is sent now, counted from 1; 0 for an event without a text. */
export const catalogTextVersion = (event: string): number =>
  Object.hasOwn(texts, event) ? texts[event]!.length : 0;

/** A text of an event; undefined without one. */
export const catalogText = (event: string, version: number): string | undefined =>
  Object.hasOwn(texts, event) ? texts[event]![version - 1] : undefined;

/** Replaces a blank parameter (contract 4.7). */
export const BLANK = '-';

const PLACEHOLDER = /\{\{(\d+)\}\}/g;

/** The text with its parameters. One pass: a parameter that looks like a placeholder stays. */
export const fillText = (text: string, parameters: readonly string[]): string =>
  text.replace(PLACEHOLDER, (_, position) => parameters[Number(position) - 1] ?? BLANK);
