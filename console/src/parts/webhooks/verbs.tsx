import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { Ask } from '../../ui/ask.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { ProblemNote } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { WebhookFields, webhookIn } from './fields.tsx';
import { LIST_KEY, type Webhook } from './read.ts';
import { Secret } from './secret.tsx';

interface VerbProps {
  webhook: Webhook;
  onDone: () => void;
}

const Change = ({ webhook, onDone }: VerbProps) => {
  const params = { path: { webhookId: webhook.id } };
  const submit = async (form: FormData) => {
    await api.PATCH('/v1/webhooks/{webhookId}', { params, body: webhookIn(form) });
    onDone();
  };
  return (
    <Ask label="Change" title="Change the webhook" action="Save" submit={submit}>
      <WebhookFields webhook={webhook} />
    </Ask>
  );
};

/** Pressed without a question: they change nothing that cannot be changed back. */
const Direct = ({ webhook, onDone }: VerbProps) => {
  const [busy, setBusy] = useState<string>();
  const [problem, setProblem] = useState<unknown>();
  const params = { path: { webhookId: webhook.id } };
  const run = async (name: string, work: () => Promise<unknown>) => {
    setBusy(name);
    setProblem(undefined);
    try {
      await work();
      onDone();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(undefined);
    }
  };
  const test = async () => {
    await api.POST('/v1/webhooks/{webhookId}/test', { params });
    toast('A test is on its way');
  };
  const isActive = webhook.state === 'active';
  const state = isActive ? 'disabled' : 'active';
  const turn = () => api.PATCH('/v1/webhooks/{webhookId}', { params, body: { state } });
  return (
    <>
      {isActive && (
        <Button tone="primary" isBusy={busy === 'test'} onClick={() => void run('test', test)}>
          Send a test
        </Button>
      )}
      <Button
        tone={isActive ? 'plain' : 'primary'}
        isBusy={busy === 'turn'}
        onClick={() => void run('turn', turn)}
      >
        {isActive ? 'Disable' : 'Enable'}
      </Button>
      {problem !== undefined && <ProblemNote problem={problem} />}
    </>
  );
};

const Replay = ({ webhook, onDone }: VerbProps) => {
  const params = { path: { webhookId: webhook.id } };
  const submit = async (form: FormData) => {
    const since = new Date(String(form.get('since'))).toISOString();
    await api.POST('/v1/webhooks/{webhookId}/replay', { params, body: { since } });
    toast('The replay has begun');
    onDone();
  };
  return (
    <Ask
      label="Replay"
      title="Deliver all events since a time once more"
      action="Replay"
      submit={submit}
    >
      <TextField
        label="Since"
        name="since"
        type="datetime-local"
        step={1}
        required
        hint="In your time zone. They come beside the new events, with the ids they had."
      />
    </Ask>
  );
};

const Rotate = ({ webhook, onDone }: VerbProps) => {
  const [secret, setSecret] = useState<string>();
  const submit = async () => {
    const params = { path: { webhookId: webhook.id } };
    const made = await bodyOf(api.POST('/v1/webhooks/{webhookId}/rotate', { params }));
    setSecret(made.secret);
    onDone();
  };
  return (
    <>
      <Ask label="New secret" title="Replace the secret" action="Replace" submit={submit}>
        <p>For 24 hours each delivery is signed with both, the old secret and the new one.</p>
      </Ask>
      <Secret secret={secret} onClose={() => setSecret(undefined)} />
    </>
  );
};

const Delete = ({ webhook }: { webhook: Webhook }) => {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const submit = async () => {
    const params = { path: { webhookId: webhook.id } };
    await api.DELETE('/v1/webhooks/{webhookId}', { params });
    toast('The webhook was deleted');
    await navigate({ to: '/webhooks' } as never);
    await cache.invalidateQueries({ queryKey: LIST_KEY, exact: true });
  };
  return (
    <Ask
      label="Delete"
      title="Delete the webhook"
      action="Delete for good"
      tone="danger"
      submit={submit}
    >
      <p>Nothing more is delivered to it, and its deliveries are forgotten. This is final.</p>
    </Ask>
  );
};

/** What can be done with a webhook. */
export const WebhookVerbs = (props: VerbProps) => (
  <>
    <Direct {...props} />
    {props.webhook.state === 'active' && <Replay {...props} />}
    <Change {...props} />
    <Rotate {...props} />
    <Delete webhook={props.webhook} />
  </>
);
