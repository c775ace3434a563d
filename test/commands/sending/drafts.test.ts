import { expect } from 'chai';
import type { Lookups, NumberRecord, TemplateRow } from '../../../src/commands/core/lookups.ts';
import { createDirectSends } from '../../../src/commands/sending/direct.ts';
import {
  createNotifications,
  type NotificationRequest,
} from '../../../src/commands/sending/notification.ts';
import { MASKED } from '../../../src/commands/sending/outgoing.ts';
import {
  createPassThrough,
  type PassThroughRequest,
} from '../../../src/commands/sending/pass-through.ts';
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
import { codeOf, failureOf } from '../../support/spec.ts';

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
  const notifications = createNotifications(deps);
  const passThrough = createPassThrough(deps);
  return {
    notifications,
    notify: (request: NotificationRequest) => notifications.send(request, context),
    pass: (request: PassThroughRequest) => passThrough.send(request, context),
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
const asText = { ...shipped, allowTextFallback: true };
const { accountId: _, directSendBar: __, ...number } = numberRecord('10');
const FROM = { ...number, accessToken: 'EAAG' };
/** What is sent is a code. */
const otp = { to: '+919812345678', event: 'otp_verification', variables: { otp: '739105' } };

describe('a notification', () => {
  it('is drafted with its template, from the oldest number with a token', async () => {
    const { notify, drafts, outgoing, reads } = open();
    const details = { event: 'order_shipped', template: 'order_shipped' };
    expect(await notify(shipped)).to.deep.equal({
      messageId: 'wamid.1',
      charge,
      channel: 'template',
      ...details,
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
    expect(outgoing()).to.deep.include({ content, details, slot: undefined });
    expect(reads).to.deep.equal([]);
  });

  it('takes what the request says of source, reason, number, language and reference', async () => {
    const slot = { key: '11' } as Slot;
    const { notify, drafts, outgoing } = open({ rows: [templateRow({ language: 'fr' })] });
    const given = { source: 'bot' as const, reason: 'bot:1', clientReference: 'ref', slot };
    await notify({ ...shipped, ...given, phoneNumberId: '11', languageCode: 'fr' });
    const { reason, intent } = drafts[0]!;
    expect(reason).to.equal('bot:1');
    expect(intent).to.include({ source: 'bot', clientReference: 'ref', phoneNumberId: '11' });
    expect(intent.content).to.include({ language: 'fr' });
    expect(outgoing().slot).to.equal(slot);
  });

  it('is planned once for its number and language, until an answer of the look-ups changes', async () => {
    const stage: Stage = {
      numbers: [numberRecord('10'), numberRecord('11')],
      rows: [templateRow()],
      version: 1,
    };
    const { notify, drafts } = open(stage);
    const send = async (change = {}) => {
      await notify({ ...shipped, ...change });
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
    expect(await codeOf(send())).to.equal('template.not_approved');
    stage.rows!.splice(0, 1, templateRow());
    expect(await send(), 'a refusal is not kept').to.deep.equal(['11', 'UTILITY']);
  });

  it('names what it lacks, and is unknown where its event is', async () => {
    const { notify } = open();
    const sent = await notify({ ...shipped, variables: { orderId: '1' } });
    expect(sent.missingVariables).to.deep.equal(['awbCode', 'trackingLink']);
    const error = await failureOf(notify({ ...shipped, event: 'x'.repeat(200) }));
    const message = `Unknown event: ${'x'.repeat(100)}`;
    expect(error).to.include({ code: 'event.unknown', message });
    expect(error.details).to.have.property('supportedEvents').with.length(18);
  });

  it('goes by a live read where the mirror knows no approved one, else by the whole log', async () => {
    const pending = [templateRow({ status: 'PENDING' })];
    const live = open({ rows: pending, live: [templateRow({ category: 'MARKETING' })] });
    await live.notifications.send(shipped, { ...context, signal: AbortSignal.timeout(60_000) });
    expect(live.drafts[0]!.category).to.equal('MARKETING');
    expect(live.reads).to.deep.equal([[FROM, 'order_shipped', context]]);
    const other = open({ rows: pending, fresh: [templateRow()] });
    await other.notify(shipped);
    expect(other.drafts[0]!.category).to.equal('UTILITY');
    const foreign = open({ rows: [templateRow({ accountId: 'acc_2' })] });
    expect(await codeOf(foreign.notify(shipped))).to.equal('template.not_approved');
    const none = open({ rows: pending, live: [], fresh: [templateRow()] });
    const error = await failureOf(none.notify(shipped));
    expect(error.code).to.equal('template.not_approved');
    const lacks = { event: 'order_shipped', templateName: 'order_shipped', language: 'en_US' };
    expect(error.details).to.include(lacks);
  });

  it('goes out as text in an open window, where it may', async () => {
    const { notify, drafts, outgoing, windows } = open({ rows: [], closesAt: NOW + 1 });
    const sent = await notify(asText);
    expect(sent).to.include({ channel: 'text', template: null });
    expect(drafts[0]).to.include({ category: 'SERVICE' });
    const { body } = outgoing().content as { body: string };
    expect(outgoing().content).to.deep.equal({ type: 'text', body, previewUrl: false });
    expect(body).to.include('A-77');
    expect(outgoing().details).to.deep.equal({ event: 'order_shipped', template: null });
    const asked = { accountId: 'acc_1', phoneNumberId: '10', contactRef: 'ref_919812345678' };
    expect(windows).to.deep.equal([asked]);
    for (const closesAt of [NOW, null]) {
      const closed = open({ rows: [], closesAt }).notify(asText);
      expect(await codeOf(closed)).to.equal('template.not_approved');
    }
    const forbidden = open({ rows: [], closesAt: NOW + 1 });
    expect(await codeOf(forbidden.notify(shipped))).to.equal('template.not_approved');
    expect(forbidden.windows).to.deep.equal([]);
    const approved = open({ closesAt: NOW + 1 });
    expect((await approved.notify(asText)).channel).to.equal('template');
  });

  it('is refused without a number, at the price of its category', async () => {
    const { notify, drafts } = open({ numbers: [tokenless] });
    const error = await failureOf(notify(shipped));
    expect([error.code, drafts[0]!.category]).to.deep.equal(['number.none', 'UTILITY']);
    expect(drafts[0]!.intent).to.include({ phoneNumberId: null });
    const other = await failureOf(notify({ ...shipped, phoneNumberId: '8' }));
    expect(other.message).to.not.equal(error.message);
  });

  it('keeps no value where the provider or the catalog calls it a code, also as text', async () => {
    const named = { ...shipped, variables: { ...variables, orderId: '739105' } };
    const code = templateRow({ name: 'otp_verification', category: 'AUTHENTICATION' });
    const stages: [Stage, typeof otp | typeof named][] = [
      [{ rows: [code] }, otp],
      [{ rows: [templateRow({ category: 'AUTHENTICATION' })] }, named],
      [{ rows: [templateRow({ name: 'otp_verification' })] }, otp],
      [{ rows: [], closesAt: NOW + 1 }, otp],
    ];
    for (const [stage, request] of stages) {
      const { notify, drafts, outgoing } = open(stage);
      await notify({ ...request, allowTextFallback: true });
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
  const onboarding = { code: 100, message: 'The parameter category is not available' };

  it('goes out with the text of the catalog, at the price of its category', async () => {
    const { notify, drafts, outgoing, windows } = open({ ...stage, closesAt: NOW + 1 });
    const sent = await notify(asText);
    expect(sent).to.include({ channel: 'direct', template: null });
    expect(drafts).to.have.length(1);
    expect(drafts[0]).to.include({ category: 'UTILITY' });
    expect(drafts[0]!.intent).to.include({ direct: true });
    expect(outgoing().direct).to.deep.equal({ category: 'utility', templateName: 'order_shipped' });
    expect(outgoing().content).to.include({ type: 'text', previewUrl: false });
    expect(windows).to.deep.equal([]);
  });

  it('hides a code, which names no template and may go to a user id', async () => {
    const { notify, drafts, outgoing } = open(stage);
    await notify({ ...otp, to: 'US.13491208655302741918' });
    expect(drafts[0]).to.include({ category: 'AUTHENTICATION' });
    expect(outgoing().direct).to.deep.equal({ category: 'authentication' });
    expect(JSON.stringify(outgoing().content)).to.include('739105');
    expect(JSON.stringify(drafts[0]!.intent)).not.to.include('739105');
  });

  it('needs an account that may, an event that is no marketing, and the language of the text', async () => {
    const refused: [Stage, object][] = [
      [{ rows: [] }, shipped],
      [stage, { ...shipped, event: 'cart_recovery' }],
      [stage, { ...shipped, languageCode: 'de' }],
    ];
    for (const [at, request] of refused) {
      const { notify, drafts } = open(at);
      const refusal = notify({ ...shipped, ...request });
      expect(await codeOf(refusal)).to.equal('template.not_approved');
      expect(drafts.some(({ intent }) => intent.direct)).to.equal(false);
    }
    const approved = open({ directSend: 'fallback' });
    expect((await approved.notify(shipped)).channel).to.equal('template');
  });

  it('is a 400 before any charge where its text is too long for the provider', async () => {
    const { notify, drafts } = open({ ...stage, closesAt: NOW + 1 });
    const variables = { ...shipped.variables, awbCode: 'A'.repeat(1100) };
    const error = await failureOf(notify({ ...asText, variables }));
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
      const { notify, drafts, barred } = open({ ...stage, refusal });
      const error = await failureOf(notify(shipped));
      expect(error.code).to.equal('template.not_approved');
      expect(error.details).to.have.property('hint').that.includes('Direct Send');
      expect(drafts).to.have.length(1);
      const bar = { type: 'BarDirectSend', state, now: NOW };
      const both = ['10', '11'].map((phoneNumberId) => ({ ...bar, phoneNumberId }));
      expect(barred.map(([, command]) => command)).to.deep.equal(both);
    });
  }

  it('goes on to the text fallback after such a refusal, where that may be', async () => {
    const { notify, drafts } = open({ ...stage, refusal: onboarding, closesAt: NOW + 1 });
    const sent = await notify(asText);
    expect(sent).to.include({ channel: 'text', template: null });
    expect(drafts.map(({ category }) => category)).to.deep.equal(['UTILITY', 'SERVICE']);
    expect(drafts[1]!.intent).not.to.have.property('direct');
  });

  it('is a failed send after any other refusal', async () => {
    for (const refusal of [{ code: 131026 }, { code: 100, message: 'to is wrong' }]) {
      const { notify, drafts, barred } = open({ ...stage, refusal, closesAt: NOW + 1 });
      expect(await codeOf(notify(asText))).to.equal('provider.refused');
      expect([drafts.length, barred]).to.deep.equal([1, []]);
    }
  });

  it('is not tried until the memory of a refusal is over', async () => {
    for (const state of ['not_onboarded', 'restricted'] as const) {
      const numbers = barredNumbers(state, NOW + 1);
      const { notify, drafts } = open({ ...stage, numbers });
      const error = await failureOf(notify(shipped));
      expect(error.code).to.equal('template.not_approved');
      expect(error.details).to.have.property('hint').that.includes('Direct Send');
      expect(drafts[0]!.intent).not.to.have.property('direct');
      const text = open({ ...stage, numbers, closesAt: NOW + 1 });
      expect((await text.notify(asText)).channel).to.equal('text');
    }
    const { notify } = open({ ...stage, numbers: barredNumbers('restricted', NOW) });
    expect((await notify(shipped)).channel).to.equal('direct');
  });
});

describe('a message that the caller built', () => {
  const text: Content = { type: 'text', body: 'Hi', previewUrl: true };
  const { name, language } = templateRow();
  const template = { type: 'template' as const, name, language, components: [] };
  const { to } = shipped;

  it('is free inside the window, and refused outside', async () => {
    const { pass, drafts, outgoing } = open({ closesAt: NOW + 1 });
    const sent = await pass({ to, content: text });
    const path = { to: '919812345678', phoneNumberId: '10' };
    expect(sent).to.deep.equal({ messageId: 'wamid.1', charge, ...path });
    expect(drafts[0]).to.include({ category: 'SERVICE', reason: 'text' });
    expect(drafts[0]!.intent).to.deep.include({
      source: 'api',
      event: null,
      content: text,
      contextMessageId: null,
      clientReference: null,
      ...path,
    });
    expect(outgoing().details).to.deep.equal({ type: 'text', template: null });
    for (const closesAt of [NOW, null]) {
      const windowExpiredAt = closesAt && new Date(closesAt).toISOString();
      const error = await failureOf(open({ closesAt }).pass({ to, content: text }));
      expect(error.code).to.equal('message.window_closed');
      expect(error.details).to.deep.include({ windowExpiredAt });
    }
  });

  it('takes what the request says', async () => {
    const { pass, drafts } = open({ closesAt: NOW + 1 });
    const said = { source: 'bot', contextMessageId: 'wamid.0', clientReference: 'ref' } as const;
    const request = { to, content: text, ...said, reason: 'bot:1', phoneNumberId: '11' };
    expect((await pass(request)).phoneNumberId).to.equal('11');
    expect(drafts[0]!.reason).to.equal('bot:1');
    expect(drafts[0]!.intent).to.include(said);
  });

  it('costs what its template does, and the most where that is not known', async () => {
    const other = templateRow({ name: 'other' });
    const stages: [Stage, string][] = [
      [{ rows: [templateRow()] }, 'UTILITY'],
      [{ rows: [templateRow({ language: 'de' })] }, 'MARKETING'],
      [{ rows: [], live: [other, templateRow()] }, 'UTILITY'],
      [{ rows: [], live: [other] }, 'MARKETING'],
      [{ rows: [], fresh: [templateRow({ category: 'AUTHENTICATION' })] }, 'AUTHENTICATION'],
    ];
    for (const [stage, category] of stages) {
      const { pass, drafts } = open(stage);
      await pass({ to, content: template });
      expect(drafts[0]).to.include({ category, reason: 'template:order_shipped' });
    }
  });

  it('hides a template of another account, also its price', async () => {
    const { pass, drafts } = open({ rows: [templateRow({ accountId: 'acc_2' })] });
    const error = await failureOf(pass({ to, content: template }));
    expect(error.code).to.equal('provider.refused');
    expect(error.details).to.deep.include({
      type: 'template',
      template: 'order_shipped',
      providerCode: 132001,
      providerMessage: 'template name (order_shipped) does not exist in en_US',
    });
    expect(drafts[0]!.category).to.equal('MARKETING');
    const own = open({ rows: [templateRow({ accountId: 'acc_1' })] });
    await own.pass({ to, content: template });
    expect(own.drafts[0]!.category).to.equal('UTILITY');
  });

  it('is refused without a number', async () => {
    const { pass, windows } = open({ numbers: [] });
    for (const content of [text, template]) {
      expect(await codeOf(pass({ to, content }))).to.equal('number.none');
    }
    expect(windows).to.deep.equal([]);
  });

  const link = 'https://a.example/1';
  for (const [content, shown] of [
    [{ type: 'media', mediaType: 'image', link, caption: 'See' }, 'See'],
    [{ type: 'media', mediaType: 'audio', link }, null],
    [{ type: 'interactive', interactive: { body: { text: 'Pick' } } }, 'Pick'],
    [{ type: 'interactive', interactive: { body: { text: 7 } } }, null],
    [{ type: 'interactive', interactive: {} }, null],
  ] as const) {
    it(`shows ${shown} of ${JSON.stringify(content)}`, async () => {
      const { pass, drafts, outgoing } = open({ closesAt: NOW + 1 });
      await pass({ to, content: content as never });
      expect(textOf(drafts[0]!)).to.equal(shown);
      expect(outgoing().details).to.deep.equal({ type: content.type, template: null });
      expect(drafts[0]!.reason).to.equal(content.type);
    });
  }

  const request = { to, content: text, direct: { category: 'utility' as const } };

  it('goes out without a template where its category says so and the account may', async () => {
    const { pass, drafts, outgoing, windows } = open({ directSend: 'fallback' });
    await pass(request);
    expect(drafts[0]).to.include({ category: 'UTILITY' });
    expect(drafts[0]!.intent).to.include({ direct: true });
    expect(textOf(drafts[0]!)).to.equal('Hi');
    expect(outgoing().direct).to.deep.equal({ category: 'utility' });
    expect(windows).to.deep.equal([]);
    const code = { ...request, direct: { category: 'authentication' as const } };
    await pass(code);
    expect(drafts[1]!.intent.content).to.deep.equal({ ...text, body: MASKED });
    expect(outgoing().content).to.deep.equal(text);
  });

  it('is refused as the provider would where the account may send none without a template', async () => {
    const may = { directSend: 'fallback' as const };
    for (const [stage, code] of [
      [{}, 100],
      [{ ...may, numbers: barredNumbers('not_onboarded', NOW + 1) }, 100],
      [{ ...may, numbers: barredNumbers('restricted', NOW + 1) }, 139200],
    ] as [Stage, number][]) {
      const { pass, drafts, windows } = open(stage);
      const error = await failureOf(pass(request));
      expect(error.code).to.equal('message.not_allowed');
      expect(error.details.cause).to.deep.include({ code });
      expect([drafts, windows]).to.deep.equal([[], []]);
    }
    const { pass, barred } = open({ ...may, refusal: { code: 139200 } });
    expect(await codeOf(pass(request))).to.equal('provider.refused');
    expect(barred).to.have.length(2);
  });
});
