import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import type { Ingress } from '../../../src/commands/inbound/ingress.ts';
import { type EventStore, StoreUnavailable } from '../../../src/events/store.ts';
import { webhookRoutes } from '../../../src/http/provider/webhook.ts';
import { signatureOf } from '../../../src/provider/webhook/webhook.ts';
import { answered } from '../../support/answered.ts';
import { closeEdges, openEdge } from '../../support/edge.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { useRealConnections } from '../../support/network.ts';
import {
  inboundPayload,
  messagesPayload,
  threadOf,
  typesOf,
  useWaybill,
} from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import {
  APP_SECRET,
  openTenant,
  startWaybill,
  type Tenant,
  VERIFY_TOKEN,
  type Waybill,
} from '../../support/waybill.ts';

const HANDSHAKE = '/provider/webhook';

describe('The webhook of the provider @long', () => {
  let isBroken = false;
  const on = useWaybill({
    wrapStore: (store) => ({
      ...store,
      append: async (...what) => {
        if (isBroken) throw new StoreUnavailable('for this test');
        return store.append(...what);
      },
    }),
  });
  let tenant: Tenant;
  beforeEach(async () => {
    tenant = await openTenant(on.waybill);
  });

  const take = async (payload: unknown, status = 200) => {
    const answer = await answered(status, on.waybill.webhook(payload));
    return answer.body;
  };
  const raw = (body: string | Buffer, signature?: string) =>
    on.waybill.call('POST', '/provider/webhook', {
      raw: body,
      ...(signature !== undefined && { headers: { 'x-hub-signature-256': signature } }),
    });
  const stored = async () =>
    typesOf(await on.waybill.log()).filter((type) => type !== 'ApiKeyUsed');
  const threadWith = async (waId?: string) =>
    on.waybill.events(await threadOf(on.waybill, tenant, waId));
  const at = 1_795_262_400_000;

  describe('handshake', () => {
    const shake = (query: Record<string, string>) =>
      on.waybill.call('GET', `${HANDSHAKE}?${new URLSearchParams(query)}`);

    it('answers the challenge to a caller with the token', async () => {
      const { status, body, headers } = await shake({
        'hub.mode': 'subscribe',
        'hub.verify_token': VERIFY_TOKEN,
        'hub.challenge': '1158201444',
      });
      expect(status).to.equal(200);
      expect(body).to.equal('1158201444');
      expect(headers['content-type']).to.match(/^text\/plain/);
    });

    it('is refused to every other caller', async () => {
      const asked = { 'hub.mode': 'subscribe', 'hub.challenge': '7' };
      for (const query of [
        asked,
        { ...asked, 'hub.verify_token': 'wrong' },
        { ...asked, 'hub.verify_token': '' },
        { ...asked, 'hub.verify_token': `${VERIFY_TOKEN}x` },
        { ...asked, 'hub.mode': 'unsubscribe', 'hub.verify_token': VERIFY_TOKEN },
      ]) {
        expect((await answered(403, shake(query))).body.error).to.be.a('string');
      }
    });
  });

  it('answers 503 and names the missing setting without a secret or token', async () => {
    const ingress = { ingestAll: () => expect.fail('nothing was signed') } as unknown as Ingress;
    const rawRoutes = webhookRoutes({
      ingress,
      appSecrets: [],
      verifyTokens: [],
      signatures: { accepted: 0, onRefused() {} },
    });
    const edge = await openEdge({ rawRoutes });
    const body = JSON.stringify(inboundPayload(tenant, { id: 'wamid.X', at }));
    // What an empty secret would sign is no signature.
    const headers = {
      'x-hub-signature-256': `sha256=${createHmac('sha256', '').update(body).digest('hex')}`,
    };
    for (const answer of [
      await edge.call('POST', '/api/provider/webhook', { body, headers }),
      await edge.call('GET', '/api/provider/webhook?hub.mode=subscribe&hub.verify_token='),
    ]) {
      expect(answer.status).to.equal(503);
      expect(answer.headers['retry-after']).to.equal('60');
      expect(JSON.stringify(answer.body)).to.contain('WAYBILL_APP_SECRET');
    }
    await closeEdges();
  });

  describe('signature', () => {
    it('must match the received bytes: else 401, and nothing is stored', async () => {
      const body = JSON.stringify(inboundPayload(tenant, { id: 'wamid.SIGNED', at }));
      const good = signatureOf(Buffer.from(body), APP_SECRET);
      const before = await stored();
      for (const [bytes, signature] of [
        [body],
        [body, ''],
        [body, 'sha256='],
        [body, good.replace('sha256=', '')],
        [body, good.replace('sha256=', 'sha1=')],
        [body, `${good}00`],
        [body, signatureOf(Buffer.from(body), 'another-secret')],
        [`${body} `, good],
        [body.replace('Hello', 'Hullo'), good],
      ] as [string, string?][]) {
        expect((await answered(401, raw(bytes, signature))).body.error).to.be.a('string');
      }
      expect(await stored()).to.deep.equal(before);
      expect((await raw(body, good)).status).to.equal(200);
      const added = (await stored()).slice(before.length);
      expect(added).to.deep.equal(['InboundIdClaimed', 'MessageReceived']);
    });

    it('holds for bytes beyond ASCII, escaped or not', async () => {
      const text = JSON.stringify(inboundPayload(tenant, { id: 'wamid.Ü', at, body: 'Grüße 🎉' }));
      const escaped = text.replace('ü', '\\u00fc').replace('wamid.Ü', 'wamid.U');
      for (const body of [text, escaped]) {
        expect((await raw(body, signatureOf(Buffer.from(body), APP_SECRET))).status).to.equal(200);
      }
      const texts = (await threadWith()).map(({ data }) => (data as { text: string }).text);
      expect(texts).to.deep.equal(['Grüße 🎉', 'Grüße 🎉']);
    });
  });

  describe('payloads', () => {
    const signed = (body: Buffer | string) =>
      raw(body, signatureOf(Buffer.from(body as string), APP_SECRET));

    it('that are no JSON or nested too deep are 400', async () => {
      const before = await stored();
      for (const body of ['', '{', 'hello', '['.repeat(40) + ']'.repeat(40)]) {
        expect((await answered(400, signed(body))).body.error).to.be.a('string');
      }
      expect(await stored()).to.deep.equal(before);
    });

    it('of up to 3 MB are taken, larger ones are 413', async () => {
      const limit = 3 * 1024 * 1024;
      const text = JSON.stringify(messagesPayload(tenant, { statuses: [] }));
      const largest = Buffer.from(text.padEnd(limit));
      expect((await signed(largest)).status).to.equal(200);
      expect((await signed(Buffer.concat([largest, Buffer.from(' ')]))).status).to.equal(413);
    });
  });

  describe('items', () => {
    it('row 63: that cannot be stored now are 503, so that the provider repeats them', async () => {
      isBroken = true;
      try {
        const answer = await on.waybill.webhook(inboundPayload(tenant, { id: 'wamid.LATER', at }));
        expect([answer.status, answer.headers['retry-after']]).to.deep.equal([503, '1']);
        expect(answer.body.error).to.be.a('string');
      } finally {
        isBroken = false;
      }
      expect(await threadWith()).to.deep.equal([]);
      await take(inboundPayload(tenant, { id: 'wamid.LATER', at }));
      expect(typesOf(await threadWith())).to.deep.equal(['MessageReceived']);
    });
  });
});

describe('Items that an earlier version kept while its read models were behind @long', () => {
  useRealConnections();
  const folder = temporaryFolder();
  let waybill: Waybill;
  after(async () => {
    await waybill?.stop();
    folder.remove();
  });

  it('row 63: are taken in after the start, once, without an administrator', async () => {
    const late = Object.assign(new Error('late'), { name: 'NotReached' });
    const wrapStore = (store: EventStore): EventStore => ({
      ...store,
      append: async (stream, ...what) => {
        if (stream.startsWith('message-')) throw late;
        return store.append(stream, ...what);
      },
    });
    waybill = await startWaybill({ directory: folder.path, wrapStore });
    const tenant = await openTenant(waybill);
    const payload = inboundPayload(tenant, { id: 'wamid.BEHIND', at: waybill.clock.now() });
    expect((await waybill.webhook(payload)).status).to.equal(200);
    await waybill.stop();
    waybill = await startWaybill({ directory: folder.path });
    const of = async (state: string) =>
      (await waybill.admin('GET', `/dead-letters?state=${state}`)).body.deadLetters;
    await untilTrue('the item is taken in', async () => (await of('resolved'))?.length === 1);
    const [{ reason, retries }] = await of('resolved');
    expect([reason, retries, await of('open')]).to.deep.equal(['failed: NotReached', 1, []]);
    const thread = await waybill.events(await threadOf(waybill, tenant));
    expect(typesOf(thread)).to.deep.equal(['MessageReceived']);
  });
});
