import { Menu, MenuButton, MenuItem, MenuProvider } from '@ariakit/react';
import { type ReactNode, useState } from 'react';
import './popover.css';
import { FormDialog } from './dialog.tsx';
import { Icon } from './icon.tsx';

/** Something that can be done, and what is asked before. */
export interface Verb {
  label: string;
  title?: string;
  /** The verb in the dialog. */
  action?: string;
  tone?: 'primary' | 'danger';
  submit: (form: FormData) => Promise<unknown>;
  ask: ReactNode;
}

/** What is done seldom, behind one button: a menu, and a dialog for each entry. */
export const VerbMenu = ({ label, verbs }: { label: string; verbs: readonly Verb[] }) => {
  const [open, setOpen] = useState<string>();
  return (
    <>
      <MenuProvider placement="bottom-end">
        <MenuButton className="button button-quiet" aria-label={label}>
          <Icon name="more" />
        </MenuButton>
        <Menu className="popover" gutter={4} portal>
          {verbs.map(({ label: words, tone }) => (
            <MenuItem
              key={words}
              className={`popover-item ${tone === 'danger' ? 'popover-danger' : ''}`}
              onClick={() => setOpen(words)}
            >
              {words}
            </MenuItem>
          ))}
        </Menu>
      </MenuProvider>
      {verbs.map(
        ({ label: words, title = words, action = words, tone = 'primary', submit, ask }) => (
          <FormDialog
            key={words}
            title={title}
            action={action}
            tone={tone}
            isOpen={open === words}
            onClose={() => setOpen(undefined)}
            submit={submit}
          >
            {ask}
          </FormDialog>
        ),
      )}
    </>
  );
};
