import { hash } from 'node:crypto';
import { expect } from 'chai';
import { createWriter } from '../../../src/commands/core/execute.ts';
import { createDeadLetters, type KeptLetter } from '../../../src/commands/inbound/dead-letters.ts';
import { Rejected } from '../../../src/commands/inbound/rejected.ts';
import { countedIds, fixedClock } from '../../support/ambient.ts';
import { createMemoryLog } from '../../support/interleaving.ts';

const place = { field: 'messages', wabaId: '20', phoneNumberId: '10' };
const open = () => {
  const { store, events } = createMemoryLog();
  const told: KeptLetter[] = [];
  const writer = createWriter({ store, clock: fixedClock(), ids: countedIds() });
  const letters = createDeadLetters({ writer, onKept: (letter) => told.push(letter) });
  const keep = async (raw: string, error: unknown) => {
    await letters.keep({ ...place, raw, error }, { requestId: 'r' });
    return events.at(-1)!;
  };
  return { keep, events, told };
};

describe('dead letters', () => {
  it('are named by their content, kept once and reported once', async () => {
    const { keep, events, told } = open();
    const error = new Rejected('not_linked', 'the number is not linked');
    const kept = await keep('{"a":1}', error);
    const deadLetterId = `dl_${hash('sha256', '{"a":1}').slice(0, 32)}`;
    expect(deadLetterId).to.have.length(35);
    expect(kept.stream).to.equal(`deadletter-${deadLetterId}`);
    expect(kept.data).to.deep.equal({
      ...{ deadLetterId, ...place, raw: '{"a":1}', reason: 'the number is not linked' },
    });
    await keep('{"a":1}', error);
    expect(events).to.have.length(1);
    expect(told).to.deep.equal([{ deadLetterId, ...place, error, kind: 'not_linked' }]);
    await keep('{"a":2}', error);
    expect(told).to.have.length(2);
  });

  it('say what failed, in 500 characters', async () => {
    const { keep, told } = open();
    const { data } = await keep('a', new TypeError('x'.repeat(600)));
    expect((data as { reason: string }).reason).to.equal(
      `failed: TypeError: ${'x'.repeat(600)}`.slice(0, 500),
    );
    expect(told[0]!.kind).to.equal('failed');
  });

  it('are cut after 250000 characters, and say so', async () => {
    const { keep } = open();
    const error = new Rejected('unreadable', 'too long');
    const whole = await keep('x'.repeat(250_000), error);
    expect(whole.data).to.include({ raw: 'x'.repeat(250_000), reason: 'too long' });
    const { data } = await keep(`${'x'.repeat(250_000)}y`, error);
    expect(data).to.include({
      raw: 'x'.repeat(250_000),
      reason: 'too long (cut: 250001 characters)',
    });
  });
});
