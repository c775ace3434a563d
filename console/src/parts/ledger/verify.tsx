import { type FormEvent, useEffect, useState } from 'react';
import { textIn } from '../../ui/ask.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { ProblemNote } from '../../ui/states.tsx';
import { Time } from '../../ui/value.tsx';
import './ledger.css';
import { Progress } from './light.tsx';
import { type Report, verifyLedger } from './read.ts';
import { ReportLights } from './report.tsx';

/** Seconds since the work began. */
const Elapsed = () => {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((count) => count + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <span className="muted">reading every event of the log · {seconds} s</span>;
};

const bodyIn = async (form: FormData) => {
  const file = form.get('seals');
  const seals = file instanceof File && file.size > 0 ? await file.text() : undefined;
  const key = textIn(form, 'key');
  return { ...(seals !== undefined && { seals }), ...(key !== undefined && { keys: [key] }) };
};

/** Verifies the whole ledger, for operators and auditors. */
export const Verify = () => {
  const [found, setFound] = useState<{ report: Report; at: string }>();
  const [problem, setProblem] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    setFound(undefined);
    try {
      const report = await verifyLedger(await bodyIn(new FormData(event.currentTarget)));
      setFound({ report, at: new Date().toISOString() });
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Page
      title="Verify"
      lead="The books of all accounts: the log by itself, and what is shown against the log."
    >
      <Card>
        <form className="stack" onSubmit={submit}>
          <div className="grid">
            <TextField
              label="Seals that were kept elsewhere"
              name="seals"
              type="file"
              hint="Optional: the file to which seals are delivered. A log that was rewritten does not agree with it."
            />
            <TextField
              label="Key of the seals"
              name="key"
              hint="Optional: every seal must be signed by it."
              autoComplete="off"
            />
          </div>
          <div className="row">
            <Button type="submit" tone="primary" isBusy={isBusy}>
              Verify everything
            </Button>
            {isBusy && <Elapsed />}
          </div>
        </form>
      </Card>
      <Card title="What was checked">
        <div className="stack">
          {isBusy && <Progress label="The service verifies the ledger" />}
          <ReportLights report={found?.report} isBusy={isBusy} />
          {found && (
            <p className="muted">
              As of <Time at={found.at} form="full" />. What came later is not checked.
            </p>
          )}
          {problem !== undefined && <ProblemNote problem={problem} />}
        </div>
      </Card>
    </Page>
  );
};
