import type { ButtonHTMLAttributes } from 'react';

type Tone = 'plain' | 'primary' | 'danger' | 'quiet';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  tone?: Tone;
  /** Under way: it cannot be pressed again. */
  isBusy?: boolean;
}

export const Button = ({
  tone = 'plain',
  isBusy = false,
  type = 'button',
  className = '',
  disabled,
  ...rest
}: ButtonProps) => (
  <button
    type={type}
    className={`button button-${tone} ${className}`}
    disabled={disabled === true || isBusy}
    aria-busy={isBusy}
    {...rest}
  />
);
