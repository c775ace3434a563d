import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useScope } from '../../session/session.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { QueryState } from '../../ui/states.tsx';
import { Id, Time, Words } from '../../ui/value.tsx';
import { Deliveries } from './deliveries.tsx';
import { HealthBadge, HealthNote } from './health.tsx';
import { LIST_KEY, readWebhook, reasons, type Webhook, webhookKey } from './read.ts';
import { WebhookVerbs } from './verbs.tsx';
import './webhooks.css';

const Known = ({ webhook }: { webhook: Webhook }) => (
  <Card title="Webhook">
    <Facts
      rows={[
        ['State', <HealthBadge key="state" webhook={webhook} />],
        ['Description', webhook.description && <Words text={webhook.description} />],
        [
          'Events',
          <span key="events" className="row">
            {webhook.events.map((event) => (
              <span key={event}>{event}</span>
            ))}
          </span>,
        ],
        ['Created', <Time key="created" at={webhook.createdAt} />],
        ['Changed', <Time key="updated" at={webhook.updatedAt} />],
        [
          'Old secret',
          webhook.previousSecretUntil && (
            <span>
              signs too until <Time at={webhook.previousSecretUntil} />
            </span>
          ),
        ],
        [
          'Replay',
          webhook.replay && (
            <span>
              under way, from <Time at={webhook.replay.since} />
            </span>
          ),
        ],
        ['Id', <Id key="id" value={webhook.id} />],
      ]}
    />
  </Card>
);

/** One webhook: what it asks for, and how its deliveries went. */
export const WebhookPage = () => {
  const { id } = useParams({ strict: false }) as { id: string };
  const mayWrite = useScope('webhooks:write');
  const cache = useQueryClient();
  const query = useQuery({
    queryKey: webhookKey(id),
    queryFn: ({ signal }) => readWebhook(id, signal),
  });
  const { data } = query;
  const again = () => {
    void cache.invalidateQueries({ queryKey: webhookKey(id) });
    void cache.invalidateQueries({ queryKey: LIST_KEY, exact: true });
    void cache.invalidateQueries({ queryKey: ['deliveries', id] });
  };
  return (
    <Page
      title="Webhook"
      lead={data && <Words text={data.url} />}
      actions={data && mayWrite && <WebhookVerbs webhook={data} onDone={again} />}
    >
      <QueryState query={query} />
      {data?.disabledReason && (
        <div className="note note-bad">
          <strong>Nothing is delivered.</strong> {reasons[data.disabledReason]} Enable it, and it
          gets what waits and what is new; ask for a replay of the time between.
        </div>
      )}
      {data && <HealthNote webhook={data} onDone={again} />}
      {data && <Known webhook={data} />}
      {data && (
        <Card title="Deliveries">
          <Deliveries webhookId={id} />
        </Card>
      )}
    </Page>
  );
};
