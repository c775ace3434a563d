import { expect } from 'chai';
import type { ChargeClaimRow, Lookups } from '../../../src/commands/core/lookups.ts';
import { IdTaken } from '../../../src/commands/sending/message-statuses.ts';
import {
  createRecovery,
  recordMatched,
  settleChargeClaim,
} from '../../../src/commands/sending/recovery.ts';
import type { RefundCause } from '../../../src/events/account.ts';
import type { ReservedCharge } from '../../../src/events/completed.ts';
import { splitIntent } from '../../../src/events/intent.ts';
import { StoreUnavailable } from '../../../src/events/store.ts';
import { intent, price, statusUpdate } from '../../support/samples.ts';
import { codeOf, failureOf } from '../../support/spec.ts';
import { customer, memorySubjects } from '../../support/subjects.ts';

const AT = '2026-11-21T12:00:00.000Z';
const of = { accountId: 'acc_1', chargeId: 'chg_1' };
const charge = {
  id: 'event-of-chg_1',
  revision: 7,
  data: {
    ...of,
    amount: -1,
    reason: 'r',
    at: AT,
    price: price(),
    contactRef: customer.ref,
    ...splitIntent(intent()),
  },
} as unknown as ReservedCharge;
const context = { requestId: 'r' };
const matched = {
  ...of,
  messageRef: 'ref.1',
  messageId: 'wamid.1',
  phoneNumberId: '10',
  contactRef: customer.ref,
  recipient: { waId: '919812345678' },
};
const row = { messageRef: 'ref.1', chargeId: 'chg_1', reservedAt: AT } as ChargeClaimRow;
const status = {
  type: 'StatusUpdated',
  data: { messageRef: 'ref.1', phoneNumberId: '10', status: 'delivered', statusAt: AT },
};

/** What is written, where the execution of one type of command fails with this error. */
const open = (
  change: Partial<Record<'known' | 'claimed', string | null>> & {
    failsAt?: [type: string, error: Error];
    /** What the charge's own stream says; the message that won it when absent. */
    won?: null;
    claims?: Lookups['chargeClaims'];
    isUnderWay?: boolean;
    expired?: boolean;
    cause?: RefundCause;
    found?: ReservedCharge | undefined;
    /** Runs before a charge is looked for. */
    onFind?: (count: number) => void;
  } = {},
) => {
  const { known, claimed = 'chg_1', isUnderWay = false, expired = false, cause } = change;
  const found = 'found' in change ? change.found : charge;
  const written: unknown[] = [];
  const kept: unknown[] = [];
  const reads: unknown[] = [];
  const faults: string[] = [];
  let finds = 0;
  const deps = {
    writer: {
      load: async () => ({ state: { chargeClaim: { ...matched, chargeId: claimed } } }),
      async execute(_: unknown, id: string, command: { type: string }, on: object) {
        written.push([id, command.type, on]);
        if (command.type === change.failsAt?.[0]) throw change.failsAt[1];
        return { state: { expired, matched: change.won === null ? null : matched }, facts: [] };
      },
    },
    store: {
      async read(...what: unknown[]) {
        reads.push(what);
        return [status, { type: 'MessageSent', data: {} }, status];
      },
    },
    refunds: {
      async find() {
        finds += 1;
        change.onFind?.(finds);
        return found;
      },
      refund: async (...[, , why]: unknown[]) => written.push(why) > 0,
      countSent: async () => written.push('counted'),
    },
    lookups: {
      messageOfCharge: async () => known,
      refundCauseOf: async () => cause,
      chargeClaims: change.claims ?? (async () => []),
    },
    sends: { mayBeUnderWay: async () => isUnderWay },
    deadLetters: { keep: async (letter: object) => void kept.push(letter) },
    subjects: memorySubjects,
    onFault: (chargeId: string) => faults.push(chargeId),
  } as unknown as Parameters<typeof createRecovery>[0];
  return { deps, written, kept, reads, faults, findsOf: () => finds };
};
const on = { ...context, accountId: 'acc_1' };

describe('a message that has won its charge', () => {
  it('is recorded for the account of the charge', async () => {
    const { deps, written } = open();
    await recordMatched(deps, charge, matched, context);
    expect(written).to.deep.equal([['acc_1.ref.1', 'RecordSent', { ...on, subjects: [customer] }]]);
  });

  it('loses it where its id is the id of another message', async () => {
    const { deps, written } = open({ failsAt: ['RecordSent', new IdTaken('ref.1')] });
    await recordMatched(deps, charge, matched, context);
    expect(written.slice(1)).to.deep.equal([['acc_1.chg_1', 'Release', on]]);
  });

  it('keeps it where the record fails otherwise', async () => {
    const { deps, written } = open({ failsAt: ['RecordSent', new Error('broken')] });
    const error = await failureOf(recordMatched(deps, charge, matched, context));
    expect(error.message).to.equal('broken');
    expect(written).to.have.length(1);
  });
});

describe('a charge that stays open', () => {
  it('is given back once no message can have it any more', async () => {
    const { deps, written } = open({ won: null });
    expect(await createRecovery(deps).refundOpen(charge, context)).to.equal(true);
    expect(written).to.deep.equal([['acc_1.chg_1', 'Expire', on], 'expired']);
  });

  it('is left alone where a message has it, or that is not known, or its send may go on', async () => {
    for (const change of [{ known: 'ref.2' }, { known: null }, { isUnderWay: true }]) {
      const { deps, written } = open({ won: null, ...change });
      expect(await createRecovery(deps).refundOpen(charge, context)).to.equal(false);
      expect(written).to.deep.equal([]);
    }
  });

  it('goes to the message that claims it', async () => {
    const { deps, written } = open({ claims: async () => [row] });
    expect(await createRecovery(deps).refundOpen(charge, context, true)).to.equal(false);
    expect(written.map((one) => (one as string[])[1])).to.include.members(['Match', 'RecordSent']);
    expect(written).not.to.include('expired');
  });

  it('goes to a message that had won it before a crash, whose record is then written', async () => {
    const { deps, written } = open();
    expect(await createRecovery(deps).refundOpen(charge, context)).to.equal(false);
    expect(written).to.deep.equal([
      ['acc_1.chg_1', 'Expire', on],
      ['acc_1.ref.1', 'RecordSent', { ...on, subjects: [customer] }],
    ]);
  });

  it('is found by a status of its own message alone', async () => {
    const update = statusUpdate({
      accountId: 'acc_1',
      chargeId: 'chg_1',
      messageRef: 'ref.1',
      phoneNumberId: charge.data.outline.phoneNumberId!,
      recipientWaId: '919812345678',
    });
    const find = (change: Parameters<typeof open>[0]) =>
      createRecovery(open(change).deps).find(update, context);
    expect(await find({})).to.have.property('kind', 'free');
    expect(await find({ known: 'ref.1' })).to.have.property('kind', 'none');
    expect(await failureOf(find({ known: 'ref.2' }))).to.have.property('kind', 'charge_taken');
  });
});

describe('a claim of a charge', () => {
  it('wins the charge that no other message has', async () => {
    for (const known of [undefined, 'ref.1']) {
      const { deps, written, kept } = open(known === undefined ? {} : { known });
      expect(await settleChargeClaim(deps, row, context)).to.equal(true);
      expect(written).to.deep.equal([
        ['acc_1.chg_1', 'Match', { ...on, subjects: [customer] }],
        'counted',
        ['acc_1.ref.1', 'RecordSent', { ...on, subjects: [customer] }],
      ]);
      expect(kept).to.deep.equal([]);
    }
  });

  it('stays given back where a sweep had expired the charge', async () => {
    const { deps, written } = open({ expired: true });
    await settleChargeClaim(deps, row, context);
    expect(written.slice(1, 3)).to.deep.equal(['expired', 'counted']);
  });

  it('is refused where another message has the charge: its statuses become dead letters', async () => {
    const { deps, written, kept, reads } = open({ known: 'ref.2' });
    expect(await settleChargeClaim(deps, row, context)).to.equal(true);
    expect(reads).to.deep.equal([['message-acc_1.ref.1', { limit: 100 }]]);
    expect(written).to.deep.equal([['acc_1.ref.1', 'RefuseChargeClaim', context]]);
    expect(kept).to.have.length(2);
    expect(kept[0]).to.deep.include({ field: 'status', wabaId: null, phoneNumberId: '10' });
    expect((kept[0] as { error: Error }).error).to.have.property('kind');
  });

  it('waits while the send may go on, or nobody knows who has the charge', async () => {
    for (const change of [{ isUnderWay: true }, { known: null }]) {
      const { deps, written } = open(change);
      expect(await settleChargeClaim(deps, row, context)).to.equal(false);
      expect(written).to.deep.equal([]);
    }
  });

  it('waits no longer where the send has given up, or is said to be over', async () => {
    for (const cause of ['unknown_outcome', 'not_sent', 'expired'] as const) {
      const { deps } = open({ isUnderWay: true, cause });
      expect(await settleChargeClaim(deps, row, context), cause).to.equal(true);
    }
    // Of a caller who hung up the record may still come.
    const { deps } = open({ isUnderWay: true, cause: 'disconnected' });
    expect(await settleChargeClaim(deps, row, context)).to.equal(false);
    expect(await settleChargeClaim(deps, row, context, true)).to.equal(true);
  });

  it('is settled already where there is no charge, or the message claims another', async () => {
    for (const change of [{ found: undefined }, { claimed: 'chg_2' }]) {
      const { deps, written } = open(change);
      expect(await settleChargeClaim(deps, row, context)).to.equal(true);
      expect(written).to.deep.equal([]);
    }
  });

  it('is tried again after a fault', async () => {
    const { deps, kept } = open({ failsAt: ['Match', new Error('broken')] });
    expect((await failureOf(settleChargeClaim(deps, row, context))).message).to.equal('broken');
    expect(kept).to.deep.equal([]);
  });
});

describe('claims of charges that wait', () => {
  /** Claims of which none has a charge. */
  const openClaims = (pageOf: (page: number) => number, onFind?: (count: number) => void) => {
    const questions: Parameters<Lookups['chargeClaims']>[0][] = [];
    let made = 0;
    const claims: Lookups['chargeClaims'] = async (question) => {
      questions.push(question);
      return Array.from({ length: pageOf(questions.length) }, () => {
        made += 1;
        return { ...row, chargeId: `charge-${made}`, reservedAt: `at-${made}` };
      });
    };
    const { deps, ...rest } = open({ claims, found: undefined, ...(onFind && { onFind }) });
    const settle = (signal?: AbortSignal) =>
      createRecovery(deps).settleChargeClaims(context, signal);
    return { settle, questions, ...rest };
  };

  it('are looked at page by page, oldest first', async () => {
    const { settle, questions, findsOf } = openClaims((page) => (page < 3 ? 50 : 49));
    await settle();
    const pages = ['', 'at-50', 'at-100'].map((reservedAfter) => ({ reservedAfter, limit: 50 }));
    expect(questions).to.deep.equal(pages);
    expect(findsOf()).to.equal(149);
  });

  it('wait for the next run after 200 pages', async () => {
    const { settle, questions } = openClaims(() => 50);
    await settle();
    expect(questions).to.have.length(200);
  });

  it('are left alone once the run is to stop', async () => {
    const stopping = new AbortController();
    const onFind = (count: number) => count === 7 && stopping.abort();
    const { settle, findsOf } = openClaims(() => 50, onFind);
    await settle(stopping.signal);
    expect(findsOf()).to.equal(7);
  });

  it('do not hold up one another by a fault of their own, but wait for a store that is away', async () => {
    const { settle, faults, findsOf } = openClaims(
      () => 3,
      (count) => {
        if (count === 2) throw new Error('bad');
        if (count === 6) throw new StoreUnavailable('away');
      },
    );
    await settle();
    expect([findsOf(), faults]).to.deep.equal([3, ['charge-2']]);
    expect(await codeOf(settle())).to.equal('StoreUnavailable');
    expect(faults).to.have.length(1);
  });
});
