import { type Readiness, useReadiness } from '../../api/readiness.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/page.tsx';
import { Runbook } from '../../ui/runbook.tsx';
import { type Red, runbooks } from '../../ui/runbooks.ts';
import { QueryState } from '../../ui/states.tsx';

const textOf = (detail: unknown): string | undefined => {
  if (typeof detail === 'string') return detail;
  if (typeof detail !== 'object' || detail === null) return undefined;
  return Object.entries(detail)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) => `${name} ${value}`)
    .join(' · ');
};

const Part = ({ name, part }: { name: string; part: { ok: boolean; detail?: unknown } }) => (
  <div className="part">
    <Badge tone={part.ok ? 'good' : 'bad'}>{part.ok ? 'ok' : 'not ready'}</Badge>
    <span className="part-name">{name}</span>
    {!part.ok && name in runbooks && <Runbook of={name as Red} />}
    <span className="muted small">{textOf(part.detail)}</span>
  </div>
);

/** One line while all is well; the parts that are not ready come first, whatever else there is. */
const Parts = ({ ok, checks = {} }: Readiness) => {
  const parts = Object.entries(checks);
  const [ready, others] = [true, false].map((is) => parts.filter(([, part]) => part.ok === is));
  const listOf = (some: typeof parts) =>
    some.map(([name, part]) => <Part key={name} name={name} part={part} />);
  return (
    <div className="parts">
      <Part name="service" part={{ ok }} />
      {listOf(others ?? [])}
      {ready && ready.length > 0 && (
        <details>
          <summary>
            {ready.length} {ready.length === 1 ? 'part is' : 'parts are'} ready
          </summary>
          {listOf(ready)}
        </details>
      )}
    </div>
  );
};

/** The state of the service, part by part. A tenant sees the whole alone. */
export const ReadinessCard = () => {
  const query = useReadiness(5_000);
  const { data } = query;
  return (
    <Card title="Readiness">
      <QueryState query={query} />
      {data && <Parts {...data} />}
    </Card>
  );
};
