import { Link } from '@tanstack/react-router';
import type { LiveEvent } from '../../api/live.ts';
import type { Tone } from '../../ui/badge.tsx';
import { LiveBadge } from '../../ui/live-badge.tsx';
import { Card } from '../../ui/page.tsx';
import { typeWords } from '../../ui/type-words.ts';
import { Time } from '../../ui/value.tsx';

const tones: Readonly<Record<string, Tone>> = {
  ChargeRefunded: 'warn',
  MessageSent: 'info',
  StatusUpdated: 'good',
  DeadLetterKept: 'bad',
  AccountPaused: 'bad',
  LedgerSealed: 'good',
};

const wordOf = ({ type, status }: LiveEvent): [string, Tone] => {
  if (status !== undefined) return [status, status === 'failed' ? 'bad' : 'good'];
  return [typeWords(type), tones[type] ?? 'neutral'];
};

/** The newest events, as they come. */
export const Feed = ({
  events,
  isConnected,
}: {
  events: readonly LiveEvent[];
  isConnected: boolean;
}) => (
  <Card title="Live" actions={<LiveBadge isConnected={isConnected} />}>
    {events.length === 0 && (
      <p className="muted">What is sent and received from now on appears here.</p>
    )}
    <ol className="feed">
      {events.map((event) => {
        const [word, tone] = wordOf(event);
        return (
          <li key={`${event.position}-${event.type}`}>
            <span className={`dot dot-${tone}`} aria-hidden="true" />
            {event.chargeId ? <Link to={`/charges/${event.chargeId}` as never}>{word}</Link> : word}
            <span className="muted small">
              <Time at={event.at} form="ago" />
            </span>
          </li>
        );
      })}
    </ol>
  </Card>
);
