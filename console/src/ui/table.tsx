import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { Empty, ProblemNote, Skeleton, Spinner } from './states.tsx';

const ROW_HEIGHT = 44;
/** Rows before the end at which the next page is read. */
const READ_AHEAD = 20;

export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  align?: 'end';
  /** Left out on a tablet, where there is no room; a telephone shows each row as a card. */
  isMinor?: boolean;
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** Opens a row, by click and by Enter. */
  onOpen?: (row: Row) => void;
  empty?: ReactNode;
  error?: unknown;
  isLoading?: boolean;
  isReadingMore?: boolean;
  hasMore?: boolean;
  readMore?: () => void;
  refetch?: () => void;
}

const classOf = <Row,>({ align, isMinor }: Column<Row>): string =>
  `${align === 'end' ? 'end' : ''} ${isMinor ? 'minor' : ''}`;

/** A button in a row does its own work, and does not open the row. */
const isControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('a, button, input, dialog') !== null;

/**
 * A list of any length: only the rows in sight are in the document, and further pages are read as the
 * viewer comes near the end. Arrow keys move between rows, Enter opens one.
 */
export const Table = <Row,>(props: TableProps<Row>) => {
  const { label, columns, rows, rowId, onOpen, hasMore = false, readMore } = props;
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const isNear = last >= rows.length - READ_AHEAD;
  // After an error the viewer asks for more.
  const mayRead = hasMore && isNear && !props.isReadingMore && !props.error;
  useEffect(() => {
    if (mayRead) readMore?.();
  }, [mayRead, readMore]);

  const move = (event: KeyboardEvent<HTMLTableRowElement>, row: Row) => {
    const { currentTarget: at, key } = event;
    if (event.target !== at) return;
    if (key === 'Enter') onOpen?.(row);
    if (key !== 'ArrowDown' && key !== 'ArrowUp') return;
    event.preventDefault();
    const next = key === 'ArrowDown' ? at.nextElementSibling : at.previousElementSibling;
    if (next instanceof HTMLElement) next.focus();
  };

  const problem = props.error ? (
    <ProblemNote problem={props.error} {...(props.refetch && { again: props.refetch })} />
  ) : null;
  if (rows.length === 0) {
    if (problem) return problem;
    // Pages without rows came, and others follow.
    if (props.isLoading || hasMore) return <Skeleton rows={8} />;
    return <>{props.empty ?? <Empty title="Nothing here yet" />}</>;
  }
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <>
      {problem}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="table-box" ref={box} tabIndex={0} aria-label={label}>
        <table aria-rowcount={hasMore ? -1 : rows.length}>
          <caption className="hidden">{label}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.id} scope="col" className={classOf(column)}>
                  {column.header || <span className="hidden">Actions</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {before > 0 && (
              <tr className="filler">
                <td style={{ height: before }} />
              </tr>
            )}
            {items.map(({ index }) => {
              const row = rows[index];
              if (row === undefined) return null;
              return (
                <tr
                  key={rowId(row)}
                  data-index={index}
                  aria-rowindex={index + 1}
                  ref={virtual.measureElement}
                  className={onOpen ? 'opens' : ''}
                  tabIndex={onOpen ? 0 : undefined}
                  onClick={({ target }) => {
                    if (!isControl(target)) onOpen?.(row);
                  }}
                  onKeyDown={(event) => move(event, row)}
                >
                  {columns.map((column) => (
                    <td key={column.id} className={classOf(column)} data-label={column.header}>
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
              );
            })}
            {after > 0 && (
              <tr className="filler">
                <td style={{ height: after }} />
              </tr>
            )}
          </tbody>
        </table>
        {props.isReadingMore && <Spinner label="Reading more" />}
      </section>
    </>
  );
};
