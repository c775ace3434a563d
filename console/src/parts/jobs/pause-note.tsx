import { type Reason, reasonOf, whoWords } from '../../ui/reasons.ts';
import { Words } from '../../ui/value.tsx';
import { Why } from '../../ui/why.tsx';
import type { Job } from './read.ts';

const goOn = 'then let the job go on.';

/** Pauses that only a job has, by the first word of their reason. */
const own: Readonly<Record<string, Reason>> = {
  MAX_AMOUNT: {
    title: 'It has charged as much as it may',
    hint: 'What waits would cost more than the most that was allowed: make a job of those rows with a higher amount.',
    who: 'shop',
  },
  ORG_SUSPENDED: reasonOf('SUSPENDED'),
  LIMIT_REACHED: {
    title: 'The account has written as much today as its plan allows',
    hint: 'Let the job go on tomorrow, or ask the operator for a larger plan.',
    who: 'operator',
  },
  FAULT: {
    title: 'The service had a fault while it sent',
    hint: `Tell the operator; ${goOn}`,
    who: 'operator',
  },
};

const caps: Readonly<Record<string, string>> = {
  perMinute: 'CAP_PER_MINUTE',
  daily: 'CAP_DAILY',
  monthly: 'CAP_MONTHLY',
};

/** The code in a reason that has words of ours or of the provider. */
const codeIn = (reason: string): string | undefined => {
  const cap = /^LIMIT_REACHED (\w+)$/.exec(reason)?.[1];
  if (cap !== undefined) return caps[cap];
  return /^[A-Z_]+$/.exec(reason)?.[0] ?? /refused a message with (\d+)$/.exec(reason)?.[1];
};

const Said = ({ title, hint, who }: Reason) => (
  <>
    <strong>{title}.</strong> {hint} <span className="muted">Who can do it: {whoWords[who]}.</span>
  </>
);

const Reasoned = ({ reason }: { reason: string }) => {
  const known = own[reason];
  if (known) return <Said {...known} />;
  const code = codeIn(reason);
  if (code !== undefined) return <Why code={code} />;
  return (
    <>
      <strong>
        <Words text={reason} />.
      </strong>{' '}
      See the rows that failed, and mend what is wrong; {goOn}
    </>
  );
};

/** Why the job stands still, or cannot be used, and what to do. */
export const PauseNote = ({ job: { state, reason } }: { job: Job }) => {
  if (state === 'unusable') {
    return (
      <div className="note note-bad">
        <strong>The file cannot be used.</strong> {reason !== null && <Words text={reason} />}
      </div>
    );
  }
  if (state !== 'paused') return null;
  return (
    <div className="note" role="status">
      {reason === null ? (
        <>
          <strong>It was paused by hand.</strong> What waits is sent when it goes on.
        </>
      ) : (
        <Reasoned reason={reason} />
      )}
    </div>
  );
};
