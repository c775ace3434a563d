import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { useOnce } from '../../api/idempotency.ts';
import { useRows } from '../../api/queries.ts';
import { useMayWrite } from '../../session/session.tsx';
import { Ask, countIn, textIn } from '../../ui/ask.tsx';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import { Words } from '../../ui/value.tsx';
import './accounts.css';
import { type Plan, readPlans } from './read.ts';

const KEY = ['plans'];

const bodyIn = (form: FormData) => ({
  name: String(form.get('name')),
  billing: form.get('billing') as Plan['billing'],
  currency: String(form.get('currency')).trim().toUpperCase(),
  markupPercent: String(form.get('markupPercent')).trim(),
  creditValue: form.get('billing') === 'credits' ? (textIn(form, 'creditValue') ?? null) : null,
  refundFailedDeliveries: form.get('refundFailedDeliveries') !== null,
  chargeService: form.get('chargeService') !== null,
  disconnectRefundsPerDay: countIn(form, 'disconnectRefundsPerDay'),
  freeWritesMbPerDay: countIn(form, 'freeWritesMbPerDay'),
});

const Money = ({ plan }: { plan?: Plan }) => (
  <>
    <SelectField
      label="Counts in"
      name="billing"
      defaultValue={plan?.billing ?? 'credits'}
      options={[
        { value: 'credits', label: 'Credits' },
        { value: 'wallet', label: 'Money (wallet)' },
      ]}
    />
    <TextField
      label="Currency"
      name="currency"
      required
      pattern="[A-Za-z]{3}"
      defaultValue={plan?.currency ?? 'USD'}
    />
    <TextField
      label="Markup in percent"
      name="markupPercent"
      required
      inputMode="decimal"
      defaultValue={plan?.markupPercent ?? '20'}
      hint="On WhatsApp’s price of the rate card."
    />
    <TextField
      label="Value of a credit"
      name="creditValue"
      inputMode="decimal"
      defaultValue={plan?.creditValue ?? ''}
      placeholder="one credit a message"
      hint="For credits alone. Empty: each message costs one."
    />
  </>
);

const Fields = ({ plan }: { plan?: Plan }) => (
  <>
    {!plan && (
      <TextField label="Id" name="id" maxLength={100} placeholder="chosen by the service" />
    )}
    <TextField label="Name" name="name" required maxLength={200} defaultValue={plan?.name} />
    <Money {...(plan && { plan })} />
    <CheckField
      label="Refund what failed after it was accepted"
      name="refundFailedDeliveries"
      defaultChecked={plan?.refundFailedDeliveries ?? true}
    />
    <CheckField
      label="Charge messages of the service category"
      name="chargeService"
      defaultChecked={plan?.chargeService ?? false}
    />
    <TextField
      label="Refunds for lost connections a day"
      name="disconnectRefundsPerDay"
      type="number"
      min={0}
      defaultValue={plan?.disconnectRefundsPerDay ?? ''}
      placeholder="no limit"
    />
    <TextField
      label="Free writes a day in MB"
      name="freeWritesMbPerDay"
      type="number"
      min={0}
      defaultValue={plan?.freeWritesMbPerDay ?? ''}
      placeholder="no limit"
    />
  </>
);

const useDone = () => {
  const cache = useQueryClient();
  return async (words: string) => {
    toast(words);
    await cache.invalidateQueries({ queryKey: KEY });
  };
};

const Create = () => {
  const once = useOnce();
  const done = useDone();
  const submit = async (form: FormData) => {
    const body = { id: textIn(form, 'id'), ...bodyIn(form) };
    await once(body, (key) =>
      api.POST('/admin/v1/plans', { params: { header: { 'Idempotency-Key': key } }, body }),
    );
    await done('The plan was made');
  };
  return (
    <Ask label="New plan" action="Create" button="primary" submit={submit}>
      <Fields />
    </Ask>
  );
};

const Change = ({ plan }: { plan: Plan }) => {
  const done = useDone();
  const submit = async (form: FormData) => {
    const params = { path: { id: plan.id } };
    await api.PUT('/admin/v1/plans/{id}', { params, body: bodyIn(form) });
    await done(`The plan has a new version`);
  };
  return (
    <Ask label="Change" title={`Change ${plan.name}`} action="Save" button="quiet" submit={submit}>
      <p className="muted">Makes version {plan.version + 1}. Charges made keep their version.</p>
      <Fields plan={plan} />
    </Ask>
  );
};

const columns: readonly Column<Plan>[] = [
  {
    id: 'name',
    header: 'Plan',
    cell: ({ name, id }) => (
      <span className="two-lines">
        <Words text={name} />
        <code className="muted">{id}</code>
      </span>
    ),
  },
  { id: 'version', header: 'Version', align: 'end', cell: ({ version }) => version },
  {
    id: 'billing',
    header: 'Counts in',
    cell: ({ billing, currency }) => (billing === 'credits' ? `credits (${currency})` : currency),
  },
  {
    id: 'markup',
    header: 'Markup',
    align: 'end',
    isMinor: true,
    cell: ({ markupPercent }) => `${markupPercent} %`,
  },
  {
    id: 'value',
    header: 'A credit is',
    align: 'end',
    isMinor: true,
    cell: ({ billing, creditValue, currency }) =>
      billing === 'wallet'
        ? '–'
        : creditValue === null
          ? 'one message'
          : `${creditValue} ${currency}`,
  },
  {
    id: 'refund',
    header: 'Failed deliveries',
    isMinor: true,
    cell: ({ refundFailedDeliveries }) => (refundFailedDeliveries ? 'refunded' : 'charged'),
  },
];

/** What a message costs an account. */
export const Plans = () => {
  const mayWrite = useMayWrite();
  const list = useRows(KEY, readPlans);
  const change: Column<Plan> = {
    id: 'change',
    header: '',
    align: 'end',
    cell: (plan) => <Change plan={plan} />,
  };
  return (
    <Page
      title="Plans"
      lead="What a message costs an account: WhatsApp’s price and a markup."
      actions={mayWrite && <Create />}
    >
      <Table
        label="Plans"
        columns={mayWrite ? [...columns, change] : columns}
        rowId={({ id }) => id}
        {...list}
      />
    </Page>
  );
};
