import { MessageReceived, mediaIdIn } from '../../src/events/conversation.ts';
import { MediaUploaded } from '../../src/events/media.ts';
import { media } from '../../src/projections/media.ts';
import { isoTime } from '../../src/shared/clock.ts';
import { given } from '../support/projections.ts';
import type { Written } from '../support/projections-facts.ts';
import { inboundMessage, NOW } from '../support/samples.ts';

const history = given(media);

const received = (
  message: Record<string, unknown>,
  { accountId = 'acc_1', messageType = 'image', messageRef = 'm1' } = {},
): Written => {
  const whole = { id: messageRef, type: messageType, ...message };
  return {
    stream: `conversation-${accountId}`,
    at: isoTime(NOW),
    fact: MessageReceived.of({
      ...inboundMessage({
        contactRef: 'ref_1',
        messageRef,
        accountId,
        messageType,
        message: whole,
      }),
      mediaId: mediaIdIn({ messageType, message: whole }),
    }),
  };
};

const uploaded = (mediaId: string, accountId = 'acc_1'): Written => ({
  stream: `media-${mediaId}`,
  at: isoTime(NOW),
  fact: MediaUploaded.of({
    mediaId,
    accountId,
    phoneNumberId: '100000000000001',
    keyId: 'key_1',
    mimeType: 'image/png',
    bytes: 7,
  }),
});

describe('media', () => {
  for (const kind of ['image', 'video', 'audio', 'document', 'sticker']) {
    it(`shows the file of a customer’s ${kind}`, () =>
      history(
        received({ [kind]: { id: '77', mime_type: 'a/b', sha256: 'x' } }, { messageType: kind }),
      ).thenIs('acc_1.77', {
        id: 'acc_1.77',
        mediaId: '77',
        accountId: 'acc_1',
        phoneNumberId: '100000000000001',
        mimeType: 'a/b',
        source: 'customer',
        contactRef: 'ref_1',
        readable: true,
        sealedMonth: null,
      }));
  }

  it('shows a file without a type', () =>
    history(received({ image: { id: '77' } })).thenShows('acc_1.77', { mimeType: null }));

  it('shows an upload', () =>
    history(uploaded('78')).thenIs('acc_1.78', {
      id: 'acc_1.78',
      mediaId: '78',
      accountId: 'acc_1',
      phoneNumberId: '100000000000001',
      mimeType: 'image/png',
      source: 'upload',
      readable: true,
      sealedMonth: null,
    }));

  it('shows nothing of messages without a file, or with one that has no id', () =>
    history(
      received({ text: { id: '77' } }, { messageType: 'text' }),
      received({ location: { id: '77' } }, { messageType: 'location' }),
      received({}),
      received({ image: 'x' }),
      received({ image: { id: 77 } }),
      received({ image: { id: '' } }),
      received({ video: { id: '77' } }),
    ).thenHas(0));

  it('keeps the files of accounts apart, also of one id', () => {
    const both = history(
      received({ image: { id: '77' } }),
      received({ image: { id: '77' } }, { accountId: 'acc_2', messageRef: 'm2' }),
      uploaded('79', 'acc_2'),
    );
    both.thenHas(3);
    both.thenShows('acc_1.77', { accountId: 'acc_1' });
    both.thenShows('acc_2.77', { accountId: 'acc_2' });
    both.thenShows('acc_2.79', { accountId: 'acc_2' });
  });

  it('keeps the first that it saw of a file', () => {
    const file = received({ image: { id: '77', mime_type: 'image/png' } });
    history(file, uploaded('77')).thenShows('acc_1.77', { source: 'customer' });
    history(uploaded('77'), file).thenShows('acc_1.77', { source: 'upload' });
  });
});
