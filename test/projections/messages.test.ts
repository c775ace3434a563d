import { expect } from 'chai';
import type { Content } from '../../src/events/content.ts';
import { MessageReceived } from '../../src/events/conversation.ts';
import { inboundKeyOf, messages } from '../../src/projections/messages.ts';
import { isoTime } from '../../src/shared/clock.ts';
import { given } from '../support/projections.ts';
import {
  positionAt,
  sent,
  status,
  type Written,
  withData,
  written,
} from '../support/projections-facts.ts';
import { freePrice, inboundMessage, intent, NOW } from '../support/samples.ts';

const history = given(messages);
type Shown = NonNullable<ReturnType<ReturnType<typeof history>['document']>>;
const message = sent('m1', 'acc_1', { revision: 3 });
const refusal = { code: '131026', message: 'Message undeliverable' };
/** A message that was sent so is shown so. */
const shownOf = (charge: Partial<Parameters<typeof sent>[2]>, shown: Partial<Shown>) =>
  history(sent('m1', 'acc_1', { revision: 3, ...charge })).thenShows('acc_1.m1', shown);

describe('messages', () => {
  it('show the recipient as the provider calls it', () => {
    const one = sent('m1', 'acc_1', { revision: 2, intent: { to: '5511987654321' } });
    const recipient = { waId: '551187654321', userId: 'BR.1' };
    history(withData(one, { recipient })).thenShows('acc_1.m1', {
      recipientWaId: '551187654321',
      contactUserId: 'BR.1',
    });
  });

  it('shows a message as it was sent', () =>
    history(message).thenIs('acc_1.m1', {
      messageRef: 'm1',
      recorded: true,
      metaMessageId: 'id of m1',
      accountId: 'acc_1',
      phoneNumberId: '100000000000001',
      contactRef: 'ref_919812345678',
      contactUserId: null,
      direction: 'outbound',
      recipientWaId: '919812345678',
      senderWaId: null,
      contactName: null,
      messageType: 'template',
      status: 'sent',
      statusTimestamp: isoTime(NOW),
      errorCode: null,
      errorMessage: null,
      event: 'order_shipped',
      templateName: 'order_shipped',
      text: 'Your order A-77 has been shipped.',
      content: intent().content,
      contextMessageId: null,
      category: 'UTILITY',
      price: '0.00168',
      currency: 'USD',
      creditsCharged: 1,
      clientReference: null,
      source: 'notification',
      chargeId: 'chg_acc_1_3',
      createdAt: isoTime(NOW),
      order: positionAt(0),
      sealedMonth: null,
    }));

  const contents: [Content, string, string | null][] = [
    [{ type: 'text', body: 'Hi', previewUrl: false }, 'text', null],
    [
      { type: 'template', name: 'promo', language: 'en', components: [{ a: 1 }] },
      'template',
      'promo',
    ],
    [{ type: 'media', mediaType: 'image', link: 'https://x.example/i.png' }, 'image', null],
    [{ type: 'media', mediaType: 'sticker', id: '1' }, 'sticker', null],
    [{ type: 'location', latitude: 1.5, longitude: -2 }, 'location', null],
    [{ type: 'interactive', interactive: { type: 'button' } }, 'interactive', null],
  ];
  for (const [content, messageType, templateName] of contents) {
    it(`shows ${JSON.stringify(content).slice(0, 45)} as ${messageType}`, () =>
      shownOf({ intent: { content } }, { messageType, templateName, content }));
  }

  it('shows a free message with a price of nothing', () =>
    shownOf(
      { amount: 0, price: freePrice },
      { category: 'SERVICE', price: '0.0000', creditsCharged: 0 },
    ));

  it('counts no credits on a wallet plan', () =>
    shownOf(
      { amount: -1680, price: { billing: 'wallet' } },
      { price: '0.00168', creditsCharged: null },
    ));

  it('dates a recovered record by when its charge was reserved', () =>
    shownOf(
      { recovered: true, reservedAt: NOW - 60_000 },
      { createdAt: isoTime(NOW - 60_000), statusTimestamp: isoTime(NOW - 60_000) },
    ));

  it("shows the provider's status from the first update on", () =>
    history(message, status('m1', 'sent', NOW - 300)).thenShows('acc_1.m1', {
      status: 'sent',
      statusTimestamp: isoTime(NOW - 300),
    }));

  const delivered = { status: 'delivered', errorCode: null, errorMessage: null };
  it('fills the error while the message is failed, and clears it when it is not', () => {
    const failed = [message, status('m1', 'failed', NOW + 1, refusal)];
    history(...failed).thenShows('acc_1.m1', {
      status: 'failed',
      errorCode: '131026',
      errorMessage: 'Message undeliverable',
    });
    history(...failed, status('m1', 'delivered', NOW + 2)).thenShows('acc_1.m1', delivered);
  });

  it('keeps no error of an update that is not failed', () =>
    history(message, status('m1', 'delivered', NOW + 1, refusal)).thenShows('acc_1.m1', delivered));

  it('leaves an unknown word of the provider aside', () =>
    history(message, status('m1', 'warning', NOW + 1)).thenShows('acc_1.m1', { status: 'sent' }));

  it('parks a status that comes before its message, and shows it to no account', () =>
    history(status('m1', 'delivered', NOW - 5)).thenIs('acc_1.m1', {
      messageRef: 'm1',
      recorded: false,
      accountId: null,
      order: null,
      early: [
        {
          phoneNumberId: '100000000000001',
          status: 'delivered',
          statusTimestamp: isoTime(NOW - 5),
          errorCode: null,
        },
      ],
    }));

  /** As an old log may hold it, from before another number's statuses were refused. */
  const elsewhere = (word: string, at: number): Written => {
    const of = { accountId: 'acc_2', phoneNumberId: '100000000000002' };
    return withData(status('m1', word, at, refusal), of);
  };

  it('leaves aside what came in at another number, before the record and after it', () => {
    const sentAt = { status: 'sent', statusTimestamp: isoTime(NOW), errorCode: null };
    history(message, elsewhere('failed', NOW + 1)).thenShows('acc_1.m1', sentAt);
    history(elsewhere('read', NOW - 5), message).thenShows('acc_1.m1', sentAt);
    const own = status('m1', 'delivered', NOW - 3);
    history(elsewhere('read', NOW - 5), own, message).thenShows('acc_1.m1', {
      status: 'delivered',
      statusTimestamp: isoTime(NOW - 3),
    });
  });

  it('applies a status of its own number, which another account has by now', () => {
    const late = withData(status('m1', 'read', NOW + 9), { accountId: 'acc_2' });
    history(message, late).thenShows('acc_1.m1', { accountId: 'acc_1', status: 'read' });
  });

  it('keeps what a customer wrote apart from what was sent under the same id', () => {
    const received = (accountId: string, text: string) =>
      written(
        `conversation-${accountId}`,
        MessageReceived.of(inboundMessage({ accountId, text, messageRef: 'm1' })),
      );
    const both = history(received('acc_2', 'A'), received('acc_3', 'B'), message);
    both.thenShows('acc_1.m1', { accountId: 'acc_1', direction: 'outbound' });
    const inbound = { messageRef: 'm1', direction: 'inbound' } as const;
    both.thenShows(inboundKeyOf('acc_2', 'm1'), { ...inbound, text: 'A' });
    both.thenShows(inboundKeyOf('acc_3', 'm1'), { ...inbound, text: 'B' });
  });

  it('gives the message the parked status', () => {
    const taken = history(status('m1', 'failed', NOW - 5, refusal), message);
    taken.thenShows('acc_1.m1', {
      recorded: true,
      accountId: 'acc_1',
      status: 'failed',
      statusTimestamp: isoTime(NOW - 5),
      errorCode: '131026',
      order: positionAt(1),
      createdAt: isoTime(NOW),
    });
    history(status('m1', 'warning', NOW - 5), message).thenShows('acc_1.m1', {
      status: 'sent',
      statusTimestamp: isoTime(NOW),
    });
  });

  it('comes to the same in whatever order and however often the updates come', () => {
    const updates: Written[] = [
      status('m1', 'sent', NOW + 100),
      status('m1', 'failed', NOW + 300, refusal),
      status('m1', 'delivered', NOW + 200),
      status('m1', 'warning', NOW + 900),
      status('m1', 'delivered', NOW + 250),
    ];
    for (const word of ['read', undefined]) {
      const all = word ? [...updates, status('m1', word, NOW + 150)] : updates;
      const expected = word
        ? { status: 'read', statusTimestamp: isoTime(NOW + 150) }
        : { status: 'delivered', statusTimestamp: isoTime(NOW + 250) };
      for (const order of permutations([message, ...all.slice(1)])) {
        const shown = history(...order, order[0]!).document('acc_1.m1')!;
        expect(shown).to.deep.include({ ...expected, recorded: true, errorCode: null });
      }
    }
  });
});

const permutations = <T>(of: readonly T[]): T[][] =>
  of.length <= 1
    ? [[...of]]
    : of.flatMap((one, index) =>
        permutations(of.toSpliced(index, 1)).map((rest) => [one, ...rest]),
      );
