import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { useOnce } from '../../api/idempotency.ts';
import { useRows } from '../../api/queries.ts';
import type { components } from '../../api/reference.ts';
import { categories } from '../../generated/tables.ts';
import { useMayWrite } from '../../session/session.tsx';
import { Ask } from '../../ui/ask.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import { Amount, Time, Words } from '../../ui/value.tsx';
import './accounts.css';

type RateCard = components['schemas']['RateCard'];
type Rates = RateCard['rates'];

const KEY = ['rate-cards'];
const names = Object.keys(categories) as (keyof typeof categories)[];
const required = names.filter((name) => categories[name].pricedLike === null);

const read = async (cursor: string | undefined, signal: AbortSignal) => {
  const { rateCards, nextCursor } = await bodyOf(
    api.GET('/admin/v1/rate-cards', { params: { query: { limit: 100, cursor } }, signal }),
  );
  return { rows: rateCards, nextCursor };
};

/** Lines of a market and its prices in the order of the categories, with a tab or comma between. */
const ratesIn = (text: string): Rates => {
  const rows = text.split('\n').flatMap((line) => {
    const cells = line.split(/[\t,;]/).map((cell) => cell.trim());
    if (cells.every((cell) => cell === '')) return [];
    const [market, ...prices] = cells;
    const rate = names.flatMap((name, at) => (prices[at] ? [[name, prices[at]] as const] : []));
    const known = new Set(rate.map(([name]) => name));
    if (!market || required.some((name) => !known.has(name))) {
      throw new Error(`This line needs a market and ${required.length} prices: ${line}`);
    }
    return [[market, Object.fromEntries(rate)] as const];
  });
  return Object.fromEntries(rows) as Rates;
};

const linesOf = (rates: Rates): string =>
  Object.entries(rates)
    .map(([market, rate]) => [market, ...names.map((name) => rate[name])].join(', '))
    .join('\n');

const Create = ({ latest }: { latest: RateCard | undefined }) => {
  const cache = useQueryClient();
  const once = useOnce();
  const submit = async (form: FormData) => {
    const body = {
      currency: String(form.get('currency')).trim().toUpperCase(),
      effectiveFrom: new Date(`${form.get('effectiveFrom')}:00Z`).toISOString(),
      rates: ratesIn(String(form.get('rates'))),
    };
    await once(body, (key) =>
      api.POST('/admin/v1/rate-cards', { params: { header: { 'Idempotency-Key': key } }, body }),
    );
    toast('The rate card was made');
    await cache.invalidateQueries({ queryKey: KEY });
  };
  return (
    <Ask label="New rate card" action="Create" button="primary" submit={submit}>
      <TextField
        label="Currency"
        name="currency"
        required
        pattern="[A-Za-z]{3}"
        defaultValue={latest?.currency ?? 'USD'}
      />
      <TextField label="Effective from, UTC" name="effectiveFrom" type="datetime-local" required />
      <TextArea
        label="Prices by market"
        name="rates"
        required
        rows={10}
        className="rates-text"
        defaultValue={latest && linesOf(latest.rates)}
        hint={`A line for each market: market, ${names.join(', ').toLowerCase()}. “Other” is needed.`}
      />
    </Ask>
  );
};

const columns: readonly Column<RateCard>[] = [
  {
    id: 'from',
    header: 'Effective from',
    cell: ({ effectiveFrom }) => <Time at={effectiveFrom} form="full" />,
  },
  { id: 'currency', header: 'Currency', cell: ({ currency }) => currency },
  {
    id: 'markets',
    header: 'Markets',
    align: 'end',
    cell: ({ rates }) => Object.keys(rates).length,
  },
];

type Line = readonly [market: string, rate: Rates[string]];

const priceColumns: readonly Column<Line>[] = [
  { id: 'market', header: 'Market', cell: ([market]) => <Words text={market} /> },
  ...names.map(
    (name): Column<Line> => ({
      id: name,
      header: name.toLowerCase(),
      align: 'end',
      cell: ([, rate]) => <Amount value={rate[name]} />,
    }),
  ),
];

/** What WhatsApp charges for a message, by market and category. */
export const RateCards = () => {
  const mayWrite = useMayWrite();
  const list = useRows(KEY, read);
  const [shown, setShown] = useState<RateCard>();
  return (
    <Page
      title="Rate cards"
      lead="What WhatsApp charges for a message, by market and category."
      actions={mayWrite && <Create key={list.rows[0]?.id} latest={list.rows[0]} />}
    >
      <Table
        label="Rate cards"
        columns={columns}
        rowId={({ id }) => id}
        onOpen={setShown}
        {...list}
      />
      <Dialog
        title={`Prices in ${shown?.currency}`}
        isOpen={shown !== undefined}
        onClose={() => setShown(undefined)}
      >
        <Table
          label="Prices by market"
          columns={priceColumns}
          rows={Object.entries(shown?.rates ?? {})}
          rowId={([market]) => market}
        />
      </Dialog>
    </Page>
  );
};
