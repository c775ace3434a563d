import { useState } from 'react';
import { Icon } from './icon.tsx';
import { dayTime, relative, utcOf } from './times.ts';

/** A time by the convention of the console, with UTC in its title. */
export const Time = ({ at, form = 'short' }: { at: string; form?: 'short' | 'full' | 'ago' }) => (
  <time dateTime={at} title={utcOf(at)}>
    {form === 'ago' ? relative(at, Date.now()) : dayTime(at, Date.now(), form === 'full')}
  </time>
);

/** An exact amount, as the service says it: never through a floating-point number. */
export const Amount = ({
  value,
  unit,
  sign = false,
}: {
  value: string | number;
  unit?: string | null;
  sign?: boolean;
}) => {
  const text = String(value);
  const isNegative = text.startsWith('-');
  const isIn = sign && !isNegative && Number(text) !== 0;
  const shown = isNegative ? `−${text.slice(1)}` : isIn ? `+${text}` : text;
  return (
    <span className={`amount ${isIn ? 'amount-in' : ''}`}>
      {shown}
      {unit && <span className="muted"> {unit}</span>}
    </span>
  );
};

/** `1 credit`, `2 credits`. */
export const creditWords = (count: number): string =>
  `${count} ${count === 1 ? 'credit' : 'credits'}`;

/** What a message took in the account's unit, or that it was free; where that is credits, its price beside it. */
export const Cost = ({
  credits,
  price,
  currency,
}: {
  credits: number | null;
  price: string | null;
  currency: string | null;
}) => {
  if (credits === 0 || (price !== null && Number(price) === 0)) return 'free';
  if (credits === null) return price === null ? '–' : <Amount value={price} unit={currency} />;
  return (
    <span className="cost">
      <span className="amount">{creditWords(credits)}</span>
      {price !== null && (
        <span className="muted small">
          <Amount value={price} unit={currency} />
        </span>
      )}
    </span>
  );
};

/** A customer's number as it is dialled, or the provider's id of the customer. */
export const Phone = ({ of }: { of: string | null }) =>
  of === null ? (
    <span className="muted">erased</span>
  ) : (
    <span className="phone">{/^\d+$/.test(of) ? `+${of}` : of}</span>
  );

/** What was sent, in words: `order_shipped`, `template:<name>` or `bot:<id>`, as charges name it. */
export const eventWords = (event: string): string => {
  if (event.startsWith('bot:')) return 'Reply of a bot';
  const name = event.replace(/^template:/, '').replaceAll('_', ' ');
  const words = name.replace(/^otp\b/, 'one-time code');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** An id in full, and a button that copies it. */
export const Id = ({ value, short = false }: { value: string; short?: boolean }) => {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  const shown = short && value.length > 16 ? `${value.slice(0, 8)}…${value.slice(-5)}` : value;
  return (
    <span className="id" title={value}>
      <code>{shown}</code>
      <button type="button" className="copy" onClick={copy} aria-label={`Copy ${value}`}>
        <Icon name={copied ? 'check' : 'copy'} size={14} />
      </button>
    </span>
  );
};

/** A text of a customer: shown as text, each line apart, hidden characters made visible. */
export const Words = ({ text }: { text: string }) => (
  <bdi className="words">{text.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '�')}</bdi>
);

/** Raw JSON, to be read and copied. */
export const Json = ({ value }: { value: unknown }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
  <pre className="json" tabIndex={0}>
    {JSON.stringify(value, null, 2)}
  </pre>
);
