import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useScope, useSession } from '../../session/session.tsx';
import { Ask, textIn } from '../../ui/ask.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { ProblemNote } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { Time, Words } from '../../ui/value.tsx';
import { addNote, assign, type Conversation, readAssignees, readNotes, setLabels } from './read.ts';

interface Props {
  thread: Conversation;
  onDone: () => void;
}

/** Gives the conversation to a colleague. */
const Give = ({ thread, onDone }: Props) => {
  const { data = [] } = useQuery({
    queryKey: ['assignees'],
    queryFn: ({ signal }) => readAssignees(signal),
  });
  const options = data.map(({ id, name }) => ({ value: id, label: name ?? id }));
  return (
    <Ask
      label="Assign"
      title="Who looks after it"
      button="quiet"
      submit={async (form) => {
        await assign(thread, textIn(form, 'person') ?? null);
        onDone();
      }}
    >
      <SelectField
        label="Person"
        name="person"
        defaultValue={thread.assigned?.id ?? ''}
        options={[{ value: '', label: 'Nobody' }, ...options]}
      />
    </Ask>
  );
};

/** Who has it, and by whose doing. */
const holderOf = ({ assigned, assignedBy }: Conversation, viewerId: string): string => {
  if (assigned === null) return 'Nobody has taken it';
  const isMine = assigned.id === viewerId;
  const name = assigned.name ?? 'a person';
  if (assignedBy === null)
    return isMine ? 'You have it' : `${assigned.name ?? 'A person'} has taken it`;
  const by = assignedBy.id === viewerId ? 'You have' : `${assignedBy.name ?? 'A person'} has`;
  return `${by} given it to ${isMine ? 'you' : name}`;
};

const Assignment = ({ thread, onDone }: Props) => {
  const { session } = useSession();
  const mayWrite = useScope('conversations:write');
  const isPerson = session.kind === 'key' && session.person !== undefined;
  const { assigned } = thread;
  const isMine = assigned?.id === session.id;
  const change = (personId: string | null) =>
    assign(thread, personId).then(onDone, (problem: Error) =>
      toast(`Not assigned: ${problem.message}`),
    );
  return (
    <span className="row">
      <Words text={holderOf(thread, session.id)} />
      {mayWrite && isPerson && !isMine && (
        <Button tone="quiet" onClick={() => void change(session.id)}>
          Take it
        </Button>
      )}
      {mayWrite && assigned !== null && (
        <Button tone="quiet" onClick={() => void change(null)}>
          Leave it
        </Button>
      )}
      {mayWrite && <Give thread={thread} onDone={onDone} />}
    </span>
  );
};

const Labels = ({ thread, onDone }: Props) => {
  const mayWrite = useScope('conversations:write');
  return (
    <span className="row">
      {thread.labels.map((label) => (
        <Badge key={label}>{label}</Badge>
      ))}
      {mayWrite && (
        <Ask
          label="Labels"
          title="Labels of this conversation"
          action="Save"
          button="quiet"
          submit={async (form) => {
            const words = (textIn(form, 'labels') ?? '').split(',');
            await setLabels(
              thread,
              words.map((word) => word.trim()).filter((word) => word !== ''),
            );
            onDone();
          }}
        >
          <TextField
            label="Labels"
            name="labels"
            defaultValue={thread.labels.join(', ')}
            hint="Separated by commas. Nobody but you and your colleagues sees them."
          />
        </Ask>
      )}
    </span>
  );
};

const Notes = ({ thread }: { thread: Conversation }) => {
  const mayWrite = useScope('conversations:write');
  const cache = useQueryClient();
  const { data = [], error } = useQuery({
    queryKey: ['notes', thread.id],
    queryFn: ({ signal }) => readNotes(thread, signal),
  });
  return (
    <details>
      <summary>Notes{data.length > 0 && ` (${data.length})`}</summary>
      {error !== null && <ProblemNote problem={error} />}
      <ul className="note-list">
        {data.map(({ id, text, by, createdAt }) => (
          <li key={id}>
            <Words text={text ?? 'erased'} />{' '}
            <span className="muted small">
              {by?.name ?? 'a key'}, <Time at={createdAt} form="ago" />
            </span>
          </li>
        ))}
      </ul>
      {mayWrite && (
        <Ask
          label="Add a note"
          title="A note for your colleagues"
          action="Add"
          submit={async (form) => {
            await addNote(thread, textIn(form, 'text') ?? '');
            void cache.invalidateQueries({ queryKey: ['notes'] });
          }}
        >
          <TextArea label="Note" name="text" required maxLength={4000} rows={4} />
          <p className="muted small">The customer does not see it.</p>
        </Ask>
      )}
    </details>
  );
};

/** Who looks after a conversation, its labels and its notes. */
export const CareBar = ({ thread, onDone }: Props) => (
  <div className="care">
    <div className="care-line">
      <Assignment thread={thread} onDone={onDone} />
      <Labels thread={thread} onDone={onDone} />
    </div>
    <Notes thread={thread} />
  </div>
);
