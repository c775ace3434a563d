import { hash } from 'node:crypto';
import { expect } from 'chai';
import { createWriter } from '../../../src/commands/core/execute.ts';
import { LEASE_MS, leaseOf, SILENT_AFTER_MS } from '../../../src/commands/core/lease.ts';
import { createClaimedRuns } from '../../../src/commands/idempotency/claimed-runs.ts';
import {
  ABANDONED_AFTER_MS,
  type Asked,
  BEGINS_NOTHING_AFTER_MS,
  createIdempotency,
} from '../../../src/commands/idempotency/idempotency.ts';
import { opened } from '../../../src/events/opened.ts';
import type { SqliteStore } from '../../../src/events/sqlite/store.ts';
import { systemIds } from '../../../src/shared/system.ts';
import { fixedClock } from '../../support/ambient.ts';
import { erasableSubjects } from '../../support/erasable-subjects.ts';
import { secrets } from '../../support/message-refs.ts';
import { openOwnStore } from '../../support/own-store.ts';
import { foundIn, needlesOf } from '../../support/privacy/needles.ts';
import { codeOf } from '../../support/spec.ts';

const asked: Asked = {
  ownerId: 'acc_1',
  route: 'POST /v1/notifications/send',
  target: 'POST /v1/notifications/send',
  key: 'k',
  body: { to: '1', otp: '123456' },
  isSend: true,
};
const context = { requestId: 'r' };
const ofAccount = { accountId: 'acc_1' };
const kept = { status: 200, body: { id: 1 }, headers: { A: 'b' } };
const answer = { kind: 'answered' as const, contacts: [] as readonly string[], ...kept };

describe('Claims of idempotent requests @long', () => {
  let sealed: SqliteStore;
  let store: SqliteStore;
  let held: ReturnType<typeof erasableSubjects>;
  let clock: ReturnType<typeof fixedClock>;
  let elapsedMs: number;
  /** Since the renewal of each lease. */
  let leaseMs: number;
  let free: [accountId: string, bytes: number][];
  /** Accounts that are said to have no free writes left, and what they have. */
  let usedUp: Set<string>;
  let freeLeft: number;
  /** Leases that have ended, and for how many milliseconds that is known. */
  let ended: Map<string, number>;
  beforeEach(async () => {
    clock = fixedClock();
    held = erasableSubjects(clock);
    sealed = await openOwnStore();
    store = opened(sealed, held.subjects.ring);
    elapsedMs = leaseMs = 0;
    free = [];
    usedUp = new Set();
    freeLeft = 0;
    ended = new Map();
  });
  afterEach(() => sealed.close());

  /** One process of several on the same log. */
  const instance = ({
    soleWriter = false,
    leaseId = undefined as string | undefined,
    onto = store,
    onUnsettled = (error: unknown): unknown => {
      throw error;
    },
  } = {}) => {
    const writer = createWriter({ store: onto, clock, ids: systemIds });
    const refundOpen = async () => true;
    const monotonicMs = () => elapsedMs;
    const lookups = { messageOfCharge: async () => undefined };
    const runs = createClaimedRuns({ store, lookups, refundOpen });
    const lease = leaseId === undefined ? undefined : leaseOf(leaseId, () => leaseMs);
    const leases = { current: () => lease, endedForMs: (id: string) => ended.get(id) };
    const { subjects } = held;
    const ports = { writer, runs, secrets, subjects, clock, ids: systemIds, monotonicMs };
    const count = (...what: [string, number]) => void free.push(what);
    const freeWrites = { count, usedUp, left: async () => freeLeft };
    const how = { leases, soleWriter, freeWrites, onUnsettled };
    const idempotency = createIdempotency({ ...ports, ...how });
    const take = async (change: Partial<Asked> = {}, by: { accountId?: string } = {}) => {
      const taken = await idempotency.claim({ ...asked, ...change }, { ...context, ...by });
      if (taken.kind !== 'claimed') throw new Error(`expected a claim, got ${taken.kind}`);
      return taken;
    };
    return { idempotency, take, runs };
  };
  const log = async () => (await store.readAll('', 1000)).events;

  const answers: [string, object, number, by?: object][] = [
    ['a refusal of the provider', { status: 502, body: {} }, 1_602],
    ['a batch that sent nothing', { body: { sent: 0 } }, 1_610],
    ['a batch that sent something', { body: { sent: 1 } }, 0],
    ['a message', { body: { success: true } }, 0],
    ['a refusal that an administrator gets', { status: 502 }, 0, {}],
  ];
  for (const [what, change, bytes, by = ofAccount] of answers) {
    it(`count ${bytes} bytes as free for the sealed answer of ${what}`, async () => {
      const { settle } = await instance().take({}, by);
      const how = { ...answer, contacts: ['919812345678'], ...change };
      await settle(how);
      await settle(how);
      expect(free).to.deep.equal(bytes === 0 ? [] : [['acc_1', bytes]]);
    });
  }

  it('are not appended for an account without free writes, which gets stored answers alone', async () => {
    const { idempotency, take } = instance();
    await (await take({}, ofAccount)).settle(answer);
    usedUp.add('acc_1');
    const before = await log();
    const again = await idempotency.claim(asked, { ...context, ...ofAccount });
    expect(again).to.deep.equal({ kind: 'answered', answer: kept });
    expect(await codeOf(take({ key: 'new' }, ofAccount))).to.equal('account.free_writes');
    expect(await log()).to.deep.equal(before);
    freeLeft = 1;
    expect(await codeOf(take({ key: 'new' }, ofAccount))).to.equal('none');
  });

  it('are won by one of many instances', async () => {
    const all = Array.from({ length: 5 }, () => instance());
    const taken = await Promise.all(all.flatMap(({ take }) => [codeOf(take()), codeOf(take())]));
    expect(taken.filter((one) => one === 'none')).to.have.length(1);
    expect(new Set(taken)).to.deep.equal(new Set(['none', 'idempotency.in_progress']));
    expect(await log()).to.have.length(1);
  });

  it('give every instance the stored answer after a settlement', async () => {
    const [one, other] = [instance(), instance()];
    await (await one.take()).settle(answer);
    const again = await other.idempotency.claim(asked, context);
    expect(again).to.deep.equal({ kind: 'answered', answer: kept });
    expect(await codeOf(other.take({ body: {} }))).to.equal('idempotency.mismatch');
  });

  it('keep an answer that names contacts under all of their keys, and none once one is erased', async () => {
    const contacts = ['919812345678', '4915112345678', 'US.13491208655302741918'];
    const one = instance();
    const body = { results: contacts.map((to) => ({ to, text: 'Mia Meyer' })) };
    await (await one.take()).settle({ ...answer, contacts, body });
    const again = () => one.idempotency.claim(asked, context);
    expect(await again()).to.deep.include({ answer: { status: 200, body, headers: { A: 'b' } } });
    const { data } = (await sealed.readAll('', 1000)).events.at(-1)!;
    expect(data).to.have.property('contactRefs').with.length(3);
    expect(data).to.include({ status: 200, body: null }).and.not.have.property('clearBody');
    const stored = JSON.stringify((await sealed.readAll('', 1000)).events);
    const marks = [...contacts, 'Mia Meyer'].map((text) => ({ name: text, text }));
    expect(foundIn(Buffer.from(stored), needlesOf(marks))).to.deep.equal([]);

    await held.erase('acc_1', contacts[1]!);
    const before = await log();
    expect(await codeOf(one.take())).to.equal('resource.erased');
    expect(await codeOf(one.take({ body: {} }))).to.equal('idempotency.mismatch');
    expect(await log()).to.deep.equal(before);
    clock.advance(86_400_000);
    expect(await codeOf(one.take())).to.equal('none');
  });

  it('keep an answer without contacts in clear, which no erasure takes', async () => {
    const one = instance();
    await (await one.take()).settle(answer);
    const { data } = (await sealed.readAll('', 1000)).events.at(-1)!;
    expect(data).to.deep.include({ contactRefs: [], body: null, clearBody: { id: 1 } });
  });

  it('are not overtaken while their work may run; the next claim continues it under the same id', async () => {
    const [one, other] = [instance(), instance()];
    const first = await one.take();
    clock.advance(ABANDONED_AFTER_MS);
    expect(await codeOf(other.take())).to.equal('idempotency.in_progress');
    clock.advance(1);
    const second = await other.take();
    expect(second.claim).to.deep.equal(first.claim);
    expect([first.resumed, second.resumed]).to.deep.equal([false, true]);
    await first.settle({ ...answer, status: 500 });
    await second.settle(answer);
    const last = await one.idempotency.claim(asked, context);
    expect(last.kind === 'answered' && last.answer.status).to.equal(200);
  });

  it('of a send are continued once the lease that they name has ended', async () => {
    const one = instance({ leaseId: 'one' });
    const other = instance({ leaseId: 'other' });
    const first = await one.take();
    expect((await log())[0]!.data).to.include({ leaseId: 'one' });
    expect(await codeOf(other.take())).to.equal('idempotency.in_progress');
    ended.set('one', 0);
    const second = await other.take();
    expect(second.claim).to.deep.equal(first.claim);
    expect([first.resumed, second.resumed]).to.deep.equal([false, true]);
  });

  it('of what else moves money are continued when that process writes nothing any more', async () => {
    const grant = { isSend: false };
    const [one, other] = [instance({ leaseId: 'one' }), instance()];
    await one.take(grant);
    ended.set('one', SILENT_AFTER_MS - 1);
    expect(await codeOf(other.take(grant))).to.equal('idempotency.in_progress');
    ended.set('one', SILENT_AFTER_MS);
    expect((await other.take(grant)).resumed).to.equal(true);
  });

  it('that name no lease are not continued before their time, whatever else has ended', async () => {
    const [one, other] = [instance(), instance()];
    await one.take();
    expect((await log())[0]!.data).to.not.have.property('leaseId');
    ended.set('one', SILENT_AFTER_MS);
    expect(await codeOf(other.take())).to.equal('idempotency.in_progress');
  });

  it('begin nothing new after 150 s by any clock, before others may overtake', async () => {
    expect(BEGINS_NOTHING_AFTER_MS).to.be.below(ABANDONED_AFTER_MS);
    const pass = {
      monotonic: (ms: number) => {
        elapsedMs += ms;
      },
      // That of a machine that has slept.
      wall: (ms: number) => clock.advance(ms),
    };
    const on = { ...context, ...ofAccount };
    for (const [by, advance] of Object.entries(pass)) {
      const { take, runs } = instance();
      const { claim } = await take({ key: by });
      advance(BEGINS_NOTHING_AFTER_MS);
      expect(await runs.sentEarlier(claim, on), by).to.equal(undefined);
      advance(1);
      expect(await codeOf(runs.sentEarlier(claim, on)), by).to.equal('StoreUnavailable');
      expect(await codeOf(runs.movedEarlier(claim, 'acc_1')), by).to.equal('StoreUnavailable');
      expect(runs.termOf(claim)!.mayRecord(), by).to.equal(true);
    }
    const alone = instance({ soleWriter: true });
    const { claim } = await alone.take({ key: 'alone' });
    clock.advance(2 * BEGINS_NOTHING_AFTER_MS);
    expect(await alone.runs.sentEarlier(claim, on), 'whom nobody overtakes').to.equal(undefined);
  });

  it('begin nothing new once their lease may have ended, and record for a while', async () => {
    const one = instance({ leaseId: 'one' });
    const { claim } = await one.take();
    const term = one.runs.termOf(claim)!;
    for (const [ms, mayBegin, mayRecord] of [
      [LEASE_MS - 1, true, true],
      [LEASE_MS, false, true],
      [LEASE_MS + 9_999, false, true],
      [LEASE_MS + 10_000, false, false],
    ] as const) {
      leaseMs = ms;
      expect([term.mayBegin(), term.mayRecord()], `${ms}`).to.deep.equal([mayBegin, mayRecord]);
    }
  });

  it('of another process are abandoned when no other process writes', async () => {
    await instance().take();
    const next = await instance({ soleWriter: true }).take();
    expect(next.resumed).to.equal(true);
  });

  it('that were interrupted are continued at once, by one request only', async () => {
    const one = instance();
    const first = await one.take();
    await first.settle({ kind: 'interrupted' });
    const taken = await Promise.all([codeOf(one.take()), codeOf(one.take())]);
    expect(taken).to.deep.equal(['none', 'idempotency.in_progress']);
  });

  it('store neither the key nor a guessable hash of the body', async () => {
    await instance().take();
    const text = JSON.stringify(await log());
    expect(text).not.to.include('123456');
    const plain = JSON.stringify(asked.body);
    for (const guess of [plain, `${asked.target}\n${plain}`, `request ${asked.target}\n${plain}`]) {
      expect(text).not.to.include(hash('sha256', guess, 'hex'));
    }
  });

  it('have settled when the log holds it, and tell where it does not take it', async () => {
    const told: unknown[] = [];
    let isAway = false;
    const slow: typeof store = {
      ...store,
      async append(...what) {
        await new Promise(setImmediate);
        if (isAway) throw new Error('away');
        return store.append(...what);
      },
    };
    const onUnsettled = (error: unknown) => told.push((error as Error).message);
    const { take } = instance({ onto: slow, onUnsettled });
    const [one, other] = [await take({ key: 'one' }), await take({ key: 'other' })];
    await one.settle(answer);
    expect((await log()).at(-1)!.type).to.equal('RequestAnswered');
    isAway = true;
    await other.settle(answer);
    expect(told).to.deep.equal(['away']);
    // The claim is worked on no longer, so that the request can be made again.
    isAway = false;
    expect((await take({ key: 'other' })).resumed).to.equal(true);
  });
});
