import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { Words } from './value.tsx';

/** A page: its heading, what can be done there, its content. */
export const Page = ({
  title,
  actions,
  lead,
  children,
}: {
  title: string;
  actions?: ReactNode;
  lead?: ReactNode;
  children: ReactNode;
}) => {
  useEffect(() => {
    document.title = `${title} · Waybill`;
  }, [title]);
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1 tabIndex={-1}>
            <Words text={title} />
          </h1>
          {lead && <div className="muted">{lead}</div>}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
};

export const Card = ({
  title,
  actions,
  children,
}: {
  title?: string;
  actions?: ReactNode;
  children: ReactNode;
}) => (
  <section className="card">
    {(title !== undefined || actions !== undefined) && (
      <header className="card-head">
        {title !== undefined && <h2>{title}</h2>}
        {actions}
      </header>
    )}
    {children}
  </section>
);

/** How a figure went, as a line; the figures themselves are in the chart of the page. */
const Trend = ({ values }: { values: readonly number[] }) => {
  const top = Math.max(1, ...values);
  const points = values.map((value, at) => {
    const x = (at / Math.max(1, values.length - 1)) * 100;
    return `${x.toFixed(1)},${(26 - (value / top) * 24).toFixed(1)}`;
  });
  return (
    <svg className="trend" viewBox="0 0 100 28" preserveAspectRatio="none" aria-hidden="true">
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
};

/** One figure with its name, how it went, and the page that says more. */
export const Stat = ({
  name,
  children,
  note,
  trend,
  isBad = false,
  to,
  search,
}: {
  name: string;
  children: ReactNode;
  note?: ReactNode;
  trend?: readonly number[];
  isBad?: boolean;
  to?: string;
  search?: Readonly<Record<string, string>>;
}) => {
  const content = (
    <>
      <span className="stat-name">{name}</span>
      <span className="stat-value">{children}</span>
      {note && <span className="muted small">{note}</span>}
      {trend && <Trend values={trend} />}
    </>
  );
  const className = `stat ${isBad ? 'stat-bad' : ''}`;
  if (to === undefined) return <div className={className}>{content}</div>;
  return (
    <Link to={to as never} search={search as never} className={className}>
      {content}
    </Link>
  );
};

/** Names and values of one thing; what has no value is left out. */
export const Facts = ({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) => (
  <dl className="facts">
    {rows
      .filter(([, value]) => value !== null && value !== undefined && value !== false)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
