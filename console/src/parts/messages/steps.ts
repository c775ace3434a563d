import type { Tone } from '../../ui/badge.tsx';
import type { Charge, Story } from './read.ts';
import type { Step } from './timeline.tsx';

const words: Readonly<Record<string, [string, Tone]>> = {
  MessageSent: ['accepted by the provider', 'info'],
  MessageReceived: ['received from the customer', 'neutral'],
  MessageForwarded: ['forwarded to your server', 'good'],
  ForwardFailed: ['forward failed', 'bad'],
  MessageMarkedRead: ['marked as read', 'neutral'],
};

/** Fields that the page shows elsewhere, or that say nothing to a reader. */
const hidden = new Set(['messageId', 'accountId', 'chargeRevision', 'recovered', 'reservedAt']);

const textOf = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

const detailsOf = (data: Readonly<Record<string, unknown>>): Step['details'] =>
  Object.entries(data)
    .filter(([name, value]) => !hidden.has(name) && value !== null && value !== undefined)
    .map(([name, value]) => [name, textOf(value)]);

const toneOf = (status: unknown): Tone => (status === 'failed' ? 'bad' : 'good');

/** `1 credit`, `2 credits`, `0.0016 USD`. */
export const costOf = ({ amount, unit }: Pick<Charge, 'amount' | 'unit'>): string =>
  `${amount} ${unit === 'credits' && amount === '1' ? 'credit' : unit}`;

/** The charge, before everything else that happened. */
export const chargeSteps = (charge: Charge): readonly Step[] => [
  {
    at: charge.at,
    title: 'charge reserved',
    tone: 'neutral',
    details: [
      ['amount', costOf(charge)],
      ['request', charge.requestId],
      ['position', charge.position],
    ],
  },
];

export const refundSteps = ({ refund, ...charge }: Charge): readonly Step[] =>
  refund
    ? [
        {
          at: refund.at,
          title: 'given back',
          tone: 'warn',
          details: [
            ['cause', refund.cause.replaceAll('_', ' ')],
            ['amount', costOf(charge)],
          ],
        },
      ]
    : [];

/** The events of a message and of its charge, in order. */
export const stepsOf = ({ timeline, charge }: Story): readonly Step[] => {
  const events = timeline.map(({ type, at, data }): Step => {
    const { status } = data;
    if (type === 'StatusUpdated') {
      return { at, title: String(status), tone: toneOf(status), details: detailsOf(data) };
    }
    const [title, tone] = words[type] ?? [type, 'neutral' as const];
    return { at, title, tone, details: detailsOf(data) };
  });
  const all = [
    ...(charge ? chargeSteps(charge) : []),
    ...events,
    ...(charge ? refundSteps(charge) : []),
  ];
  return all.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
};
