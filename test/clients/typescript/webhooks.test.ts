import { createHmac, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import {
  verifyWebhook,
  WebhookError,
  type WebhookRequest,
} from '../../../clients/typescript/src/index.ts';
import { thrownBy } from '../support.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const key = randomBytes(24);
const secret = `whsec_${key.toString('base64')}`;
const event = { type: 'message.delivered', timestamp: '2026-11-22T12:00:00.000Z', accountId: 'a' };
const body = JSON.stringify({ ...event, data: { text: 'नमस्ते' } });

const signed = (change: { by?: Buffer; at?: number } = {}) => {
  const seconds = Math.floor((change.at ?? NOW) / 1_000);
  const hmac = createHmac('sha256', change.by ?? key).update(`msg_1.${seconds}.${body}`);
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${hmac.digest('base64')}`,
  };
};

const verify = (change: Partial<WebhookRequest> = {}) =>
  verifyWebhook({ body, headers: signed(), secret, now: NOW, ...change });

const refusalOf = (change: Partial<WebhookRequest>) => thrownBy(verify(change));

describe('verifyWebhook', () => {
  it('gives the event of a text, of bytes, and of headers in any form', async () => {
    const event = { id: 'msg_1', ...JSON.parse(body) };
    expect(await verify()).to.deep.equal(event);
    expect(await verify({ body: new TextEncoder().encode(body) })).to.deep.equal(event);
    expect(await verify({ headers: new Headers(signed()) })).to.deep.equal(event);
    const capital = Object.fromEntries(
      Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    expect(await verify({ headers: capital })).to.deep.equal(event);
  });

  it('takes the old secret beside the new one, and one right signature among others', async () => {
    const other = `whsec_${randomBytes(24).toString('base64')}`;
    expect((await verify({ secret: [other, secret] })).id).to.equal('msg_1');
    const headers = signed();
    headers['webhook-signature'] = `v1a,xxxx v1,AAAA ${headers['webhook-signature']}`;
    expect((await verify({ headers })).id).to.equal('msg_1');
  });

  it('refuses what was changed on the way, another secret, and no signature', async () => {
    for (const change of [
      { body: body.replace('delivered', 'read') },
      { headers: { ...signed(), 'webhook-id': 'msg_2' } },
      { headers: signed({ by: randomBytes(24) }) },
      { headers: { ...signed(), 'webhook-signature': 'v1,%%%' } },
      { headers: { 'webhook-id': 'msg_1' } },
      { secret: 'whsec_%' },
      { secret: 'whsec_', headers: signed({ by: Buffer.alloc(0) }) },
    ]) {
      expect(await refusalOf(change)).to.be.instanceOf(WebhookError);
    }
  });

  it('refuses a time too far from now, in both directions, or no time', async () => {
    for (const at of [NOW - 301_000, NOW + 301_000]) {
      const error = (await refusalOf({ headers: signed({ at }) })) as Error;
      expect(error.message).to.include('too far from now');
    }
    expect((await verify({ headers: signed({ at: NOW - 299_000 }) })).id).to.equal('msg_1');
    const late = { headers: signed({ at: NOW - 301_000 }), toleranceSeconds: 600 };
    expect((await verify(late)).id).to.equal('msg_1');
    const headers = { ...signed(), 'webhook-timestamp': '1e9' };
    expect(await refusalOf({ headers })).to.be.instanceOf(WebhookError);
  });
});
