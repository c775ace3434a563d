import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { useOnce } from '../../api/idempotency.ts';
import { textIn } from '../../ui/ask.tsx';
import { Button } from '../../ui/button.tsx';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { filled, MessagePreview } from '../../ui/preview.tsx';
import { ProblemNote, Skeleton } from '../../ui/states.tsx';
import { NumberField } from './number-field.tsx';
import { QuoteNote } from './quote-note.tsx';
import {
  type CatalogEntry,
  type Draft,
  type Later,
  type Quote,
  quote,
  readCatalog,
  type Sent,
  send,
} from './read.ts';
import { LaterNote, SentNote } from './sent-note.tsx';
import './send.css';

const TO_MIN = 5;
/** A quote binds for 10 minutes. */
const QUOTED_MS = 9 * 60_000;

const variableName = (name: string) => `variable ${name}`;

/** Only variables of the event, each with a value: what is sent has no gaps. */
const draftIn = (form: FormData, { event, variables }: CatalogEntry): Draft => {
  const phoneNumberId = textIn(form, 'phoneNumberId');
  const clientReference = textIn(form, 'clientReference');
  const values = variables.map((name) => [name, textIn(form, variableName(name)) ?? ''] as const);
  const blank = values.filter(([, value]) => value === '').map(([name]) => name);
  if (blank.length > 0) throw new Error(`Enter a value for ${blank.join(', ')}`);
  return {
    to: textIn(form, 'to') ?? '',
    event,
    variables: Object.fromEntries(values),
    ...(phoneNumberId !== undefined && { phoneNumberId }),
    ...(clientReference !== undefined && { clientReference }),
    ...(form.has('strict') && { strict: true as const }),
  };
};

const Variables = ({
  entry,
  set,
}: {
  entry: CatalogEntry;
  set: (name: string, value: string) => void;
}) => {
  const docs = entry.variableDocs as Readonly<Record<string, string>>;
  return entry.variables.map((name) => (
    <TextField
      key={`${entry.event} ${name}`}
      label={name}
      name={variableName(name)}
      hint={docs[name]}
      required
      maxLength={1024}
      autoComplete="off"
      onChange={({ target }) => set(name, target.value)}
    />
  ));
};

const SETTLES_MS = 400;

/** The quote of what is typed, once the viewer stops; none while something is missing. */
const useQuote = (draft: Draft | undefined): Quote | undefined => {
  const [settled, settle] = useState<Draft>();
  const text = JSON.stringify(draft);
  useEffect(() => {
    const next = text === undefined ? undefined : (JSON.parse(text) as Draft);
    const timer = setTimeout(() => settle(next), SETTLES_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { data } = useQuery({
    queryKey: ['quote', settled],
    queryFn: ({ signal }) => quote(settled as Draft, signal),
    enabled: settled !== undefined,
    retry: false,
    staleTime: QUOTED_MS,
    refetchInterval: QUOTED_MS,
  });
  return JSON.stringify(settled) === text ? data : undefined;
};

/** What can be quoted: a whole draft. */
const wholeDraft = (form: HTMLFormElement, entry: CatalogEntry): Draft | undefined => {
  try {
    const draft = draftIn(new FormData(form), entry);
    return draft.to.length < TO_MIN ? undefined : draft;
  } catch {
    return undefined;
  }
};

/** The form of one event; what was typed stays after a refusal. */
const EventForm = ({ entry }: { entry: CatalogEntry }) => {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<unknown>();
  const [sent, setSent] = useState<Sent | Later>();
  const [isBusy, setBusy] = useState(false);
  const [draft, setDraft] = useState<Draft>();
  const quoted = useQuote(draft);
  const once = useOnce();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setProblem(undefined);
    setSent(undefined);
    try {
      const wanted = draftIn(form, entry);
      const quoteId = quoted?.quoteId;
      const bound = quoteId ? { ...wanted, quoteId } : wanted;
      setSent(await once(wanted, (key) => send(bound, key)));
      setDraft(undefined);
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  const set = (name: string, value: string) => setValues((all) => ({ ...all, [name]: value }));
  const text = filled(
    entry.preview,
    entry.variables.map((name) => values[name] ?? ''),
    entry.variables,
  );
  return (
    <div className="send">
      <form
        className="stack"
        onSubmit={(event) => void submit(event)}
        onInput={({ currentTarget }) => setDraft(wholeDraft(currentTarget, entry))}
      >
        <TextField
          label="Recipient"
          name="to"
          required
          minLength={TO_MIN}
          maxLength={200}
          placeholder="+919812345678"
          hint="With the country code: a national number reaches another subscriber."
          autoComplete="off"
        />
        <Variables entry={entry} set={set} />
        <NumberField />
        <TextField
          label="Your reference"
          name="clientReference"
          maxLength={256}
          hint="Optional. The message is found by it."
          autoComplete="off"
        />
        <CheckField
          name="strict"
          label="Strict: refuse wrong variables and numbers before any charge"
        />
        {quoted && <QuoteNote quote={quoted} />}
        <div>
          <Button type="submit" tone="primary" isBusy={isBusy}>
            Send the message
          </Button>
        </div>
        {problem !== undefined && <ProblemNote problem={problem} />}
        {sent && ('messageId' in sent ? <SentNote sent={sent} /> : <LaterNote later={sent} />)}
      </form>
      <aside className="stack">
        <MessagePreview text={text} />
        <p className="muted small">
          {entry.description} It is priced as {entry.category.toLowerCase()}; the approved template
          decides the wording.
        </p>
      </aside>
    </div>
  );
};

/** Sends one event of the catalog by hand. */
export const Send = () => {
  const { event } = useSearch({ strict: false }) as { event?: string };
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery({
    queryKey: ['catalog'],
    queryFn: ({ signal }) => readCatalog(signal),
  });
  const entry = data?.find((one) => one.event === event) ?? data?.[0];
  return (
    <Page title="Send" lead="One notification, for real: it is charged, and its recipient gets it.">
      {error && <ProblemNote problem={error} again={() => void refetch()} />}
      {!data && !error && <Skeleton />}
      {data && entry && (
        <Card>
          <div className="stack">
            <SelectField
              label="Event"
              name="event"
              value={entry.event}
              onChange={({ target }) =>
                void navigate({ to: '/send', search: { event: target.value } } as never)
              }
              options={data.map((one) => ({
                value: one.event,
                label: `${one.title} · ${one.group}`,
              }))}
            />
            <EventForm key={entry.event} entry={entry} />
          </div>
        </Card>
      )}
    </Page>
  );
};
