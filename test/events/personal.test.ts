import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import { defineEvent } from '../../src/events/define.ts';
import { type DataSubject, namesOthers, personal } from '../../src/events/personal.ts';
import { open } from '../../src/events/sealing.ts';

const subject = (ref: string, month = '2026-11', fill = ref.charCodeAt(0)): DataSubject => ({
  ref,
  month,
  key: new Uint8Array(32).fill(fill),
});
const [ann, bob] = [subject('ann'), subject('bob')];

const shape = {
  messageId: z.string(),
  contactRef: z.string(),
  name: personal(z.string()),
  content: personal(z.object({ body: z.string() })),
};
const Noted = defineEvent('Noted', z.object(shape), [
  // Version 1 stored everything in clear, and named the contact by its number.
  ({ number, ...v1 }) => ({ ...v1, contactRef: number }),
]);
const Shared = defineEvent(
  'Shared',
  z.object({ contactRefs: z.array(z.string()), body: personal(z.string()) }),
);

const data = { messageId: 'm1', contactRef: 'ann', name: 'Ann', content: { body: 'Grüße 👋' } };
const sealedIn = (stored: object) => (stored as { sealed: string }).sealed;
const clearIn = ({ sealed: _, ...clear }: { sealed?: unknown }) => clear;

describe('personal fields of an event @long', () => {
  it('are stored sealed, and everything else in clear', () => {
    const stored = Noted.encode(data, [bob, ann]);
    expect(clearIn(stored)).to.deep.equal({ messageId: 'm1', contactRef: 'ann' });
    expect(sealedIn(stored)).to.match(/^2026-11\.[\w-]+$/);
    expect(Buffer.from(sealedIn(stored).slice(8), 'base64url').toString()).not.to.contain('Ann');
  });

  it('are null until they are opened with the key of their contact', () => {
    const stored = Noted.encode(data, [ann]);
    const read = Noted.decode(2, clearIn(stored));
    expect(read).to.deep.equal({ ...data, name: null, content: null });
    expect(Noted.sealedUnder(read, sealedIn(stored))).to.deep.equal([
      { ref: 'ann', month: '2026-11' },
    ]);
    expect(Noted.open(read, sealedIn(stored), [ann.key])).to.deep.equal(data);
  });

  it('come back whatever they hold', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (name, body) => {
        const whole = { ...data, name: name.toWellFormed(), content: { body } };
        const stored = JSON.parse(JSON.stringify(Noted.encode(whole, [ann])));
        const read = Noted.decode(2, clearIn(stored));
        expect(Noted.open(read, stored.sealed, [ann.key])).to.deep.equal(whole);
      }),
      { numRuns: 100 },
    ));

  it('need no key where they are null', () => {
    const stored = Noted.encode({ ...data, name: null, content: null }, []);
    expect(stored).to.deep.equal({ messageId: 'm1', contactRef: 'ann' });
  });

  it('are never stored without the key of their contact', () => {
    expect(() => Noted.encode(data, [bob])).to.throw('ann, whose data key its command lacks');
    const several = { contactRefs: ['ann', 'bob'], body: 'Hi' };
    expect(() => Shared.encode(several, [ann])).to.throw('bob, whose data key');
    expect(() => Shared.encode({ ...several, contactRefs: [] }, [ann])).to.throw(
      'names no contact',
    );
  });

  it('are sealed anew each time', () => {
    const seals = Array.from({ length: 2000 }, () => sealedIn(Noted.encode(data, [ann])));
    expect(new Set(seals).size).to.equal(seals.length);
  });

  it('read old shapes, which hold them in clear', () => {
    const { contactRef: number, ...v1 } = data;
    expect(Noted.decode(1, { ...v1, number })).to.deep.equal(data);
  });
});

describe('a sealed part @long', () => {
  const sealed = sealedIn(Noted.encode(data, [ann]));
  const read = Noted.decode(2, { messageId: 'm1', contactRef: 'ann' });

  it('cannot be opened with another key, but is told from one that was changed', () => {
    expect(Noted.open(read, sealed, [bob.key])).to.equal(undefined);
  });

  it('cannot be moved to another contact or type of event', () => {
    expect(() => Noted.open({ ...read, contactRef: 'bob' }, sealed, [ann.key])).to.throw();
    const Other = defineEvent('Other', z.object(shape));
    expect(() => Other.open(read, sealed, [ann.key])).to.throw('was changed');
  });

  it('cannot be changed in any place', () => {
    const bytes = Buffer.from(sealed.slice(8), 'base64url');
    for (const index of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed[index]! ^= 1;
      const text = `2026-11.${changed.toString('base64url')}`;
      const opening = () => Noted.open(read, text, [ann.key]);
      // The first bytes tell the key: it then seems to be sealed under a lost one.
      if (index < 4) expect(opening(), `byte ${index}`).to.equal(undefined);
      else expect(opening, `byte ${index}`).to.throw('was changed');
    }
    expect(() => Noted.open(read, '2026-11.', [ann.key])).to.throw();
    expect(() => Noted.sealedUnder(read, 'nothing')).to.throw('names no data keys');
  });

  it('of several contacts opens with the keys of all of them alone', () => {
    const whole = { contactRefs: ['ann', 'bob'], body: 'To both' };
    const stored = Shared.encode(whole, [bob, ann]);
    const closed = Shared.decode(1, clearIn(stored));
    expect(Shared.open(closed, sealedIn(stored), [ann.key, bob.key])).to.deep.equal(whole);
    for (const keys of [[ann.key], [bob.key], [bob.key, ann.key], [ann.key, ann.key]]) {
      expect(Shared.open(closed, sealedIn(stored), keys)).to.equal(undefined);
    }
  });

  it('of several contacts names the month of each key', () => {
    const later = subject('bob', '2026-12');
    const stored = Shared.encode({ contactRefs: ['ann', 'bob'], body: 'Hi' }, [ann, later]);
    const closed = Shared.decode(1, clearIn(stored));
    expect(Shared.sealedUnder(closed, sealedIn(stored))).to.deep.equal([
      { ref: 'ann', month: '2026-11' },
      { ref: 'bob', month: '2026-12' },
    ]);
    const same = Shared.encode({ contactRefs: ['ann', 'bob'], body: 'Hi' }, [ann, bob]);
    expect(sealedIn(same)).to.match(/^2026-11\./);
  });
});

describe('values of an event that name further contacts', () => {
  const Quoted = defineEvent('Quoted', z.object({ ...shape, ...namesOthers }));
  const list = z.object({ contactRef: z.string(), said: personal(z.record(z.string(), z.any())) });
  const Listed = defineEvent('Listed', list.extend(namesOthers));
  const eve = subject('eve');
  const said = {
    cards: [{ of: 'bob' }, { of: 'both' }],
    quote: { from: 'eve', id: '7' },
    text: 'x',
  };
  const listed = {
    contactRef: 'ann',
    said,
    otherRefs: ['bob', 'eve'],
    named: [
      { path: ['said', 'cards', 0], refs: ['bob'] },
      { path: ['said', 'cards', 1], refs: ['bob', 'eve'] },
      { path: ['said', 'quote', 'from'], refs: ['eve'] },
    ],
  };
  const stored = JSON.parse(JSON.stringify(Listed.encode(listed, [ann, bob, eve])));
  const closed = Listed.decode(1, clearIn(stored));
  const opened = (...keys: (Uint8Array | undefined)[]) => Listed.open(closed, stored.sealed, keys);

  it('come back with the keys of all, for which the event asks', () => {
    const month = '2026-11';
    expect(clearIn(stored)).to.deep.equal({ contactRef: 'ann', otherRefs: ['bob', 'eve'] });
    const names = ['ann', 'bob', 'eve'].map((ref) => ({ ref, month }));
    expect(Listed.sealedUnder(closed, stored.sealed)).to.deep.equal(names);
    expect(opened(ann.key, bob.key, eve.key)).to.deep.equal(listed);
    expect(opened(undefined, bob.key, eve.key)).to.equal(undefined);
  });

  it('go with each of those whom they name, and nothing else does', () => {
    const isErased = true;
    const [first, both, quote] = listed.named;
    const withoutEve = { ...said, cards: [{ of: 'bob' }, null], quote: { id: '7' } };
    expect(opened(ann.key, bob.key, undefined)).to.deep.equal({
      ...listed,
      said: withoutEve,
      named: [first, { ...both, isErased }, { ...quote, isErased }],
    });
    const withoutBob = { ...said, cards: [null, null] };
    // A key that was lost and made anew does not open it either.
    for (const key of [undefined, new Uint8Array(32).fill(1)]) {
      expect(opened(ann.key, key, eve.key)).to.deep.equal({
        ...listed,
        said: withoutBob,
        named: [{ ...first, isErased }, { ...both, isErased }, quote],
      });
    }
  });

  it('are not within reach of the key of their own contact', () => {
    const part = { type: 'Listed', refs: ['ann'], sealed: stored.sealed };
    const { named } = JSON.parse(open(part, [ann.key])!) as { named: { sealed: string }[] };
    const months = named.map(({ sealed }) => sealed.slice(0, 8));
    expect(months).to.deep.equal(new Array(3).fill('2026-11.'));
    expect(JSON.stringify(named)).not.to.contain('"of"');
  });

  it('are sealed under keys of one month, which expire together', () => {
    const late = subject('bob', '2026-12');
    expect(() => Listed.encode(listed, [ann, late, eve])).to.throw('of another month');
    expect(() => Listed.encode(listed, [ann, bob])).to.throw('eve, whose data key');
  });

  it('are none in most events, which then are as without the fields', () => {
    const plain = Quoted.encode(data, [ann]);
    expect(clearIn(plain)).to.deep.equal({ messageId: 'm1', contactRef: 'ann' });
    const read = Quoted.decode(1, clearIn(plain));
    expect(read).to.deep.equal({ ...data, name: null, content: null });
    expect(Quoted.open(read, sealedIn(plain), [ann.key])).to.deep.equal(data);
  });
});
