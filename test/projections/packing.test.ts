import { expect } from 'chai';
import fc from 'fast-check';
import { packDocument, parseForm, unpackDocument } from '../../src/projections/packing.ts';
import { runs } from '../support/runs.ts';

const place = { id: 'x1', position: '0000000000000007' };
const columns: Record<string, unknown> = { owner: 'ann', weight: 5 };
const holds = (field: string, value: unknown) => columns[field] === value;
const beside = { ...place, column: (field: string) => columns[field] };

/** The JSON text of a document after it was packed, stored and unpacked. */
const textAfter = (document: object): string => {
  const packed = packDocument(document, place, holds);
  if (!packed) return JSON.stringify(document);
  const stored = JSON.parse(JSON.stringify(packed.values));
  return JSON.stringify(unpackDocument(parseForm(packed.form), stored, 0, beside));
};

describe('a packed document @long', () => {
  it('leaves out names, nulls, and what its row tells', () => {
    const at = '2026-11-22T10:00:00.123Z';
    const document = {
      id: 'x1',
      same: 'x1',
      order: place.position,
      owner: 'ann',
      weight: 5,
      none: null,
      sent: true,
      kept: false,
      at,
      note: 'a',
      list: [null],
    };
    const values = [Date.parse(at), 'a', [null]];
    expect(packDocument(document, place, holds)?.values).to.deep.equal(values);
    expect(textAfter(document)).to.equal(JSON.stringify(document));
  });
  it('has its form in common with documents of other values', () => {
    const formOf = (document: object) => packDocument(document, place, holds)?.form;
    expect(formOf({ note: 'a', none: null })).to.equal(formOf({ note: 'b', none: null }));
    expect(formOf({ note: 'a' })).to.not.equal(formOf({ note: null }));
    expect(formOf({ owner: 'ann' })).to.not.equal(formOf({ owner: 'bob' }));
  });
  for (const [numRuns, tag] of runs(200, 1000)) {
    it(`is unpacked to the same text, whatever it holds${tag}`, () => {
      const name = fc.constantFrom('owner', 'weight', 'a', 'b1', 'order', 'at');
      const known = fc.constantFrom('x1', place.position, 'ann', 5, null, true, '');
      const time = fc.constantFrom(
        '2026-11-22T10:00:00.000Z',
        '2026-11-22T10:00:00Z',
        '2026-02-30T10:00:00.000Z',
        '2026-11-22T10:00:00.1234Z',
        '2026-11-22T24:00:00.000Z',
        '-00001-01-01T00:00:00.0Z',
      );
      const moment = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
      const value = fc.oneof(known, time, moment, fc.jsonValue());
      const documents = fc.dictionary(fc.oneof(name, fc.string({ unit: 'binary' })), value);
      fc.assert(
        fc.property(documents, (document) => {
          expect(textAfter(document)).to.equal(JSON.stringify(document));
        }),
        { numRuns },
      );
    });
  }
  it('is not made where JavaScript would move a name', () => {
    for (const name of ['7', 'a.b', '__proto__', '', 'a,b', '$ref']) {
      const document = JSON.parse(`{"note":1,${JSON.stringify(name)}:2}`);
      expect(packDocument(document, place, holds), name).to.equal(undefined);
    }
    expect(packDocument({ note: 1, other: 2 }, place, holds)).to.not.equal(undefined);
  });
});
