import { expect } from 'chai';
import { nameOthers } from '../../../src/commands/contacts/named.ts';
import { StoreUnavailable } from '../../../src/events/store.ts';

const KEY = new Uint8Array(32);
const subject = { ref: 'own', month: '2026-11', key: KEY };
const own = { accountId: 'acc_1', subject, ids: new Set(['919812345678', null]) };
const numberOf = (index: number) => String(4915110000000 + index);

describe('whom an event names beside its contact', () => {
  const asked: string[] = [];
  const keysOf = (month: string) => ({
    of: (_: string, id: string) => {
      asked.push(id);
      return { ref: `ref of ${id}`, month, key: KEY };
    },
  });
  beforeEach(() => {
    asked.length = 0;
  });

  it('is nobody in a message that names its own contact alone', async () => {
    const message = { from: '919812345678', context: { from: '919812345678', id: 'wamid.1' } };
    const found = await nameOthers(keysOf('2026-11'), own, { message }, []);
    expect(found).to.deep.equal({ kept: { message }, fields: {}, subjects: [] });
    expect(asked).to.deep.equal([]);
  });

  it('is told by place and ref, each contact once', async () => {
    const [one, two] = [numberOf(1), numberOf(2)];
    const cards = [{ phones: [{ wa_id: one }, { wa_id: two }] }, { phones: [{ wa_id: one }] }];
    const parts = { content: { contacts: cards } };
    const { kept, fields, subjects } = await nameOthers(keysOf('2026-11'), own, parts, ['said']);
    expect(kept).to.deep.equal(parts);
    const refs = [`ref of ${one}`, `ref of ${two}`];
    const named = [refs, refs.slice(0, 1)].map((of, card) => ({
      path: ['said', 'content', 'contacts', card],
      refs: of,
    }));
    expect(fields).to.deep.equal({ otherRefs: refs, named });
    expect(subjects.map(({ ref }) => ref)).to.deep.equal(refs);
  });

  it('is 50 contacts at most: cards of more are not kept, and the answered message is', async () => {
    const contacts = Array.from({ length: 60 }, (_, at) => ({ phones: [{ wa_id: numberOf(at) }] }));
    const contextMessageId = `wamid.${Buffer.from('\x1c\x18\x0c919812345699').toString('base64')}`;
    const parts = { content: { contacts }, contextMessageId };
    const { kept, fields } = await nameOthers(keysOf('2026-11'), own, parts, ['said']);
    expect(asked).to.have.length(50).and.to.include('919812345699');
    expect(kept.contextMessageId).to.equal(contextMessageId);
    const isKept = kept.content.contacts.map((card) => card !== null);
    expect(isKept).to.deep.equal(contacts.map((_, at) => at < 49));
    expect(fields.named).to.have.length(50);
    expect(parts.content.contacts).to.deep.equal(contacts);
  });

  it('waits for keys of one month where the month has just changed', async () => {
    const message = { context: { from: numberOf(1) } };
    const error = await nameOthers(keysOf('2026-12'), own, { message }, []).catch((one) => one);
    expect(error).to.be.instanceOf(StoreUnavailable);
  });
});
