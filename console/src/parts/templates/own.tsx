import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import type { components } from '../../api/reference.ts';
import { useScope } from '../../session/session.tsx';
import { StateBadge } from '../../ui/badge.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { filled, MessagePreview } from '../../ui/preview.tsx';
import { Empty, QueryState } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Json, Words } from '../../ui/value.tsx';
import { CreateTemplate } from './create.tsx';

type Template = components['schemas']['Template'];

const columns: readonly Column<Template>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => <Words text={name} /> },
  { id: 'language', header: 'Language', isMinor: true, cell: ({ language }) => language },
  {
    id: 'category',
    header: 'Category',
    isMinor: true,
    cell: ({ category, changingTo }) =>
      (changingTo ? `${category}, becomes ${changingTo.category}` : category).toLowerCase(),
  },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status }) => <StateBadge state={status.toLowerCase()} />,
  },
];

interface Component {
  type?: unknown;
  text?: unknown;
  example?: { body_text?: unknown };
}

const componentOf = (components: readonly unknown[], type: string): Component =>
  (components.find((one) => (one as Component | null)?.type === type) ?? {}) as Component;

const textOf = ({ text }: Component): string => (typeof text === 'string' ? text : '');

/** The body with its sample values, in place of the numbers of its places. */
const bodyIn = (components: readonly unknown[]): string => {
  const body = componentOf(components, 'BODY');
  const [samples] = Array.isArray(body.example?.body_text) ? body.example.body_text : [];
  return filled(textOf(body), Array.isArray(samples) ? samples.map(String) : []);
};

/** One template as its reader sees it, and as the provider holds it. */
const Shown = ({ id, phoneNumberId }: { id: string; phoneNumberId: string }) => {
  const query = useQuery({
    queryKey: ['templates', phoneNumberId, id],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/v1/templates/{id}', {
          params: { path: { id }, query: { phoneNumberId } },
          signal,
        }),
      ),
  });
  const { data } = query;
  if (query.error || !data) return <QueryState query={query} />;
  const header = textOf(componentOf(data.components, 'HEADER'));
  const footer = textOf(componentOf(data.components, 'FOOTER'));
  return (
    <div className="stack">
      <MessagePreview
        text={bodyIn(data.components)}
        {...(header && { header })}
        {...(footer && { footer })}
      />
      <details>
        <summary>As WhatsApp holds it, for developers</summary>
        <Json value={data.components} />
      </details>
    </div>
  );
};

/** All templates of the number's business account. */
export const OwnTemplates = ({ phoneNumberId }: { phoneNumberId: string }) => {
  const mayWrite = useScope('templates:write');
  const cache = useQueryClient();
  const [open, setOpen] = useState<Template>();
  const { data, error, isLoading, refetch } = useQuery({
    queryKey: ['templates', phoneNumberId],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/v1/templates', { params: { query: { phoneNumberId } }, signal })),
  });
  const again = () => void cache.invalidateQueries({ queryKey: ['templates', phoneNumberId] });
  return (
    <>
      {mayWrite && (
        <div className="row">
          <CreateTemplate phoneNumberId={phoneNumberId} onDone={again} />
        </div>
      )}
      <Table
        label="Templates"
        columns={columns}
        rows={data ?? []}
        rowId={({ id, name, language }) => id ?? `${name} ${language}`}
        onOpen={(template) => template.id !== null && setOpen(template)}
        error={error}
        isLoading={isLoading}
        refetch={() => void refetch()}
        empty={<Empty title="No template yet">Submit the catalog, or one of your own.</Empty>}
      />
      <Dialog
        title={open?.name ?? ''}
        isOpen={open !== undefined}
        onClose={() => setOpen(undefined)}
      >
        {open?.id && <Shown id={open.id} phoneNumberId={phoneNumberId} />}
      </Dialog>
    </>
  );
};
