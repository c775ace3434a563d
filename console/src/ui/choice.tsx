/** A few values of which one is chosen. */
export const Choice = <Value extends string | number>({
  label,
  options,
  value,
  choose,
}: {
  label: string;
  options: readonly (readonly [Value, string])[];
  value: Value;
  choose: (value: Value) => void;
}) => (
  <fieldset className="segmented" aria-label={label}>
    {options.map(([one, words]) => (
      <button key={one} type="button" aria-pressed={one === value} onClick={() => choose(one)}>
        {words}
      </button>
    ))}
  </fieldset>
);
