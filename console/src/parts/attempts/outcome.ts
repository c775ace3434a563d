import type { Tone } from '../../ui/badge.tsx';
import type { Attempt } from './read.ts';

/** What became of an attempt: a word, its colour, and the code of the reason where it did not arrive. */
export interface Outcome {
  word: string;
  tone: Tone;
  code: string | null;
}

const sent: Readonly<Record<string, Omit<Outcome, 'code'>>> = {
  sent: { word: 'sent', tone: 'info' },
  delivered: { word: 'delivered', tone: 'good' },
  read: { word: 'read', tone: 'good' },
  failed: { word: 'failed', tone: 'bad' },
};

/** Where no message tells more. */
const byState: Readonly<Record<Attempt['state'], Outcome>> = {
  accepted: { word: 'sent', tone: 'neutral', code: null },
  pending: { word: 'waiting', tone: 'warn', code: null },
  refused: { word: 'refused', tone: 'bad', code: 'SEND_FAILED' },
  unreachable: { word: 'not sent', tone: 'bad', code: 'PROVIDER_UNREACHABLE' },
  unknown: { word: 'not known', tone: 'warn', code: 'OUTCOME_UNKNOWN' },
  not_sent: { word: 'not sent', tone: 'bad', code: 'TEMPLATE_NOT_APPROVED' },
  disconnected: { word: 'not known', tone: 'warn', code: 'DISCONNECTED' },
  swept: { word: 'interrupted', tone: 'warn', code: 'SWEPT' },
};

/** A message that went out: by its last status. */
export const outcomeOfMessage = (status: string | null, errorCode: string | null): Outcome => {
  const known = sent[status ?? 'sent'] ?? { word: status ?? 'sent', tone: 'neutral' as const };
  if (known.word === 'failed') return { ...known, code: errorCode ?? 'SEND_FAILED' };
  return { ...known, code: known.word === 'sent' ? 'NOT_YET' : null };
};

export const outcomeOf = ({ state, error, message }: Attempt): Outcome => {
  if (message) return outcomeOfMessage(message.status, message.errorCode);
  const outcome = byState[state];
  const code = error?.providerCode ?? error?.code;
  return code === undefined ? outcome : { ...outcome, code: String(code) };
};
