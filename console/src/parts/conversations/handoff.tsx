import { Link } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { useScope } from '../../session/session.tsx';
import { Ask, textIn } from '../../ui/ask.tsx';
import { SelectField } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';
import { Time } from '../../ui/value.tsx';
import type { Conversation } from './read.ts';
import { TimeLeft } from './window-clock.tsx';

const LENGTHS = [
  { value: '60', label: '1 hour' },
  { value: '240', label: '4 hours' },
  { value: '1440', label: '1 day' },
  { value: '10080', label: '1 week' },
];

const Take = ({ thread, onDone }: { thread: Conversation; onDone: () => void }) => {
  const submit = async (form: FormData) => {
    const params = { path: { conversationId: thread.id } };
    const minutes = Number(textIn(form, 'minutes'));
    await api.POST('/v1/conversations/{conversationId}/handoff', { params, body: { minutes } });
    toast('Bots are silent in this conversation');
    onDone();
  };
  const label = thread.handoff?.by === 'person' ? 'Keep it longer' : 'Take over';
  return (
    <Ask label={label} title="Answer this customer yourself" action="Take over" submit={submit}>
      <p>No bot answers meanwhile. What a bot waits for in this conversation ends.</p>
      <SelectField label="For" name="minutes" options={LENGTHS} defaultValue="1440" />
    </Ask>
  );
};

const GiveBack = ({ thread, onDone }: { thread: Conversation; onDone: () => void }) => {
  const submit = async () => {
    const params = { path: { conversationId: thread.id } };
    await api.DELETE('/v1/conversations/{conversationId}/handoff', { params });
    toast('Bots may answer again');
    onDone();
  };
  return (
    <Ask label="Give back" title="Give the conversation back to the bots" submit={submit}>
      <p>Bots answer what the customer writes from now on.</p>
    </Ask>
  );
};

const Holder = ({ handoff }: Pick<Conversation, 'handoff'>) => {
  if (handoff === null) return <span>Bots may answer.</span>;
  const { botId, since, until, person } = handoff;
  const who = person ? (person.name ?? 'A person') : 'A person';
  return (
    <span>
      {botId === null ? `${who} has taken it` : 'A bot handed it to a person'}{' '}
      <Time at={since} form="ago" />
      {botId !== null && (
        <>
          {' '}
          (<Link to={`/bots/${botId}` as never}>which bot</Link>)
        </>
      )}
      . Bots are silent until <Time at={until} /> <TimeLeft until={until} />
    </span>
  );
};

/** Who has a conversation: the bots, or a person until some time. */
export const HandoffBar = ({ thread, onDone }: { thread: Conversation; onDone: () => void }) => {
  const mayTake = useScope('messages:send');
  return (
    <div className="handoff">
      <Holder handoff={thread.handoff} />
      {mayTake && (
        <span className="row">
          {thread.handoff && <GiveBack thread={thread} onDone={onDone} />}
          <Take thread={thread} onDone={onDone} />
        </span>
      )}
    </div>
  );
};
