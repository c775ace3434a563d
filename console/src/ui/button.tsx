import type { ButtonHTMLAttributes, Ref } from 'react';

type Tone = 'plain' | 'primary' | 'danger' | 'quiet';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  ref?: Ref<HTMLButtonElement>;
  tone?: Tone;
  /** Under way: it cannot be pressed again, and keeps the focus, which a disabled one loses. */
  isBusy?: boolean;
}

export const Button = ({
  tone = 'plain',
  isBusy = false,
  type = 'button',
  className = '',
  onClick,
  ...rest
}: ButtonProps) => (
  <button
    type={type}
    className={`button button-${tone} ${className}`}
    aria-disabled={isBusy || undefined}
    aria-busy={isBusy}
    onClick={(event) => {
      if (isBusy) event.preventDefault();
      else onClick?.(event);
    }}
    {...rest}
  />
);
