import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client.ts';
import { useScope, useSeesContents } from '../../session/session.tsx';
import { Badge, StateBadge } from '../../ui/badge.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { Empty, QueryState } from '../../ui/states.tsx';
import { Id, Json, Time, Words } from '../../ui/value.tsx';
import { answerOf, type WebhookCall } from './read.ts';
import { Resend } from './resend.tsx';
import './webhooks.css';

/** A call, and the beginning of what it was answered. */
const Call = ({
  call: { attempt, at, statusCode, error, latencyMs, answer },
}: {
  call: WebhookCall;
}) => (
  <li>
    <div className="row">
      <strong>Call {attempt}</strong>
      <Badge tone={statusCode !== null && statusCode < 300 && statusCode >= 200 ? 'good' : 'bad'}>
        {statusCode ?? error ?? 'no answer'}
      </Badge>
      <span className="muted small">
        {latencyMs} ms, <Time at={at} form="full" />
      </span>
    </div>
    {answer && answer.body !== '' && (
      <pre className="answer">
        <Words text={answer.body ?? 'not for this role'} />
      </pre>
    )}
    {answer && (
      <details>
        <summary>Its headers</summary>
        <pre className="answer">
          <Words text={answer.head} />
        </pre>
      </details>
    )}
    {statusCode !== null && !answer && <p className="muted small">What it said is not kept.</p>}
  </li>
);

/** One delivery with its body, and what was answered. */
export const Delivery = () => {
  const { id, delivery } = useParams({ strict: false }) as { id: string; delivery: string };
  const mayWrite = useScope('webhooks:write');
  const seesContents = useSeesContents();
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
            {data.body === null ? (
              <Empty title={seesContents ? 'No longer known' : 'Not for this role'} />
            ) : (
              <Json value={data.body} />
            )}
          </Card>
          <div className="stack">
            <Card title="Answers">
              {data.calls.length === 0 && <p className="muted">It was not called yet.</p>}
              <ol className="calls">
                {data.calls.map((call) => (
                  <Call key={call.attempt} call={call} />
                ))}
              </ol>
            </Card>
            <Card title="Delivery">
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
        </div>
      )}
    </Page>
  );
};
