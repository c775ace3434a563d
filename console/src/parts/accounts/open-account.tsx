import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client.ts';
import { useRows } from '../../api/queries.ts';
import { Ask, textIn } from '../../ui/ask.tsx';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { Words } from '../../ui/value.tsx';
import { readOrganisations, readPlans } from './read.ts';

/** A plan by its name. */
export const PlanName = ({ id }: { id: string }) => {
  const { rows } = useRows(['plans'], readPlans);
  return <Words text={rows.find((plan) => plan.id === id)?.name ?? id} />;
};

/** A select of the plans that there are. */
export const PlanField = ({ value }: { value?: string }) => {
  const { rows } = useRows(['plans'], readPlans);
  const options = rows.map(({ id, name, billing, currency }) => ({
    value: id,
    label: `${name}: ${billing === 'credits' ? 'credits' : `money in ${currency}`}`,
  }));
  const known = value ?? 'standard';
  return (
    <SelectField
      key={options.length}
      label="Plan"
      name="planId"
      defaultValue={known}
      options={options.length > 0 ? options : [{ value: known, label: known }]}
    />
  );
};

const OrganisationField = () => {
  const { rows } = useRows(['organisations'], readOrganisations);
  const options = rows.map(({ id, name }) => ({ value: id, label: `${name} · ${id.slice(-6)}` }));
  return (
    <SelectField
      label="Organisation"
      name="organisationId"
      required
      hint={options.length === 0 && 'There is none yet: create an organisation first.'}
      options={options}
    />
  );
};

/** Opens an account in the organisation, or in one that is chosen. */
export const OpenAccount = ({ organisationId }: { organisationId?: string }) => {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const submit = async (form: FormData) => {
    const params = { path: { id: organisationId ?? String(form.get('organisationId')) } };
    const body = { name: String(form.get('name')), planId: textIn(form, 'planId') };
    const opened = await bodyOf(
      api.POST('/admin/v1/organisations/{id}/accounts', { params, body }),
    );
    // Whoever opens an account by hand learns of a wrong variable before it is sent and charged.
    await bodyOf(
      api.PATCH('/admin/v1/accounts/{id}/limits', {
        params: { path: { id: opened.id } },
        body: { strict: form.has('strict') },
      }),
    );
    void cache.invalidateQueries({ queryKey: ['accounts'] });
    void navigate({ to: `/accounts/${opened.id}` } as never);
  };
  return (
    <Ask label="New account" action="Open the account" button="primary" submit={submit}>
      {organisationId === undefined && <OrganisationField />}
      <TextField label="Name" name="name" required maxLength={200} />
      <PlanField />
      <CheckField
        label="Strict: refuse sends with a blank or unknown variable"
        name="strict"
        defaultChecked
      />
    </Ask>
  );
};
