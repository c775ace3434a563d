import type { ReactNode } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Amount, Words } from '../../ui/value.tsx';
import { causeWords } from '../messages/steps.ts';
import { sumOf } from './exact.ts';
import { Light } from './light.tsx';
import type { Statement } from './read.ts';

type Section = Pick<Statement, 'opening' | 'closing' | 'grants' | 'charges' | 'refunds'>;

const unitOf = ({ billing, currency }: Pick<Statement, 'billing' | 'currency'>): string =>
  billing === 'credits' ? 'credits' : currency;

const isBalanced = ({ opening, closing, grants, charges, refunds }: Section): boolean =>
  sumOf([opening, ...[...grants, ...charges, ...refunds].map(({ amount }) => amount)]) ===
  sumOf([closing]);

/** A movement by hand, in the words of every page. */
const grantWords = (type: string, kind: string | null): string => {
  if (kind === 'adjustment') return 'adjusted';
  return type === 'REVOKE' ? 'taken back' : 'topped up';
};

const Line = ({
  name,
  count,
  amount,
  isTotal = false,
}: {
  name: string;
  count?: number;
  amount: string | number;
  isTotal?: boolean;
}) => (
  <tr className={isTotal ? 'total' : ''}>
    <td>
      <Words text={name} />
    </td>
    <td className="end">{count}</td>
    <td className="end">
      <Amount value={amount} sign={!isTotal} />
    </td>
  </tr>
);

const Sums = ({ section, unit }: { section: Section; unit: string }) => (
  <table className="sums">
    <thead>
      <tr>
        <th scope="col">Part</th>
        <th scope="col" className="end">
          Number
        </th>
        <th scope="col" className="end">
          Amount in {unit}
        </th>
      </tr>
    </thead>
    <tbody>
      <Line name="Opening balance" amount={section.opening} isTotal />
      {section.grants.map(({ at, kind, type, amount, reason }) => (
        <Line
          key={`${at}-${amount}`}
          name={`${grantWords(type, kind)}${reason ? `: ${reason}` : ''}`}
          amount={amount}
        />
      ))}
      {section.charges.map(({ category, market, unitPrice, count, amount }) => (
        <Line
          key={`${category}-${market}-${unitPrice}`}
          name={`${category.toLowerCase()}, ${market}, at ${unitPrice}`}
          count={count}
          amount={amount}
        />
      ))}
      {section.refunds.map(({ cause, count, amount }) => (
        <Line key={cause} name={`refunded: ${causeWords(cause)}`} count={count} amount={amount} />
      ))}
      <Line name="Closing balance" amount={section.closing} isTotal />
    </tbody>
  </table>
);

/** The statement, its sum, and its files. */
export const StatementStep = ({
  statement,
  children,
}: {
  statement: Statement;
  /** Its files. */
  children: ReactNode;
}) => {
  const { final, earlier = [] } = statement;
  const sections = [...earlier, statement];
  const isRight = sections.every(isBalanced);
  return (
    <div className="stack">
      <div className="row">
        <Badge tone={final ? 'good' : 'info'}>
          {final ? 'final: it never changes again' : 'not final: the month is not over and sealed'}
        </Badge>
        {children}
      </div>
      {sections.map((section) => (
        <Sums
          key={`${section.billing}-${section.currency}`}
          section={section}
          unit={unitOf(section)}
        />
      ))}
      <Light state={isRight ? 'good' : 'bad'}>
        {isRight
          ? 'Opening balance and all parts make the closing balance, exactly.'
          : 'The parts do not make the closing balance.'}
      </Light>
    </div>
  );
};
