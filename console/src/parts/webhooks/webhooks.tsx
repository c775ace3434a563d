import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { useRows } from '../../api/queries.ts';
import { useScope } from '../../session/session.tsx';
import { Ask } from '../../ui/ask.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time, Words } from '../../ui/value.tsx';
import { WebhookFields, webhookIn } from './fields.tsx';
import { HealthBadge } from './health.tsx';
import { LIST_KEY, readWebhooks, type Webhook } from './read.ts';
import { Secret } from './secret.tsx';
import './webhooks.css';

const pathOf = ({ id }: Webhook) => `/webhooks/${encodeURIComponent(id)}`;

const columns: readonly Column<Webhook>[] = [
  {
    id: 'url',
    header: 'URL',
    cell: (webhook) => (
      <Link to={pathOf(webhook) as never} className="hook-url">
        <Words text={webhook.url} />
      </Link>
    ),
  },
  {
    id: 'description',
    header: 'Description',
    isMinor: true,
    cell: ({ description }) => description && <Words text={description} />,
  },
  {
    id: 'events',
    header: 'Events',
    isMinor: true,
    cell: ({ events }) => <span className="muted">{events.join(', ')}</span>,
  },
  { id: 'state', header: 'State', cell: (webhook) => <HealthBadge webhook={webhook} /> },
  {
    id: 'created',
    header: 'Created',
    isMinor: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

const Create = ({ onDone }: { onDone: () => void }) => {
  const [secret, setSecret] = useState<string>();
  const submit = async (form: FormData) => {
    const created = await bodyOf(api.POST('/v1/webhooks', { body: webhookIn(form) }));
    setSecret(created.secret);
    onDone();
  };
  return (
    <>
      <Ask label="New webhook" action="Create" button="primary" submit={submit}>
        <WebhookFields />
      </Ask>
      <Secret secret={secret} onClose={() => setSecret(undefined)} />
    </>
  );
};

/** Where the account's events are delivered. */
export const Webhooks = () => {
  const mayWrite = useScope('webhooks:write');
  const cache = useQueryClient();
  const navigate = useNavigate();
  const list = useRows(LIST_KEY, readWebhooks);
  const again = () => void cache.invalidateQueries({ queryKey: LIST_KEY });
  return (
    <Page
      title="Webhooks"
      lead="Up to 20 URLs get the events that they ask for, signed, and tried again until they answer."
      actions={mayWrite && <Create onDone={again} />}
    >
      <Table
        label="Webhooks"
        columns={columns}
        rowId={({ id }) => id}
        onOpen={(webhook) => void navigate({ to: pathOf(webhook) } as never)}
        empty={
          <Empty title="No webhook yet">
            With one, your own system hears of messages and their statuses without asking. Make one
            with the URL of your server.
          </Empty>
        }
        {...list}
      />
    </Page>
  );
};
