import { useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { useRows } from '../../api/queries.ts';
import { useMayWrite } from '../../session/session.tsx';
import { AccountInput, AccountLink } from '../../ui/account-field.tsx';
import { outcomeWords } from '../../ui/approval.ts';
import { Ask, textIn } from '../../ui/ask.tsx';
import { StateBadge } from '../../ui/badge.tsx';
import { ErasureFields } from '../../ui/erasure.tsx';
import { TextField } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import { Time, Words } from '../../ui/value.tsx';

const read = async (cursor: string | undefined, signal: AbortSignal) => {
  const query = { limit: 50, cursor };
  const { erasures, nextCursor } = await bodyOf(
    api.GET('/admin/v1/erasures', { params: { query }, signal }),
  );
  return { rows: erasures, nextCursor };
};

type Row = Awaited<ReturnType<typeof read>>['rows'][number];

const plural = (count: number, noun: string): string[] =>
  count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`];

const foundOf = ({ found }: Row): string => {
  if (found === null) return 'not counted yet';
  const { messages, conversations, deadLetters } = found;
  const parts = [
    ...plural(messages, 'message'),
    ...plural(conversations, 'conversation'),
    ...plural(deadLetters, 'dead letter'),
  ];
  return parts.join(', ') || 'nothing';
};

const columns: readonly Column<Row>[] = [
  {
    id: 'account',
    header: 'Account',
    cell: ({ accountId }) => (accountId === null ? 'all accounts' : <AccountLink id={accountId} />),
  },
  { id: 'state', header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { id: 'found', header: 'What was held', cell: foundOf },
  {
    id: 'reason',
    header: 'Reason',
    isMinor: true,
    cell: ({ reason }) => reason && <Words text={reason} />,
  },
  { id: 'by', header: 'By', isMinor: true, cell: ({ requestedBy }) => requestedBy?.name ?? '–' },
  {
    id: 'at',
    header: 'Requested',
    isMinor: true,
    cell: ({ requestedAt }) => <Time at={requestedAt} />,
  },
];

const Erase = ({ onDone }: { onDone: () => void }) => (
  <Ask
    label="Erase a contact"
    title="Erase a contact for good"
    action="Erase"
    tone="danger"
    button="danger"
    submit={async (form) => {
      const [accountId, reason] = [textIn(form, 'account'), textIn(form, 'reason')];
      const body = { contact: textIn(form, 'contact') ?? '', accountId, reason };
      const answer = await api.POST('/admin/v1/erasures', { body });
      toast(outcomeWords(answer, 'The erasure has begun'));
      onDone();
    }}
  >
    <p>
      The keys of everything about this contact are destroyed: texts, names and numbers are gone
      from the log, the read models and every rebuild. Amounts and the hash chain stay.
    </p>
    <TextField label="Number or user id" name="contact" required maxLength={200} />
    <AccountInput label="Account, or all of them when empty" name="account" />
    <ErasureFields whom="contact" />
  </Ask>
);

/** What was erased, for whom, and how far it is. */
export const Erasures = () => {
  const mayWrite = useMayWrite();
  const cache = useQueryClient();
  const list = useRows(['erasures'], read);
  const again = () => void cache.invalidateQueries({ queryKey: ['erasures'] });
  return (
    <Page
      title="Erasures"
      lead="Requests of people to be forgotten. The list names nobody."
      actions={mayWrite && <Erase onDone={again} />}
    >
      <Table
        label="Erasures"
        columns={columns}
        rowId={({ id }) => id}
        empty={
          <Empty title="Nobody was erased yet">
            A customer who asks to be forgotten is erased here, by number.
          </Empty>
        }
        {...list}
      />
    </Page>
  );
};
