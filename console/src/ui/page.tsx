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
          <h1>
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

/** One figure with its name. */
export const Stat = ({
  name,
  children,
  note,
}: {
  name: string;
  children: ReactNode;
  note?: ReactNode;
}) => (
  <div className="stat">
    <div className="stat-name">{name}</div>
    <div className="stat-value">{children}</div>
    {note && <div className="muted small">{note}</div>}
  </div>
);

/** Names and values of one thing. */
export const Facts = ({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) => (
  <dl className="facts">
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value ?? '–'}</dd>
      </div>
    ))}
  </dl>
);
