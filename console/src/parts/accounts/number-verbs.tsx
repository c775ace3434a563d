import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { Ask, countIn, textIn } from '../../ui/ask.tsx';
import { TextField } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';
import { numbersKey, type PhoneNumber } from './read.ts';

const useChanged = (accountId: string) => {
  const cache = useQueryClient();
  return async (words: string) => {
    toast(words);
    await Promise.all([
      cache.invalidateQueries({ queryKey: numbersKey(accountId) }),
      cache.invalidateQueries({ queryKey: ['accounts', 'readiness'] }),
    ]);
  };
};

const TokenField = ({ required = false }: { required?: boolean }) => (
  <TextField
    label="Access token"
    name="accessToken"
    type="password"
    autoComplete="off"
    required={required}
    hint="Stored encrypted, and never shown."
  />
);

/** Links a number of the provider to the account. */
export const LinkNumber = ({ accountId }: { accountId: string }) => {
  const changed = useChanged(accountId);
  const submit = async (form: FormData) => {
    const perSecond = countIn(form, 'messagesPerSecond');
    const body = {
      phoneNumberId: String(form.get('phoneNumberId')).trim(),
      wabaId: String(form.get('wabaId')).trim(),
      accessToken: textIn(form, 'accessToken'),
      displayPhoneNumber: textIn(form, 'displayPhoneNumber'),
      verifiedName: textIn(form, 'verifiedName'),
      ...(perSecond !== null && { messagesPerSecond: perSecond }),
    };
    const params = { path: { id: accountId } };
    await api.POST('/admin/v1/accounts/{id}/numbers', { params, body });
    await changed('The number was linked');
  };
  return (
    <Ask label="Link a number" action="Link" button="primary" submit={submit}>
      <TextField
        label="Number id"
        name="phoneNumberId"
        required
        hint="The provider’s id of the number."
      />
      <TextField label="Business account id" name="wabaId" required />
      <TokenField />
      <TextField
        label="Number"
        name="displayPhoneNumber"
        maxLength={50}
        hint="With a token, the provider is asked for number and name."
      />
      <TextField label="Name" name="verifiedName" maxLength={200} />
      <TextField
        label="Messages a second"
        name="messagesPerSecond"
        type="number"
        min={1}
        max={10_000}
        placeholder="80"
        hint="The number’s throttle at the provider."
      />
    </Ask>
  );
};

const SetToken = ({ number: { phoneNumberId, accountId } }: { number: PhoneNumber }) => {
  const changed = useChanged(accountId);
  const submit = async (form: FormData) => {
    const body = { accessToken: textIn(form, 'accessToken') ?? null };
    const params = { path: { phoneNumberId } };
    await api.PUT('/admin/v1/numbers/{phoneNumberId}/access-token', { params, body });
    await changed(body.accessToken === null ? 'The token was taken away' : 'The token was stored');
  };
  return (
    <Ask label="Token" title="Access token" action="Save" button="quiet" submit={submit}>
      <TokenField />
      <p className="muted">Empty takes the token away: the number cannot send any more.</p>
    </Ask>
  );
};

const Register = ({ number: { phoneNumberId, accountId } }: { number: PhoneNumber }) => {
  const changed = useChanged(accountId);
  const submit = async (form: FormData) => {
    const body = { pin: String(form.get('pin')) };
    const params = { path: { phoneNumberId } };
    await api.POST('/admin/v1/numbers/{phoneNumberId}/register', { params, body });
    await changed('The number is registered');
  };
  return (
    <Ask
      label="Register"
      title="Register the number"
      action="Register"
      button="quiet"
      submit={submit}
    >
      <TextField
        label="PIN"
        name="pin"
        required
        pattern="\d{6}"
        inputMode="numeric"
        autoComplete="off"
        hint="Six digits, of the two-step verification. Not stored."
      />
    </Ask>
  );
};

const Refresh = ({ number: { phoneNumberId, accountId } }: { number: PhoneNumber }) => {
  const changed = useChanged(accountId);
  const submit = async () => {
    const params = { path: { phoneNumberId } };
    await api.POST('/admin/v1/numbers/{phoneNumberId}/refresh', { params });
    await changed('The number was read from the provider');
  };
  return (
    <Ask
      label="Refresh"
      title="Read the number again"
      action="Refresh"
      button="quiet"
      submit={submit}
    >
      <p>Name, rating and registration are read from the provider.</p>
    </Ask>
  );
};

const Unlink = ({ number: { phoneNumberId, accountId } }: { number: PhoneNumber }) => {
  const changed = useChanged(accountId);
  const submit = async () => {
    await api.DELETE('/admin/v1/numbers/{phoneNumberId}', { params: { path: { phoneNumberId } } });
    await changed('The number was unlinked');
  };
  return (
    <Ask
      label="Unlink"
      title={`Unlink ${phoneNumberId}`}
      action="Unlink"
      tone="danger"
      button="quiet"
      submit={submit}
    >
      <p>The account cannot send from it any more, and runs of its bots end. The history stays.</p>
    </Ask>
  );
};

export const NumberVerbs = ({ number }: { number: PhoneNumber }) => (
  <span className="verbs">
    {number.hasAccessToken && <Refresh number={number} />}
    {number.hasAccessToken && <Register number={number} />}
    <SetToken number={number} />
    <Unlink number={number} />
  </span>
);
