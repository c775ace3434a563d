import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { useOnce } from '../../api/idempotency.ts';
import { outcomeWords } from '../../ui/approval.ts';
import { Ask, textIn } from '../../ui/ask.tsx';
import { TextField } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';
import { type Account, accountKey } from './read.ts';

const REASON_MAX = 500;

const credits = {
  grant: '/admin/v1/accounts/{id}/credits/grant',
  revoke: '/admin/v1/accounts/{id}/credits/revoke',
} as const;

const wallet = {
  'top-up': '/admin/v1/accounts/{id}/wallet/top-up',
  adjust: '/admin/v1/accounts/{id}/wallet/adjust',
} as const;

/** Reads what the account shows again, once money has moved. */
const useMoved = (id: string) => {
  const cache = useQueryClient();
  return async (words: string) => {
    toast(words);
    await Promise.all([
      cache.invalidateQueries({ queryKey: accountKey(id) }),
      cache.invalidateQueries({ queryKey: ['ledger', id] }),
    ]);
  };
};

const Reason = () => (
  <TextField
    label="Reason"
    name="reason"
    maxLength={REASON_MAX}
    hint="Shown in the ledger, on statements and to the account."
  />
);

const Credits = ({ id, kind }: { id: string; kind: keyof typeof credits }) => {
  const once = useOnce();
  const moved = useMoved(id);
  const isGrant = kind === 'grant';
  const submit = async (form: FormData) => {
    const body = { amount: Number(form.get('amount')), reason: textIn(form, 'reason') };
    const answer = await once(body, (key) => {
      const header = { 'Idempotency-Key': key };
      return api.POST(credits[kind], { params: { path: { id }, header }, body });
    });
    const done = `${body.amount} credits were ${isGrant ? 'granted' : 'taken back'}`;
    await moved(outcomeWords(answer, done));
  };
  return (
    <Ask
      label={isGrant ? 'Grant credits' : 'Revoke credits'}
      action={isGrant ? 'Grant' : 'Revoke'}
      tone={isGrant ? 'primary' : 'danger'}
      button={isGrant ? 'primary' : 'plain'}
      submit={submit}
    >
      <TextField label="Credits" name="amount" type="number" min={1} step={1} required />
      <Reason />
    </Ask>
  );
};

const Wallet = ({ account, kind }: { account: Account; kind: keyof typeof wallet }) => {
  const { id, currency } = account;
  const once = useOnce();
  const moved = useMoved(id);
  const isTopUp = kind === 'top-up';
  const submit = async (form: FormData) => {
    const body = { amount: String(form.get('amount')).trim(), reason: textIn(form, 'reason') };
    const answer = await once(body, (key) => {
      const header = { 'Idempotency-Key': key };
      return api.POST(wallet[kind], { params: { path: { id }, header }, body });
    });
    const done = `${body.amount} ${currency} ${isTopUp ? 'topped up' : 'adjusted'}`;
    await moved(outcomeWords(answer, done));
  };
  return (
    <Ask
      label={isTopUp ? 'Top up' : 'Adjust'}
      title={isTopUp ? 'Top up the wallet' : 'Adjust the wallet'}
      button={isTopUp ? 'primary' : 'plain'}
      submit={submit}
    >
      <TextField
        label={`Amount in ${currency}`}
        name="amount"
        required
        inputMode="decimal"
        placeholder="25.00"
        hint={isTopUp ? undefined : 'Below zero to take away, such as -5.00.'}
      />
      <Reason />
    </Ask>
  );
};

/** What moves the balance by hand: each movement is a row of the ledger, and none is ever changed. */
export const MoveMoney = ({ account }: { account: Account }) => (
  <span className="row">
    {account.billing === 'credits' ? (
      <>
        <Credits id={account.id} kind="revoke" />
        <Credits id={account.id} kind="grant" />
      </>
    ) : (
      <>
        <Wallet account={account} kind="adjust" />
        <Wallet account={account} kind="top-up" />
      </>
    )}
  </span>
);
