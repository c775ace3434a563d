import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useScope } from '../../session/session.tsx';
import { Ask, textIn } from '../../ui/ask.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { addQuickReply, readQuickReplies } from './read.ts';

/** Texts that are sent often: picked into the reply, and kept from it. */
export const QuickReplies = ({
  text,
  onPick,
}: {
  text: string;
  onPick: (text: string) => void;
}) => {
  const cache = useQueryClient();
  const mayWrite = useScope('conversations:write');
  const { data = [] } = useQuery({
    queryKey: ['quick-replies'],
    queryFn: ({ signal }) => readQuickReplies(signal),
  });
  return (
    <div className="row quick-replies">
      {data.length > 0 && (
        <select
          aria-label="Quick reply"
          value=""
          onChange={({ target }) => {
            const picked = data.find(({ id }) => id === target.value);
            if (picked) onPick(picked.text);
          }}
        >
          <option value="">Quick reply…</option>
          {data.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      {mayWrite && (
        <Ask
          label="Keep as a quick reply"
          title="A text that you send often"
          action="Keep"
          button="quiet"
          submit={async (form) => {
            await addQuickReply(textIn(form, 'name') ?? '', textIn(form, 'text') ?? '');
            void cache.invalidateQueries({ queryKey: ['quick-replies'] });
          }}
        >
          <TextField label="Name" name="name" required maxLength={50} />
          <TextArea
            label="Text"
            name="text"
            required
            maxLength={4096}
            defaultValue={text}
            rows={4}
          />
        </Ask>
      )}
    </div>
  );
};
