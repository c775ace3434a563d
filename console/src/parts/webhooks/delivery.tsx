import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client.ts';
import { useScope } from '../../session/session.tsx';
import { StateBadge } from '../../ui/badge.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { Empty, QueryState } from '../../ui/states.tsx';
import { Id, Json, Time, Words } from '../../ui/value.tsx';
import { answerOf } from './read.ts';
import { Resend } from './resend.tsx';

/** One delivery with its body. */
export const Delivery = () => {
  const { id, delivery } = useParams({ strict: false }) as { id: string; delivery: string };
  const mayWrite = useScope('webhooks:write');
  const cache = useQueryClient();
  const query = useQuery({
    queryKey: ['deliveries', id, 'one', delivery],
    queryFn: ({ signal }) => {
      const params = { path: { webhookId: id, deliveryId: delivery } };
      return bodyOf(
        api.GET('/v1/webhooks/{webhookId}/deliveries/{deliveryId}', { params, signal }),
      );
    },
  });
  const { data } = query;
  const again = () => void cache.invalidateQueries({ queryKey: ['deliveries', id] });
  return (
    <Page
      title="Delivery"
      lead={<Link to={`/webhooks/${encodeURIComponent(id)}` as never}>All of this webhook</Link>}
      actions={mayWrite && data && <Resend webhookId={id} deliveryId={delivery} onDone={again} />}
    >
      <QueryState query={query} />
      {data && (
        <div className="columns">
          <Card title="Body">
            {data.body === null ? <Empty title="No longer known" /> : <Json value={data.body} />}
          </Card>
          <Card title="Calls">
            <Facts
              rows={[
                ['Event', <code key="event">{data.event}</code>],
                ['State', <StateBadge key="state" state={data.state} />],
                ['Calls', data.attempts],
                ['Last answer', <Words key="answer" text={answerOf(data)} />],
                ['Took', data.latencyMs === null ? null : `${data.latencyMs} ms`],
                ['Last call', data.lastAttemptAt && <Time at={data.lastAttemptAt} form="full" />],
                ['Next call', data.nextAttemptAt && <Time at={data.nextAttemptAt} form="full" />],
                ['Began', <Time key="began" at={data.createdAt} form="full" />],
                ['webhook-id', <Id key="id" value={data.eventId} />],
              ]}
            />
          </Card>
        </div>
      )}
    </Page>
  );
};
