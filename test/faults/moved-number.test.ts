import { expect } from 'chai';
import { type EventStore, StoreUnavailable } from '../../src/events/store.ts';
import { node } from '../commands/bots/graphs.ts';
import { answered } from '../support/answered.ts';
import { openWorld } from '../support/faults/world.ts';
import { inSuite } from '../support/in-suite.ts';
import { type Moving, openMoving } from '../support/moving.ts';
import { useRealConnections } from '../support/network.ts';
import { conversationOf, threadOf, typesOf } from '../support/surface.ts';
import { until, untilTrue } from '../support/until.ts';
import type { Json, Tenant } from '../support/waybill.ts';

const FROM = '919812345678';
const HOUR_MS = 60 * 60_000;

describe('a number that moves @long', () => {
  useRealConnections();
  const world = inSuite(() => openWorld({ forwardAllow: ['127.0.0.1'], wrapStore: refusingEnds }));
  let moving: Moving;
  let first: Tenant;
  let second: Tenant;
  /** Lives of the process; the log refuses the end of a run to one of them, so often so far. */
  let lives = 0;
  let refused = { life: 0, ends: 0 };
  const refusingEnds = (store: EventStore): EventStore => {
    lives += 1;
    const life = lives;
    return {
      ...store,
      async append(stream, expected, events) {
        if (refused.life === life && events.some(({ type }) => type === 'BotRunEnded')) {
          refused.ends += 1;
          throw new StoreUnavailable('the end of a run is not taken');
        }
        return store.append(stream, expected, events);
      },
    };
  };
  beforeEach(async () => {
    moving = await openMoving(world);
    [first, second] = moving.tenants as [Tenant, Tenant];
  });
  afterEach(async () => {
    await moving.close();
    expect(await world.problems()).to.deep.equal([]);
  });

  const said = (): string[] =>
    world.sendsOf(first).map(({ body }) => (body as Json).text?.body ?? (body as Json).type);
  const runsOf = async (tenant: Tenant, bot: Json): Promise<Json[]> =>
    (await moving.read(tenant, `/bots/${bot.id}/runs`)).runs;
  const stateOf = async (tenant: Tenant, bot: Json) => (await runsOf(tenant, bot))[0]?.state;
  const waits = (tenant: Tenant, bot: Json) =>
    untilTrue('a run that waits', async () => (await stateOf(tenant, bot)) === 'waiting');
  const ends = (tenant: Tenant, bot: Json) =>
    untilTrue('the end of the run', async () => (await stateOf(tenant, bot)) === 'ended');
  const handledBy = (reactor: string) =>
    untilTrue(`${reactor} to have seen all`, async () => {
      const place = (await world.waybill.store.loadSnapshot(`reactor-${reactor}`))?.state;
      const events = await world.waybill.log();
      const last = events.findLast(({ type }) => type === 'MessageReceived')!.position;
      return typeof place === 'string' && place >= last;
    });
  /** Asks, then tells a URL what was answered. */
  const asking = (tenant: Tenant, nth: number) =>
    moving.bot(
      tenant,
      [
        node('ask', 'question', { text: `Shop ${nth}: your order?`, saveAs: 'order' }),
        node('tell', 'http_request', {
          method: 'POST',
          url: `${moving.callees[nth]!.url}/order`,
          body: { order: '{{vars.order}}', name: '{{contact.name}}' },
        }),
        node('thank', 'message', { text: `Shop ${nth} thanks {{contact.name}}: {{vars.order}}` }),
      ],
      ['ask -> tell', 'tell -> thank'],
    );

  it('row 28: the second account’s customer feeds no run of the first, whose URL hears nothing', async () => {
    const bots = [await asking(first, 0), await asking(second, 1)];
    await moving.write({ body: 'hello', name: 'Mia of the first' });
    await waits(first, bots[0]!);
    await moving.move(second);
    const heard = moving.callees[0]!.calls.length;
    await moving.write({ body: 'hello again', name: 'Mia of the second' });
    await waits(second, bots[1]!);
    await moving.write({ body: 'secret of the second', name: 'Mia of the second' });
    await until('the thanks of the second', () => said().length === 3);
    expect(said()).to.deep.equal([
      'Shop 0: your order?',
      'Shop 1: your order?',
      'Shop 1 thanks Mia of the second: secret of the second',
    ]);
    await handledBy('forwards');
    expect(moving.callees[0]!.calls).to.have.length(heard);
    await ends(first, bots[0]!);
    const [run] = await runsOf(first, bots[0]!);
    expect(run).to.include({ state: 'ended', reason: 'number_unlinked', nodeId: 'ask' });
    const thread = await world.waybill.events(await threadOf(world.waybill, first));
    expect(thread.at(-1)).to.include({ type: 'BotRunEnded' });
    await answered(404, moving.call(second, 'GET', `/bots/${bots[0]!.id}/runs/${run!.id}`));
  });

  it('row 28: the second sees no name, count or window of the first; the first keeps its history', async () => {
    const inbound = await moving.write({ body: 'hello', name: 'Mia' });
    expect((await moving.freeText(first)).status).to.equal(200);
    const before = (await moving.read(first, '/conversations')).conversations;
    const listed = (await moving.read(first, '/messages')).messages;
    expect(listed.map(({ id }: Json) => id)).to.include(inbound);
    await moving.move(second);

    const { status, body } = await moving.freeText(second);
    expect({ status, body }).to.deep.include({ status: 403 });
    expect(body.windowExpiredAt).to.equal(null);
    const event = { to: FROM, event: 'order_cancelled', variables: {}, allowTextFallback: true };
    const fallback = await moving.call(second, 'POST', '/notifications/send', event);
    expect(fallback.body.code).to.equal('TEMPLATE_NOT_APPROVED');
    expect((await moving.read(second, '/conversations')).conversations).to.deep.equal([]);
    expect((await moving.read(second, '/messages')).messages).to.deep.equal([]);
    const asked = `/messages?conversationId=${await conversationOf(world.waybill, first)}`;
    expect((await moving.read(second, asked)).messages).to.deep.equal([]);

    await moving.write({ body: 'hi', name: null as unknown as string });
    const [thread] = (await moving.read(second, '/conversations')).conversations;
    expect(thread).to.deep.include({
      id: await conversationOf(world.waybill, { ...second, ...moving.place }),
      contact: { waId: FROM, userId: null, name: null },
      messageCount: 1,
      unreadCount: 1,
      lastOutboundAt: null,
      windowOpen: true,
    });
    expect((await moving.freeText(second)).status).to.equal(200);

    expect((await moving.read(first, '/conversations')).conversations).to.deep.equal(before);
    expect((await moving.read(first, '/messages')).messages).to.deep.equal(listed);
    const timeline = await moving.read(first, `/messages/${inbound}/timeline`);
    expect(typesOf(timeline.timeline)).to.include('MessageReceived');
    expect((await moving.freeText(first)).status, 'read only').to.equal(404);
    await answered(404, moving.call(second, 'GET', `/messages/${inbound}/timeline`));
  });

  it('row 28: runs end though the process stops before it has ended them, and end once', async () => {
    const bot = await asking(first, 0);
    const contacts = ['919800000001', '919800000002', '919800000003'];
    for (const from of contacts) await moving.write({ from, body: 'hello' });
    const waiting = async () =>
      (await runsOf(first, bot)).filter(({ state }) => state === 'waiting').length;
    await untilTrue('all to wait', async () => (await waiting()) === contacts.length);
    refused = { life: lives, ends: 0 };
    await moving.unlink();
    await until('tries to end them', () => refused.ends > 0);
    expect(await waiting()).to.equal(contacts.length);
    await world.restart(1000);
    await untilTrue('the end of all', async () => (await waiting()) === 0);
    for (const waId of contacts) {
      const events = await world.waybill.events(await threadOf(world.waybill, first, waId));
      const ends = events.filter(({ type }) => type === 'BotRunEnded');
      expect(ends).to.have.length(1);
      expect(ends[0]!.data).to.include({ reason: 'number_unlinked' });
    }
  });

  it('row 28: an account that gets its number back finds its own window, and no run of before', async () => {
    const bot = await asking(first, 0);
    await moving.write({ body: 'hello', name: 'Mia' });
    await waits(first, bot);
    await moving.move(second);
    world.waybill.clock.advance(HOUR_MS);
    await moving.write({ body: 'to the second', name: 'Mia' });
    await moving.move(first);
    const [thread] = (await moving.read(first, '/conversations')).conversations;
    expect(thread).to.include({ windowOpen: true, messageCount: 2 });
    expect(Date.parse(thread.windowExpiresAt)).to.be.below(
      world.waybill.clock.now() + 23 * HOUR_MS + 1000,
    );
    expect((await moving.freeText(first)).status).to.equal(200);
    await moving.write({ body: 'back at the first', name: 'Mia' });
    await until('a new question', () => said().filter((one) => /Shop 0/.test(one)).length === 2);
    await waits(first, bot);
    const [now, old] = await runsOf(first, bot);
    expect(now).to.include({ state: 'waiting', nodeId: 'ask' });
    expect(old).to.include({ state: 'ended', reason: 'number_unlinked' });
    expect((await moving.freeText(second)).status).to.equal(404);
  });

  it('row 28: a message under way while the number moves stays with the account that sent it', async () => {
    const held = world.gate.hold('after', ({ path }) => path.endsWith('/messages'));
    const sending = world.send(first);
    await held.arrived();
    await moving.move(second);
    held.release();
    const { messageId } = (await answered(200, sending)).body;
    const timeline = await moving.read(first, `/messages/${messageId}/timeline`);
    expect(timeline.messageId).to.equal(messageId);
    const [mine] = (await moving.read(first, '/conversations')).conversations;
    const id = await conversationOf(world.waybill, first);
    expect(mine).to.deep.include({ id, messageCount: 1 });
    expect((await moving.read(second, '/conversations')).conversations).to.deep.equal([]);
    expect((await moving.read(second, '/messages')).messages).to.deep.equal([]);
  });

  it('row 28: a run that is calling or sleeping while its number goes does nothing any more', async () => {
    const url = moving.callees[0]!.url;
    const calling = await moving.bot(
      first,
      [
        node('call', 'http_request', { url: `${url}/slow`, timeoutMs: 10_000 }),
        node('m', 'message', { text: 'Too late' }),
      ],
      ['call -> m'],
    );
    let finish = () => undefined as unknown;
    moving.callees[0]!.answer((response, { path }) => {
      if (path !== '/slow') response.end();
      else finish = () => response.end('{}');
    });
    await moving.write({ body: 'call' });
    await until('the call', () => moving.callees[0]!.calls.some(({ path }) => path === '/slow'));
    await moving.unlink();
    await ends(first, calling);
    finish();
    await moving.link(first);
    await moving.call(first, 'DELETE', `/bots/${calling.id}`);
    const sleeping = await moving.bot(
      first,
      [node('d', 'delay', { seconds: 60 }), node('m', 'message', { text: 'Woken' })],
      ['d -> m'],
    );
    await moving.write({ body: 'sleep' });
    await waits(first, sleeping);
    await moving.move(second);
    world.waybill.clock.advance(2 * 60_000);
    await ends(first, sleeping);
    await world.restart(60_000);
    expect((await runsOf(first, sleeping))[0]).to.include({ reason: 'number_unlinked' });
    expect(said()).to.deep.equal([]);
  });
});
