import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useOnce } from '../../api/idempotency.ts';
import { textIn } from '../../ui/ask.tsx';
import { Button } from '../../ui/button.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { filled, MessagePreview } from '../../ui/preview.tsx';
import { ProblemNote } from '../../ui/states.tsx';
import { NumberField } from './number-field.tsx';
import { QuoteNote } from './quote-note.tsx';
import {
  type CatalogEntry,
  type Draft,
  type Later,
  type Quote,
  quote,
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
  values,
  set,
}: {
  entry: CatalogEntry;
  values: Given['values'];
  set: (name: string, value: string) => void;
}) => {
  const docs = entry.variableDocs as Readonly<Record<string, string>>;
  return entry.variables.map((name) => (
    <TextField
      key={`${entry.event} ${name}`}
      label={name}
      name={variableName(name)}
      hint={docs[name]}
      defaultValue={values[name]}
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

/** Whom a form is for, and what is known to stand in it. */
export interface Given {
  to: string;
  phoneNumberId: string;
  values: Readonly<Record<string, string>>;
}

/** The form of one event; what was typed stays after a refusal. */
export const EventForm = ({
  entry,
  given,
  onSent,
}: {
  entry: CatalogEntry;
  given?: Given;
  onSent?: () => void;
}) => {
  const [values, setValues] = useState<Readonly<Record<string, string>>>(given?.values ?? {});
  const [problem, setProblem] = useState<unknown>();
  const [sent, setSent] = useState<Sent | Later>();
  const [isBusy, setBusy] = useState(false);
  const [draft, setDraft] = useState<Draft>();
  const quoted = useQuote(draft);
  const box = useRef<HTMLFormElement>(null);
  // What is given may be a whole draft already.
  useEffect(() => {
    if (box.current) setDraft(wholeDraft(box.current, entry));
  }, [entry]);
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
      onSent?.();
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
        ref={box}
        className="stack"
        onSubmit={(event) => void submit(event)}
        onInput={({ currentTarget }) => setDraft(wholeDraft(currentTarget, entry))}
      >
        {given && <input type="hidden" name="to" value={given.to} />}
        {given && <input type="hidden" name="phoneNumberId" value={given.phoneNumberId} />}
        {!given && (
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
        )}
        <Variables entry={entry} values={given?.values ?? {}} set={set} />
        {!given && <NumberField />}
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
