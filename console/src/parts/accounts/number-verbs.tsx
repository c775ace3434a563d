import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { Ask, countIn, textIn } from '../../ui/ask.tsx';
import { TextField } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';
import { type Verb, VerbMenu } from '../../ui/verbs.tsx';
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
        hint="WhatsApp’s id of the number."
      />
      <TextField label="Business account id" name="wabaId" required />
      <TokenField />
      <TextField
        label="Number"
        name="displayPhoneNumber"
        maxLength={50}
        hint="With a token, WhatsApp is asked for number and name."
      />
      <TextField label="Name" name="verifiedName" maxLength={200} />
      <TextField
        label="Messages a second"
        name="messagesPerSecond"
        type="number"
        min={1}
        max={10_000}
        placeholder="80"
        hint="The number’s throttle at WhatsApp."
      />
    </Ask>
  );
};

type Changed = ReturnType<typeof useChanged>;

const nameOf = ({ displayPhoneNumber, phoneNumberId }: PhoneNumber): string =>
  displayPhoneNumber || phoneNumberId;

const tokenOf = ({ phoneNumberId }: PhoneNumber, changed: Changed): Verb => ({
  label: 'Access token',
  action: 'Save',
  async submit(form) {
    const body = { accessToken: textIn(form, 'accessToken') ?? null };
    const params = { path: { phoneNumberId } };
    await api.PUT('/admin/v1/numbers/{phoneNumberId}/access-token', { params, body });
    await changed(body.accessToken === null ? 'The token was taken away' : 'The token was stored');
  },
  ask: (
    <>
      <TokenField />
      <p className="muted">Empty takes the token away: the number cannot send any more.</p>
    </>
  ),
});

const registrationOf = ({ phoneNumberId }: PhoneNumber, changed: Changed): Verb => ({
  label: 'Register',
  title: 'Register the number',
  async submit(form) {
    const body = { pin: String(form.get('pin')) };
    const params = { path: { phoneNumberId } };
    await api.POST('/admin/v1/numbers/{phoneNumberId}/register', { params, body });
    await changed('The number is registered');
  },
  ask: (
    <TextField
      label="PIN"
      name="pin"
      required
      pattern="\d{6}"
      inputMode="numeric"
      autoComplete="off"
      hint="Six digits, of the two-step verification. Not stored."
    />
  ),
});

const unlinkOf = (number: PhoneNumber, changed: Changed): Verb => ({
  label: 'Unlink',
  title: `Unlink ${nameOf(number)}`,
  tone: 'danger',
  async submit() {
    const params = { path: { phoneNumberId: number.phoneNumberId } };
    await api.DELETE('/admin/v1/numbers/{phoneNumberId}', { params });
    await changed('The number was unlinked');
  },
  ask: (
    <p>The account cannot send from it any more, and runs of its bots end. The history stays.</p>
  ),
});

/** What can be done with a number: the usual as a button, the rest in a menu. */
export const NumberVerbs = ({ number }: { number: PhoneNumber }) => {
  const { phoneNumberId, accountId, hasAccessToken } = number;
  const changed = useChanged(accountId);
  const refresh = async () => {
    const params = { path: { phoneNumberId } };
    await api.POST('/admin/v1/numbers/{phoneNumberId}/refresh', { params });
    await changed('The number was read from WhatsApp');
  };
  return (
    <span className="verbs">
      {hasAccessToken && (
        <ActButton tone="quiet" act={refresh}>
          Refresh
        </ActButton>
      )}
      <VerbMenu
        label={`More to do with ${nameOf(number)}`}
        verbs={[
          ...(hasAccessToken ? [registrationOf(number, changed)] : []),
          tokenOf(number, changed),
          unlinkOf(number, changed),
        ]}
      />
    </span>
  );
};
