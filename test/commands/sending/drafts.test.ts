import { expect } from 'chai';
import type { Lookups, NumberRecord, TemplateRow } from '../../../src/commands/core/lookups.ts';
import { createNotifications } from '../../../src/commands/sending/notification.ts';
import { MASKED } from '../../../src/commands/sending/outgoing.ts';
import { createPassThrough } from '../../../src/commands/sending/pass-through.ts';
import type { Draft, Outgoing, Transmitter } from '../../../src/commands/sending/send.ts';
import type { Content } from '../../../src/events/content.ts';
import { splitIntent } from '../../../src/events/intent.ts';
import type { Slot } from '../../../src/provider/provider.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { createSecrets } from '../../../src/shared/secrets.ts';
import { fixedClock } from '../../support/ambient.ts';
import { NOW, price } from '../../support/samples.ts';

const secrets = createSecrets(Buffer.alloc(32, 1));
const context = { requestId: 'r', accountId: 'acc_1' };
const charge = { chargeId: 'c', price: price(), balanceAfter: 9 };
const numberOf = (phoneNumberId: string, hasToken = true) =>
  ({
    phoneNumberId,
    wabaId: '20',
    accountId: 'acc_1',
    messagesPerSecond: 80,
    messagingAccountId: null,
    accessToken: hasToken ? secrets.seal('EAAG', `phone-${phoneNumberId}`) : null,
  }) as unknown as NumberRecord;
const row = (change: Partial<TemplateRow> = {}): TemplateRow => ({
  wabaId: '20',
  name: 'order_shipped',
  language: 'en_US',
  metaTemplateId: '30',
  category: 'UTILITY',
  status: 'APPROVED',
  statusReason: null,
  components: [],
  accountId: null,
  ...change,
});

interface Stage {
  numbers?: NumberRecord[];
  rows?: TemplateRow[];
  /** What a live read shows; undefined where it was read too lately. */
  live?: TemplateRow[] | undefined;
  /** What the mirror has once it has seen the whole log. */
  fresh?: TemplateRow[];
  closesAt?: number | null;
  slot?: Slot;
}
/** Both ways to send, with a transmitter that takes every draft. */
const open = (stage: Stage = {}) => {
  const { numbers = [numberOf('9', false), numberOf('10'), numberOf('11')] } = stage;
  const { rows = [row()], fresh = [], closesAt = null, slot } = stage;
  const drafts: Draft[] = [];
  const reads: unknown[] = [];
  const windows: unknown[] = [];
  const lookups = {
    numbers: async () => numbers,
    templates: async (_: string, name: string, options?: { fresh?: boolean }) =>
      (options?.fresh ? fresh : rows).filter((one) => one.name === name),
    async windowExpiresAt(of: unknown) {
      windows.push(of);
      return closesAt;
    },
  } as unknown as Lookups;
  const transmitter: Transmitter = {
    async transmit(draft) {
      drafts.push(draft);
      if (draft.outgoing instanceof AppError) throw draft.outgoing;
      const { outline } = splitIntent(draft.intent);
      return { messageId: 'wamid.1', charge, outline };
    },
  };
  const deps = {
    lookups,
    transmitter,
    secrets,
    clock: fixedClock(),
    contacts: { find: async (_: string, id: string) => ({ ref: `ref_${id}` }) } as never,
    mirror: {
      async readName(...what: unknown[]) {
        reads.push(what);
        return stage.live;
      },
    } as never,
    provider: { takeSlot: async () => slot } as never,
  };
  const outgoing = () => drafts.at(-1)!.outgoing as Outgoing;
  return {
    notifications: createNotifications(deps),
    passThrough: createPassThrough(deps),
    drafts,
    reads,
    windows,
    outgoing,
  };
};
const failureOf = (work: Promise<unknown>): Promise<AppError> =>
  work.then(
    () => expect.fail('it did not fail'),
    (error) => error,
  );
const variables = { orderId: 'A-77', awbCode: 'AWB1', trackingLink: 'https://s.example/1' };
const shipped = { to: '+91 98123-45678', event: 'order_shipped', variables };
const FROM = {
  phoneNumberId: '10',
  wabaId: '20',
  accessToken: 'EAAG',
  messagesPerSecond: 80,
  messagingAccountId: null,
};

describe('a notification', () => {
  it('is drafted with its template, from the oldest number with a token', async () => {
    const { notifications, drafts, outgoing, reads } = open();
    const sent = await notifications.send(shipped, context);
    expect(sent).to.deep.equal({
      messageId: 'wamid.1',
      charge,
      channel: 'template',
      event: 'order_shipped',
      template: 'order_shipped',
      missingVariables: [],
    });
    const content = {
      type: 'notification',
      name: 'order_shipped',
      language: 'en_US',
      authentication: false,
      parameters: ['A-77', 'AWB1', 'https://s.example/1'],
    };
    const [draft] = drafts;
    expect(draft).to.deep.include({ category: 'UTILITY', reason: 'order_shipped' });
    expect(draft!.intent).to.deep.include({
      phoneNumberId: '10',
      to: '919812345678',
      source: 'notification',
      event: 'order_shipped',
      content,
      contextMessageId: null,
      clientReference: null,
    });
    expect(draft!.intent.text).to.include('A-77');
    expect(outgoing().sender).to.deep.equal(FROM);
    const details = { event: 'order_shipped', template: 'order_shipped' };
    expect(outgoing()).to.deep.include({ content, details, slot: undefined });
    expect(reads).to.deep.equal([]);
  });

  it('takes what the request says of source, reason, number, language and reference', async () => {
    const slot = { key: '11' } as Slot;
    const { notifications, drafts, outgoing } = open({ rows: [row({ language: 'fr' })] });
    const given = { source: 'bot' as const, reason: 'bot:1', clientReference: 'ref', slot };
    await notifications.send(
      { ...shipped, ...given, phoneNumberId: '11', languageCode: 'fr' },
      context,
    );
    expect(drafts[0]!.reason).to.equal('bot:1');
    expect(drafts[0]!.intent).to.include({
      source: 'bot',
      clientReference: 'ref',
      phoneNumberId: '11',
    });
    expect(drafts[0]!.intent.content).to.include({ language: 'fr' });
    expect(outgoing().slot).to.equal(slot);
  });

  it('names what it lacks, and is unknown where its event is', async () => {
    const { notifications } = open();
    const sent = await notifications.send({ ...shipped, variables: { orderId: '1' } }, context);
    expect(sent.missingVariables).to.deep.equal(['awbCode', 'trackingLink']);
    const error = await failureOf(
      notifications.send({ ...shipped, event: 'x'.repeat(200) }, context),
    );
    expect(error.code).to.equal('event.unknown');
    expect(error.message).to.equal(`Unknown event: ${'x'.repeat(100)}`);
    expect((error.details as { supportedEvents: string[] }).supportedEvents).to.have.length(18);
  });

  it('goes by a live read where the mirror knows no approved one, else by the whole log', async () => {
    const pending = [row({ status: 'PENDING' })];
    const live = open({ rows: pending, live: [row({ category: 'MARKETING' })] });
    await live.notifications.send(shipped, { ...context, signal: AbortSignal.timeout(60_000) });
    expect(live.drafts[0]!.category).to.equal('MARKETING');
    expect(live.reads).to.deep.equal([[FROM, 'order_shipped', context]]);
    const other = open({ rows: pending, fresh: [row()] });
    await other.notifications.send(shipped, context);
    expect(other.drafts[0]!.category).to.equal('UTILITY');
    const none = open({ rows: pending, live: [], fresh: [row()] });
    const error = await failureOf(none.notifications.send(shipped, context));
    expect(error.code).to.equal('template.not_approved');
    expect(error.details).to.deep.include({
      event: 'order_shipped',
      templateName: 'order_shipped',
      language: 'en_US',
    });
  });

  it('goes out as text in an open window, where it may', async () => {
    const text = { ...shipped, allowTextFallback: true };
    const { notifications, drafts, outgoing, windows } = open({ rows: [], closesAt: NOW + 1 });
    const sent = await notifications.send(text, context);
    expect(sent).to.include({ channel: 'text', template: null });
    expect(drafts[0]).to.include({ category: 'SERVICE' });
    const { body } = outgoing().content as { body: string };
    expect(outgoing().content).to.deep.equal({ type: 'text', body, previewUrl: false });
    expect(body).to.include('A-77');
    expect(outgoing().details).to.deep.equal({ event: 'order_shipped', template: null });
    const asked = {
      accountId: 'acc_1',
      phoneNumberId: '10',
      contactRef: 'ref_919812345678',
    };
    expect(windows).to.deep.equal([asked]);
    for (const stage of [
      { rows: [], closesAt: NOW },
      { rows: [], closesAt: null },
    ]) {
      const error = await failureOf(open(stage).notifications.send(text, context));
      expect(error.code).to.equal('template.not_approved');
    }
    const forbidden = open({ rows: [], closesAt: NOW + 1 });
    expect((await failureOf(forbidden.notifications.send(shipped, context))).code).to.equal(
      'template.not_approved',
    );
    expect(forbidden.windows).to.deep.equal([]);
    const approved = open({ closesAt: NOW + 1 });
    expect((await approved.notifications.send(text, context)).channel).to.equal('template');
  });

  it('is refused without a number, at the price of its category', async () => {
    const { notifications, drafts } = open({ numbers: [numberOf('9', false)] });
    const error = await failureOf(notifications.send(shipped, context));
    expect([error.code, drafts[0]!.category]).to.deep.equal(['number.none', 'UTILITY']);
    expect(drafts[0]!.intent).to.include({ phoneNumberId: null });
    const other = await failureOf(notifications.send({ ...shipped, phoneNumberId: '8' }, context));
    expect(other.message).to.not.equal(error.message);
  });

  it('sends a code, and keeps none', async () => {
    const { notifications, drafts, outgoing } = open({
      rows: [row({ name: 'otp_verification', category: 'AUTHENTICATION' })],
    });
    const otp = { to: '+919812345678', event: 'otp_verification', variables: { otp: '739105' } };
    await notifications.send(otp, context);
    expect(outgoing().content).to.deep.include({ authentication: true, parameters: ['739105'] });
    expect(JSON.stringify(drafts[0]!.intent)).not.to.include('739105');
    expect(drafts[0]!.intent.content).to.deep.include({ parameters: [MASKED] });
  });

  it('waits for a slot of its number', async () => {
    const limits = { withinMs: 1, signal: new AbortController().signal };
    const slot = { key: '10' } as Slot;
    expect(await open({ slot }).notifications.takeSlot({}, context, limits)).to.equal(slot);
    expect(await open().notifications.takeSlot({}, context, limits)).to.equal('none');
    const none = open({ numbers: [] }).notifications;
    expect(await none.takeSlot({}, context, limits)).to.equal(undefined);
  });
});

describe('a message that the caller built', () => {
  const text: Content = { type: 'text', body: 'Hi', previewUrl: true };
  const template = {
    type: 'template' as const,
    name: 'order_shipped',
    language: 'en_US',
    components: [],
  };
  const to = '+91 98123-45678';

  it('is free inside the window, and refused outside', async () => {
    const { passThrough, drafts, outgoing } = open({ closesAt: NOW + 1 });
    const sent = await passThrough.send({ to, content: text }, context);
    expect(sent).to.deep.equal({
      messageId: 'wamid.1',
      charge,
      to: '919812345678',
      phoneNumberId: '10',
      recipientWaId: undefined,
    });
    expect(drafts[0]).to.include({ category: 'SERVICE', reason: 'text' });
    expect(drafts[0]!.intent).to.deep.include({
      source: 'api',
      event: null,
      text: 'Hi',
      content: text,
      phoneNumberId: '10',
      contextMessageId: null,
      clientReference: null,
      to: '919812345678',
    });
    expect(outgoing().details).to.deep.equal({ type: 'text', template: null });
    for (const [closesAt, windowExpiredAt] of [
      [NOW, new Date(NOW).toISOString()],
      [null, null],
    ]) {
      const closed = open({ closesAt: closesAt as number | null });
      const error = await failureOf(closed.passThrough.send({ to, content: text }, context));
      expect(error.code).to.equal('message.window_closed');
      expect(error.details).to.deep.include({ windowExpiredAt });
    }
  });

  it('takes what the request says', async () => {
    const { passThrough, drafts } = open({ closesAt: NOW + 1 });
    const given = { contextMessageId: 'wamid.0', clientReference: 'ref', reason: 'bot:1' };
    const request = { to, content: text, ...given, source: 'bot' as const, phoneNumberId: '11' };
    expect((await passThrough.send(request, context)).phoneNumberId).to.equal('11');
    expect(drafts[0]!.reason).to.equal('bot:1');
    expect(drafts[0]!.intent).to.include({
      source: 'bot',
      contextMessageId: 'wamid.0',
      clientReference: 'ref',
    });
  });

  it('costs what its template does, and the most where that is not known', async () => {
    const categoryOf = async (rows: TemplateRow[], stage: Stage = {}) => {
      const { passThrough, drafts } = open({ rows, ...stage });
      await passThrough.send({ to, content: template }, context);
      expect(drafts[0]!.reason).to.equal('template:order_shipped');
      return drafts[0]!.category;
    };
    expect(await categoryOf([row()])).to.equal('UTILITY');
    expect(await categoryOf([row({ language: 'de' })])).to.equal('MARKETING');
    expect(await categoryOf([], { live: [row({ name: 'other' }), row()] })).to.equal('UTILITY');
    expect(await categoryOf([], { live: [row({ name: 'other' })] })).to.equal('MARKETING');
    expect(await categoryOf([], { fresh: [row({ category: 'AUTHENTICATION' })] })).to.equal(
      'AUTHENTICATION',
    );
  });

  it('hides a template of another account, also its price', async () => {
    const { passThrough, drafts } = open({ rows: [row({ accountId: 'acc_2' })] });
    const error = await failureOf(passThrough.send({ to, content: template }, context));
    expect(error.code).to.equal('provider.refused');
    expect(error.details).to.deep.include({
      type: 'template',
      template: 'order_shipped',
      providerCode: 132001,
      providerMessage: 'template name (order_shipped) does not exist in en_US',
    });
    expect(drafts[0]!.category).to.equal('MARKETING');
    const own = open({ rows: [row({ accountId: 'acc_1' })] });
    await own.passThrough.send({ to, content: template }, context);
    expect(own.drafts[0]!.category).to.equal('UTILITY');
  });

  it('is refused without a number', async () => {
    const { passThrough, windows } = open({ numbers: [] });
    for (const content of [text, template]) {
      expect((await failureOf(passThrough.send({ to, content }, context))).code).to.equal(
        'number.none',
      );
    }
    expect(windows).to.deep.equal([]);
  });

  const words: [Exclude<Content, { type: 'notification' }>, string, string | null][] = [
    [
      { type: 'media', mediaType: 'image', link: 'https://a.example/1', caption: 'See' } as never,
      'image',
      'See',
    ],
    [{ type: 'media', mediaType: 'audio', link: 'https://a.example/1' } as never, 'audio', null],
    [
      { type: 'interactive', interactive: { body: { text: 'Pick' } } } as never,
      'interactive',
      'Pick',
    ],
    [{ type: 'interactive', interactive: { body: { text: 7 } } } as never, 'interactive', null],
    [{ type: 'interactive', interactive: {} } as never, 'interactive', null],
  ];
  for (const [content, type, shown] of words) {
    it(`shows ${shown} of ${JSON.stringify(content)}`, async () => {
      const { passThrough, drafts, outgoing } = open({ closesAt: NOW + 1 });
      await passThrough.send({ to, content }, context);
      expect(drafts[0]!.intent.text).to.equal(shown);
      expect(outgoing().details).to.deep.equal({ type, template: null });
      expect(drafts[0]!.reason).to.equal(content.type);
    });
  }
});
