import { expect } from 'chai';
import { createWriter } from '../../../src/commands/core/execute.ts';
import { createDeadLetterWork } from '../../../src/commands/inbound/dead-letter-work.ts';
import {
  createDeadLetters,
  type KeptLetter,
  NO_CONTACT,
  tellOfDeadLetter,
} from '../../../src/commands/inbound/dead-letters.ts';
import { Rejected } from '../../../src/commands/inbound/rejected.ts';
import { opened } from '../../../src/events/opened.ts';
import { START, StoreUnavailable } from '../../../src/events/store.ts';
import type { WebhookItem } from '../../../src/provider/webhook/item.ts';
import type { Logger } from '../../../src/shared/logger.ts';
import { createSecrets } from '../../../src/shared/secrets.ts';
import { countedIds, fixedClock } from '../../support/ambient.ts';
import { erasableSubjects } from '../../support/erasable-subjects.ts';
import { createMemoryLog } from '../../support/interleaving.ts';
import { codeOf } from '../../support/spec.ts';

const context = { requestId: 'r' };
const { signal } = new AbortController();
const place = { field: 'messages', wabaId: '20', phoneNumberId: '10' };
const entry = [{ id: '20', changes: [] }];
const RAW = JSON.stringify({ object: 'whatsapp_business_account', entry });

const open = async (raw = RAW) => {
  const { store: sealed, events } = createMemoryLog();
  const held = erasableSubjects();
  const store = opened(sealed, held.subjects.ring);
  const writer = createWriter({ store, clock: fixedClock(), ids: countedIds() });
  let answer: { error: unknown } | null = null;
  const tried: (readonly WebhookItem[])[] = [];
  const faults: unknown[] = [];
  const asked: unknown[] = [];
  const pages: string[] = [];
  const work = createDeadLetterWork({
    writer,
    store,
    lookups: {
      async openDeadLetters({ reason, after, limit }) {
        asked.push({ reason, after, limit });
        const order = `${asked.length}`;
        return pages.splice(0, limit).map((deadLetterId) => ({ deadLetterId, order }));
      },
    },
    ingress: {
      async retry(items, { countsAsFree }) {
        expect(countsAsFree).to.equal(false);
        tried.push([...items]);
        if (answer?.error instanceof StoreUnavailable) throw answer.error;
        return answer;
      },
    },
    onFault: (...fault) => faults.push(fault),
  });
  const letters = createDeadLetters({
    writer,
    subjects: held.subjects,
    secrets: createSecrets(Buffer.alloc(32, 1)),
    lookups: { number: async () => undefined },
    onKept: () => undefined,
  });
  await letters.keep({ ...place, raw, error: new Rejected('not_linked', 'no') }, context);
  const id = (events[0]!.data as { deadLetterId: string }).deadLetterId;
  const types = () => events.map(({ type }) => type);
  const last = () => events.at(-1)!.data;
  const answerWith = (error: unknown) => {
    answer = error === null ? null : { error };
  };
  return { ...held, work, id, tried, faults, events, types, last, answerWith, asked, pages };
};

describe('work on dead letters', () => {
  it('shows the item as it came', async () => {
    const { work, id } = await open();
    expect(await work.raw(id)).to.equal(RAW);
    expect(await work.raw('dl_none')).to.equal(null);
  });

  it('ingests it again, and returns the result', async () => {
    const { work, id, tried, events, last, faults, answerWith } = await open();
    const reason = 'still no';
    answerWith(new Rejected('not_linked', reason));
    expect(await work.retry(id, context)).to.equal(reason);
    expect(last()).to.deep.equal({ deadLetterId: id, resolved: false, reason });
    answerWith(null);
    expect(await work.retry(id, context)).to.equal(null);
    expect(last()).to.deep.equal({ deadLetterId: id, resolved: true, reason: null });
    expect(tried).to.have.length(2);
    await work.retry(id, context);
    expect(events).to.have.length(3);
    expect(faults).to.deep.equal([]);
  });

  it('keeps the class of a fault, and hands its words to the log alone', async () => {
    const { work, id, last, faults, answerWith } = await open();
    const fault = new TypeError('Mia Meyer');
    answerWith(fault);
    expect(await work.retry(id, context)).to.equal('failed: TypeError');
    expect(last()).to.include({ resolved: false, reason: 'failed: TypeError' });
    expect(faults).to.deep.equal([[id, fault]]);
  });

  it('row 63: takes in what was kept while the read models were behind, each item once', async () => {
    const { work, id, last, tried, pages, asked } = await open();
    pages.push(...Array.from({ length: 50 }, () => 'dl_erased'), id);
    expect(await work.retryBehind(context, signal)).to.equal(1);
    const of = { reason: 'failed: NotReached', limit: 50 };
    expect(asked).to.deep.equal([START, '1'].map((after) => ({ ...of, after })));
    expect(last()).to.deep.equal({ deadLetterId: id, resolved: true, reason: null });
    expect(tried).to.have.length(1);
  });

  it('row 63: gives another reason to what is refused, and leaves all while a store is away', async () => {
    const { work, id, last, types, pages, answerWith } = await open();
    pages.push(id);
    answerWith(new StoreUnavailable('away'));
    expect(await codeOf(work.retryBehind(context, signal))).to.equal('StoreUnavailable');
    expect(types()).to.deep.equal(['DeadLetterKept']);
    pages.push(id);
    answerWith(new Rejected('charge_taken', 'taken'));
    expect(await work.retryBehind(context, signal)).to.equal(0);
    expect(last()).to.include({ resolved: false, reason: 'taken' });
  });

  it('says where the item cannot even be read', async () => {
    const { work, id, tried } = await open('{');
    expect(await work.retry(id, context)).to.be.a('string');
    expect(tried).to.deep.equal([]);
  });

  it('refuses an erased item, which can be closed', async () => {
    const { work, id, tried, types, erase } = await open();
    await erase('', NO_CONTACT);
    expect(await work.raw(id)).to.equal(null);
    expect(await codeOf(work.retry(id, context))).to.equal('resource.erased');
    expect(tried).to.deep.equal([]);
    await work.dismiss(id, context);
    expect(types()).to.deep.equal(['DeadLetterKept', 'DeadLetterDismissed']);
  });

  it('closes it, once', async () => {
    const { work, id, types } = await open();
    await work.dismiss(id, context);
    await work.dismiss(id, context);
    expect(types()).to.deep.equal(['DeadLetterKept', 'DeadLetterDismissed']);
    expect(await codeOf(work.dismiss('dl_none', context))).to.equal('resource.unknown');
  });
});

describe('a kept dead letter', () => {
  const told = (letter: Partial<KeptLetter>) => {
    const lines: [fields: object, says: string][] = [];
    const counts: unknown[] = [];
    const logger = { warn: (...line: [object, string]) => lines.push(line) } as unknown as Logger;
    const whole = { deadLetterId: 'dl_1', ...place, kind: 'not_linked', error: new Error('no') };
    const tell = tellOfDeadLetter(logger, (labels) => counts.push(labels));
    tell({ ...whole, ...letter } as KeptLetter);
    const [[fields, says]] = lines as [(typeof lines)[number]];
    return { fields, says, count: counts[0] };
  };

  it('is reported with its place and reason, and counted by both', () => {
    const { fields, says, count } = told({});
    const ids = { deadLetterId: 'dl_1', wabaId: '20', phoneNumberId: '10' };
    const why = { field: 'messages', kind: 'not_linked', reason: 'no' };
    expect([fields, says]).to.deep.equal([{ ...ids, ...why }, 'A dead letter was kept']);
    expect(count).to.deep.equal({ field: 'messages', reason: 'not_linked' });
  });

  it('is reported with its error where that is a fault of the service', () => {
    const error = new Error('broken');
    const { fields } = told({ kind: 'failed', error });
    expect(fields).to.include({ kind: 'failed', err: error });
    expect(fields).not.to.have.property('reason');
  });

  it('is reported with a field of up to 64 small letters, which is counted by name if known', () => {
    for (const field of ['x'.repeat(65), 'Mia Meyer', 'to_4915112345678']) {
      expect(told({ field }).fields).to.include({ field: 'other' });
    }
    const { fields, count } = told({ field: 'x'.repeat(64) });
    expect(fields).to.include({ field: 'x'.repeat(64) });
    expect(count).to.deep.equal({ field: 'other', reason: 'not_linked' });
    const known =
      'status message user_preference template_status template_category template_quality phone_quality phone_name account_update messages user_preferences';
    for (const field of known.split(' ')) expect(told({ field }).count).to.include({ field });
  });
});
