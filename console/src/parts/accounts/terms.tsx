import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { outcomeWords } from '../../ui/approval.ts';
import { Ask, countIn, textIn } from '../../ui/ask.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';
import { PlanField } from './open-account.tsx';
import { type Account, accountKey } from './read.ts';

const useChanged = (id: string) => {
  const cache = useQueryClient();
  return async (words: string) => {
    toast(words);
    await cache.invalidateQueries({ queryKey: accountKey(id) });
  };
};

export const ChangePlan = ({ account: { id, planId } }: { account: Account }) => {
  const changed = useChanged(id);
  const submit = async (form: FormData) => {
    const body = { planId: String(form.get('planId')) };
    const params = { path: { id } };
    const answer = await api.PUT('/admin/v1/accounts/{id}/plan', { params, body });
    await changed(outcomeWords(answer, 'The plan was changed'));
  };
  return (
    <Ask label="Change plan" action="Change" button="quiet" submit={submit}>
      <PlanField value={planId} />
      <p className="muted">Charges made keep their prices. A balance keeps its unit.</p>
    </Ask>
  );
};

export const ChangeRetention = ({ account }: { account: Account }) => {
  const { id, contentRetentionMonths } = account;
  const changed = useChanged(id);
  const submit = async (form: FormData) => {
    const body = { contentRetentionMonths: countIn(form, 'months') };
    await api.PATCH('/admin/v1/accounts/{id}/retention', { params: { path: { id } }, body });
    await changed('The retention was changed');
  };
  return (
    <Ask
      label="Retention"
      title="Retention of contents"
      action="Save"
      button="quiet"
      submit={submit}
    >
      <TextField
        label="Months"
        name="months"
        type="number"
        min={1}
        step={1}
        defaultValue={contentRetentionMonths ?? ''}
        hint="Contents of messages that are older are erased for good. Empty keeps them."
      />
    </Ask>
  );
};

const limitFields = [
  ['perMinute', 'Sends a minute'],
  ['daily', 'Sends a day'],
  ['monthly', 'Sends a month'],
] as const;

export const ChangeLimits = ({ account }: { account: Account }) => {
  const { id, limits, billing } = account;
  const changed = useChanged(id);
  const submit = async (form: FormData) => {
    const low = textIn(form, 'balanceLow') ?? null;
    const asked = {
      perMinute: countIn(form, 'perMinute'),
      daily: countIn(form, 'daily'),
      monthly: countIn(form, 'monthly'),
      paused: form.get('paused') !== null,
      strict: form.get('strict') !== null,
      directSend: form.get('directSend') === null ? ('off' as const) : ('fallback' as const),
      balanceLow: low === null || billing === 'wallet' ? low : Number(low),
    };
    // The rest may have changed since it was read: the service pauses an account by itself.
    const own = Object.entries(asked).filter(
      ([name, value]) => value !== limits[name as keyof typeof asked],
    );
    const body = Object.fromEntries(own) as Partial<typeof asked>;
    await api.PATCH('/admin/v1/accounts/{id}/limits', { params: { path: { id } }, body });
    await changed('The limits were changed');
  };
  return (
    <Ask label="Limits" action="Save" button="quiet" submit={submit}>
      {limitFields.map(([name, label]) => (
        <TextField
          key={name}
          label={label}
          name={name}
          type="number"
          min={0}
          step={1}
          defaultValue={limits[name] ?? ''}
          placeholder="no limit"
        />
      ))}
      <TextField
        label="Warn below this balance"
        name="balanceLow"
        inputMode="decimal"
        defaultValue={limits.balanceLow ?? ''}
        placeholder="no warning"
        hint="Webhooks of the account are told once when the balance falls below."
      />
      <CheckField
        label="Strict: refuse wrong variables and numbers before any charge"
        name="strict"
        defaultChecked={limits.strict}
      />
      <CheckField
        label="Direct Send: events without an approved template go out without one"
        name="directSend"
        defaultChecked={limits.directSend === 'fallback'}
      />
      <CheckField label="Paused: refuse every send" name="paused" defaultChecked={limits.paused} />
    </Ask>
  );
};
