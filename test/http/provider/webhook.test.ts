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

  const raw = (body: string | Buffer, signature?: string) =>
    on.waybill.call('POST', '/provider/webhook', {
      raw: body,
      ...(signature !== undefined && { headers: { 'x-hub-signature-256': signature } }),
    });
  const stored = async () =>
    typesOf(await on.waybill.log()).filter((type) => type !== 'ApiKeyUsed');
  const thread = async () => on.waybill.events(await threadOf(on.waybill, tenant));
  const at = 1_795_262_400_000;

  const shake = (query: Record<string, string>) =>
    on.waybill.call('GET', `${HANDSHAKE}?${new URLSearchParams(query)}`);

  it('answers the challenge of a handshake to a caller with the token', async () => {
    const challenge = '1158201444';
    const asked = { 'hub.mode': 'subscribe', 'hub.challenge': challenge };
    const right = shake({ ...asked, 'hub.verify_token': VERIFY_TOKEN });
    const { body, headers } = await answered(200, right);
    expect(body).to.equal(challenge);
    expect(headers['content-type']).to.match(/^text\/plain/);
  });

  it('refuses a handshake to every other caller', async () => {
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

  it('answers 401 where the signature is not of the received bytes, and stores nothing', async () => {
    const body = JSON.stringify(inboundPayload(tenant, { id: 'wamid.SIGNED', at }));
    const good = signatureOf(Buffer.from(body), APP_SECRET);
    const before = await stored();
    for (const [bytes, signature] of [
      [body],
      [body, good.replace('sha256=', '')],
      [body, signatureOf(Buffer.from(body), 'another-secret')],
      [`${body} `, good],
    ] as [string, string?][]) {
      expect((await answered(401, raw(bytes, signature))).body.error).to.be.a('string');
    }
    expect(await stored()).to.deep.equal(before);
    await answered(200, raw(body, good));
    const added = (await stored()).slice(before.length);
    expect(added).to.deep.equal(['InboundIdClaimed', 'MessageReceived']);
  });

  const signed = (body: Buffer | string) =>
    raw(body, signatureOf(Buffer.from(body as string), APP_SECRET));

  it('answers 400 to payloads that are no JSON or nested too deep', async () => {
    const before = await stored();
    for (const body of ['', '{', 'hello', '['.repeat(40) + ']'.repeat(40)]) {
      expect((await answered(400, signed(body))).body.error).to.be.a('string');
    }
    expect(await stored()).to.deep.equal(before);
  });

  it('takes payloads of up to 3 MB, and answers 413 to larger ones', async () => {
    const limit = 3 * 1024 * 1024;
    const text = JSON.stringify(messagesPayload(tenant, { statuses: [] }));
    const largest = Buffer.from(text.padEnd(limit));
    await answered(200, signed(largest));
    await answered(413, signed(Buffer.concat([largest, Buffer.from(' ')])));
  });

  it('row 63: answers 503 to items that cannot be stored now, so that the provider repeats them', async () => {
    const later = inboundPayload(tenant, { id: 'wamid.LATER', at });
    isBroken = true;
    try {
      const answer = await answered(503, on.waybill.webhook(later));
      expect(answer.headers['retry-after']).to.equal('1');
      expect(answer.body.error).to.be.a('string');
    } finally {
      isBroken = false;
    }
    expect(await thread()).to.deep.equal([]);
    await answered(200, on.waybill.webhook(later));
    expect(typesOf(await thread())).to.deep.equal(['MessageReceived']);
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
    await answered(200, waybill.webhook(payload));
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
