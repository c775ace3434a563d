import { hash } from 'node:crypto';
import { expect } from 'chai';
import { createWriter } from '../../../src/commands/core/execute.ts';
import { createDeadLetters, type KeptLetter } from '../../../src/commands/inbound/dead-letters.ts';
import { Rejected } from '../../../src/commands/inbound/rejected.ts';
import { opened } from '../../../src/events/opened.ts';
import { createSecrets } from '../../../src/shared/secrets.ts';
import { countedIds, fixedClock } from '../../support/ambient.ts';
import { erasableSubjects } from '../../support/erasable-subjects.ts';
import { createMemoryLog } from '../../support/interleaving.ts';
import { foundIn, needlesOf } from '../../support/privacy/needles.ts';

const place = { field: 'messages', wabaId: '20', phoneNumberId: '10' };
const notLinked = new Rejected('not_linked', 'the number is not linked');
const messageOf = (...messages: readonly object[]) =>
  JSON.stringify({ entry: [{ changes: [{ field: 'messages', value: { messages } }] }] });

const open = () => {
  const { store: sealed, events } = createMemoryLog();
  const held = erasableSubjects();
  const store = opened(sealed, held.subjects.ring);
  const told: KeptLetter[] = [];
  const writer = createWriter({ store, clock: fixedClock(), ids: countedIds() });
  const secrets = createSecrets(Buffer.alloc(32, 1));
  const number = async (id: string) =>
    id === '10' ? ({ accountId: 'acc_1' } as never) : undefined;
  const letters = createDeadLetters({
    writer,
    secrets,
    subjects: held.subjects,
    lookups: { number },
    onKept: (letter) => told.push(letter),
  });
  const keep = async (raw: string, error: unknown = notLinked, at = place) => {
    await letters.keep({ ...at, raw, error }, { requestId: 'r' });
    return events.at(-1)!;
  };
  const read = async (stream: string) => (await store.read(stream))[0]!;
  return { ...held, keep, read, events, told };
};

describe('dead letters', () => {
  it('are named by their content, kept once and reported once', async () => {
    const { keep, read, events, told } = open();
    const { stream } = await keep('{"a":1}');
    const deadLetterId = stream.replace('deadletter-', '');
    expect(deadLetterId).to.match(/^dl_[0-9a-f]{32}$/);
    // A few facts about a number that is not known could be tried one after the other.
    expect(deadLetterId).not.to.include(hash('sha256', '{"a":1}').slice(0, 32));
    expect((await read(stream)).data).to.deep.include({
      deadLetterId,
      ...place,
      raw: '{"a":1}',
      rawLength: 7,
      accountId: '',
      reason: 'the number is not linked',
    });
    await keep('{"a":1}');
    expect(events).to.have.length(1);
    expect(told).to.deep.equal([{ deadLetterId, ...place, error: notLinked, kind: 'not_linked' }]);
    await keep('{"a":2}');
    expect(told).to.have.length(2);
  });

  it('name the class of a fault and none of its words, which may repeat the item', async () => {
    const { keep, events, told } = open();
    await keep('a', new TypeError('no name Mia Meyer'));
    expect(events.at(-1)!.data).to.include({ reason: 'failed: TypeError' });
    expect(told[0]!.kind).to.equal('failed');
    await keep('b', 'Mia Meyer');
    expect(events.at(-1)!.data).to.include({ reason: 'failed: unknown error' });
    expect(JSON.stringify(events)).not.to.include('Mia');
  });

  it('are cut after 250000 characters, and say so', async () => {
    const { keep, read } = open();
    const error = new Rejected('unreadable', 'too long');
    const whole = await keep('x'.repeat(250_000), error);
    const raw = 'x'.repeat(250_000);
    expect((await read(whole.stream)).data).to.include({ raw, reason: 'too long' });
    const cut = await keep(`${raw}y`, error);
    const reason = 'too long (cut: 250001 characters)';
    expect((await read(cut.stream)).data).to.include({ raw, reason, rawLength: 250_000 });
  });

  it('are kept under the keys of all ids in them, in the account of their number', async () => {
    const { subjects, erase, keep, read, events } = open();
    const ids = ['919812345678', 'IN.13491208655302741918'] as const;
    const [from, from_user_id] = ids;
    const raw = messageOf({ from, from_user_id, text: { body: 'Mia Meyer, Elm St 5' } });
    const { stream, data } = await keep(raw);
    const refs = await Promise.all(ids.map((id) => subjects.refOf('acc_1', id)));
    expect(data).to.deep.include({ accountId: 'acc_1', contactRefs: refs });
    const texts = [...ids, 'Mia Meyer', 'Elm St 5', raw];
    const needles = needlesOf(texts.map((text) => ({ name: text.slice(0, 20), text })));
    expect(foundIn(Buffer.from(JSON.stringify(events)), needles)).to.deep.equal([]);
    expect((await read(stream)).data).to.include({ raw });

    await erase('acc_1', from_user_id);
    expect(await read(stream)).to.deep.include({ isErased: true });
    expect((await read(stream)).data).to.include({ raw: null, rawLength: raw.length });
    // What the provider sends again does not bring it back.
    await keep(raw);
    expect(events).to.have.length(1);
  });

  it('belong to no account where the number has none, and to one subject where they name nobody', async () => {
    const { subjects, keep } = open();
    const raw = messageOf({ from: '919812345678' });
    const strange = await keep(raw, notLinked, { ...place, phoneNumberId: '11' });
    const refOf = async (id: string) => [await subjects.refOf('', id)];
    const contactRefs = await refOf('919812345678');
    expect(strange.data).to.deep.include({ accountId: '', contactRefs });
    const noBody = await keep('not JSON');
    const ofNobody = await refOf('dead-letters');
    expect(noBody.data).to.deep.include({ accountId: '', contactRefs: ofNobody });
  });

  it('name 50 ids at most', async () => {
    const { keep } = open();
    const many = Array.from({ length: 60 }, (_, index) => ({ from: `4915100000${10 + index}` }));
    const { data } = await keep(messageOf(...many));
    expect((data as { contactRefs: string[] }).contactRefs).to.have.length(50);
  });
});
