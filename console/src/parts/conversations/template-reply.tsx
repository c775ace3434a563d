import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useScope } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { ProblemNote, Skeleton } from '../../ui/states.tsx';
import { EventForm, type Given } from '../send/event-form.tsx';
import { readCatalog } from '../send/read.ts';
import { addressOf, type Conversation, type Message } from './read.ts';

/** What the thread tells of the values of a template: who it is, and the order that was spoken of last. */
const givenBy = (
  { contact, phoneNumberId }: Conversation,
  to: string,
  rows: readonly Message[],
): Given => {
  const order = rows.find(({ clientReference }) => clientReference !== null)?.clientReference;
  return {
    to: /^\d+$/.test(to) ? `+${to}` : to,
    phoneNumberId,
    values: {
      ...(contact?.name && { customerName: contact.name }),
      ...(order && { orderId: order }),
    },
  };
};

const Form = ({ given, onSent }: { given: Given; onSent: () => void }) => {
  const [event, choose] = useState<string>();
  const { data, error } = useQuery({
    queryKey: ['catalog'],
    queryFn: ({ signal }) => readCatalog(signal),
  });
  if (error) return <ProblemNote problem={error} />;
  // A code answers no question of a customer.
  const usual = data?.find(({ category }) => category !== 'AUTHENTICATION') ?? data?.[0];
  const entry = data?.find((one) => one.event === event) ?? usual;
  if (!data || !entry) return <Skeleton />;
  return (
    <div className="stack template-reply">
      <SelectField
        label="Template"
        name="event"
        value={entry.event}
        onChange={({ target }) => choose(target.value)}
        options={data.map((one) => ({ value: one.event, label: `${one.title} · ${one.group}` }))}
      />
      <EventForm key={entry.event} entry={entry} given={given} onSent={onSent} />
    </div>
  );
};

/** While the window is closed: a template, with what the thread knows filled in. */
export const TemplateReply = ({
  thread,
  rows,
  onSent,
}: {
  thread: Conversation;
  rows: readonly Message[];
  onSent: () => void;
}) => {
  const [isOpen, setOpen] = useState(false);
  const maySend = useScope('notifications:send');
  const to = addressOf(thread);
  return (
    <>
      <div className="note note-row">
        <span>
          The 24-hour window is closed: only a template can be sent until the customer writes again.
        </span>
        {maySend && to !== undefined && (
          <Button tone={isOpen ? 'plain' : 'primary'} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Not now' : 'Send a template'}
          </Button>
        )}
      </div>
      {isOpen && to !== undefined && <Form given={givenBy(thread, to, rows)} onSent={onSent} />}
    </>
  );
};
