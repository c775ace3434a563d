import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { useRows } from '../../api/queries.ts';
import { useScope } from '../../session/session.tsx';
import { Ask, textIn } from '../../ui/ask.tsx';
import { StateBadge } from '../../ui/badge.tsx';
import { TextField } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import { Time, Words } from '../../ui/value.tsx';
import { VerbMenu } from '../../ui/verbs.tsx';
import './bots.css';
import { type BotSummary, LIST_KEY, readBots, triggerOf } from './read.ts';
import { keywordsIn } from './settings.tsx';

const columns: readonly Column<BotSummary>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ id, name }) => (
      <Link to={`/bots/${id}` as never}>
        <Words text={name} />
      </Link>
    ),
  },
  {
    id: 'state',
    header: 'State',
    cell: ({ isActive }) => <StateBadge state={isActive ? 'active' : 'inactive'} />,
  },
  { id: 'trigger', header: 'Starts at', cell: (bot) => <Words text={triggerOf(bot)} /> },
  {
    id: 'number',
    header: 'Number',
    isMinor: true,
    cell: ({ phoneNumber }) =>
      phoneNumber === null ? 'every number' : <Words text={phoneNumber.displayPhoneNumber} />,
  },
  {
    id: 'runs',
    header: 'Runs',
    align: 'end',
    cell: ({ totalExecutions }) => totalExecutions.toLocaleString(),
  },
  {
    id: 'last',
    header: 'Last run',
    isMinor: true,
    cell: ({ lastExecutedAt }) => (lastExecutedAt ? <Time at={lastExecutedAt} form="ago" /> : '–'),
  },
];

const Create = ({ onDone }: { onDone: () => void }) => {
  const submit = async (form: FormData) => {
    const triggerKeywords = keywordsIn(textIn(form, 'keywords') ?? '');
    const name = textIn(form, 'name') ?? '';
    await api.POST('/v1/bots', { body: { name, triggerKeywords, isActive: false } });
    onDone();
  };
  return (
    <Ask label="New bot" action="Create" button="primary" submit={submit}>
      <TextField label="Name" name="name" required minLength={2} maxLength={200} />
      <TextField label="Keywords" name="keywords" hint="With commas between. It begins inactive." />
    </Ask>
  );
};

const Verbs = ({ bot, onDone }: { bot: BotSummary; onDone: () => void }) => {
  const params = { path: { botId: bot.id } };
  const toggle = async () => {
    await api.PATCH('/v1/bots/{botId}', { params, body: { isActive: !bot.isActive } });
    toast(bot.isActive ? 'The bot is inactive' : 'The bot is active');
    onDone();
  };
  const remove = async () => {
    await api.DELETE('/v1/bots/{botId}', { params });
    toast('The bot was deleted');
    onDone();
  };
  const verb = bot.isActive ? 'Deactivate' : 'Activate';
  return (
    <span className="verbs">
      <Ask label={verb} title={`${verb} ${bot.name}`} button="quiet" submit={toggle}>
        <p>{bot.isActive ? 'Its waiting runs end.' : 'It answers messages that start it.'}</p>
      </Ask>
      <VerbMenu
        label={`More to do with ${bot.name}`}
        verbs={[
          {
            label: 'Delete',
            title: `Delete ${bot.name}`,
            tone: 'danger',
            submit: remove,
            ask: <p>Its waiting runs end. This cannot be undone.</p>,
          },
        ]}
      />
    </span>
  );
};

/** The bots of the account. */
export const Bots = () => {
  const mayWrite = useScope('bots:write');
  const cache = useQueryClient();
  const list = useRows(LIST_KEY, readBots);
  const again = () => void cache.invalidateQueries({ queryKey: LIST_KEY });
  const verbs: Column<BotSummary> = {
    id: 'verbs',
    header: '',
    align: 'end',
    cell: (bot) => <Verbs bot={bot} onDone={again} />,
  };
  return (
    <Page
      title="Bots"
      lead="Automatic replies: a trigger on inbound messages, and a graph of nodes."
      actions={mayWrite && <Create onDone={again} />}
    >
      <Table
        label="Bots"
        columns={mayWrite ? [...columns, verbs] : columns}
        rowId={({ id }) => id}
        empty={
          <Empty title="No bots yet">
            A bot answers messages of customers by itself. Make one with a name and the words that
            start it; its graph comes next.
          </Empty>
        }
        {...list}
      />
    </Page>
  );
};
