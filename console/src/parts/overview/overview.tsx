import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../ui/badge.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { ProblemNote, Spinner } from '../../ui/states.tsx';

interface Readiness {
  status: string;
  checks?: Record<string, { ok: boolean }>;
}

/** 503 is an answer too: the service says which part of it is not ready. */
const readReadiness = async ({ signal }: { signal: AbortSignal }): Promise<Readiness> =>
  (await (await fetch('/health/ready', { signal })).json()) as Readiness;

/** The state of the service, part by part. */
export const Overview = () => {
  const { data, error } = useQuery({
    queryKey: ['readiness'],
    queryFn: readReadiness,
    refetchInterval: 5_000,
  });
  return (
    <Page title="Overview">
      <Card title="Readiness">
        {error && <ProblemNote problem={error} />}
        {!data && !error && <Spinner />}
        {data && (
          <Facts
            rows={[
              [
                'Service',
                <Badge key="all" tone={data.status === 'ready' ? 'good' : 'bad'}>
                  {data.status}
                </Badge>,
              ],
            ]}
          />
        )}
      </Card>
    </Page>
  );
};
