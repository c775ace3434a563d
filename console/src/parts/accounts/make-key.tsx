import { useState } from 'react';
import { keyScopes, readingScopes } from '../../generated/tables.ts';
import type { Session } from '../../session/api.ts';
import { useSession } from '../../session/session.tsx';
import { Ask, countIn, textIn } from '../../ui/ask.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField, TextArea, TextField } from '../../ui/field.tsx';
import { momentOf } from '../../ui/times.ts';
import { Id } from '../../ui/value.tsx';
import './accounts.css';
import { makeKey } from './read.ts';

const bodyIn = (form: FormData) => {
  const rateLimit = countIn(form, 'rateLimit');
  const expiresAt = textIn(form, 'expiresAt');
  const origins = (textIn(form, 'origins') ?? '').split(/\s+/).filter(Boolean);
  const chosen = keyScopes.filter((scope) => form.get(scope) !== null);
  return {
    name: String(form.get('name')),
    ...(rateLimit !== null && { rateLimit }),
    ...(expiresAt !== undefined && { expiresAt: momentOf(expiresAt) }),
    ...(origins.length > 0 && { allowedOrigins: origins }),
    ...(chosen.length > 0 && { scopes: chosen }),
  };
};

/** The scopes that the viewer may give: a person gives no more than he has himself. */
const scopesOf = (session: Session): readonly string[] => {
  if (session.kind === 'administrator') return keyScopes;
  const { scopes, person } = session;
  return keyScopes.filter(
    (scope) =>
      (scopes?.includes(scope) ?? true) && (person?.seesContents || !readingScopes.includes(scope)),
  );
};

/** Makes a key of an account, or of the viewer's own, and shows it once. */
export const MakeKey = ({
  accountId,
  onDone,
}: {
  accountId: string | undefined;
  onDone: () => void;
}) => {
  const { session } = useSession();
  const [made, setMade] = useState<string>();
  const submit = async (form: FormData) => {
    setMade(await makeKey(accountId, bodyIn(form)));
    onDone();
  };
  return (
    <>
      <Ask label="New key" action="Make the key" button="primary" submit={submit}>
        <TextField label="Name" name="name" required maxLength={200} />
        <fieldset className="scopes">
          <legend>Scopes</legend>
          <p className="muted small">None chosen: the key may do all of this.</p>
          {scopesOf(session).map((scope) => (
            <CheckField key={scope} label={scope} name={scope} />
          ))}
        </fieldset>
        {accountId !== undefined && (
          <TextField
            label="Requests a minute"
            name="rateLimit"
            type="number"
            min={1}
            step={1}
            placeholder="as the service sets it"
          />
        )}
        <TextField
          label="Expires"
          name="expiresAt"
          type="datetime-local"
          hint="In the time zone of this page. Empty: never."
        />
        <TextArea
          label="Allowed origins"
          name="origins"
          rows={2}
          placeholder="https://shop.example"
          hint="One on each line. Only pages of these may use the key; empty: no restriction."
        />
      </Ask>
      <Dialog title="The key" isOpen={made !== undefined} onClose={() => setMade(undefined)}>
        <p>Copy it now: it is shown only here.</p>
        {made !== undefined && <Id value={made} />}
      </Dialog>
    </>
  );
};
