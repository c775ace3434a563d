import { expect } from 'chai';
import { START } from '../../src/events/store.ts';
import {
  type Query,
  Unserved,
  type Views,
  ViewsUnavailable,
  type Write,
} from '../../src/projections/views.ts';
import { at, idsOf, keep, parcel } from '../support/views-parcels.ts';
import { outcomeOf } from './store-events.ts';

const order = { field: 'order', direction: 'ascending' } as const;
const newest = { ...order, direction: 'descending' } as const;

/** What every keeper of documents promises of its answers. */
export const findContract = (
  views: () => Views,
  filled: (writes?: readonly Write[]) => Promise<string>,
): void => {
  describe('find', () => {
    let collection: string;
    before(async () => {
      collection = await filled([1, 2, 3, 4, 5, 6].map((number) => keep(parcel(number))));
    });

    const cases: [string, Partial<Query>, string[]][] = [
      ['everything, upwards', {}, ['p1', 'p2', 'p3', 'p4', 'p5', 'p6']],
      ['everything, downwards', { order: newest }, ['p6', 'p5', 'p4', 'p3', 'p2', 'p1']],
      ['what equals a text', { where: { owner: 'ann' } }, ['p2', 'p4', 'p6']],
      ['what equals a number', { where: { weight: 3 } }, ['p3']],
      ['what is true', { where: { sent: true } }, ['p3', 'p6']],
      ['what is false', { where: { sent: false } }, ['p1', 'p2', 'p4', 'p5']],
      ['above', { where: { order: { gt: at(4) } } }, ['p5', 'p6']],
      ['from', { where: { weight: { gte: 4 } } }, ['p4', 'p5', 'p6']],
      ['below', { where: { weight: { lt: 3 } } }, ['p1', 'p2']],
      ['up to', { where: { order: { lte: at(2) } } }, ['p1', 'p2']],
      ['between', { where: { weight: { gt: 1, lte: 3 } } }, ['p2', 'p3']],
      ['one of', { where: { weight: { in: [2, 5, 9] } } }, ['p2', 'p5']],
      ['one of texts', { where: { owner: { in: ['ann', 'eve'] } } }, ['p2', 'p4', 'p6']],
      [
        'one of texts, newest first',
        { where: { owner: { in: ['ann', 'bob'] } }, order: newest, limit: 3 },
        ['p6', 'p5', 'p4'],
      ],
      ['one of none', { where: { weight: { in: [] } } }, []],
      [
        'one of, beside other conditions',
        { where: { owner: 'ann', order: { gte: at(2), lt: at(6) }, weight: { in: [2, 5, 6] } } },
        ['p2'],
      ],
      [
        'what has a text in it, beside other conditions',
        { where: { owner: 'ann', weight: { gt: 2 }, note: { contains: 'Ünicode.*' } } },
        ['p6'],
      ],
      ['what is not above', { where: { weight: { not: { gt: 2 } } } }, ['p1', 'p2']],
      ['what has a text in it', { where: { note: { contains: 'Ünicode.*' } } }, ['p6']],
      ['what has it in the same case only', { where: { note: { contains: 'ünicode' } } }, []],
      ['one place of the order', { where: { order: at(3) } }, ['p3']],
      ['all conditions at once', { where: { owner: 'bob', weight: { gt: 1 } } }, ['p3', 'p5']],
      [
        'no more than the limit',
        { where: { owner: 'ann' }, order: newest, limit: 2 },
        ['p6', 'p4'],
      ],
      [
        'the next page',
        { where: { owner: 'ann', order: { lt: at(4) } }, order: newest, limit: 2 },
        ['p2'],
      ],
    ];
    for (const [what, query, expected] of cases) {
      it(`finds ${what}`, async () => {
        expect(await idsOf(views(), collection, query)).to.deep.equal(expected);
      });
    }
    it('finds a document by each field that has changed, and no longer by what it was', async () => {
      const before = parcel(1);
      const changes = { owner: 'eve', weight: 70, sent: true, note: 'new', order: at(8) };
      for (const [field, value] of Object.entries(changes)) {
        const changed = keep(parcel(1, { [field]: value }), at(9));
        const one = await filled([keep(before), changed]);
        const where = (wanted: unknown) => ({ where: { [field]: wanted as string } });
        expect(await idsOf(views(), one, where(value)), field).to.deep.equal(['p1']);
        const earlier = before[field as keyof typeof before];
        expect(await idsOf(views(), one, where(earlier)), field).to.deep.equal([]);
      }
    });
    it('finds documents with null in a field, and without the field', async () => {
      const { owner: _, ...ownerless } = parcel(9);
      const nulls = await filled([
        keep(parcel(7)),
        keep(parcel(8, { owner: null })),
        { id: 'p9', position: at(9), document: ownerless },
      ]);
      expect(await idsOf(views(), nulls, { where: { owner: null } })).to.deep.equal(['p8', 'p9']);
    });
    it('treats a missing value as outside a range', async () => {
      const nulls = await filled([keep(parcel(7)), keep(parcel(8, { note: 'z' }))]);
      const where = { note: { not: { gt: 'a' } } };
      expect(await idsOf(views(), nulls, { where })).to.deep.equal(['p7']);
    });
    it('refuses a question that no index leads to', async () => {
      const query = { where: {}, order: { ...order, field: 'weight' }, limit: 5 };
      const error = await outcomeOf(views().find(collection, query));
      expect(error).to.be.instanceOf(Unserved).and.instanceOf(ViewsUnavailable);
    });
    it('refuses a field that the collection does not keep, as one of an older program', async () => {
      const query = { where: { colour: 'red' }, order, limit: 5 };
      const tries = [
        views().find(collection, query),
        views().scan(collection, { ...query, rowsMax: 6, charactersMax: 1_000 }),
      ];
      for (const attempt of tries) expect(await outcomeOf(attempt)).to.be.instanceOf(Unserved);
    });
    it('refuses a limit without bounds', async () => {
      for (const limit of [0, -1, 1.5, 10_001, Number.POSITIVE_INFINITY, Number.NaN]) {
        const error = await outcomeOf(views().find(collection, { where: {}, order, limit }));
        expect(error, String(limit)).to.be.instanceOf(RangeError);
      }
    });
    it('refuses names that its store would read as more than a name', async () => {
      const bad = ['x; DROP TABLE y', "a'", 'a.b', '$where', '__proto__', 'a\0'];
      for (const name of [...bad, 'Upper', '1st', 'a b', '']) {
        const tries = [
          () => views().prepare(name, []),
          () => views().prepare('good_v1_1', [[name]]),
          () => views().get(name, 'a'),
          () => views().getMany(name, ['a']),
          () => views().find(name, { where: {}, order, limit: 1 }),
          () => views().find(collection, { where: { [name]: 1 }, order, limit: 1 }),
          () => views().find(collection, { where: {}, order: { ...order, field: name }, limit: 1 }),
          () => views().commit([{ collection: name, writes: [], from: START, to: '1' }]),
          () => views().promote('x', name, undefined),
          () => views().drop(name),
        ];
        for (const attempt of tries) {
          const said = await attempt().then(String, ({ message }: Error) => message);
          expect(said, `${name} by ${attempt}`).to.contain('cannot name');
        }
      }
    });
    it('compares a value only as a value', async () => {
      const where = { owner: `ann' OR '1'='1` };
      expect(await idsOf(views(), collection, { where })).to.deep.equal([]);
    });
  });
};
