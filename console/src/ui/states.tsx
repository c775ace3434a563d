import type { ReactNode } from 'react';
import { Problem, Unreachable } from '../api/problem.ts';
import { Button } from './button.tsx';

export const Spinner = ({ label = 'Loading' }: { label?: string | undefined }) => (
  <div className="spinner" role="status">
    <span className="spinner-ring" aria-hidden="true" />
    <span>{label}…</span>
  </div>
);

/** Stands where content will be, while it is read. */
export const Skeleton = ({ label = 'Loading', rows = 4 }: { label?: string; rows?: number }) => (
  <div className="skeleton" role="status">
    <span className="hidden">{label}…</span>
    {Array.from({ length: rows }, (_, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
      <span key={at} className="skeleton-row" aria-hidden="true" />
    ))}
  </div>
);

/** What went wrong, and what to do about it, in the service's words. */
export const ProblemNote = ({ problem, again }: { problem: unknown; again?: () => void }) => {
  const known = problem instanceof Problem || problem instanceof Unreachable ? problem : undefined;
  const { docUrl, requestId, fields } = known instanceof Problem ? known : ({} as Partial<Problem>);
  return (
    <div className="note note-bad" role="alert">
      <strong>{problem instanceof Error ? problem.message : 'Something went wrong'}</strong>
      {known?.hint && <p>{known.hint}</p>}
      {fields && Object.keys(fields).length > 0 && (
        <ul>
          {Object.entries(fields).map(([field, words]) => (
            <li key={field}>
              <code>{field}</code> {words.join(' ')}
            </li>
          ))}
        </ul>
      )}
      <p className="small">
        {docUrl && <a href={docUrl}>About this error</a>}
        {requestId && <span className="muted"> Request {requestId}</span>}
      </p>
      {again && <Button onClick={again}>Try again</Button>}
    </div>
  );
};

/** A list or a page without content: why, what fills it, and what to do first. */
export const Empty = ({
  title,
  action,
  children,
}: {
  title: string;
  action?: ReactNode;
  children?: ReactNode;
}) => (
  <div className="empty">
    <strong>{title}</strong>
    {children && <div className="muted">{children}</div>}
    {action && <div>{action}</div>}
  </div>
);

interface Query {
  data: unknown;
  error: unknown;
  refetch: () => unknown;
}

/** A read without an answer yet, or what went wrong with it. Nothing once it has its answer. */
export const QueryState = ({
  query: { data, error, refetch },
  label,
}: {
  query: Query;
  label?: string;
}) => {
  if (error) return <ProblemNote problem={error} again={() => void refetch()} />;
  return data === undefined && <Skeleton {...(label !== undefined && { label })} />;
};
