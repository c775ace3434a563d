import { reasonOf, whoWords } from '../../ui/reasons.ts';
import { Amount, creditWords } from '../../ui/value.tsx';
import { Code } from '../../ui/why.tsx';
import type { Quote } from './read.ts';

const Price = ({ quote: { amount, currency, balanceAfter, items } }: { quote: Quote }) => {
  const price = items[0]?.price;
  const isCredits = typeof amount === 'number';
  return (
    <>
      <strong>
        It will cost {isCredits ? creditWords(amount) : <Amount value={amount} unit={currency} />}
      </strong>
      {isCredits && price && (
        <span className="muted">
          {' '}
          (<Amount value={price} unit={currency} />)
        </span>
      )}
      , and leave <Amount value={balanceAfter} unit={isCredits ? 'credits' : currency} />.
    </>
  );
};

/** The price before the send; or why it would be refused, and who can do something about it. */
export const QuoteNote = ({ quote }: { quote: Quote }) => {
  const { refusal, items } = quote;
  if (!refusal) {
    return (
      <div className="note" role="status">
        <Price quote={quote} />
      </div>
    );
  }
  const code = refusal.code ?? items[0]?.problems[0] ?? null;
  const said = typeof refusal.error === 'string' ? refusal.error : refusal.hint;
  return (
    <div className="note note-bad" role="status">
      <strong>It would be refused, and cost nothing.</strong> {said}{' '}
      {code !== null && (
        <>
          <Code code={code} /> Who can do it: {whoWords[reasonOf(code).who]}.
        </>
      )}
    </div>
  );
};
