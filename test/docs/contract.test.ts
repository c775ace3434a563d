import { expect } from 'chai';
import { findGaps, statements } from './statements/all.ts';
import { section } from './statements/statement.ts';

describe('The list of the contract’s statements', () => {
  it('names a test that exists for each, or why there can be none', () => {
    expect(findGaps()).to.deep.equal([]);
  });

  it('finds a statement without a test, and a test that is not there', () => {
    const gaps = findGaps(
      section('0', {
        nothing: [],
        'a file': 'http/nowhere: is not there',
        'a title': 'shared/json: nobody wrote this test',
      }),
    );
    expect(gaps).to.have.length(3);
  });

  it('says each thing once, and covers every section', () => {
    const said = statements.map(({ section, says }) => `${section} ${says}`);
    expect(new Set(said).size).to.equal(said.length);
    const sections = new Set(statements.map(({ section }) => section.split('.')[0]));
    expect([...sections]).to.deep.equal(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
    for (let endpoint = 4; endpoint <= 23; endpoint += 1) {
      expect(
        statements.some(({ section }) => section === `4.${endpoint}`),
        `4.${endpoint}`,
      ).to.equal(true);
    }
  });
});
