import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { ProblemNote } from './states.tsx';
import { Words } from './value.tsx';

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

const FIELD = 'form :is(input:not([type="hidden"]), select, textarea)';

/**
 * The browser's own modal dialog: it keeps the focus, closes by Escape, and gives the focus back. The
 * keyboard begins in its first field.
 */
export const Dialog = ({ title, isOpen, onClose, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (!isOpen) {
      dialog.current?.close();
      return;
    }
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>(FIELD)?.focus();
  }, [isOpen]);
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby={id}>
      {isOpen && (
        <>
          <header className="dialog-head">
            <h2 id={id}>
              <Words text={title} />
            </h2>
            <Button tone="quiet" onClick={onClose} aria-label="Close">
              <Icon name="close" />
            </Button>
          </header>
          {children}
        </>
      )}
    </dialog>
  );
};

/**
 * A dialog that asks for values, does the work, and closes when it is done. A refusal stays in it,
 * with everything that was typed.
 */
export const FormDialog = ({
  action,
  tone = 'primary',
  submit,
  children,
  ...dialog
}: DialogProps & {
  /** The verb of the button. */
  action: string;
  tone?: 'primary' | 'danger';
  submit: (form: FormData) => Promise<unknown>;
}) => {
  const [problem, setProblem] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const { onClose, isOpen } = dialog;
  useEffect(() => {
    if (isOpen) setProblem(undefined);
  }, [isOpen]);
  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await submit(new FormData(event.currentTarget));
      onClose();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog {...dialog}>
      <form className="dialog-form" onSubmit={onSubmit}>
        {children}
        {problem !== undefined && <ProblemNote problem={problem} />}
        <footer className="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone={tone} isBusy={isBusy}>
            {action}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
};
