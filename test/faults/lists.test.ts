import { expect } from 'chai';
import { inAccount } from '../../src/events/streams.ts';
import type { Scan, Views } from '../../src/projections/views.ts';
import { openWorld } from '../support/faults/world.ts';
import { inSuite } from '../support/in-suite.ts';
import { refOfMessage } from '../support/message-refs.ts';
import { useRealConnections } from '../support/network.ts';
import type { Answer, Json, Tenant } from '../support/waybill.ts';

const MESSAGES = 45;
const ROWS_MAX = 10;
const WAITING_MAX = 3;

const isMessages = (collection: string) => collection.startsWith('messages_');

describe('lists of a long history', () => {
  useRealConnections();
  let busy: Tenant;
  let other: Tenant;
  const lines: Json[] = [];
  /** Scans of messages that were asked of the read models, in turn. */
  const scans: Scan[] = [];
  /** Accounts whose lists are not answered, as on a disk that has stopped. */
  const heldUp = new Set<string>();
  /** How many are held up now, and were at most. */
  const held = { now: 0, most: 0 };

  const hold = (signal: AbortSignal | undefined) =>
    new Promise<never>((_, reject) => {
      held.now += 1;
      held.most = Math.max(held.most, held.now);
      signal?.addEventListener('abort', () => {
        held.now -= 1;
        reject(signal.reason);
      });
    });
  const watched = (views: Views): Views => ({
    ...views,
    scan(collection, scan, signal) {
      if (isMessages(collection)) scans.push(scan);
      const { accountId } = scan.where;
      if (heldUp.has(String(accountId))) return hold(signal);
      return views.scan(collection, scan, signal);
    },
  });

  const world = inSuite(() =>
    openWorld({
      wrapViews: watched,
      bounds: { lists: { rowsMax: ROWS_MAX, waitingMax: WAITING_MAX } },
      logLines: lines,
    }),
  );
  before(async () => {
    busy = await world.tenant({ credits: 1_000 });
    other = await world.tenant({ credits: 1_000 });
    const sends = Array.from({ length: MESSAGES }, () => world.send(busy));
    for (const { status } of await Promise.all(sends)) expect(status).to.equal(200);
    await world.send(other);
  });
  beforeEach(() => {
    lines.length = scans.length = held.most = 0;
  });
  afterEach(() => heldUp.clear());

  const list = (tenant: Tenant, query = ''): Promise<Answer> =>
    world.call('GET', `/v1/messages${query}`, { token: tenant.apiKey });
  const idsOf = ({ body }: Answer): string[] => body.messages.map(({ id }: Json) => id);

  /** All pages of a list. */
  const walk = async (query: string) => {
    const pages: string[][] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer = await list(busy, `?limit=20&${query}${cursor && `&cursor=${cursor}`}`);
      expect(answer.status).to.equal(200);
      pages.push(idsOf(answer));
      cursor = answer.body.nextCursor;
    }
    return pages;
  };

  it('row 26: a filter that matches nothing looks at a bounded number of rows for each page', async () => {
    const pages = await walk('messageType=image&direction=outbound');
    expect(pages).to.deep.equal([[], [], [], [], []]);
    expect(scans.map(({ rowsMax }) => rowsMax)).to.deep.equal([10, 10, 10, 10, 10]);
    const everything = await walk('');
    const orders = scans.slice(1, 5).map(({ where }) => (where.order as { lt: string }).lt);
    const whole = everything.flat();
    expect(whole).to.have.length(MESSAGES);
    // Each page went on behind the tenth row of the one before it.
    const kept = await Promise.all(
      [9, 19, 29, 39].map(async (at) => {
        const live = (await world.waybill.views.live()).messages!;
        const key = inAccount(busy.accountId, refOfMessage(whole[at]!));
        const row = await world.waybill.views.get<{ order: string }>(live, key);
        return row?.document.order;
      }),
    );
    expect(orders).to.deep.equal(kept);
  });

  it('row 26: what matches is found once, whatever pages it takes', async () => {
    const whole = (await walk('')).flat();
    const pages = await walk('messageType=template&until=2100-01-01T00:00:00Z');
    expect(pages.flat()).to.deep.equal(whole);
    expect(pages.every((page) => page.length <= ROWS_MAX)).to.equal(true);
  });

  it('row 26: others notice nothing of an account whose lists are held up @long', async () => {
    heldUp.add(busy.accountId);
    const reads = Array.from({ length: 4 }, () => list(busy, '?messageType=image'));
    const live = await fetch(`${world.waybill.url}/health/live`);
    expect(live.status).to.equal(200);
    expect((await world.send(other)).status).to.equal(200);
    expect((await world.send(busy)).status, 'its own sends').to.equal(200);
    const theirs = await list(other);
    expect(theirs.status).to.equal(200);
    expect(idsOf(theirs)).to.have.length(2);
    for (const { status, headers, body } of await Promise.all(reads)) {
      expect(status).to.equal(503);
      expect(Number(headers['retry-after'])).to.be.at.least(1);
      expect(body.error).to.match(/too long/);
    }
    const refused = lines.filter(({ msg }) => msg === 'A list was refused');
    expect(refused).to.have.length(4);
    for (const line of refused) {
      expect(line).to.include({ owner: busy.accountId, projection: 'messages', reason: 'slow' });
    }
    expect(held, 'two were read at a time, and their reading was stopped').to.deep.equal({
      now: 0,
      most: 2,
    });
  });
});
