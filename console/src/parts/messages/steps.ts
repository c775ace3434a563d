import type { Tone } from '../../ui/badge.tsx';
import { typeWords } from '../../ui/type-words.ts';
import type { Charge, Story } from './read.ts';
import type { Step } from './timeline.tsx';

const statuses: Readonly<Record<string, [string, Tone]>> = {
  sent: ['sent', 'info'],
  delivered: ['delivered', 'good'],
  read: ['read', 'good'],
  failed: ['failed', 'bad'],
};

const textIn = (data: Readonly<Record<string, unknown>>, name: string): string | null => {
  const value = data[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
};

/** `1 credit`, `2 credits`, `0.0016 USD`. */
export const costOf = ({ amount, unit }: Pick<Charge, 'amount' | 'unit'>): string =>
  `${amount} ${unit === 'credits' && amount === '1' ? 'credit' : unit}`;

const causes: Readonly<Record<string, string>> = {
  not_sent: 'it was not sent',
  unknown_outcome: 'WhatsApp did not answer in time',
  disconnected: 'the program that sent it hung up before the answer',
  swept: 'the service was interrupted while it sent',
  delivery_failed: 'it failed after WhatsApp had taken it',
};

/** Why a charge was refunded. */
export const causeWords = (cause: string): string => causes[cause] ?? cause.replaceAll('_', ' ');

const forwards: Readonly<Record<string, [string, Tone]>> = {
  answered: ['forwarded to your server', 'good'],
  failed: ['your server did not answer', 'bad'],
  left_out: ['not forwarded to your server', 'warn'],
  unknown: ['perhaps forwarded to your server', 'warn'],
};

/** What an event is called, and how it looks. */
const headOf = (type: string, data: Readonly<Record<string, unknown>>): [string, Tone] => {
  const status = String(data.status);
  if (type === 'StatusUpdated') return statuses[status] ?? [status, 'neutral'];
  const known = type === 'MessageForwarded' ? forwards[String(data.outcome)] : undefined;
  return known ?? [typeWords(type), type === 'MessageSent' ? 'info' : 'neutral'];
};

/** What a reader learns from an event beside its name. */
const detailsOf = (type: string, data: Readonly<Record<string, unknown>>): readonly string[] => {
  const held = textIn(data, 'providerStatus');
  const other = data.otherCategory as { charged: string; billed: string } | undefined;
  const answered = textIn(data, 'statusCode');
  const all = [
    type === 'MessageSent' && held !== null && `WhatsApp holds it: ${held.replaceAll('_', ' ')}`,
    type === 'MessageSent' &&
      data.recovered === true &&
      'learned from its status, after an interruption',
    type === 'StatusUpdated' && textIn(data, 'errorMessage'),
    other &&
      `WhatsApp bills ${other.billed.toLowerCase()}, charged was ${other.charged.toLowerCase()}`,
    type === 'MessageForwarded' && textIn(data, 'error'),
    type === 'MessageForwarded' && answered !== null && `it answered ${answered}`,
  ];
  return all.filter((one): one is string => typeof one === 'string' && one !== '');
};

/** The charge, before everything else that happened. */
export const chargeSteps = (charge: Charge): readonly Step[] => [
  { at: charge.at, title: 'charged', tone: 'neutral', details: [costOf(charge)] },
];

export const refundSteps = ({ refund, ...charge }: Charge): readonly Step[] =>
  refund
    ? [
        {
          at: refund.at,
          title: 'refunded',
          tone: 'warn',
          details: [`${costOf(charge)}, because ${causeWords(refund.cause)}`],
        },
      ]
    : [];

/** The events of a message and of its charge, in order. */
export const stepsOf = ({ timeline, charge }: Story): readonly Step[] => {
  const events = timeline.map(({ type, at, data }): Step => {
    const [title, tone] = headOf(type, data);
    const code =
      type === 'StatusUpdated' && data.status === 'failed' ? textIn(data, 'errorCode') : null;
    return { at, title, tone, details: detailsOf(type, data), ...(code !== null && { code }) };
  });
  const all = [
    ...(charge ? chargeSteps(charge) : []),
    ...events,
    ...(charge ? refundSteps(charge) : []),
  ];
  return all.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
};
