import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';

// What the tests of both clients have in common.

export const SECRET = 'whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0';

/** An event of a webhook, and the headers with which the service signs it now. */
export const signedEvent = () => {
  const body = JSON.stringify({ type: 'message.sent', data: {} });
  const at = new Date();
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(SECRET).sign('evt_1', at, body),
  };
  return { body, headers };
};

/** What work that fails throws. */
export const thrownBy = (work: PromiseLike<unknown>): PromiseLike<unknown> =>
  work.then(
    () => expect.fail('it should have thrown'),
    (error) => error,
  );
