import { Menu, MenuButton, MenuItem, MenuProvider } from '@ariakit/react';
import { type FormEvent, useRef, useState } from 'react';
import { useOnce } from '../../api/idempotency.ts';
import { useScope } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ProblemNote } from '../../ui/states.tsx';
import '../../ui/popover.css';
import { QuickReplies } from './quick-replies.tsx';
import {
  type Conversation,
  type Message,
  reply,
  showTyping,
  type Uploaded,
  upload,
} from './read.ts';

const draftKey = ({ id }: Conversation) => `waybill-draft ${id}`;

/** WhatsApp shows it for 25 seconds. */
const TYPING_MS = 20_000;

/** Tells the customer that somebody writes, once in a while, where his last message is known. */
const useTyping = (newest: Message | undefined) => {
  const told = useRef(0);
  const messageId = newest?.direction === 'inbound' ? newest.metaMessageId : null;
  return () => {
    if (messageId === null || Date.now() - told.current < TYPING_MS) return;
    told.current = Date.now();
    // The reply matters, not that it is announced.
    showTyping(messageId).catch(() => undefined);
  };
};

const emoji = [...'😀😊😉😍🙂😅😂🤔😢😮🙏👍👎👏🙌💪👋❤🎉✨🔥✅❌⚠📦🚚🏠📍📞💳🎁🛒⏰📅☕🌟'];

const Emoji = ({ onPick }: { onPick: (one: string) => void }) => (
  <MenuProvider>
    <MenuButton className="button button-quiet" aria-label="Insert an emoji">
      <Icon name="smile" />
    </MenuButton>
    <Menu className="popover emoji" gutter={4} aria-label="Emoji">
      {emoji.map((one) => (
        <MenuItem key={one} className="popover-item" onClick={() => onPick(one)}>
          {one}
        </MenuItem>
      ))}
    </Menu>
  </MenuProvider>
);

/** Writes into the open window, with a file or without. What was typed stays until it was sent. */
export const Reply = ({
  thread,
  newest,
  onSent,
}: {
  thread: Conversation;
  newest: Message | undefined;
  onSent: () => void;
}) => {
  const [problem, setProblem] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const [text, setText] = useState(() => sessionStorage.getItem(draftKey(thread)) ?? '');
  const [file, setFile] = useState<Uploaded>();
  const mayUpload = useScope('media:write');
  const area = useRef<HTMLTextAreaElement>(null);
  const typing = useTyping(newest);
  const once = useOnce();
  const write = (next: string) => {
    setText(next);
    sessionStorage.setItem(draftKey(thread), next);
  };
  const insert = (words: string) => {
    const at = area.current?.selectionStart ?? text.length;
    write(text.slice(0, at) + words + text.slice(at));
    area.current?.focus();
  };
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  const attach = (chosen: File | undefined) => {
    if (chosen) void attempt(async () => setFile(await upload(thread, chosen)));
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if ((text.trim() === '' && !file) || isBusy) return;
    void attempt(async () => {
      const content = { text: text.trim(), file };
      await once(content, (key) => reply(thread, content, key));
      // What was typed meanwhile stays, also where the viewer has gone to another thread.
      const typed = sessionStorage.getItem(draftKey(thread)) ?? '';
      if (typed.startsWith(text)) write(typed.slice(text.length).trimStart());
      setFile((held) => (held === file ? undefined : held));
      onSent();
    });
  };
  return (
    <form className="reply" onSubmit={submit}>
      {problem !== undefined && <ProblemNote problem={problem} />}
      <div className="row reply-tools">
        <QuickReplies
          text={text}
          onPick={(picked) => {
            write(picked);
            area.current?.focus();
          }}
        />
        <Emoji onPick={insert} />
        {mayUpload && (
          <label className="button button-quiet reply-file">
            <Icon name="paperclip" /> Add a file
            <input
              type="file"
              disabled={isBusy}
              onChange={({ target }) => {
                attach(target.files?.[0]);
                target.value = '';
              }}
            />
          </label>
        )}
        {file && (
          <span className="chip">
            {file.name}
            <button
              type="button"
              onClick={() => setFile(undefined)}
              aria-label="Leave the file out"
            >
              <Icon name="close" size={14} />
            </button>
          </span>
        )}
      </div>
      <textarea
        ref={area}
        name="text"
        aria-label="Reply"
        required={!file}
        maxLength={file ? 1024 : 4096}
        rows={2}
        value={text}
        onChange={({ target }) => {
          write(target.value);
          typing();
        }}
        onKeyDown={(event) => {
          const sends = event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing;
          if (!sends) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
      <Button type="submit" tone="primary" isBusy={isBusy}>
        Send
      </Button>
      <span className="muted small reply-hint">
        Enter sends, Shift and Enter begin a new line. The customer sees that you are typing.
      </span>
    </form>
  );
};
