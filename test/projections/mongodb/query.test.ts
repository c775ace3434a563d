import { expect } from 'chai';
import fc from 'fast-check';
import { Query as Interpreted } from 'mingo';
import { BSON } from 'mongodb';
import { pack, type Row, unpackAll } from '../../../src/projections/mongodb/form.ts';
import {
  boundaryOf,
  indexesOf,
  knownIndexes,
  searchOf,
} from '../../../src/projections/mongodb/query.ts';
import { type Query, Unwritable } from '../../../src/projections/views.ts';
import { walksOf } from '../../../src/projections/walk.ts';

/** The row of a document, all of whose values are compared, as it comes back over the wire. */
const rowOf = (document: object, compared = Object.keys(document)): Row => {
  const write = { id: 'x', position: '5', document };
  const { operation } = pack('parcels_v1_1', write, compared);
  if (!('replaceOne' in operation)) return expect.fail('it does not replace');
  const { replacement } = operation.replaceOne;
  return BSON.deserialize(BSON.serialize({ ...replacement, _id: 'x' })) as Row;
};

/** The JSON text that comes back. */
const textFrom = (document: object, compared?: string[]): string =>
  JSON.stringify(unpackAll([rowOf(document, compared)])[0]?.document);

/** The search for a question, by an index that leads to its order and to nothing else. */
const asked = (query: Partial<Query>) => {
  const order = { field: 'order', direction: 'ascending' as const };
  const whole: Query = { where: {}, order, limit: 5, ...query };
  const walk = walksOf([[whole.order.field]], whole)[0]!;
  return searchOf({ walk, order: whole.order, range: walk.range, hint: 'by' }, whole.limit);
};

describe('the form of documents in MongoDB @long', () => {
  it('gives back the same bytes, whatever the document holds', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), (document) => {
        const text = JSON.stringify(document);
        expect(textFrom(document)).to.equal(text);
        expect(textFrom(document, [])).to.equal(text);
      }),
    );
  });
  it('gives back what BSON would take for something else', () => {
    const document = {
      $ref: 'a',
      $id: 1,
      'a.b': { $where: '1' },
      _bsontype: 'ObjectId',
      __proto__x: 1,
      half: '\ud83d',
      nul: '\0',
      'nul\0key': 1,
      '7': 'first',
      big: 2 ** 53 - 1,
      half_a_number: 0.1,
    };
    const text = JSON.stringify(document);
    expect(textFrom(document)).to.equal(text);
    expect(textFrom(document, ['7', 'big', '__proto__x', 'half'])).to.equal(text);
    const hidden = JSON.parse('{"__proto__":{"x":1},"toJSON":1,"toBSON":2}') as object;
    expect(textFrom(hidden)).to.equal(JSON.stringify(hidden));
    expect(textFrom(hidden, [])).to.equal(JSON.stringify(hidden));
  });
  it('gives back what nests deeper than MongoDB could', () => {
    let document: object = {};
    for (let level = 0; level < 300; level += 1) document = { document };
    expect(textFrom(document)).to.equal(JSON.stringify(document));
  });
  it('shows the compared values of a document as fields', () => {
    const document = { owner: 'ann', weight: 1.5, sent: false, none: null, list: [1], other: 1 };
    const compared = ['owner', 'weight', 'sent', 'none', 'list', 'absent'];
    expect(rowOf(document, compared)).to.deep.equal({
      _id: 'x',
      position: '5',
      fields: { owner: 'ann', weight: 1.5, sent: false, list: {} },
      document: JSON.stringify(document),
    });
  });
  it('shows the beginning of a long text, and refuses questions that would need all of it', () => {
    const row = rowOf({ text: 'x'.repeat(5_000) });
    expect(row.fields?.text).to.equal('x'.repeat(1_024));
    for (const condition of [
      'x'.repeat(1_024),
      { lt: 'x'.repeat(1_024) },
      { in: ['x'.repeat(2_000)] },
    ]) {
      expect(() => asked({ where: { text: condition } })).to.throw(RangeError);
    }
    expect(() => asked({ where: { text: 'x'.repeat(1_023) } })).to.not.throw();
  });
  it('refuses for good what would not fit with its fields beside it', () => {
    expect(() => rowOf({ text: 'x'.repeat(5 * 1024 * 1024) })).to.throw(Unwritable);
    const names = Array.from({ length: 500 }, (_, number) => `a${number}`);
    for (const value of [0, 0.5, true, '', {}, 2 ** 31]) {
      const row = rowOf(Object.fromEntries(names.map((name) => [name, value])));
      const bytes = BSON.calculateObjectSize(row.fields ?? {});
      expect(bytes, JSON.stringify(value)).to.be.below(2 * (row.document?.length ?? 0));
    }
  });
});

describe('questions to MongoDB @long', () => {
  /** Whether each document is found. */
  const answersOf = (filter: object, documents: readonly object[]) =>
    documents.map((one) => new Interpreted(filter as never).test(rowOf(one) as never));

  it('are asked of fields, and never meet a removed document', () => {
    const { filter, options } = asked({
      where: { owner: 'ann', weight: { gt: 1, lte: 3 }, kind: { in: ['a'] }, gone: null },
      order: { field: 'weight', direction: 'descending' },
    });
    expect(filter).to.deep.equal({
      'fields.owner': { $eq: 'ann' },
      'fields.weight': { $gt: 1, $lte: 3 },
      'fields.kind': { $in: ['a'] },
      'fields.gone': null,
      document: { $exists: true },
    });
    expect(options).to.deep.equal({
      limit: 5,
      hint: 'by',
      projection: { position: 1, document: 1, fields: 1 },
      sort: { 'fields.weight': -1 },
    });
    expect(new Interpreted(asked({}).filter).test({ _id: 'x', position: '1' })).to.equal(false);
  });
  it('find null where nothing is, and not where an object or a list is', () => {
    const { filter } = asked({ where: { owner: null } });
    const documents = [{}, { owner: null }, { owner: [] }, { owner: {} }, { owner: '' }];
    expect(answersOf(filter, documents)).to.deep.equal([true, true, false, false, false]);
  });
  it('look into the index alone for the place of a row', () => {
    const order = { field: 'order', direction: 'descending' as const };
    const query = { where: { owner: 'ann', weight: 1, order: { lt: '9' } }, order, limit: 5 };
    const walk = walksOf([['owner', '-order']], query)[0]!;
    const stretch = { walk, order, range: walk.range, hint: 'by' };
    expect(boundaryOf(stretch, 100)).to.deep.equal({
      filter: { 'fields.owner': { $eq: 'ann' }, 'fields.order': { $lt: '9' } },
      options: {
        skip: 99,
        limit: 2,
        hint: 'by',
        sort: { 'fields.order': -1 },
        projection: { _id: 0, 'fields.order': 1 },
      },
    });
  });
  it('read a text in a text as it is', () => {
    const { filter } = asked({ where: { note: { contains: 'a.*(b)$' } } });
    const notes = [{ note: 'xa.*(b)$' }, { note: 'ab' }, { note: 'A.*(B)$' }];
    expect(answersOf(filter, notes)).to.deep.equal([true, false, false]);
  });
  it('read a text with a NUL character, which no pattern may hold', () => {
    const { filter } = asked({ where: { note: { contains: 'a\0b' } } });
    expect(JSON.stringify(filter)).to.not.include('\\u0000');
    expect(answersOf(filter, [{ note: 'xa\0b' }, { note: 'ab' }])).to.deep.equal([true, false]);
  });
  it('have conditions that say something', () => {
    expect(() => asked({ where: { owner: {} } })).to.throw('says nothing');
  });
  it('find the indexes of their projection, and what was removed goes after an hour', () => {
    expect(
      indexesOf([
        ['owner', '-order'],
        ['weight', 'note?'],
      ]),
    ).to.deep.equal([
      { key: { 'fields.owner': 1, 'fields.order': -1 } },
      {
        key: { 'fields.weight': 1, 'fields.note': 1 },
        partialFilterExpression: { 'fields.note': { $exists: true } },
      },
      { key: { removedAt: 1 }, sparse: true, expireAfterSeconds: 3_600 },
    ]);
  });
  it('know their indexes again', () => {
    const declared = [
      ['owner', '-order'],
      ['weight', 'note?', 'order'],
    ];
    const described = indexesOf(declared).map((index, at) => ({ ...index, name: `n${at}` }));
    expect(knownIndexes([{ key: { _id: 1 }, name: '_id_' }, ...described])).to.deep.equal([
      { name: 'n0', fields: declared[0] },
      { name: 'n1', fields: declared[1] },
    ]);
  });
});
