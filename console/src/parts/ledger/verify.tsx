import type { FormEvent } from 'react';
import { textIn } from '../../ui/ask.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Card, Page } from '../../ui/page.tsx';
import './ledger.css';
import { useVerify } from './use-verify.ts';
import { VerifyProgress } from './verify-progress.tsx';

const bodyIn = async (form: FormData) => {
  const file = form.get('seals');
  const seals = file instanceof File && file.size > 0 ? await file.text() : undefined;
  const key = textIn(form, 'key');
  return { ...(seals !== undefined && { seals }), ...(key !== undefined && { keys: [key] }) };
};

/** Verifies the whole ledger, for operators and auditors. */
export const Verify = () => {
  const verification = useVerify();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    await verification.start(await bodyIn(new FormData(event.currentTarget)));
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
            <Button type="submit" tone="primary" isBusy={verification.state === 'running'}>
              Verify everything
            </Button>
          </div>
        </form>
      </Card>
      <Card title="What was checked">
        <div className="stack">
          <VerifyProgress verification={verification} />
        </div>
      </Card>
    </Page>
  );
};
