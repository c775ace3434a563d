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
  children,
}: {
  id: string;
  label: string;
  hint?: ReactNode;
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
  </div>
);

interface Common {
  label: string;
  name: string;
  hint?: ReactNode;
}

export const TextField = ({
  label,
  hint,
  ...input
}: Common & InputHTMLAttributes<HTMLInputElement>) => {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint}>
      <input id={id} aria-describedby={hint ? `${id}-hint` : undefined} {...input} />
    </Frame>
  );
};

export const TextArea = ({
  label,
  hint,
  ...input
}: Common & TextareaHTMLAttributes<HTMLTextAreaElement>) => {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint}>
      <textarea id={id} aria-describedby={hint ? `${id}-hint` : undefined} {...input} />
    </Frame>
  );
};

export const SelectField = ({
  label,
  hint,
  options,
  ...select
}: Common &
  SelectHTMLAttributes<HTMLSelectElement> & {
    options: readonly { value: string; label: string }[];
  }) => {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint}>
      <select id={id} aria-describedby={hint ? `${id}-hint` : undefined} {...select}>
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
