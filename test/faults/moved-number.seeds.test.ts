import { expect } from 'chai';
import type { KnownEvent } from '../../src/events/index.ts';
import { node } from '../commands/bots/graphs.ts';
import { chooseSeed, seeded } from '../support/faults/random.ts';
import { openWorld } from '../support/faults/world.ts';
import { inSuite } from '../support/in-suite.ts';
import { type Moving, openMoving } from '../support/moving.ts';
import { useRealConnections } from '../support/network.ts';
import { untilTrue } from '../support/until.ts';
import type { Json, Tenant } from '../support/waybill.ts';

const STEPS = 120;
const CONTACTS = ['919800000001', '919800000002', '919800000003'];
const HOUR_MS = 60 * 60_000;
const WINDOW_MS = 24 * HOUR_MS;

describe('numbers that move, by chance @series', () => {
  useRealConnections();
  const seed = chooseSeed();
  let moving: Moving;
  after(() => moving.close());
  const world = inSuite(() => openWorld({ forwardAllow: ['127.0.0.1'] }));
  before(async () => {
    moving = await openMoving(world, 3);
  });

  const bots: Json[] = [];
  /** Every text and every call shows whose message it was made of. */
  const asking = (tenant: Tenant, nth: number) =>
    moving.bot(
      tenant,
      [
        node('ask', 'question', { text: 'What?', saveAs: 'said' }),
        node('tell', 'http_request', {
          method: 'POST',
          url: `${moving.callees[nth]!.url}/told`,
          body: { said: '{{vars.said}}', name: '{{contact.name}}' },
        }),
        node('thank', 'message', { text: 'Thanks {{contact.name}} : {{vars.said}} .' }),
      ],
      ['ask -> tell', 'tell -> thank'],
    );

  /** Goes through everything that an account can be shown. */
  const readAll = async (tenant: Tenant, bot: Json): Promise<Json[]> => {
    await moving.read(tenant, '/conversations?limit=100');
    await moving.read(tenant, '/messages?limit=100');
    await moving.read(tenant, '/credits');
    await moving.read(tenant, '/phones');
    const { runs } = await moving.read(tenant, `/bots/${bot.id}/runs?limit=100`);
    for (const run of runs) await moving.read(tenant, `/bots/${bot.id}/runs/${run.id}`);
    return runs;
  };

  const atRest = () =>
    untilTrue('reactors and sends to come to rest', async () => {
      const events = (await world.waybill.log()) as KnownEvent[];
      const seen = async (reactor: string, types: readonly string[]) => {
        const last = events.findLast(({ type }) => types.includes(type));
        const place = (await world.waybill.store.loadSnapshot(`reactor-${reactor}`))?.state;
        return !last || (typeof place === 'string' && place >= last.position);
      };
      const open = new Set<string>();
      for (const { type, data } of events) {
        if (type === 'ChargeReserved') open.add(data.chargeId);
        if (type === 'MessageSent' || type === 'ChargeRefunded') open.delete(data.chargeId);
      }
      return (
        open.size === 0 &&
        (await seen('bots', ['MessageReceived'])) &&
        (await seen('forwards', ['MessageReceived'])) &&
        (await seen('unlinked-runs', ['PhoneUnlinked']))
      );
    });

  it(`row 28: in any order of links, messages, sends and bots, nothing crosses (WAYBILL_FAULTS_SEED=${seed})`, async () => {
    const random = seeded(seed);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    for (const [nth, tenant] of moving.tenants.entries()) bots.push(await asking(tenant, nth));
    let holder: Tenant | null = moving.tenants[0]!;
    let links: Promise<void> = Promise.resolve();
    const move = (to: Tenant | null) => {
      links = links.then(async () => {
        if (holder) await moving.unlink();
        holder = to;
        if (to) await moving.link(to);
      });
      return links;
    };
    let written = 0;
    const write = async (from = pick(CONTACTS)) => {
      written += 1;
      const id = `wamid.SEEN${written}`;
      await moving.write({ id, from, body: `I am ${id}`, name: `name ${id}` });
    };
    const running = new Set<Promise<unknown>>();
    const start = (work: Promise<unknown>) => {
      running.add(work);
      work.finally(() => running.delete(work)).catch(() => undefined);
      return work;
    };
    for (let step = 0; step < STEPS; step += 1) {
      const dice = random();
      const tenant = pick(moving.tenants);
      const { phoneNumberId } = moving.place;
      let work: Promise<unknown>;
      if (dice < 0.15) work = start(move(random() < 0.2 ? null : tenant));
      else if (dice < 0.65) work = start(write());
      else if (dice < 0.8) work = start(moving.freeText(tenant, pick(CONTACTS)));
      else if (dice < 0.9) work = start(world.send(tenant, { to: pick(CONTACTS), phoneNumberId }));
      else
        work = Promise.resolve(
          void world.waybill.clock.advance(pick([1000, 1000, 1000, 1000, 9 * HOUR_MS])),
        );
      // Some of it at once, some in its order.
      if (random() < 0.5) await work;
    }
    await Promise.all(running);
    await move(pick(moving.tenants));
    await atRest();
    // Chance alone may leave every question unanswered: the second message answers the bot.
    world.waybill.clock.advance(61_000);
    for (let nth = 0; nth < 2; nth += 1) {
      await write(CONTACTS[0]);
      await atRest();
    }

    const events = (await world.waybill.log()) as KnownEvent[];
    for (const [nth, tenant] of moving.tenants.entries()) {
      const runs = await readAll(tenant, bots[nth]!);
      const isHolder = tenant === holder;
      if (!isHolder) expect(runs.filter(({ state }) => state !== 'ended')).to.deep.equal([]);
      for (const contact of CONTACTS) {
        const written = events.flatMap(({ type, data }) =>
          type === 'MessageReceived' && data.accountId === tenant.accountId && data.waId === contact
            ? [Date.parse(data.receivedAt)]
            : [],
        );
        const isOpen = Math.max(...written) + WINDOW_MS > world.waybill.clock.now();
        const expected = isHolder ? (isOpen ? 200 : 403) : 404;
        expect((await moving.freeText(tenant, contact)).status).to.equal(expected);
      }
    }
    const forwards = moving.callees.flatMap(({ calls }) => calls.map(({ path }) => path));
    expect(forwards).to.include.members(['/inbound', '/told']);
    await atRest();
    expect(await world.problems()).to.deep.equal([]);
  });
});
