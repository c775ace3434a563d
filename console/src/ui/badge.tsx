import type { ReactNode } from 'react';

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info';

/** A word with a colour; the word alone says what is meant. */
export const Badge = ({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) => (
  <span className={`badge badge-${tone}`}>{children}</span>
);

const tones: Readonly<Record<string, Tone>> = {
  accepted: 'info',
  sent: 'info',
  delivered: 'good',
  read: 'good',
  failed: 'bad',
  failing: 'bad',
  waiting: 'warn',
  charged: 'neutral',
  refused: 'bad',
  received: 'neutral',
  active: 'good',
  live: 'good',
  done: 'good',
  inactive: 'warn',
  running: 'info',
  queued: 'neutral',
  'catching-up': 'warn',
  rebuilding: 'info',
  halted: 'bad',
  revoked: 'bad',
  disabled: 'bad',
  paused: 'warn',
  kept: 'good',
  refunded: 'warn',
  open: 'info',
  suspended: 'bad',
  approved: 'good',
  pending: 'warn',
  rejected: 'bad',
  checking: 'info',
  ready: 'info',
  unusable: 'bad',
  bad: 'bad',
};

/** A state in the service's own word. */
export const StateBadge = ({ state }: { state: string }) => (
  <Badge tone={tones[state.toLowerCase()] ?? 'neutral'}>{state}</Badge>
);
