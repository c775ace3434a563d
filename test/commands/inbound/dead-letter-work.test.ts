import { expect } from 'chai';
import { createWriter } from '../../../src/commands/core/execute.ts';
import { createDeadLetterWork } from '../../../src/commands/inbound/dead-letter-work.ts';
import { createDeadLetters, type KeptLetter } from '../../../src/commands/inbound/dead-letters.ts';
import { Rejected } from '../../../src/commands/inbound/rejected.ts';
import { tellOfDeadLetter } from '../../../src/commands/inbound/tell-of-dead-letter.ts';
import type { WebhookItem } from '../../../src/provider/webhook/item.ts';
import type { Logger } from '../../../src/shared/logger.ts';
import { countedIds, fixedClock } from '../../support/ambient.ts';
import { createMemoryLog } from '../../support/interleaving.ts';

const context = { requestId: 'r' };
const place = { field: 'messages', wabaId: '20', phoneNumberId: '10' };
const RAW = JSON.stringify({
  object: 'whatsapp_business_account',
  entry: [{ id: '20', changes: [] }],
});

const open = async (raw = RAW) => {
  const { store, events } = createMemoryLog();
  const writer = createWriter({ store, clock: fixedClock(), ids: countedIds() });
  let answer: string | null = null;
  const tried: (readonly WebhookItem[])[] = [];
  const work = createDeadLetterWork({
    ...{ writer, store },
    ingress: {
      async retry(items) {
        tried.push([...items]);
        return answer;
      },
    },
  });
  const letters = createDeadLetters({ writer, onKept: () => undefined });
  await letters.keep({ ...place, raw, error: new Rejected('not_linked', 'no') }, context);
  const id = (events[0]!.data as { deadLetterId: string }).deadLetterId;
  const types = () => events.map(({ type }) => type);
  const fail = (reason: string) => {
    answer = reason;
  };
  return { work, id, tried, events, types, fail };
};

describe('work on dead letters', () => {
  it('shows the item as it came', async () => {
    const { work, id } = await open();
    expect(await work.raw(id)).to.equal(RAW);
    expect(await work.raw('dl_none')).to.equal(undefined);
  });

  it('ingests it again, and returns the result', async () => {
    const { work, id, tried, events, fail } = await open();
    fail('still no');
    expect(await work.retry(id, RAW, context)).to.equal('still no');
    expect(events.at(-1)!.data).to.deep.equal({
      deadLetterId: id,
      resolved: false,
      reason: 'still no',
    });
    fail(null as never);
    expect(await work.retry(id, RAW, context)).to.equal(null);
    expect(events.at(-1)!.data).to.deep.equal({ deadLetterId: id, resolved: true, reason: null });
    expect(tried).to.have.length(2);
    await work.retry(id, RAW, context);
    expect(events).to.have.length(3);
  });

  it('says where the item cannot even be read', async () => {
    const { work, id, tried } = await open('{');
    expect(await work.retry(id, '{', context)).to.be.a('string');
    expect(tried).to.deep.equal([]);
  });

  it('closes it, once', async () => {
    const { work, id, types } = await open();
    await work.dismiss(id, context);
    await work.dismiss(id, context);
    expect(types()).to.deep.equal(['DeadLetterKept', 'DeadLetterDismissed']);
    const error = await work.dismiss('dl_none', context).catch((thrown) => thrown);
    expect(error.code).to.equal('resource.unknown');
  });
});

describe('a kept dead letter', () => {
  const told = (letter: Partial<KeptLetter>) => {
    const lines: unknown[] = [];
    const counts: unknown[] = [];
    const logger = { warn: (...line: unknown[]) => lines.push(line) } as unknown as Logger;
    const whole = { deadLetterId: 'dl_1', ...place, kind: 'not_linked', error: new Error('no') };
    tellOfDeadLetter(logger, (labels) => counts.push(labels))({
      ...whole,
      ...letter,
    } as KeptLetter);
    return { line: lines[0], count: counts[0] };
  };

  it('is reported with its place and reason, and counted by both', () => {
    const { line, count } = told({});
    const ids = { deadLetterId: 'dl_1', wabaId: '20', phoneNumberId: '10' };
    const why = { field: 'messages', kind: 'not_linked', reason: 'no' };
    expect(line).to.deep.equal([{ ...ids, ...why }, 'A dead letter was kept']);
    expect(count).to.deep.equal({ field: 'messages', reason: 'not_linked' });
  });

  it('is reported with its error where that is a fault of the service', () => {
    const error = new Error('broken');
    const [fields] = told({ kind: 'failed', error }).line as [object];
    expect(fields).to.include({ kind: 'failed', err: error });
    expect(fields).not.to.have.property('reason');
  });

  it('is reported with 64 characters of its field, which is counted by name if known', () => {
    const { line, count } = told({ field: 'x'.repeat(100) });
    expect((line as [{ field: string }])[0].field).to.equal('x'.repeat(64));
    expect(count).to.deep.equal({ field: 'other', reason: 'not_linked' });
    const known =
      'status message user_preference template_status template_category template_quality phone_quality phone_name account_update messages user_preferences';
    for (const field of known.split(' ')) expect(told({ field }).count).to.include({ field });
  });
});
