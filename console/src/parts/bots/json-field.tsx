import { useState } from 'react';
import { TextArea } from '../../ui/field.tsx';

/** The value of a text; undefined where the text is no JSON. */
const parsed = (text: string): { value: unknown } | undefined => {
  if (text.trim() === '') return { value: undefined };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
};

const shownOf = (value: unknown): string =>
  value === undefined || value === null ? '' : JSON.stringify(value, null, 2);

/** A value as JSON. What is none stays as it was typed, and changes nothing. */
export const JsonField = ({
  label,
  name,
  hint,
  problem,
  value,
  change,
  mustBeObject = false,
}: {
  label: string;
  name: string;
  hint?: string | undefined;
  problem?: string | undefined;
  value: unknown;
  change: (value: unknown) => void;
  mustBeObject?: boolean;
}) => {
  const shown = shownOf(value);
  const [draft, setDraft] = useState({ of: shown, text: shown });
  const text = draft.of === shown ? draft.text : shown;
  const accept = (typed: string) => {
    const found = parsed(typed);
    const inner = found?.value;
    const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
    return found && (isObject || !mustBeObject) ? found : undefined;
  };
  const type = (typed: string) => {
    const found = accept(typed);
    setDraft({ of: found ? shownOf(found.value) : shown, text: typed });
    if (found) change(found.value);
  };
  const isBad = accept(text) === undefined;
  return (
    <TextArea
      label={label}
      name={name}
      hint={hint}
      problem={isBad ? `This is no JSON${mustBeObject ? ' object' : ''}.` : problem}
      className="code"
      rows={6}
      spellCheck={false}
      value={text}
      onChange={({ target }) => type(target.value)}
    />
  );
};
