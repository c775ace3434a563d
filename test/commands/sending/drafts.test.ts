import { expect } from 'chai';
import type { Lookups, NumberRecord, TemplateRow } from '../../../src/commands/core/lookups.ts';
import { createDirectSends } from '../../../src/commands/sending/direct.ts';
import { createNotifications } from '../../../src/commands/sending/notification.ts';
import { MASKED } from '../../../src/commands/sending/outgoing.ts';
import { createPassThrough } from '../../../src/commands/sending/pass-through.ts';
import type { Draft, Outgoing, Transmitter } from '../../../src/commands/sending/send.ts';
import { sendFailed } from '../../../src/commands/sending/send-errors.ts';
import type { Content } from '../../../src/events/content.ts';
import { intentOf, splitIntent } from '../../../src/events/intent.ts';
import type { DirectSendBar } from '../../../src/events/phone.ts';
import type { ProviderRefusal, Slot } from '../../../src/provider/provider.ts';
import { createMemo } from '../../../src/service/lookups/lookup-cache.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { fixedClock } from '../../support/ambient.ts';
import { secrets } from '../../support/message-refs.ts';
import { numberRecord } from '../../support/numbers.ts';
import { NOW, price, templateRow } from '../../support/samples.ts';
import { failureOf } from '../../support/spec.ts';

const context = { requestId: 'r', accountId: 'acc_1' };
const charge = { chargeId: 'c', price: price(), balanceAfter: 9 };
const tokenless = numberRecord('9', { accessToken: null });
const barredNumbers = (state: DirectSendBar['state'], until: number) => [
  numberRecord('10', { directSendBar: { state, until: new Date(until).toISOString() } }),
];
interface Stage {
  numbers?: NumberRecord[];
  rows?: TemplateRow[];
  /** What a live read shows; undefined where it was read too lately. */
  live?: TemplateRow[] | undefined;
  /** What the mirror has once it has seen the whole log. */
  fresh?: TemplateRow[];
  closesAt?: number | null;
  slot?: Slot;
  directSend?: 'off' | 'fallback';
  /** The provider's refusal of a message without a template. */
  refusal?: Partial<ProviderRefusal>;
  /** Of the answers of look-ups, while they are kept. */
  version?: number;
}
/** Both ways to send, with a transmitter that takes every draft. */
const open = (stage: Stage = {}) => {
  const { numbers = [tokenless, numberRecord('10'), numberRecord('11')] } = stage;
  const { rows = [templateRow()], fresh = [], closesAt = null, slot, directSend = 'off' } = stage;
  const drafts: Draft[] = [];
  const reads: unknown[] = [];
  const windows: unknown[] = [];
  const barred: unknown[][] = [];
  const clock = fixedClock();
  const lookups = {
    memo: (isWhole?: () => boolean) => createMemo(() => stage.version, isWhole),
    account: async (id: string) => ({ id, organisationId: 'o', planId: 'standard', directSend }),
    numbers: async () => numbers,
    numbersOfWaba: async () => numbers.slice(1),
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
      if (stage.refusal && draft.intent.direct) {
        const none = { code: null, subcode: null, httpStatus: 400, message: 'Refused' };
        throw sendFailed({ ...none, ...stage.refusal }, { event: 'order_shipped', template: null });
      }
      if (draft.outgoing instanceof AppError) throw draft.outgoing;
      const { outline } = splitIntent(draft.intent);
      return { messageId: 'wamid.1', charge, outline };
    },
  };
  const deps = {
    lookups,
    transmitter,
    directSends: createDirectSends({
      lookups,
      transmitter,
      clock,
      writer: { execute: async (...[, ...what]: unknown[]) => barred.push(what) } as never,
    }),
    secrets,
    clock,
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
    barred,
  };
};
/** The text that the customer reads. */
const textOf = ({ intent }: Draft): string | null => {
  const { outline, said } = splitIntent(intent);
  return intentOf(outline, said).text;
};
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
    expect(textOf(draft!)).to.include('A-77');
    expect(outgoing().sender).to.deep.equal(FROM);
    const details = { event: 'order_shipped', template: 'order_shipped' };
    expect(outgoing()).to.deep.include({ content, details, slot: undefined });
    expect(reads).to.deep.equal([]);
  });

  it('takes what the request says of source, reason, number, language and reference', async () => {
    const slot = { key: '11' } as Slot;
    const { notifications, drafts, outgoing } = open({ rows: [templateRow({ language: 'fr' })] });
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

  it('is planned once for its number and language, until an answer of the look-ups changes', async () => {
    const stage: Stage = {
      numbers: [numberRecord('10'), numberRecord('11')],
      rows: [templateRow()],
      version: 1,
    };
    const { notifications, drafts } = open(stage);
    const send = async (change = {}) => {
      await notifications.send({ ...shipped, ...change }, context);
      const { intent, category } = drafts.at(-1)!;
      return [intent.phoneNumberId, category];
    };
    expect(await send()).to.deep.equal(['10', 'UTILITY']);
    stage.numbers!.reverse();
    stage.rows!.splice(0, 1, templateRow({ category: 'MARKETING' }));
    expect(await send()).to.deep.equal(['10', 'UTILITY']);
    expect(await send({ phoneNumberId: '11' })).to.deep.equal(['11', 'MARKETING']);
    stage.version = 2;
    expect(await send()).to.deep.equal(['11', 'MARKETING']);
    stage.rows!.splice(0, 1, templateRow({ status: 'PENDING' }));
    stage.version = 3;
    expect((await failureOf(send())).code).to.equal('template.not_approved');
    stage.rows!.splice(0, 1, templateRow());
    expect(await send(), 'a refusal is not kept').to.deep.equal(['11', 'UTILITY']);
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
    const pending = [templateRow({ status: 'PENDING' })];
    const live = open({ rows: pending, live: [templateRow({ category: 'MARKETING' })] });
    await live.notifications.send(shipped, { ...context, signal: AbortSignal.timeout(60_000) });
    expect(live.drafts[0]!.category).to.equal('MARKETING');
    expect(live.reads).to.deep.equal([[FROM, 'order_shipped', context]]);
    const other = open({ rows: pending, fresh: [templateRow()] });
    await other.notifications.send(shipped, context);
    expect(other.drafts[0]!.category).to.equal('UTILITY');
    const foreign = open({ rows: [templateRow({ accountId: 'acc_2' })] });
    const refused = await failureOf(foreign.notifications.send(shipped, context));
    expect(refused.code).to.equal('template.not_approved');
    const none = open({ rows: pending, live: [], fresh: [templateRow()] });
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
    const { notifications, drafts } = open({ numbers: [tokenless] });
    const error = await failureOf(notifications.send(shipped, context));
    expect([error.code, drafts[0]!.category]).to.deep.equal(['number.none', 'UTILITY']);
    expect(drafts[0]!.intent).to.include({ phoneNumberId: null });
    const other = await failureOf(notifications.send({ ...shipped, phoneNumberId: '8' }, context));
    expect(other.message).to.not.equal(error.message);
  });

  it('sends a code, and keeps none', async () => {
    const { notifications, drafts, outgoing } = open({
      rows: [templateRow({ name: 'otp_verification', category: 'AUTHENTICATION' })],
    });
    const otp = { to: '+919812345678', event: 'otp_verification', variables: { otp: '739105' } };
    await notifications.send(otp, context);
    expect(outgoing().content).to.deep.include({ authentication: true, parameters: ['739105'] });
    expect(JSON.stringify(drafts[0]!.intent)).not.to.include('739105');
    expect(drafts[0]!.intent.content).to.deep.include({ parameters: [MASKED] });
  });

  it('keeps no value where the provider or the catalog calls it a code, also as text', async () => {
    const otp = { to: '+919812345678', event: 'otp_verification', variables: { otp: '739105' } };
    const named = { ...shipped, variables: { ...variables, orderId: '739105' } };
    const stages: [Stage, typeof otp | typeof named][] = [
      [{ rows: [templateRow({ category: 'AUTHENTICATION' })] }, named],
      [{ rows: [templateRow({ name: 'otp_verification' })] }, otp],
      [{ rows: [], closesAt: NOW + 1 }, otp],
    ];
    for (const [stage, request] of stages) {
      const { notifications, drafts, outgoing } = open(stage);
      await notifications.send({ ...request, allowTextFallback: true }, context);
      expect(JSON.stringify(outgoing().content)).to.include('739105');
      expect(JSON.stringify(splitIntent(drafts[0]!.intent))).not.to.include('739105');
      expect(JSON.stringify(drafts[0]!.intent)).to.include(MASKED);
    }
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

describe('a notification without an approved template', () => {
  const stage = { rows: [], directSend: 'fallback' as const };
  const otp = {
    to: 'US.13491208655302741918',
    event: 'otp_verification',
    variables: { otp: '7391' },
  };
  const asText = { ...shipped, allowTextFallback: true };
  const onboarding = { code: 100, message: 'The parameter category is not available' };

  it('goes out with the text of the catalog, at the price of its category', async () => {
    const { notifications, drafts, outgoing, windows } = open({ ...stage, closesAt: NOW + 1 });
    const sent = await notifications.send(asText, context);
    expect(sent).to.include({ channel: 'direct', template: null });
    expect(drafts).to.have.length(1);
    expect(drafts[0]).to.include({ category: 'UTILITY' });
    expect(drafts[0]!.intent).to.include({ direct: true });
    expect(outgoing().direct).to.deep.equal({ category: 'utility', templateName: 'order_shipped' });
    expect(outgoing().content).to.include({ type: 'text', previewUrl: false });
    expect(windows).to.deep.equal([]);
  });

  it('hides a code, which names no template and may go to a user id', async () => {
    const { notifications, drafts, outgoing } = open(stage);
    await notifications.send(otp, context);
    expect(drafts[0]).to.include({ category: 'AUTHENTICATION' });
    expect(outgoing().direct).to.deep.equal({ category: 'authentication' });
    expect(JSON.stringify(outgoing().content)).to.include('7391');
    expect(JSON.stringify(drafts[0]!.intent)).not.to.include('7391');
  });

  it('needs an account that may, an event that is no marketing, and the language of the text', async () => {
    const refused: [Stage, object][] = [
      [{ rows: [] }, shipped],
      [stage, { ...shipped, event: 'cart_recovery' }],
      [stage, { ...shipped, languageCode: 'de' }],
    ];
    for (const [at, request] of refused) {
      const { notifications, drafts } = open(at);
      const error = await failureOf(notifications.send({ ...shipped, ...request }, context));
      expect(error.code).to.equal('template.not_approved');
      expect(drafts.some(({ intent }) => intent.direct)).to.equal(false);
    }
    const approved = open({ directSend: 'fallback' });
    expect((await approved.notifications.send(shipped, context)).channel).to.equal('template');
  });

  it('is a 400 before any charge where its text is too long for the provider', async () => {
    const { notifications, drafts } = open({ ...stage, closesAt: NOW + 1 });
    const variables = { ...shipped.variables, awbCode: 'A'.repeat(1100) };
    const error = await failureOf(notifications.send({ ...asText, variables }, context));
    expect(error.code).to.equal('message.not_allowed');
    expect(error.message).to.include('variables').and.include('1024');
    expect(drafts).to.deep.equal([]);
  });

  const discoveries: [string, Partial<ProviderRefusal>, string][] = [
    ['a code 100 that speaks of the category', onboarding, 'not_onboarded'],
    ['139200', { code: 139200 }, 'restricted'],
    ['131064', { code: 131064 }, 'restricted'],
  ];
  for (const [what, refusal, state] of discoveries) {
    it(`is refused by ${what}: all numbers of the business account remember it`, async () => {
      const { notifications, drafts, barred } = open({ ...stage, refusal });
      const error = await failureOf(notifications.send(shipped, context));
      expect(error.code).to.equal('template.not_approved');
      expect(error.details).to.have.property('hint').that.includes('Direct Send');
      expect(drafts).to.have.length(1);
      expect(barred.map(([, command]) => command)).to.deep.equal(
        ['10', '11'].map((phoneNumberId) => ({
          type: 'BarDirectSend',
          phoneNumberId,
          state,
          now: NOW,
        })),
      );
    });
  }

  it('goes on to the text fallback after such a refusal, where that may be', async () => {
    const { notifications, drafts } = open({ ...stage, refusal: onboarding, closesAt: NOW + 1 });
    const sent = await notifications.send(asText, context);
    expect(sent).to.include({ channel: 'text', template: null });
    expect(drafts.map(({ category }) => category)).to.deep.equal(['UTILITY', 'SERVICE']);
    expect(drafts[1]!.intent).not.to.have.property('direct');
  });

  it('is a failed send after any other refusal', async () => {
    for (const refusal of [{ code: 131026 }, { code: 100, message: 'to is wrong' }]) {
      const { notifications, drafts, barred } = open({ ...stage, refusal, closesAt: NOW + 1 });
      const error = await failureOf(notifications.send(asText, context));
      expect(error.code).to.equal('provider.refused');
      expect([drafts.length, barred]).to.deep.equal([1, []]);
    }
  });

  it('is not tried until the memory of a refusal is over', async () => {
    for (const state of ['not_onboarded', 'restricted'] as const) {
      const numbers = barredNumbers(state, NOW + 1);
      const { notifications, drafts } = open({ ...stage, numbers });
      const error = await failureOf(notifications.send(shipped, context));
      expect(error.code).to.equal('template.not_approved');
      expect(error.details).to.have.property('hint').that.includes('Direct Send');
      expect(drafts[0]!.intent).not.to.have.property('direct');
      const text = open({ ...stage, numbers, closesAt: NOW + 1 });
      expect((await text.notifications.send(asText, context)).channel).to.equal('text');
    }
    const { notifications } = open({ ...stage, numbers: barredNumbers('restricted', NOW) });
    expect((await notifications.send(shipped, context)).channel).to.equal('direct');
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
    });
    expect(drafts[0]).to.include({ category: 'SERVICE', reason: 'text' });
    expect(drafts[0]!.intent).to.deep.include({
      source: 'api',
      event: null,
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
    expect(await categoryOf([templateRow()])).to.equal('UTILITY');
    expect(await categoryOf([templateRow({ language: 'de' })])).to.equal('MARKETING');
    expect(
      await categoryOf([], { live: [templateRow({ name: 'other' }), templateRow()] }),
    ).to.equal('UTILITY');
    expect(await categoryOf([], { live: [templateRow({ name: 'other' })] })).to.equal('MARKETING');
    expect(await categoryOf([], { fresh: [templateRow({ category: 'AUTHENTICATION' })] })).to.equal(
      'AUTHENTICATION',
    );
  });

  it('hides a template of another account, also its price', async () => {
    const { passThrough, drafts } = open({ rows: [templateRow({ accountId: 'acc_2' })] });
    const error = await failureOf(passThrough.send({ to, content: template }, context));
    expect(error.code).to.equal('provider.refused');
    expect(error.details).to.deep.include({
      type: 'template',
      template: 'order_shipped',
      providerCode: 132001,
      providerMessage: 'template name (order_shipped) does not exist in en_US',
    });
    expect(drafts[0]!.category).to.equal('MARKETING');
    const own = open({ rows: [templateRow({ accountId: 'acc_1' })] });
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

  const words: [Exclude<Content, { type: 'notification' }>, string | null][] = [
    [
      { type: 'media', mediaType: 'image', link: 'https://a.example/1', caption: 'See' } as never,
      'See',
    ],
    [{ type: 'media', mediaType: 'audio', link: 'https://a.example/1' } as never, null],
    [{ type: 'interactive', interactive: { body: { text: 'Pick' } } } as never, 'Pick'],
    [{ type: 'interactive', interactive: { body: { text: 7 } } } as never, null],
    [{ type: 'interactive', interactive: {} } as never, null],
  ];
  for (const [content, shown] of words) {
    it(`shows ${shown} of ${JSON.stringify(content)}`, async () => {
      const { passThrough, drafts, outgoing } = open({ closesAt: NOW + 1 });
      await passThrough.send({ to, content }, context);
      expect(textOf(drafts[0]!)).to.equal(shown);
      expect(outgoing().details).to.deep.equal({ type: content.type, template: null });
      expect(drafts[0]!.reason).to.equal(content.type);
    });
  }

  it('goes out without a template where its category says so and the account may', async () => {
    const request = { to, content: text, direct: { category: 'utility' as const } };
    const { passThrough, drafts, outgoing, windows } = open({ directSend: 'fallback' });
    await passThrough.send(request, context);
    expect(drafts[0]).to.include({ category: 'UTILITY' });
    expect(drafts[0]!.intent).to.include({ direct: true });
    expect(textOf(drafts[0]!)).to.equal('Hi');
    expect(outgoing().direct).to.deep.equal({ category: 'utility' });
    expect(windows).to.deep.equal([]);
    const code = { ...request, direct: { category: 'authentication' as const } };
    await passThrough.send(code, context);
    expect(drafts[1]!.intent.content).to.deep.equal({ ...text, body: MASKED });
    expect(outgoing().content).to.deep.equal(text);
  });

  it('is refused as the provider would where the account may send none without a template', async () => {
    const request = { to, content: text, direct: { category: 'utility' as const } };
    const may = { directSend: 'fallback' as const };
    for (const [stage, code] of [
      [{}, 100],
      [{ ...may, numbers: barredNumbers('not_onboarded', NOW + 1) }, 100],
      [{ ...may, numbers: barredNumbers('restricted', NOW + 1) }, 139200],
    ] as [Stage, number][]) {
      const { passThrough, drafts, windows } = open(stage);
      const error = await failureOf(passThrough.send(request, context));
      expect(error.code).to.equal('message.not_allowed');
      expect(error.details.cause).to.deep.include({ code });
      expect([drafts, windows]).to.deep.equal([[], []]);
    }
    const { passThrough, barred } = open({ directSend: 'fallback', refusal: { code: 139200 } });
    const error = await failureOf(passThrough.send(request, context));
    expect(error.code).to.equal('provider.refused');
    expect(barred).to.have.length(2);
  });
});
