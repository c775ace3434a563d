import { expect } from 'chai';
import { createBooks, enter } from '../../src/audit/books.ts';
import { entryOf } from '../../src/audit/entry.ts';
import { isMoneyEvent } from '../../src/audit/movement.ts';
import { createProblems } from '../../src/audit/problems.ts';
import { verify } from '../../src/audit/verify.ts';
import { recordTextHash } from '../../src/commands/account/chain.ts';
import { CHAIN_START, withoutLink } from '../../src/events/chain.ts';
import type { Fact } from '../../src/events/define.ts';
import { decode, versionOf } from '../../src/events/index.ts';
import { MessageSent } from '../../src/events/message.ts';
import { type Recorded, UNREADABLE } from '../../src/events/store.ts';
import { auditedLog, createAccount, linkedTo } from '../support/books.ts';
import { price, sentRecord } from '../support/samples.ts';

const accountId = 'acc_1';

type Data = Record<string, unknown>;

/** Opened, 10 credits, a charge that was given back, and one whose message was sent. */
const history = (): Fact<string, Data>[] => {
  const account = createAccount(accountId);
  account.fill(10);
  account.refund(account.reserve());
  const { chargeId } = account.reserve();
  // Older records repeated the charge.
  const repeated = { chargeRevision: 4, chargeAmount: -1 };
  const message = MessageSent.of(sentRecord({ accountId, chargeId, ...repeated }));
  return [...account.facts, message] as unknown as Fact<string, Data>[];
};

/** Links every money event to the one before it and hashes it, as a careful forger would. */
const recorded = (facts: readonly Fact<string, Data>[]): Recorded[] => {
  let [sequence, previousHash, revision] = [0, CHAIN_START, -1];
  const records = new Map<unknown, number>();
  return facts.map(({ type, data }, index) => {
    const isOfAccount = type !== 'MessageSent';
    if (isOfAccount) revision += 1;
    const record = records.get(data.messageRef) ?? 0;
    if (!isOfAccount) records.set(data.messageRef, record + 1);
    const event = {
      id: `event-${index}`,
      type,
      version: versionOf(type),
      data,
      meta: { at: '2026-11-21T12:00:00.000Z', requestId: 'req_1' },
      stream: isOfAccount ? `account-${accountId}` : `message-${accountId}.${data.messageRef}`,
      revision: isOfAccount ? revision : record,
      position: String(index).padStart(4, '0'),
    };
    if (!isMoneyEvent(event)) return event;
    sequence += 1;
    const linked = linkedTo<Recorded>(previousHash, { ...event, data: { ...data, sequence } });
    previousHash = linked.link!.hash;
    return linked;
  });
};

const kindsIn = (events: readonly Recorded[]): string[] => {
  const problems = createProblems();
  const books = createBooks(problems);
  for (const event of events) {
    const entry = entryOf(event);
    if (entry) enter(books, entry);
  }
  return problems.list().map(({ kind }) => kind);
};

/** The kinds of problem that a verification of these events as a whole log finds. */
const kindsOf = async (events: readonly Recorded[]): Promise<string[]> =>
  (await verify(auditedLog(events))).problems.map(({ kind }) => kind);

/** The kinds of problem after a change of one fact, all hashes made anew. */
const forged = (index: number, change: Data, more: Record<number, Data> = {}): string[] => {
  const changes: Record<number, Data> = { ...more, [index]: change };
  const facts = history().map(({ type, data }, at) => ({
    type,
    data: { ...data, ...changes[at] },
  }));
  return kindsIn(recorded(facts));
};

const [GRANT, RESERVED, REFUND, CHARGE, MESSAGE] = [1, 2, 3, 4, 5];

describe('links from before format 3', () => {
  const grants = (change: Data = {}) => {
    let previousHash = CHAIN_START;
    return [1, 2].map((sequence): Recorded => {
      const [entryId, balanceAfter] = [`led_1_${sequence}`, 5 * sequence];
      const own = { accountId: 'acc_1', entryId, amount: 5, balanceAfter, sequence, previousHash };
      const data = { ...own, at: '2026-11-21T12:00:00.000Z', reason: null, grantedBy: null };
      const hash = recordTextHash('CreditsGranted', data);
      previousHash = hash;
      const place = { stream: 'account-acc_1', revision: sequence, position: `${sequence}` };
      const meta = { at: data.at, requestId: 'r' };
      const stored = { ...data, hash, ...(sequence === 1 && change) };
      const kind = { id: `e${sequence}`, type: 'CreditsGranted', version: 1 };
      return decode({ ...kind, meta, ...place, data: stored });
    });
  };
  const opened = recorded(history())[0]!;

  it('are checked by their own rule, and the chain goes on from them', () => {
    const [first, second] = grants();
    const { hash, ...before } = second!.data as Data & { hash: string };
    const data = { ...before, entryId: 'led_1_3', balanceAfter: 15, sequence: 3 };
    const place = { id: 'e3', version: 2, revision: 3, position: '3' };
    const next = linkedTo<Recorded>(hash, { ...second!, ...place, data });
    expect(kindsIn([opened, first!, second!, next])).to.deep.equal([]);
    expect(kindsIn([opened, ...grants({ reason: 'Changed' })])).to.deep.equal(['hash']);
  });

  it('do not pass for links of today, nor those for them', () => {
    const [first] = grants();
    const asNew = { ...first!, asStored: { ...first!.asStored!, version: 2 } };
    expect(kindsIn([opened, asNew])).to.deep.equal(['identity']);
  });
});

describe('books with an unknown field', () => {
  it('are reported as changed', () => {
    const events = recorded(history());
    expect(kindsIn(events)).to.deep.equal([]);
    const { price } = events[RESERVED]!.data as { price: object };
    const data = { ...(events[RESERVED]!.data as object), price: { ...price, note: 'added' } };
    const changed = decode({ ...events[RESERVED]!, data: withoutLink(data) });
    expect(changed.data).to.deep.equal(events[RESERVED]!.data);
    expect(kindsIn(events.with(RESERVED, changed))).to.include('hash');
  });
});

describe('books that were forged with every hash made anew', () => {
  it('have no problem without a change', () => {
    expect(kindsIn(recorded(history()))).to.deep.equal([]);
  });

  it('show a balance that does not follow from the one before it', () => {
    expect(forged(GRANT, { amount: 11 })).to.deep.equal(['balance']);
    expect(forged(GRANT, { balanceAfter: 11 })).to.deep.equal(['balance', 'balance']);
  });

  it('show a balance below zero', () => {
    const rest = { [REFUND]: { balanceAfter: -10 }, [CHARGE]: { balanceAfter: -11 } };
    const below = { ...rest, [RESERVED]: { balanceAfter: -11 } };
    const kinds = forged(GRANT, { amount: -10, balanceAfter: -10 }, below);
    const [first, ...more] = new Array(4).fill('negative-balance');
    expect(kinds).to.deep.equal([first, 'identity', ...more]);
  });

  it('show ids that do not fit their place', () => {
    expect(forged(GRANT, { accountId: 'acc_2' })).to.deep.equal(['identity']);
    expect(forged(GRANT, { entryId: 'led_1_9' })).to.deep.equal(['identity']);
    expect(forged(CHARGE, { chargeId: 'chg_1_9' })).to.deep.equal(['identity']);
  });

  it('show a refund without a charge', () => {
    for (const chargeId of ['chg_1_1', 'chg_1_3', 'chg_1_z', 'chg_2_2', 'nonsense']) {
      expect(forged(REFUND, { chargeId }), chargeId).to.deep.equal(['refund-without-charge']);
    }
  });

  it('show a charge that was refunded twice', () => {
    const [opened, granted, reserved, refund] = history();
    const again = { type: refund!.type, data: { ...refund!.data, entryId: 'led_1_4' } };
    const facts = [opened!, granted!, reserved!, refund!, again];
    expect(kindsIn(recorded(facts))).to.deep.equal(['balance', 'refund-twice']);
  });

  it('show a refund of another amount', () => {
    const after = { [CHARGE]: { balanceAfter: 10 } };
    const kinds = forged(REFUND, { amount: 2, balanceAfter: 11 }, after);
    expect(kinds).to.deep.equal(['refund-amount']);
  });

  it('show a refund in a unit other than that of its charge', () => {
    const wallet = { price: price({ billing: 'wallet', currency: 'EUR' }) };
    expect(forged(REFUND, wallet)).to.deep.equal(['refund-amount']);
  });

  it('show a message without a charge, and one with another amount or revision than its charge', () => {
    const none = ['message-without-charge'];
    expect(forged(MESSAGE, { chargeId: 'chg_1_3' })).to.deep.equal(none);
    expect(forged(MESSAGE, { accountId: 'acc_2' })).to.deep.equal(['identity', ...none]);
    expect(forged(MESSAGE, { chargeAmount: 0 })).to.deep.equal(['message-amount']);
    expect(forged(MESSAGE, { chargeRevision: 2 })).to.deep.equal(['message-amount']);
  });

  it('show a second message for a charge, refunded or not', () => {
    const facts = history();
    const twin = { ...facts[MESSAGE]!, data: { ...facts[MESSAGE]!.data, messageRef: 'wamid.2' } };
    expect(kindsIn(recorded([...facts, twin]))).to.deep.equal(['second-message']);
    const refunded = facts[RESERVED]!.data;
    const late = { ...twin.data, chargeId: refunded.chargeId, chargeRevision: RESERVED };
    const other = { ...twin, data: late };
    expect(kindsIn(recorded([...facts, other]))).to.deep.equal([]);
    const third = { ...other, data: { ...late, messageRef: 'wamid.3' } };
    expect(kindsIn(recorded([...facts, other, third]))).to.deep.equal(['second-message']);
  });

  it('show a message with a second charge', async () => {
    const facts = history();
    const { chargeId } = facts[RESERVED]!.data;
    const data = { ...facts[MESSAGE]!.data, chargeId, chargeRevision: RESERVED };
    const again = { type: 'MessageSent', data };
    expect(await kindsOf(recorded(facts))).to.deep.equal([]);
    expect(await kindsOf(recorded([...facts, again]))).to.deep.equal(['second-charge']);
  });

  it('show the record of a message in the stream of another', () => {
    const events = recorded(history());
    const astray = { ...events[MESSAGE]!, stream: 'message-acc_1.wamid.9' };
    expect(kindsIn(events.with(MESSAGE, astray))).to.deep.equal(['identity']);
  });

  it('show events that cannot be read, of accounts and of messages', () => {
    const events = recorded(history());
    const lost = (index: number) =>
      kindsIn(events.with(index, { ...events[index]!, type: UNREADABLE, data: { reason: 'no' } }));
    expect(lost(0)).to.include('unreadable');
    expect(lost(MESSAGE)).to.deep.equal(['unreadable']);
  });

  it('show missing, doubled and unordered events', () => {
    const events = recorded(history());
    const moved = events.with(CHARGE, { ...events[CHARGE]!, position: '0000' });
    expect(kindsIn(moved)).to.deep.equal(['order']);
    expect(kindsIn(events.toSpliced(0, 1))).to.include('revision');
  });
});
