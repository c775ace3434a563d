import { useQuery } from '@tanstack/react-query';
import { useScope } from '../../session/session.tsx';
import { Ask } from '../../ui/ask.tsx';
import { Badge } from '../../ui/badge.tsx';
import { TextField } from '../../ui/field.tsx';
import { localOf, momentOf } from '../../ui/times.ts';
import { toast } from '../../ui/toast.tsx';
import { Words } from '../../ui/value.tsx';
import { type Health, readHealth, recoverFailed, type Webhook } from './read.ts';

const LOOK_AGAIN_MS = 10_000;

const useHealth = (id: string): Health | undefined =>
  useQuery({
    queryKey: ['deliveries', id, 'health'],
    queryFn: ({ signal }) => readHealth(id, signal),
    refetchInterval: LOOK_AGAIN_MS,
  }).data;

/** Red while its newest deliveries fail. */
export const HealthBadge = ({ webhook: { id, state } }: { webhook: Webhook }) => {
  const health = useHealth(id);
  if (state === 'disabled') return <Badge tone="bad">disabled</Badge>;
  if (!health || health.count === 0) return <Badge>no delivery yet</Badge>;
  if (health.failing === 0) return <Badge tone="good">delivering</Badge>;
  return (
    <span className="row">
      <Badge tone="bad">failing</Badge>
      <span className="muted small">{health.answer}</span>
    </span>
  );
};

const DAY_MS = 86_400_000;

const Recover = ({ id, onDone }: { id: string; onDone: () => void }) => {
  const submit = async (form: FormData) => {
    const since = momentOf(String(form.get('since')));
    const count = await recoverFailed(id, since);
    toast(count === 1 ? 'One delivery is sent again' : `${count} deliveries are sent again`);
    onDone();
  };
  return (
    <Ask
      label="Recover what failed"
      title="Deliver once more what failed"
      action="Send again"
      submit={submit}
    >
      <p>What waits is tried again by itself. This is for what is tried no more.</p>
      <TextField
        label="Failed since"
        name="since"
        type="datetime-local"
        required
        defaultValue={localOf(Date.now() - DAY_MS)}
      />
    </Ask>
  );
};

/** What is wrong with its newest deliveries, and how to make good for it. */
export const HealthNote = ({ webhook, onDone }: { webhook: Webhook; onDone: () => void }) => {
  const mayWrite = useScope('webhooks:write');
  const health = useHealth(webhook.id);
  if (!health || health.failing === 0 || webhook.state === 'disabled') return null;
  return (
    <div className="note note-bad note-row" role="status">
      <div>
        <strong>
          {health.failing} of the newest {health.count} deliveries failed.
        </strong>{' '}
        The last answer: <Words text={health.answer ?? 'none'} />. Mend your server; what waits is
        tried again by itself.
      </div>
      {mayWrite && <Recover id={webhook.id} onDone={onDone} />}
    </div>
  );
};
