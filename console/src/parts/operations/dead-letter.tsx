import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { useMayWrite } from '../../session/session.tsx';
import { StateBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { Empty, ProblemNote, QueryState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { Id, Json, Time, Words } from '../../ui/value.tsx';

const parsed = (raw: string): unknown => {
  try {
    return JSON.parse(raw);
  } catch {
    return raw;
  }
};

/** Tries the item again, or closes it without taking it in. */
const Actions = ({ id, onDone }: { id: string; onDone: () => void }) => {
  const [isBusy, setBusy] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const params = { path: { id } };
  const retry = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const { state, reason } = await bodyOf(
        api.POST('/admin/v1/dead-letters/{id}/retry', { params }),
      );
      toast(state === 'resolved' ? 'It was taken in' : `Still not: ${reason}`);
      onDone();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  const dismiss = async () => {
    await api.POST('/admin/v1/dead-letters/{id}/dismiss', { params });
    onDone();
  };
  return (
    <>
      <Button tone="primary" isBusy={isBusy} onClick={() => void retry()}>
        Try again
      </Button>
      <Button onClick={() => setOpen(true)}>Dismiss</Button>
      {problem !== undefined && <ProblemNote problem={problem} />}
      <FormDialog
        title="Dismiss this dead letter"
        action="Dismiss"
        tone="danger"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        submit={dismiss}
      >
        <p>It stays in the log, and nothing more is done with it.</p>
      </FormDialog>
    </>
  );
};

/** One item, whole, and what can be done with it. */
export const DeadLetter = () => {
  const { id } = useParams({ strict: false }) as { id: string };
  const mayWrite = useMayWrite('support');
  const cache = useQueryClient();
  const query = useQuery({
    queryKey: ['dead-letters', 'one', id],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/admin/v1/dead-letters/{id}', { params: { path: { id } }, signal })),
  });
  const { data } = query;
  const again = () => void cache.invalidateQueries({ queryKey: ['dead-letters'] });
  return (
    <Page
      title="Dead letter"
      lead={data && <Words text={data.reason} />}
      actions={data?.state === 'open' && mayWrite && <Actions id={id} onDone={again} />}
    >
      <QueryState query={query} />
      {data && (
        <div className="columns">
          <Card title="As it came">
            {data.raw === null ? <Empty title="Erased" /> : <Json value={parsed(data.raw)} />}
          </Card>
          <Card title="What is known">
            <Facts
              rows={[
                ['State', <StateBadge key="state" state={data.state} />],
                ['Notice', data.field],
                ['Business account', data.wabaId],
                ['Number', data.phoneNumberId],
                ['Arrived', <Time key="at" at={data.createdAt} form="full" />],
                ['Retries', data.retries],
                ['Dismissed by', data.dismissedBy?.name],
                ['Id', <Id key="id" value={id} short />],
              ]}
            />
          </Card>
        </div>
      )}
    </Page>
  );
};
