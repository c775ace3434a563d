import { useState } from 'react';
import { Icon } from './icon.tsx';

const dayForm = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const agoForm = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

const steps = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

const agoOf = (time: number, now: number): string => {
  const [unit, ms] = steps.find(([, length]) => Math.abs(now - time) >= length) ?? steps[3];
  return agoForm.format(Math.round((time - now) / ms), unit);
};

/** UTC to the second: what stands in the log. */
const utcOf = (iso: string): string => iso.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');

/** A time in the viewer's zone, with UTC beside it, or in its title where there is no room. */
export const Time = ({ at, form = 'short' }: { at: string; form?: 'short' | 'full' | 'ago' }) => {
  const time = Date.parse(at);
  const utc = utcOf(at);
  return (
    <time dateTime={at} title={utc}>
      {form === 'ago' ? agoOf(time, Date.now()) : dayForm.format(time)}
      {form === 'full' && <span className="muted"> · {utc}</span>}
    </time>
  );
};

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
  const shown = isNegative ? `−${text.slice(1)}` : sign ? `+${text}` : text;
  return (
    <span className={`amount ${sign && !isNegative ? 'amount-in' : ''}`}>
      {shown}
      {unit && <span className="muted"> {unit}</span>}
    </span>
  );
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
