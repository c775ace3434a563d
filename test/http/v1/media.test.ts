import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { request } from 'undici';
import { adviceIn } from '../../support/advice.ts';
import { answered, bodyOf } from '../../support/answered.ts';
import { FORM_TYPE, formOf, type Part } from '../../support/form.ts';
import { inSuite } from '../../support/in-suite.ts';
import { useRealConnections } from '../../support/network.ts';
import { openSimulated } from '../../support/simulated.ts';
import { typesOf } from '../../support/surface.ts';
import { type Json, openTenant, type Tenant } from '../../support/waybill.ts';

const CUSTOMER = '919812345678';
const MB = 1_048_576;
const picture = randomBytes(300_000);

const file = (change: Partial<Part> = {}): Part => ({
  name: 'file',
  filename: 'a.jpg',
  type: 'image/jpeg',
  value: picture,
  ...change,
});

describe('media @long', () => {
  useRealConnections();
  const logLines: Json[] = [];
  const on = inSuite(() => openSimulated({ logLines, logLevel: 'trace' }));
  let tenant: Tenant;
  beforeEach(async () => {
    on.simulator.configure({ invalidTokens: [] });
    tenant = await openTenant(on.waybill);
  });

  const upload = (raw: Buffer, type = FORM_TYPE) => {
    const headers = { 'content-type': type };
    return on.waybill.call('POST', '/v1/media', { token: tenant.apiKey, raw, headers });
  };
  const download = async (id: string, { token = tenant.apiKey, method = 'GET' }: Json = {}) => {
    const { statusCode, headers, body } = await request(`${on.waybill.url}/api/v1/media/${id}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
    });
    return { status: statusCode, headers, bytes: Buffer.from(await body.arrayBuffer()) };
  };
  const jsonOf = ({ status, bytes }: { status: number; bytes: Buffer }) => [
    status,
    adviceIn(status, JSON.parse(bytes.toString())).body,
  ];
  const inbound = async (): Promise<Json[]> => {
    const path = '/v1/messages?direction=inbound';
    return (await on.waybill.call('GET', path, { token: tenant.apiKey })).body.messages;
  };
  /** A customer sends a file; resolves to its record in the history. */
  const customerSends = async (
    kind: string,
    mimeType: string,
    content: Buffer,
    rest: Json = {},
  ) => {
    const media = { kind, mimeType, content: content.toString('base64'), ...rest };
    const { phoneNumberId } = tenant;
    const sending = on.simulator.inbound(CUSTOMER, { phoneNumberId, media });
    const { messageId } = await answered(200, sending);
    const message = (await inbound()).find(({ id }) => id === messageId)!;
    expect(message.messageType).to.equal(kind);
    return { id: message.content[kind].id as string, message };
  };
  const unlink = () => on.waybill.admin('DELETE', `/numbers/${tenant.phoneNumberId}`);
  const link = async (to: Tenant) => {
    const { phoneNumberId, wabaId } = tenant;
    const number = { phoneNumberId, wabaId, accessToken: 'another-access-token' };
    const path = `/accounts/${to.accountId}/numbers`;
    await answered(201, on.waybill.admin('POST', path, number));
  };
  const NOT_FOUND = [404, { error: 'Media not found' }];

  const kinds = [
    ['image', 'image/png', { caption: 'It arrived broken' }],
    ['audio', 'audio/ogg; codecs=opus', { voice: true }],
  ] as const;
  for (const [kind, mimeType, words] of kinds) {
    it(`brings a customer’s ${kind} to the account, byte for byte`, async () => {
      const { id, message } = await customerSends(kind, mimeType, picture, words);
      const sha256 = createHash('sha256').update(picture).digest('base64');
      const shown = { id, mime_type: mimeType, ...words, sha256 };
      expect(message.content).to.deep.include({ type: kind, [kind]: shown });
      const { headers, bytes } = await answered(200, download(id));
      expect(bytes.equals(picture)).to.equal(true);
      expect(headers).to.deep.include({
        'content-type': mimeType,
        'content-disposition': 'attachment',
        'content-length': String(picture.length),
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'accept-ranges': 'none',
      });
      expect(headers['ratelimit-remaining']).to.match(/^\d+$/);
    });
  }

  it('uploads a file, which a message can carry, which is read back and recorded', async () => {
    const { accountId, phoneNumberId, apiKey: token } = tenant;
    const form = formOf({ name: 'phoneNumberId', value: phoneNumberId }, file());
    const { id, ...made } = (await answered(201, upload(form))).body;
    const about = { phoneNumberId, mimeType: 'image/jpeg', bytes: picture.length };
    expect(made).to.deep.equal({ kind: 'image', ...about });
    const [uploaded, ...more] = await on.waybill.events(`media-${accountId}.${id}`);
    expect(more).to.deep.equal([]);
    expect(uploaded!.type).to.equal('MediaUploaded');
    expect(uploaded!.data).to.deep.include({ mediaId: id, accountId, ...about });
    expect((uploaded!.data as Json).keyId).to.be.a('string');
    expect((await download(id)).bytes.equals(picture)).to.equal(true);
    const ofAccount = typesOf(await on.waybill.events(`account-${accountId}`));
    expect(ofAccount).not.to.include('ChargeReserved');
    await on.simulator.inbound(CUSTOMER, { phoneNumberId, text: 'Hello?' });
    const body = { to: CUSTOMER, type: 'media', media: { type: made.kind, id } };
    await answered(200, on.waybill.call('POST', '/v1/messages/send', { token, body }));
  });

  it('is 404 for both accounts once the number has moved, and theirs again once it is back', async () => {
    const { id } = await customerSends('image', 'image/png', picture);
    const { body: own } = await upload(formOf(file()));
    const second = await openTenant(on.waybill, { number: false });
    // Another number of the account must not be asked for the file.
    const phoneNumberId = `9${tenant.phoneNumberId}`;
    const another = { phoneNumberId, wabaId: '77', accessToken: 'other' };
    const path = `/accounts/${tenant.accountId}/numbers`;
    await answered(201, on.waybill.admin('POST', path, another));
    await unlink();
    await link(second);
    for (const one of [id, own.id]) {
      expect(jsonOf(await download(one, { token: second.apiKey }))).to.deep.equal(NOT_FOUND);
      const [status, body] = jsonOf(await download(one));
      expect([status, body.code]).to.deep.equal([404, 'NO_PHONE']);
    }
    await unlink();
    await link(tenant);
    expect((await download(id)).bytes.equals(picture)).to.equal(true);
    expect(jsonOf(await download(id, { token: second.apiKey }))).to.deep.equal(NOT_FOUND);
  });

  it('asks the provider anew for each read, because its address ends after five minutes', async () => {
    const { id } = await customerSends('image', 'image/png', picture);
    for (const laterMs of [0, 5 * 60_000]) {
      on.waybill.clock.advance(laterMs);
      expect((await download(id)).bytes.equals(picture)).to.equal(true);
    }
  });

  it('tells the type and the length to a HEAD, and reads no file', async () => {
    const { id } = await customerSends('video', 'video/mp4', Buffer.alloc(8 * MB, 1));
    for (let time = 0; time < 6; time += 1) {
      const { status, headers, bytes } = await download(id, { method: 'HEAD' });
      expect([status, bytes.length]).to.deep.equal([200, 0]);
      expect(headers).to.include({ 'content-type': 'video/mp4', 'content-length': String(8 * MB) });
    }
  });

  it('refuses a type, a size and a form that are not right, and records nothing', async () => {
    const wrong: [number, RegExp, Buffer][] = [
      [415, /text\/html.*image\/jpeg/, formOf(file({ type: 'text/html' }))],
      [413, /5242880 bytes/, formOf(file({ value: Buffer.alloc(5 * MB + 1) }))],
      [413, /512000 bytes/, formOf(file({ type: 'image/webp', value: Buffer.alloc(512_001) }))],
      [400, /no file/, formOf({ name: 'phoneNumberId', value: tenant.phoneNumberId })],
      [400, /more than one file/, formOf(file(), file())],
      [404, /not found/, formOf({ name: 'phoneNumberId', value: '1' }, file())],
      [400, /form/, formOf(file()).subarray(0, 2000)],
      [400, /The file is empty/, formOf(file({ value: '' }))],
    ];
    for (const [status, pattern, body] of wrong) {
      const answer = await answered(status, upload(body), String(pattern));
      expect(answer.body.error).to.match(pattern);
      expect(answer.headers['ratelimit-remaining']).to.match(/^\d+$/);
    }
    await answered(415, upload(Buffer.from('{}'), 'application/json'));
    const log = (await on.waybill.log()).filter(({ meta }) => meta.accountId === tenant.accountId);
    expect(typesOf(log)).not.to.include('MediaUploaded');
  });

  it('names the provider’s reason where it refuses, and shows and logs no token and no address', async () => {
    const { id } = await customerSends('image', 'image/png', picture);
    const secret = `token-of-${tenant.phoneNumberId}`;
    logLines.length = 0;
    await answered(200, download(id));
    const { body: own } = await upload(formOf(file()));
    on.simulator.configure({ invalidTokens: [secret] });
    const answers = [
      JSON.stringify(own),
      ...[await download(id), await download(own.id)].map(({ status, headers, bytes }) => {
        expect(status).to.equal(502);
        return `${JSON.stringify(headers)} ${bytes}`;
      }),
      JSON.stringify(await upload(formOf(file()))),
      JSON.stringify(await inbound()),
      JSON.stringify(await on.waybill.log()),
    ];
    expect(logLines).not.to.be.empty;
    for (const text of [...answers, JSON.stringify(logLines)]) {
      expect(text).not.to.include(secret);
      expect(text).not.to.include(on.providerUrl);
      expect(text).not.to.include('_media');
    }
  });

  it('checks the key and its scope before it reads the body', async () => {
    const path = `/accounts/${tenant.accountId}/keys`;
    const reads = { name: 'k', scopes: ['media:read'] };
    const { key } = await bodyOf(201, on.waybill.admin('POST', path, reads));
    const { port } = new URL(on.waybill.url);
    for (const [token, status] of [
      ['wb_live_wrong', 401],
      [key, 403],
    ] as const) {
      // The body never comes, so only the head can be answered.
      const socket = connect(Number(port), '127.0.0.1');
      socket.write(
        `POST /api/v1/media HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
          `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000000\r\n\r\n`,
      );
      const [answer] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      expect(answer.toString()).to.match(new RegExp(`^HTTP/1.1 ${status} `));
    }
  });
});
