import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';

const Frame = ({
  id,
  label,
  hint,
  problem,
  children,
}: {
  id: string;
  label: string;
  hint?: ReactNode;
  problem?: string | undefined;
  children: ReactNode;
}) => (
  <div className="field">
    <label className="field-label" htmlFor={id}>
      {label}
    </label>
    {children}
    {hint && (
      <div className="field-hint muted small" id={`${id}-hint`}>
        {hint}
      </div>
    )}
    {problem !== undefined && (
      <div className="field-problem small" id={`${id}-problem`}>
        {problem}
      </div>
    )}
  </div>
);

interface Common {
  label: string;
  name: string;
  hint?: ReactNode;
  /** What is wrong with its value. */
  problem?: string | undefined;
}

/** What a screen reader says beside the label. */
const described = (id: string, { hint, problem }: Pick<Common, 'hint' | 'problem'>) => ({
  'aria-describedby':
    [hint && `${id}-hint`, problem !== undefined && `${id}-problem`].filter(Boolean).join(' ') ||
    undefined,
  'aria-invalid': problem !== undefined || undefined,
});

export const TextField = ({
  label,
  hint,
  problem,
  ...input
}: Common & InputHTMLAttributes<HTMLInputElement>) => {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} problem={problem}>
      <input id={id} {...described(id, { hint, problem })} {...input} />
    </Frame>
  );
};

export const TextArea = ({
  label,
  hint,
  problem,
  ...input
}: Common & TextareaHTMLAttributes<HTMLTextAreaElement>) => {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} problem={problem}>
      <textarea id={id} {...described(id, { hint, problem })} {...input} />
    </Frame>
  );
};

export const SelectField = ({
  label,
  hint,
  problem,
  options,
  ...select
}: Common &
  SelectHTMLAttributes<HTMLSelectElement> & {
    options: readonly { value: string; label: string }[];
  }) => {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} problem={problem}>
      <select id={id} {...described(id, { hint, problem })} {...select}>
        {options.map(({ value, label: words }) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </Frame>
  );
};

export const CheckField = ({ label, ...input }: Common & InputHTMLAttributes<HTMLInputElement>) => {
  const id = useId();
  return (
    <div className="check">
      <input id={id} type="checkbox" {...input} />
      <label htmlFor={id}>{label}</label>
    </div>
  );
};
