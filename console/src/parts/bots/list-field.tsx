import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { type Data, freshItem, type NodeField } from './node-fields.ts';

const itemsOf = (value: unknown): readonly Data[] =>
  Array.isArray(value)
    ? value.map((one) => (typeof one === 'object' && one !== null ? (one as Data) : {}))
    : [];

/** Objects one below the other, each with its fields. */
export const ListField = ({
  field,
  value,
  problem,
  problemOf,
  change,
  children,
}: {
  field: NodeField & { kind: 'list' };
  value: unknown;
  problem: string | undefined;
  /** What is wrong with an item as a whole. */
  problemOf: (index: number) => string | undefined;
  change: (items: readonly Data[]) => void;
  /** The fields of an item. */
  children: (item: Data, index: number) => ReactNode;
}) => {
  const { label, of, max } = field;
  const items = itemsOf(value);
  const box = useRef<HTMLFieldSetElement>(null);
  const isAdded = useRef(false);
  useEffect(() => {
    if (!isAdded.current) return;
    isAdded.current = false;
    box.current
      ?.querySelector<HTMLElement>(`:scope > .node-item:nth-of-type(${items.length}) input`)
      ?.focus();
  }, [items.length]);
  const add = () => {
    isAdded.current = true;
    change([...items, freshItem(field, items)]);
  };
  const raise = (index: number) =>
    change(items.toSpliced(index, 1).toSpliced(index - 1, 0, items[index] ?? {}));
  return (
    <fieldset className="node-list" ref={box}>
      <legend>{label}</legend>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: ids change while they are typed
        <fieldset className="node-item" key={index}>
          <legend>
            {of} {index + 1}
          </legend>
          {children(item, index)}
          {problemOf(index) !== undefined && (
            <div className="field-problem small">{problemOf(index)}</div>
          )}
          <div className="row">
            {index > 0 && (
              <Button tone="quiet" onClick={() => raise(index)}>
                Move up
              </Button>
            )}
            <Button tone="quiet" onClick={() => change(items.toSpliced(index, 1))}>
              Remove this {of}
            </Button>
          </div>
        </fieldset>
      ))}
      {problem !== undefined && <div className="field-problem small">{problem}</div>}
      {items.length < max && (
        <div>
          <Button onClick={add}>Add a {of}</Button>
        </div>
      )}
    </fieldset>
  );
};
