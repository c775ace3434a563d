import { Readable } from 'node:stream';
import { expect } from 'chai';
import { createMedia, mediaDecider } from '../../../src/commands/media/media.ts';
import { MediaUploaded } from '../../../src/events/media.ts';
import { ProviderRefused, ProviderUnreachable } from '../../../src/provider/provider.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { codeOf, failureOf, spec } from '../../support/spec.ts';

const MB = 1_048_576;
const upload = {
  mediaId: '77',
  accountId: 'acc_1',
  phoneNumberId: '10',
  keyId: 'key_1',
  mimeType: 'image/png',
  bytes: 7,
};
const given = spec(mediaDecider);

describe('an uploaded file', () => {
  it('is recorded once', () => {
    given().when(upload).thenHappened('MediaUploaded', upload);
    given(MediaUploaded.of(upload)).when(upload).thenNothing();
  });
});

describe('files of accounts', () => {
  const number = {
    phoneNumberId: '10',
    wabaId: '20',
    messagesPerSecond: 80,
    accessToken: { key: 'k', iv: '', tag: '', text: 'sealed' },
  };
  const caller = {
    accountId: 'acc_1',
    keyId: 'key_1',
    requestId: 'r',
    signal: new AbortController().signal,
  };
  /** What happened, in order. */
  let done: string[];
  beforeEach(() => {
    done = [];
  });

  const open = (change: Partial<Parameters<typeof createMedia>[0]> = {}) =>
    createMedia({
      writer: {
        async execute(_: unknown, id: string, { bytes }: { bytes: number }) {
          done.push(`recorded ${id} of ${bytes} bytes`);
        },
      } as never,
      lookups: { numbers: async (id: string) => (id === 'acc_1' ? [number] : []) } as never,
      provider: {
        async uploadMedia(_, { content }) {
          for await (const chunk of content) done.push(`sent ${chunk.length}`);
          return { mediaId: '77' };
        },
        readMedia: async () => {
          return { url: 'https://cdn.example/a', mimeType: 'a/b', sha256: null, bytes: null };
        },
        removeMedia: async () => true,
      },
      secrets: { open: () => 'secret-token' } as never,
      freeWrites: {
        async run(accountId, work) {
          done.push(`free write of ${accountId}`);
          return work();
        },
      },
      download: async ({ url, headers, bytesMax }) => {
        done.push(`download ${url} ${JSON.stringify(headers)} ${bytesMax}`);
        return { kind: 'opened', content: Readable.from([]), bytes: 5 };
      },
      ...change,
    });
  const file = (mimeType: string, ...sizes: number[]) => ({
    mimeType,
    filename: 'a',
    content: Readable.from(sizes.map((size) => Buffer.alloc(size))) as AsyncIterable<Buffer>,
  });
  const send = (mimeType: string, ...sizes: number[]) =>
    open().upload(file(mimeType, ...sizes), undefined, caller);
  const usedUp = new AppError('account.free_writes', 'Too much');

  it('go to the provider and are recorded, each a free write that is not held meanwhile', async () => {
    const { mediaId: id, phoneNumberId, mimeType, bytes } = upload;
    const answer = await send(mimeType, 3, 4);
    expect(answer).to.deep.equal({ id, phoneNumberId, mimeType, bytes, kind: 'image' });
    expect(done).to.deep.equal([
      'free write of acc_1',
      'sent 3',
      'sent 4',
      'free write of acc_1',
      'recorded acc_1.77 of 7 bytes',
    ]);
  });

  it('are not read where the account may write nothing more', async () => {
    const freeWrites = { run: () => Promise.reject(usedUp) };
    const sending = open({ freeWrites }).upload(file('image/png', 3), undefined, caller);
    expect(await codeOf(sending)).to.equal('account.free_writes');
    expect(done).to.deep.equal([]);
  });

  for (const [mimeType, kind, bytesMax] of [
    ['image/jpeg', 'image', 5 * MB],
    ['IMAGE/PNG', 'image', 5 * MB],
    ['image/webp', 'sticker', 512_000],
    ['video/3gpp', 'video', 16 * MB],
    ['audio/ogg; codecs=opus', 'audio', 16 * MB],
    ['application/pdf', 'document', 100 * MB],
  ] as const) {
    it(`may have ${bytesMax} bytes as ${mimeType}, and not one more`, async () => {
      expect(await send(mimeType, bytesMax)).to.include({ kind, bytes: bytesMax });
      done = [];
      const failed = await failureOf(send(mimeType, bytesMax, 1));
      expect(failed.code).to.equal('request.too_large');
      expect(failed.message).to.include(`${bytesMax} bytes`);
      expect(done.join()).not.to.include('recorded');
    });
  }

  for (const type of ['text/html', 'image/gif', 'image/svg+xml', 'application/octet-stream', '']) {
    it(`are not read as ${type || 'no type'}`, async () => {
      const failed = await failureOf(send(type, 3));
      expect(failed.code).to.equal('request.unsupported_type');
      expect(failed.message).to.include('application/pdf');
      expect(done).to.deep.equal([]);
    });
  }

  it('need a number with a token', async () => {
    const elsewhere = { ...caller, accountId: 'acc_2' };
    for (const work of [
      open().upload(file('image/png', 3), undefined, elsewhere),
      open().upload(file('image/png', 3), '11', caller),
      open().open({ accountId: 'acc_1', mediaId: '1', phoneNumberId: '11' }, caller.signal),
    ]) {
      expect(await codeOf(work)).to.equal('number.none');
    }
    expect(done).to.deep.equal([]);
  });

  const known = { accountId: 'acc_1', mediaId: '1', phoneNumberId: '10' };
  const reading = (change: Parameters<typeof open>[0]) => open(change).open(known, caller.signal);

  it('are read at the provider’s address with the token, up to 100 MB', async () => {
    const { mimeType, bytes } = await reading({});
    expect([mimeType, bytes]).to.deep.equal(['a/b', 5]);
    expect(done).to.deep.equal([
      `download https://cdn.example/a {"authorization":"Bearer secret-token"} ${100 * MB}`,
    ]);
  });

  it('are unknown once the provider no longer has them', async () => {
    const readMedia = async () => undefined;
    const failed = await failureOf(reading({ provider: { readMedia } as never }));
    expect(failed.code).to.equal('resource.unknown');
    expect(failed.message).to.match(/no longer has this file.*7 days.*30/);
  });

  it('fail with the provider’s reason, and name neither address nor token', async () => {
    const refusal = { code: 190, subcode: null, message: 'expired', httpStatus: 401 };
    for (const error of [new ProviderRefused(refusal), new ProviderUnreachable('no answer')]) {
      const provider = { readMedia: () => Promise.reject(error) } as never;
      expect(await codeOf(reading({ provider }))).to.equal('provider.failed');
    }
    const reason = 'the connection was closed';
    const failed = await failureOf(reading({ download: async () => ({ kind: 'failed', reason }) }));
    expect(failed.code).to.equal('provider.failed');
    expect(failed.message).to.equal(`The file could not be read: ${reason}`);
  });
});
