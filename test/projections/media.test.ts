import { MessageReceived, mediaIdIn } from '../../src/events/conversation.ts';
import { MediaUploaded } from '../../src/events/media.ts';
import { media } from '../../src/projections/media.ts';
import { given } from '../support/projections.ts';
import { type Written, written } from '../support/projections-facts.ts';
import { inboundMessage } from '../support/samples.ts';

const history = given(media);

const received = (
  content: Record<string, unknown>,
  { accountId = 'acc_1', messageType = 'image', messageRef = 'm1' } = {},
): Written => {
  const message = { id: messageRef, type: messageType, ...content };
  const about = { contactRef: 'ref_1', messageRef, accountId, messageType, message };
  const mediaId = mediaIdIn(about);
  const fact = MessageReceived.of(inboundMessage({ ...about, mediaId }));
  return written(`conversation-${accountId}`, fact);
};

const file = { phoneNumberId: '100000000000001', mimeType: 'image/png' };
const uploaded = (mediaId: string, accountId = 'acc_1'): Written => {
  const fact = MediaUploaded.of({ ...file, mediaId, accountId, keyId: 'key_1', bytes: 7 });
  return written(`media-${mediaId}`, fact);
};
const shown = { ...file, accountId: 'acc_1', readable: true, sealedMonth: null };

describe('media', () => {
  for (const kind of ['image', 'video', 'audio', 'document', 'sticker']) {
    it(`shows the file of a customer’s ${kind}`, () =>
      history(
        received({ [kind]: { id: '77', mime_type: 'a/b', sha256: 'x' } }, { messageType: kind }),
      ).thenIs('acc_1.77', {
        ...shown,
        id: 'acc_1.77',
        mediaId: '77',
        mimeType: 'a/b',
        source: 'customer',
        contactRef: 'ref_1',
      }));
  }

  it('shows a file without a type', () =>
    history(received({ image: { id: '77' } })).thenShows('acc_1.77', { mimeType: null }));

  it('shows an upload', () =>
    history(uploaded('78')).thenIs('acc_1.78', {
      ...shown,
      id: 'acc_1.78',
      mediaId: '78',
      source: 'upload',
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
    const theirs = received({ image: { id: '77', mime_type: 'image/png' } });
    history(theirs, uploaded('77')).thenShows('acc_1.77', { source: 'customer' });
    history(uploaded('77'), theirs).thenShows('acc_1.77', { source: 'upload' });
  });
});
