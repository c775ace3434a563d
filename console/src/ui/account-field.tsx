import {
  Combobox,
  ComboboxItem,
  ComboboxLabel,
  ComboboxPopover,
  ComboboxProvider,
} from '@ariakit/react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../api/client.ts';
import './popover.css';
import { useSettled } from './settled.ts';
import { Words } from './value.tsx';

interface Named {
  id: string;
  name: string;
}

const CHOICES = 50;
/** Between two letters of a word. */
const TYPED_MS = 250;

/** The newest accounts, or those whose name or id is typed. */
const readNames = async (typed: string, signal: AbortSignal): Promise<readonly Named[]> => {
  if (typed.length < 2) {
    const params = { query: { limit: CHOICES } };
    return (await bodyOf(api.GET('/admin/v1/accounts', { params, signal }))).accounts;
  }
  const params = { query: { q: typed } };
  const { results } = await bodyOf(api.GET('/admin/v1/find', { params, signal }));
  return results.flatMap(({ kind, id, title }) =>
    kind === 'account' ? [{ id, name: title ?? id }] : [],
  );
};

const useNamed = (id: string | undefined) =>
  useQuery({
    queryKey: ['accounts', 'name', id],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/admin/v1/accounts/{id}', { params: { path: { id: id ?? '' } }, signal })),
    enabled: id !== undefined,
    staleTime: 60_000,
  });

/** The name of an account, to an administrator. */
export const useAccountName = (id: string | undefined): string | undefined =>
  useNamed(id).data?.name;

interface NameQuery {
  data: { name: string } | undefined;
  isError: boolean;
}

/** Until the name is read, dots; the end of the id where it cannot be. */
const nameIn = ({ data, isError }: NameQuery, id: string): string =>
  data?.name ?? (isError ? id.slice(-6) : '…');

/** An account by its name, which leads to its page. */
export const AccountLink = ({ id }: { id: string }) => (
  <Link to={`/accounts/${id}` as never}>
    <Words text={nameIn(useNamed(id), id)} />
  </Link>
);

/** An organisation by its name, which leads to its page. */
export const OrganisationLink = ({ id }: { id: string }) => {
  const query = useQuery({
    queryKey: ['organisations', 'one', id],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/admin/v1/organisations/{id}', { params: { path: { id } }, signal })),
    staleTime: 60_000,
  });
  return (
    <Link to={`/organisations/${id}` as never}>
      <Words text={nameIn(query, id)} />
    </Link>
  );
};

/** Chooses an account by its name. */
export const AccountField = ({
  label = 'Account',
  value,
  onChoose,
}: {
  label?: string;
  /** The id of the chosen one. */
  value: string | undefined;
  onChoose: (id: string) => void;
}) => {
  const [typed, setTyped] = useState<string>();
  const chosen = useAccountName(value);
  const sought = useSettled((typed ?? '').trim(), TYPED_MS);
  const { data = [] } = useQuery({
    queryKey: ['accounts', 'names', sought],
    queryFn: ({ signal }) => readNames(sought, signal),
    placeholderData: (before) => before,
  });
  return (
    <ComboboxProvider
      value={typed ?? chosen ?? ''}
      setValue={setTyped}
      setOpen={(isOpen) => {
        if (!isOpen) setTyped(undefined);
      }}
    >
      <div className="field">
        <ComboboxLabel className="field-label">{label}</ComboboxLabel>
        <Combobox
          className="combobox"
          placeholder="Choose by name"
          autoSelect
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <ComboboxPopover gutter={4} sameWidth className="popover" aria-label="Accounts">
          {data.length === 0 && <div className="popover-none">No account has this name</div>}
          {data.map(({ id, name }) => (
            <ComboboxItem
              key={id}
              value={name}
              setValueOnClick={false}
              className="popover-item"
              onClick={() => onChoose(id)}
            >
              <Words text={name} />
              <span className="muted small">{id.slice(-6)}</span>
            </ComboboxItem>
          ))}
        </ComboboxPopover>
      </div>
    </ComboboxProvider>
  );
};

/** The same as a field of a form. */
export const AccountInput = ({ label, name }: { label: string; name: string }) => {
  const [id, choose] = useState<string>();
  return (
    <>
      <AccountField label={label} value={id} onChoose={choose} />
      <input type="hidden" name={name} value={id ?? ''} />
    </>
  );
};
