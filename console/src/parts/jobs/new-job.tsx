import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { NotForThis } from '../../layout/not-for-this.tsx';
import { useAccount } from '../../layout/shop.tsx';
import { useScope } from '../../session/session.tsx';
import { textIn } from '../../ui/ask.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { ProblemNote, QueryState } from '../../ui/states.tsx';
import { momentOf } from '../../ui/times.ts';
import { NumberField } from '../send/number-field.tsx';
import { type CatalogEntry, readCatalog } from '../send/read.ts';
import { columnFor, readColumns } from './file-head.ts';
import { createJob, type JobSpec, LIST_KEY, pathOf } from './read.ts';
import './jobs.css';

const variableName = (name: string) => `variable ${name}`;

const specIn = (form: FormData, { event, variables }: CatalogEntry, isWallet: boolean): JobSpec => {
  const name = textIn(form, 'name');
  const phoneNumberId = textIn(form, 'phoneNumberId');
  const reference = form.get('reference');
  const maxAmount = textIn(form, 'maxAmount');
  const sendAt = textIn(form, 'sendAt');
  const column = (field: string) => String(form.get(field) ?? '');
  return {
    event,
    columns: {
      to: column('to'),
      variables: Object.fromEntries(variables.map((one) => [one, column(variableName(one))])),
      ...(reference && { clientReference: String(reference) }),
    },
    ...(name !== undefined && { name }),
    ...(phoneNumberId !== undefined && { phoneNumberId }),
    ...(maxAmount !== undefined && { maxAmount: isWallet ? maxAmount : Number(maxAmount) }),
    ...(sendAt !== undefined && { sendAt: momentOf(sendAt) }),
  };
};

/** Which column of the file holds what; those with the same names are chosen already. */
const Columns = ({ entry, columns }: { entry: CatalogEntry; columns: readonly string[] }) => {
  const docs = entry.variableDocs as Readonly<Record<string, string>>;
  const options = columns.map((name) => ({ value: name, label: name }));
  const choose = [{ value: '', label: 'Choose a column' }, ...options];
  return (
    <fieldset className="columns-of-job">
      <legend>Columns of the file</legend>
      <SelectField
        label="Recipient"
        name="to"
        required
        hint="Numbers with the country code."
        options={choose}
        defaultValue={columnFor(columns, 'to', 'phone', 'mobile', 'number', 'recipient')}
      />
      {entry.variables.map((name) => (
        <SelectField
          key={name}
          label={name}
          name={variableName(name)}
          required
          hint={docs[name]}
          options={choose}
          defaultValue={columnFor(columns, name)}
        />
      ))}
      <SelectField
        label="Your reference"
        name="reference"
        hint="Optional. The messages are found by it."
        options={[{ value: '', label: 'None' }, ...options]}
        defaultValue={columnFor(columns, 'clientReference', 'reference')}
      />
    </fieldset>
  );
};

const Bounds = ({ isWallet }: { isWallet: boolean }) => (
  <>
    <TextField
      label="Charge at most"
      name="maxAmount"
      hint={`Optional, in ${isWallet ? 'the money of the wallet' : 'credits'}. The job pauses before it charges more.`}
      {...(isWallet ? { inputMode: 'decimal', maxLength: 30 } : { type: 'number', min: 0 })}
    />
    <TextField
      label="Send from"
      name="sendAt"
      type="datetime-local"
      hint="Optional, at most 90 days ahead, in the time zone of this page. Nothing is sent before it."
    />
  </>
);

interface Upload {
  file: File;
  columns: readonly string[];
}

const NewForm = ({ catalog }: { catalog: readonly CatalogEntry[] }) => {
  const isWallet = useAccount()?.billing === 'wallet';
  const navigate = useNavigate();
  const cache = useQueryClient();
  const [event, setEvent] = useState('');
  const [upload, setUpload] = useState<Upload>();
  const [problem, setProblem] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const entry = catalog.find((one) => one.event === event) ?? catalog[0];
  const choose = async (file: File | undefined) => {
    setProblem(undefined);
    setUpload(undefined);
    try {
      if (file) setUpload({ file, columns: await readColumns(file) });
    } catch (error) {
      setProblem(error);
    }
  };
  const submit = async (submitted: FormEvent<HTMLFormElement>) => {
    submitted.preventDefault();
    if (!entry || !upload) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const spec = specIn(new FormData(submitted.currentTarget), entry, isWallet);
      const id = await createJob(spec, upload.file);
      void cache.invalidateQueries({ queryKey: LIST_KEY });
      await navigate({ to: pathOf(id) } as never);
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };
  return (
    <form className="stack" onSubmit={(submitted) => void submit(submitted)}>
      <TextField
        label="File"
        name="file"
        type="file"
        required
        accept=".csv,.jsonl,.ndjson,text/csv"
        hint="CSV with a head, or JSON Lines, in UTF-8: a row for each customer, 100,000 at most."
        onChange={({ target }) => void choose(target.files?.[0])}
      />
      <SelectField
        label="Event"
        name="event"
        value={entry?.event ?? ''}
        onChange={({ target }) => setEvent(target.value)}
        options={catalog.map((one) => ({
          value: one.event,
          label: `${one.title} · ${one.group}`,
        }))}
      />
      {entry && upload && (
        <Columns
          key={`${entry.event} ${upload.columns.join()}`}
          entry={entry}
          columns={upload.columns}
        />
      )}
      <TextField
        label="Name"
        name="name"
        maxLength={200}
        hint="Optional. You find the job by it."
        autoComplete="off"
      />
      <NumberField />
      <Bounds isWallet={isWallet} />
      {problem !== undefined && <ProblemNote problem={problem} />}
      <div>
        <Button type="submit" tone="primary" isBusy={isBusy} disabled={!upload}>
          Check the file
        </Button>
      </div>
    </form>
  );
};

/** Uploads a file of rows and says what its columns hold; nothing is sent by it. */
export const NewJob = () => {
  const maySend = useScope('notifications:send');
  const query = useQuery({
    queryKey: ['catalog'],
    queryFn: ({ signal }) => readCatalog(signal),
    enabled: maySend,
  });
  if (!maySend) return <NotForThis />;
  return (
    <Page title="New job" lead="The file is checked first: you see what is good and what it costs.">
      <QueryState query={query} />
      {query.data && (
        <Card>
          <NewForm catalog={query.data} />
        </Card>
      )}
    </Page>
  );
};
