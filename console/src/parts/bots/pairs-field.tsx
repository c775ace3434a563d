import { useState } from 'react';
import { Button } from '../../ui/button.tsx';

type Pair = readonly [string, string];

const pairsOf = (value: unknown): readonly Pair[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).map(([name, one]) => [name, String(one)] as const)
    : [];

/** Names with texts. A row without a name, or with that of another one, is not in the value yet. */
export const PairsField = ({
  label,
  hint,
  problem,
  value,
  names,
  change,
}: {
  label: string;
  hint?: string | undefined;
  problem?: string | undefined;
  value: unknown;
  /** Names that are offered. */
  names: readonly string[];
  change: (value: Record<string, unknown>) => void;
}) => {
  const shown = JSON.stringify(value ?? {});
  const [draft, setDraft] = useState({ of: shown, rows: pairsOf(value) });
  const rows = draft.of === shown ? draft.rows : pairsOf(value);
  const known = (value ?? {}) as Record<string, unknown>;
  const set = (next: readonly Pair[]) => {
    const first = next.filter(
      ([name], at) => name !== '' && next.findIndex(([other]) => other === name) === at,
    );
    // A number stays one until its text changes.
    const kept = first.map(([name, text]) => [
      name,
      String(known[name]) === text ? known[name] : text,
    ]);
    const to = Object.fromEntries(kept) as Record<string, unknown>;
    setDraft({ of: JSON.stringify(to), rows: next });
    change(to);
  };
  const missing = names.filter((name) => !rows.some(([one]) => one === name));
  return (
    <fieldset className="node-list">
      <legend>{label}</legend>
      {rows.map(([name, text], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other name while it is typed
        <div className="node-pair" key={index}>
          <input
            aria-label={`Name ${index + 1} of ${label}`}
            value={name}
            onChange={({ target }) =>
              set(rows.map((row, at) => (at === index ? [target.value, text] : row)))
            }
          />
          <input
            aria-label={`Value of ${name || index + 1}`}
            value={text}
            onChange={({ target }) =>
              set(rows.map((row, at) => (at === index ? [name, target.value] : row)))
            }
          />
          <Button
            tone="quiet"
            aria-label={`Remove ${name || index + 1}`}
            onClick={() => set(rows.filter((_, at) => at !== index))}
          >
            ×
          </Button>
        </div>
      ))}
      {problem !== undefined && <div className="field-problem small">{problem}</div>}
      {hint && <div className="field-hint muted small">{hint}</div>}
      <div className="row">
        {missing.map((name) => (
          <Button key={name} onClick={() => set([...rows, [name, '']])}>
            Add {name}
          </Button>
        ))}
        <Button onClick={() => set([...rows, ['', '']])}>Add a row</Button>
      </div>
    </fieldset>
  );
};
