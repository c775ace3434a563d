import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { FormDialog } from './dialog.tsx';

/** A button that asks for what it needs in a dialog, and then does its work. */
export const Ask = ({
  label,
  title = label,
  action = label,
  tone = 'primary',
  button = 'plain',
  submit,
  children,
}: {
  /** The words of the button. */
  label: string;
  title?: string;
  /** The verb in the dialog. */
  action?: string;
  tone?: 'primary' | 'danger';
  button?: 'plain' | 'primary' | 'quiet' | 'danger';
  submit: (form: FormData) => Promise<unknown>;
  children: ReactNode;
}) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button tone={button} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <FormDialog
        title={title}
        action={action}
        tone={tone}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        submit={submit}
      >
        {children}
      </FormDialog>
    </>
  );
};

/** The trimmed text of a field; undefined where nothing was entered. */
export const textIn = (form: FormData, name: string): string | undefined =>
  String(form.get(name) ?? '').trim() || undefined;

/** A whole number; null where nothing was entered. */
export const countIn = (form: FormData, name: string): number | null => {
  const text = textIn(form, name);
  return text === undefined ? null : Number(text);
};
