import { webhookTopics } from '../../generated/tables.ts';
import { textIn } from '../../ui/ask.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import type { Webhook } from './read.ts';

type EventName = Webhook['events'][number];

const events = Object.entries(webhookTopics).map(
  ([name, { when }]) => [name as EventName, when.replaceAll('`', '')] as const,
);

/** Thrown into the dialog before a request that would be refused. */
const noEvent = new Error('Choose at least one event');

export const webhookIn = (form: FormData) => {
  const chosen = events.map(([name]) => name).filter((name) => form.get(name) !== null);
  if (chosen.length === 0) throw noEvent;
  return {
    url: textIn(form, 'url') ?? '',
    description: textIn(form, 'description') ?? null,
    events: chosen,
  };
};

/** URL, purpose and events of a webhook. */
export const WebhookFields = ({ webhook }: { webhook?: Webhook }) => (
  <>
    <TextField
      label="URL"
      name="url"
      type="url"
      required
      maxLength={2048}
      defaultValue={webhook?.url}
      placeholder="https://shop.example/hooks/waybill"
      hint="https, on port 443 or 8443, and no private address."
    />
    <TextField
      label="Description"
      name="description"
      maxLength={500}
      defaultValue={webhook?.description ?? ''}
    />
    <fieldset className="events">
      <legend>Events</legend>
      {events.map(([name, words]) => (
        <CheckField
          key={name}
          name={name}
          label={`${name} – ${words}`}
          defaultChecked={webhook?.events.includes(name) ?? false}
        />
      ))}
    </fieldset>
  </>
);
