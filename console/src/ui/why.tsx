import { isDocumented, reasonOf, whoWords } from './reasons.ts';
import { Words } from './value.tsx';
import './why.css';

/** A code that leads to its section of the page of errors. */
export const Code = ({ code }: { code: string }) =>
  isDocumented(code) ? (
    <a href={`/docs/errors#${code}`} className="code-link">
      {code}
    </a>
  ) : (
    <span className="code-link">{code}</span>
  );

const bare = (text: string): string => text.replace(/[.\s]+$/, '').toLowerCase();

/** Why it did not arrive, what to do, and who can do it. */
export const Why = ({ code, said }: { code: string; said?: string | null | undefined }) => {
  const { title, hint, who } = reasonOf(code);
  return (
    <div className="why">
      <div>
        <strong>{title}</strong> <Code code={code} />
      </div>
      {said && bare(said) !== bare(title) && (
        <div className="muted">
          WhatsApp says: <Words text={said} />
        </div>
      )}
      {hint && <div>{hint}</div>}
      <div className="muted">Who can do it: {whoWords[who]}.</div>
    </div>
  );
};

/** The same in one line, for a row of a list. */
export const WhyShort = ({ code }: { code: string }) => (
  <span className="why-short">
    {reasonOf(code).title} <Code code={code} />
  </span>
);
