import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { TextField } from '../../ui/field.tsx';
import { momentOf } from '../../ui/times.ts';
import { toast } from '../../ui/toast.tsx';
import { type Verb, VerbMenu } from '../../ui/verbs.tsx';
import { WebhookFields, webhookIn } from './fields.tsx';
import { LIST_KEY, type Webhook } from './read.ts';
import { Secret } from './secret.tsx';

interface VerbProps {
  webhook: Webhook;
  onDone: () => void;
}

const pathOf = ({ id }: Webhook) => ({ path: { webhookId: id } });

/** A call to see whether the URL answers; for a disabled one, the way back. */
const First = ({ webhook, onDone }: VerbProps) => {
  const params = pathOf(webhook);
  const isActive = webhook.state === 'active';
  const run = async () => {
    if (isActive) await api.POST('/v1/webhooks/{webhookId}/test', { params });
    else await api.PATCH('/v1/webhooks/{webhookId}', { params, body: { state: 'active' } });
    toast(isActive ? 'A test is on its way' : 'The webhook is active');
    onDone();
  };
  return (
    <ActButton tone="primary" act={run}>
      {isActive ? 'Send a test' : 'Enable'}
    </ActButton>
  );
};

const changeOf = ({ webhook, onDone }: VerbProps): Verb => ({
  label: 'Change',
  title: 'Change the webhook',
  action: 'Save',
  async submit(form) {
    const params = pathOf(webhook);
    await api.PATCH('/v1/webhooks/{webhookId}', { params, body: webhookIn(form) });
    onDone();
  },
  ask: <WebhookFields webhook={webhook} />,
});

const replayOf = ({ webhook, onDone }: VerbProps): Verb => ({
  label: 'Replay',
  title: 'Deliver all events since a time once more',
  async submit(form) {
    const since = momentOf(String(form.get('since')));
    const params = pathOf(webhook);
    await api.POST('/v1/webhooks/{webhookId}/replay', { params, body: { since } });
    toast('The replay has begun');
    onDone();
  },
  ask: (
    <TextField
      label="Since"
      name="since"
      type="datetime-local"
      step={1}
      required
      hint="In the time zone of this page. They come beside the new events, with the ids they had."
    />
  ),
});

const disableOf = ({ webhook, onDone }: VerbProps): Verb => ({
  label: 'Disable',
  title: 'Disable the webhook',
  async submit() {
    const params = pathOf(webhook);
    await api.PATCH('/v1/webhooks/{webhookId}', { params, body: { state: 'disabled' } });
    onDone();
  },
  ask: <p>Nothing is delivered until it is enabled again.</p>,
});

const deleteOf = (webhook: Webhook, leave: () => Promise<void>): Verb => ({
  label: 'Delete',
  title: 'Delete the webhook',
  action: 'Delete for good',
  tone: 'danger',
  async submit() {
    await api.DELETE('/v1/webhooks/{webhookId}', { params: pathOf(webhook) });
    toast('The webhook was deleted');
    await leave();
  },
  ask: <p>Nothing more is delivered to it, and its deliveries are forgotten. This is final.</p>,
});

/** What can be done with a webhook: the usual as a button, the rest in a menu. */
export const WebhookVerbs = (props: VerbProps) => {
  const { webhook, onDone } = props;
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [secret, setSecret] = useState<string>();
  const rotate: Verb = {
    label: 'New secret',
    title: 'Replace the secret',
    action: 'Replace',
    async submit() {
      const params = pathOf(webhook);
      const made = await bodyOf(api.POST('/v1/webhooks/{webhookId}/rotate', { params }));
      setSecret(made.secret);
      onDone();
    },
    ask: <p>For 24 hours each delivery is signed with both, the old secret and the new one.</p>,
  };
  const leave = async () => {
    await navigate({ to: '/webhooks' } as never);
    await cache.invalidateQueries({ queryKey: LIST_KEY, exact: true });
  };
  const ofActive = webhook.state === 'active' ? [replayOf(props), disableOf(props)] : [];
  return (
    <>
      <First {...props} />
      <VerbMenu
        label="More to do with the webhook"
        verbs={[changeOf(props), rotate, ...ofActive, deleteOf(webhook, leave)]}
      />
      <Secret secret={secret} onClose={() => setSecret(undefined)} />
    </>
  );
};
