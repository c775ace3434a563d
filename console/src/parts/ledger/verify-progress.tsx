import { Button } from '../../ui/button.tsx';
import { Progress } from '../../ui/progress.tsx';
import { ProblemNote } from '../../ui/states.tsx';
import { Time } from '../../ui/value.tsx';
import { ReportLights } from './report.tsx';
import type { useVerify } from './use-verify.ts';

const wordsOf = ({ progress }: ReturnType<typeof useVerify>): string => {
  if (!progress) return 'Reading the log';
  const { events, ofEvents, accounts, compared } = progress;
  const all = ofEvents === null ? '' : ` of ${ofEvents}`;
  const read = `${events}${all} events of ${accounts} accounts`;
  return compared > 0 ? `${read}, ${compared} accounts compared` : read;
};

/** How far a verification is, and then what it found: a light is green for what was checked alone. */
export const VerifyProgress = ({
  verification,
  isOneAccount = false,
}: {
  verification: ReturnType<typeof useVerify>;
  isOneAccount?: boolean;
}) => {
  const { state, progress, report, head, at, problem, cancel } = verification;
  const isBusy = state === 'running';
  return (
    <>
      {isBusy && (
        <div className="row">
          <Progress
            label="The service verifies"
            done={progress?.events}
            of={progress?.ofEvents ?? undefined}
          />
          <span className="muted">{wordsOf(verification)}</span>
          <Button onClick={cancel}>Cancel</Button>
        </div>
      )}
      <ReportLights report={report} isBusy={isBusy} isOneAccount={isOneAccount} />
      {report && at !== undefined && (
        <p className="muted">
          Up to position <code>{head}</code> of the log, at <Time at={at} form="full" />. What came
          later is not checked.
        </p>
      )}
      {problem !== undefined && <ProblemNote problem={problem} />}
    </>
  );
};
