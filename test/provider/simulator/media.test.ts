import { expect } from 'chai';
import { request } from 'undici';
import { ProviderRefused } from '../../../src/provider/provider.ts';
import type { MessageItem } from '../../../src/provider/webhook/item.ts';
import { fixedClock } from '../../support/ambient.ts';
import { outgoing, sender } from '../../support/provider.ts';
import { failureOf } from '../../support/spec.ts';
import { until } from '../../support/until.ts';
import type { Json } from '../../support/waybill.ts';
import { useSimulator } from './stage.ts';

const MB = 1_048_576;
const CUSTOMER = '447700900123';
const other = sender({ phoneNumberId: '100000000000009' });
const { signal } = new AbortController();

describe('the simulator’s files @long', () => {
  let clock: ReturnType<typeof fixedClock>;
  beforeEach(() => {
    clock = fixedClock();
  });
  const on = useSimulator(() => ({
    enforceWindow: false,
    clock,
    timings: { sentMs: 1, deliveredMs: 2, readMs: 3 },
  }));

  async function* bytes(content: Buffer) {
    yield content;
  }
  const upload = (mimeType: string, content: Buffer, from = sender()) =>
    on.provider.uploadMedia(from, { content: bytes(content), mimeType, filename: 'a' }, signal);
  const read = async (url: string, authorization = 'Bearer x') => {
    const { statusCode, headers, body } = await request(url, { headers: { authorization } });
    return { statusCode, type: headers['content-type'], content: await body.text() };
  };
  const detailsOf = async (work: Promise<unknown>): Promise<string> => {
    const error = await failureOf<ProviderRefused>(work);
    expect(error).to.be.instanceOf(ProviderRefused);
    return error.refusal.message;
  };
  const sendFile = (id: string, from = sender()) =>
    on.provider.send(from, { ...outgoing(), content: { type: 'media', mediaType: 'image', id } });

  it('can be uploaded, read by their address and sent by their id, each by its own number', async () => {
    const { mediaId } = await upload('image/png', Buffer.from('a picture'));
    const { url, mimeType: type } = (await on.provider.readMedia(sender(), mediaId))!;
    expect(type).to.equal('image/png');
    expect(await read(url)).to.deep.equal({ statusCode: 200, type, content: 'a picture' });
    expect((await sendFile(mediaId)).kind).to.equal('accepted');
    expect(await on.provider.readMedia(other, mediaId)).to.equal(undefined);
    const refused = await sendFile(mediaId, other);
    expect(refused.kind === 'refused' && refused.refusal.message).to.include(
      'not a valid whatsapp business account media attachment ID',
    );
  });

  it('must exist to be sent in strict mode', async () => {
    expect((await sendFile('404')).kind).to.equal('accepted');
    on.simulator.setNumber({ phoneNumberId: sender().phoneNumberId });
    on.simulator.configure({ strict: true });
    expect((await sendFile('404')).kind).to.equal('refused');
    const { mediaId } = await upload('image/png', Buffer.from('a picture'));
    expect((await sendFile(mediaId)).kind).to.equal('accepted');
  });

  it('have addresses that end after five minutes and need a token', async () => {
    const { mediaId } = await upload('image/png', Buffer.from('a picture'));
    const { url } = (await on.provider.readMedia(sender(), mediaId))!;
    expect((await read(url, 'none')).statusCode).to.equal(401);
    clock.advance(5 * 60_000 - 1);
    expect((await read(url)).statusCode).to.equal(200);
    clock.advance(1);
    expect((await read(url)).statusCode).to.equal(404);
    const again = (await on.provider.readMedia(sender(), mediaId))!;
    expect((await read(again.url)).statusCode).to.equal(200);
  });

  it('are refused for their type, their size, nothing in them and a dead token', async () => {
    expect(await detailsOf(upload('text/html', Buffer.from('x')))).to.include('type text/html');
    expect(await detailsOf(upload('image/png', Buffer.alloc(5 * MB + 1)))).to.include('5242880');
    expect(await detailsOf(upload('image/png', Buffer.alloc(0)))).to.include('empty');
    on.simulator.configure({ invalidTokens: [sender().accessToken] });
    expect(await detailsOf(upload('image/png', Buffer.from('x')))).to.include('expired');
  });

  it('are kept up to 256 MB, the oldest go first @series', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      ids.push((await upload('application/pdf', Buffer.alloc(100 * MB))).mediaId);
    }
    const found = await Promise.all(ids.map((id) => on.provider.readMedia(sender(), id)));
    expect(found.map((one) => one !== undefined)).to.deep.equal([false, true, true]);
  });

  const received = () =>
    on.receiver.items.filter((item) => item.kind === 'message') as MessageItem[];
  const kinds = [
    ['15550199951', 'image', 'image/png'],
    ['15550199952', 'video', 'video/mp4'],
    ['15550199953', 'audio', 'audio/ogg; codecs=opus'],
    ['15550199954', 'document', 'application/pdf'],
    ['15550199955', 'sticker', 'image/webp'],
    ['15550199956', 'image', 'image/png'],
    ['15550199957', 'document', 'application/pdf'],
  ] as const;
  for (const [recipient, kind, mimeType] of kinds) {
    it(`come from the customer ${recipient} as an answer`, async () => {
      const outcome = await on.provider.send(sender(), outgoing(recipient));
      await until('the answer is there', () => received().length === 1);
      const [{ message }] = received() as unknown as [{ message: Json }];
      expect(message).to.deep.include({ type: kind, from: recipient });
      expect(message.context.id).to.equal(outcome.kind === 'accepted' && outcome.messageId);
      expect(message[kind]).to.include({ mime_type: mimeType });
      const found = await on.provider.readMedia(sender(), message[kind].id);
      if (recipient === '15550199956') {
        expect(found).to.equal(undefined);
        return;
      }
      const reading = read(found!.url);
      if (recipient === '15550199957') {
        expect(await reading.catch((error) => error)).to.be.an('error');
        return;
      }
      const { content, type } = await reading;
      expect([type, content.length > 0]).to.deep.equal([mimeType, true]);
    });
  }

  it('come from a customer on demand, over the control address too', async () => {
    const media = { kind: 'image', mimeType: 'image/png', content: 'YWJj', caption: 'Mine' };
    const { statusCode, body } = await request(`${on.baseUrl}/_simulator/inbound`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ from: CUSTOMER, phoneNumberId: sender().phoneNumberId, media }),
    });
    expect([statusCode, ((await body.json()) as Json).status]).to.deep.equal([200, 200]);
    const [{ message }] = received() as unknown as [{ message: Json }];
    const { id, ...image } = message.image;
    const sha256 = 'ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=';
    expect(image).to.deep.equal({ mime_type: 'image/png', caption: 'Mine', sha256 });
    const { url } = (await on.provider.readMedia(sender(), id))!;
    expect((await read(url)).content).to.equal('abc');
  });
});
