import { useNavigate, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useRows } from '../../api/queries.ts';
import { useSession } from '../../session/session.tsx';
import { AccountField } from '../../ui/account-field.tsx';
import { textIn } from '../../ui/ask.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { AttemptList, RefusalList } from './attempt-list.tsx';
import type { AttemptSearch } from './filters.ts';
import { type AttemptFilters, readAttempts, readRefusals } from './read.ts';

const states = [
  ['', 'anything'],
  ['accepted', 'taken by WhatsApp'],
  ['refused', 'refused by WhatsApp'],
  ['unreachable', 'not sent: WhatsApp was out of reach'],
  ['not_sent', 'not sent: no number or no template'],
  ['unknown', 'not known: no answer in time'],
  ['disconnected', 'not known: the program hung up'],
  ['swept', 'interrupted'],
  ['pending', 'waiting'],
] as const;

const Filters = ({
  search,
  choose,
}: {
  search: AttemptSearch;
  choose: (search: AttemptSearch) => void;
}) => {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    choose({
      account: search.account,
      contact: textIn(form, 'contact'),
      reference: textIn(form, 'reference'),
      state: textIn(form, 'state'),
    });
  };
  return (
    <form className="filters" onSubmit={submit} key={JSON.stringify(search)}>
      <TextField label="Customer" name="contact" defaultValue={search.contact} />
      <TextField label="Order or reference" name="reference" defaultValue={search.reference} />
      <SelectField
        label="What became of it"
        name="state"
        defaultValue={search.state}
        options={states.map(([value, label]) => ({ value, label }))}
      />
      <Button type="submit">Show</Button>
    </form>
  );
};

const Lists = ({ search }: { search: AttemptSearch }) => {
  const { session } = useSession();
  const { account: accountId, contact, reference, state } = search;
  const filters: AttemptFilters = {
    contact,
    clientReference: reference,
    state: state as AttemptFilters['state'],
  };
  const scope = { session, accountId };
  const attempts = useRows(['attempts', accountId, filters], (cursor, signal) =>
    readAttempts(scope, filters, cursor, signal),
  );
  // They have neither a state nor a reference.
  const hasRefusals = state === undefined && reference === undefined;
  const refusals = useRows(
    ['refusals', accountId, contact],
    (cursor, signal) => readRefusals(scope, { contact }, cursor, signal),
    { enabled: hasRefusals },
  );
  return (
    <>
      <Card title="Attempts">
        <AttemptList empty="Nothing was sent that fits" {...attempts} />
      </Card>
      {hasRefusals && (
        <Card title="Refused before an attempt">
          <p className="muted small">
            Counted by the minute, with the last recipient alone. Nothing of it was charged.
          </p>
          <RefusalList empty="Nothing was refused" {...refusals} />
        </Card>
      )}
    </>
  );
};

/** Every attempt to send, and every refusal, each with its reason. */
export const Attempts = () => {
  const { session } = useSession();
  const search = useSearch({ strict: false }) as AttemptSearch;
  const navigate = useNavigate();
  const choose = (next: AttemptSearch) => void navigate({ to: '/attempts', search: next } as never);
  const isReady = session.kind === 'key' || search.account !== undefined;
  return (
    <Page
      title="Attempts"
      lead="Everything that was to be sent: what became of it, and why it did not arrive."
    >
      <div className="filter-bar">
        {session.kind === 'administrator' && (
          <AccountField
            value={search.account}
            onChoose={(account) => choose({ ...search, account })}
          />
        )}
        <Filters search={search} choose={choose} />
      </div>
      {isReady ? (
        <Lists search={search} />
      ) : (
        <Empty title="Choose an account first">
          Or enter a number, an order or the id of a request in the box at the top: it looks in all
          accounts.
        </Empty>
      )}
    </Page>
  );
};
