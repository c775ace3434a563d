import { expect } from 'chai';
import {
  AuthenticationError,
  InsufficientFundsError,
  NotFoundError,
  type NotificationOf,
  ValidationError,
  Waybill,
  WaybillError,
} from '../../../clients/typescript/src/index.ts';
import { openWorld } from '../../support/faults/world.ts';
import { inSuite } from '../../support/in-suite.ts';
import { useRealConnections } from '../../support/network.ts';
import type { Tenant } from '../../support/waybill.ts';
import { thrownBy } from '../support.ts';

const shipped = (orderId = 'A-77'): NotificationOf<'order_shipped'> => ({
  to: '+919812345678',
  event: 'order_shipped',
  variables: { orderId, awbCode: 'AWB1', trackingLink: 'https://shop.example/t/1' },
});

describe('the TypeScript client, over a service @long', () => {
  useRealConnections();
  const world = inSuite(openWorld);

  const clientOf = ({ apiKey }: Pick<Tenant, 'apiKey'>): Waybill =>
    new Waybill({ apiKey, baseUrl: `${world.waybill.url}/api/` });

  it('sends, says what it cost, and finds the message again', async () => {
    const waybill = clientOf(await world.tenant({ credits: 10 }));
    const sent = await waybill.sendNotification(shipped());
    expect(sent).to.include({ success: true, event: 'order_shipped', isReplayed: false });
    expect(sent.billing).to.deep.equal({
      category: 'UTILITY',
      price: sent.billing?.price,
      creditsCharged: 1,
      creditsRemaining: 9,
      walletBalance: null,
    });
    expect(Number(sent.billing?.price)).to.be.above(0);
    expect(sent.requestId).to.be.a('string');
    expect((await waybill.getMessageStatus(sent.messageId)).status).to.equal('sent');
    const { timeline } = await waybill.getMessageTimeline(sent.messageId);
    expect(timeline).to.not.be.empty;
    expect((await waybill.getCredits()).balance).to.equal(9);
  });

  it('shows the balance of a wallet as a decimal text', async () => {
    const waybill = clientOf(await world.tenant({ wallet: '5' }));
    const { billing } = await waybill.sendNotification(shipped());
    expect(billing).to.include({ creditsCharged: null, creditsRemaining: null });
    expect(billing?.walletBalance).to.match(/^4\.\d+$/);
    expect((await waybill.getWallet()).balance).to.equal(billing?.walletBalance);
  });

  it('sends a batch under a key of its own, and free messages', async () => {
    const waybill = clientOf(await world.tenant());
    const { event, variables } = shipped();
    const recipients = ['+919812345678', '+919812345679'].map((to) => ({ to, variables }));
    const key = { idempotencyKey: 'batch-1' };
    const first = await waybill.sendNotificationBatch({ event, recipients }, key);
    expect(first).to.include({ sent: 2, failed: 0, ...key });
    const again = await waybill.sendNotificationBatch({ event, recipients }, key);
    expect(again.results).to.deep.equal(first.results);
  });

  it('answers the first result again under the same key', async () => {
    const tenant = await world.tenant();
    const waybill = clientOf(tenant);
    const key = { idempotencyKey: 'order-A-77-shipped' };
    const one = await waybill.sendNotification(shipped(), key);
    const two = await waybill.sendNotification(shipped(), key);
    expect(two.messageId).to.equal(one.messageId);
    expect([one.isReplayed, two.isReplayed]).to.deep.equal([false, true]);
    expect((await world.charges(tenant)).reserved).to.equal(1);
  });

  it('gives the first page to await, and every row to for await', async () => {
    const waybill = clientOf(await world.tenant());
    const ids: string[] = [];
    for (const order of ['1', '2', '3', '4', '5']) {
      ids.push((await waybill.sendNotification(shipped(order))).messageId);
    }
    const page = await waybill.listMessages({ limit: 2, direction: 'outbound' });
    expect(page.messages.map((one) => one.metaMessageId)).to.deep.equal(ids.slice(3).reverse());
    expect(page.nextCursor).to.be.a('string');
    const all: unknown[] = [];
    for await (const one of waybill.listMessages({ limit: 2 })) all.push(one.metaMessageId);
    expect(all).to.deep.equal([...ids].reverse());
    const sizes: number[] = [];
    for await (const { messages } of waybill.listMessages({ limit: 2 }).pages()) {
      sizes.push(messages.length);
    }
    expect(sizes).to.deep.equal([2, 2, 1]);
    const [conversation] = (await waybill.listConversations()).conversations;
    expect(conversation).to.include({ phoneNumberId: conversation!.phoneNumberId });
  });

  it('reads the catalog, the readiness, numbers, templates and bots', async () => {
    const tenant = await world.tenant();
    const { phoneNumberId } = tenant;
    const waybill = clientOf(tenant);
    expect(await waybill.getCatalog()).to.have.length(18);
    expect((await waybill.getReadiness({ phoneNumberId })).events).to.have.length(18);
    const [phone] = await waybill.listPhones();
    expect(phone).to.include({ phoneNumberId });
    expect(await waybill.listTemplates({ phoneNumberId })).to.be.an('array');
    const bot = await waybill.createBot({ name: 'Hours', triggerKeywords: ['hours'] });
    expect((await waybill.listBots()).map(({ id }) => id)).to.deep.equal([bot.id]);
    expect(await waybill.listBotRuns(bot.id)).to.deep.equal({ runs: [], nextCursor: null });
    await waybill.deleteBot(bot.id);
    expect(await thrownBy(waybill.getBot(bot.id))).to.be.instanceOf(NotFoundError);
  });

  it('uploads files', async () => {
    const { apiKey, phoneNumberId } = await world.tenant();
    const file = new Blob(['%PDF-1.4 a bill'], { type: 'application/pdf' });
    const media = await clientOf({ apiKey }).uploadMedia({ file, phoneNumberId });
    expect(media.id).to.be.a('string');
  });

  it('makes a job of rows, of a file and of a stream, and tells how far it is', async () => {
    const tenant = await world.tenant();
    const waybill = clientOf(tenant);
    const { event, variables } = shipped();
    const names = Object.keys(variables);
    const columns = { to: 'to', variables: Object.fromEntries(names.map((name) => [name, name])) };
    const rows = ['+919812345671', '+919812345672', 'nobody'].map((to) => ({ to, ...variables }));
    const head = ['to', ...names].join(',');
    const lines = rows.map((row) => Object.values(row).join(','));
    const csv = new Blob([[head, ...lines, ''].join('\n')]);
    const ids: string[] = [];
    for (const given of [rows, csv, csv.stream()]) {
      ids.push((await waybill.jobs.create(given, { event, columns })).id);
    }
    for (const id of ids) {
      let last: { state: string; plan: { good: number; bad: number } | null } | undefined;
      for await (const job of waybill.jobs.watch(id, { everyMs: 20 })) last = job;
      expect(last?.state).to.equal('ready');
      expect(last?.plan).to.include({ rows: 3, good: 2, bad: 1 });
    }
    const [id] = ids as [string];
    await waybill.startJob(id);
    const seen: string[] = [];
    for await (const { state, counts } of waybill.jobs.watch(id, { everyMs: 20 })) {
      seen.push(`${state} ${counts.waiting}`);
    }
    expect(seen.at(-1)).to.equal('done 0');
    // Each is another one than that before.
    expect(seen.length).to.be.below(8);
    expect(await (await waybill.getJobResult(id)).text()).to.match(/^row,state,/);
    expect((await world.charges(tenant)).reserved).to.equal(2);
  });

  it('throws errors by their kind, with what they know', async () => {
    const tenant = await world.tenant({ credits: 1 });
    const waybill = clientOf(tenant);
    const slip = { ...shipped(), event: 'order_shiped' } as never;
    const unknown = await thrownBy(waybill.sendNotification(slip));
    expect(unknown).to.be.instanceOf(WaybillError);
    if (!(unknown instanceof Error && 'is' in unknown)) expect.fail('it has a code');
    const { is, status, body, requestId } = unknown as never as ValidationError;
    expect(is.call(unknown as ValidationError, 'UNKNOWN_EVENT')).to.equal(true);
    expect(status).to.equal(400);
    expect((body as { supportedEvents?: string[] }).supportedEvents).to.have.length(18);
    expect(requestId).to.be.a('string');
    const invalid = await thrownBy(waybill.sendNotification({ ...shipped(), to: 5 } as never));
    expect(invalid).to.be.instanceOf(ValidationError);
    expect((invalid as ValidationError).fieldErrors).to.have.property('to');
    expect((invalid as Error).message).to.match(/^to: /);
    await waybill.sendNotification(shipped());
    const poor = await thrownBy(waybill.sendNotification(shipped()));
    expect(poor).to.be.instanceOf(InsufficientFundsError);
    const said = { reason: 'INSUFFICIENT_CREDITS', creditsRequired: 1 };
    expect((poor as InsufficientFundsError).body).to.include(said);
    const stranger = clientOf({ apiKey: `wb_live_${'x'.repeat(43)}` });
    expect(await thrownBy(stranger.getCredits())).to.be.instanceOf(AuthenticationError);
    const missing = await thrownBy(waybill.getMessageStatus('wamid.nothing'));
    expect(missing).to.be.instanceOf(NotFoundError);
  });
});
