import { expect } from 'chai';
import { amountCell, csvCell } from '../../src/shared/csv.ts';

describe('a cell of a CSV file', () => {
  it('begins with a quote where a spreadsheet could take the text for a formula', () => {
    for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '＝1+1', '＋1', '－1', '＠SUM(A1)']) {
      for (const before of ['', ' ', '\t', '\u00a0', '\u200b', '\ufeff', '\u0000']) {
        expect(csvCell(before + text), JSON.stringify(before + text)).to.equal(`'${before}${text}`);
      }
      expect(csvCell(`\n${text}`)).to.equal(`"'\n${text}"`);
      expect(csvCell(`\r${text}`)).to.equal(`"'\r${text}"`);
    }
    expect(csvCell('\n a')).to.equal(`"'\n a"`);
    expect(csvCell('\ta')).to.equal("'\ta");
  });

  it('leaves other texts and numbers as they are', () => {
    for (const text of ['', 'a=b', '1-2', 'a@b', ' a', '(=1)'])
      expect(csvCell(text)).to.equal(text);
    expect([csvCell(-12), csvCell(null)]).to.deep.equal(['-12', '']);
  });

  it('keeps the minus sign of an amount', () => {
    for (const amount of ['-0.0014', '-12', '7.5']) expect(amountCell(amount)).to.equal(amount);
    for (const text of ['-1+1', '-a', '=1', '- 1']) expect(amountCell(text)).to.equal(`'${text}`);
    expect([amountCell(), amountCell(-1)]).to.deep.equal(['', '-1']);
  });

  it('is in double quotes where it has a comma, a line break or double quotes', () => {
    expect(csvCell('a,b')).to.equal('"a,b"');
    expect(csvCell('a "b"\nc')).to.equal('"a ""b""\nc"');
  });
});
