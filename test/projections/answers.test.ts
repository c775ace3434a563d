import { expect } from 'chai';
import { RequestAnswered } from '../../src/events/idempotency.ts';
import { answers, placeOfAnswer } from '../../src/projections/answers.ts';
import { given } from '../support/projections.ts';
import { positionAt, written } from '../support/projections-facts.ts';

const STREAM = 'request-acc_1.0123.45';
const answered = (contactRefs: string[]) =>
  written(
    STREAM,
    RequestAnswered.of({ claimId: 'c', status: 200, contactRefs, body: null, headers: {} }),
  );
const history = given(answers);

describe('stored answers', () => {
  for (const ref of ['ref-of-mia', 'ref-of-tom']) {
    it(`are found by each of their contacts, such as ${ref}, also once they are erased`, () => {
      const id = `${ref}.0.${STREAM}`;
      const document = { id, contactRef: ref, order: positionAt(0) };
      history(answered(['ref-of-mia', 'ref-of-tom'])).thenIs(id, document);
      expect(placeOfAnswer(document)).to.deep.equal({ stream: STREAM, revision: 0 });
    });
  }

  it('about grants, plans and the like lead from nobody', () => {
    history(answered([])).thenHas(0);
  });
});
