import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { keyScopes } from '../../generated/tables.ts';
import { Ask, countIn, textIn } from '../../ui/ask.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField, TextArea, TextField } from '../../ui/field.tsx';
import { Id } from '../../ui/value.tsx';

const bodyIn = (form: FormData) => {
  const rateLimit = countIn(form, 'rateLimit');
  const expiresAt = textIn(form, 'expiresAt');
  const origins = (textIn(form, 'origins') ?? '').split(/\s+/).filter(Boolean);
  const chosen = keyScopes.filter((scope) => form.get(scope) !== null);
  return {
    name: String(form.get('name')),
    ...(rateLimit !== null && { rateLimit }),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    ...(origins.length > 0 && { allowedOrigins: origins }),
    ...(chosen.length > 0 && { scopes: chosen }),
  };
};

/** Makes a key and shows it, once. */
export const MakeKey = ({ accountId, onDone }: { accountId: string; onDone: () => void }) => {
  const [made, setMade] = useState<string>();
  const submit = async (form: FormData) => {
    const params = { path: { id: accountId } };
    const { key } = await bodyOf(
      api.POST('/admin/v1/accounts/{id}/keys', { params, body: bodyIn(form) }),
    );
    setMade(key);
    onDone();
  };
  return (
    <>
      <Ask label="New key" action="Make the key" button="primary" submit={submit}>
        <TextField label="Name" name="name" required maxLength={200} />
        <fieldset className="scopes">
          <legend>Scopes</legend>
          <p className="muted small">None chosen: the key may do everything of the account.</p>
          {keyScopes.map((scope) => (
            <CheckField key={scope} label={scope} name={scope} />
          ))}
        </fieldset>
        <TextField
          label="Requests a minute"
          name="rateLimit"
          type="number"
          min={1}
          step={1}
          placeholder="as the service sets it"
        />
        <TextField
          label="Expires"
          name="expiresAt"
          type="datetime-local"
          hint="In your time zone. Empty: never."
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
