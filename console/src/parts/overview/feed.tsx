import { Link } from '@tanstack/react-router';
import type { LiveEvent } from '../../api/live.ts';
import type { Tone } from '../../ui/badge.tsx';
import { LiveBadge } from '../../ui/live-badge.tsx';
import { Card } from '../../ui/page.tsx';
import { Time } from '../../ui/value.tsx';

const words: Readonly<Record<string, [string, Tone]>> = {
  ChargeReserved: ['charged', 'neutral'],
  ChargeRefunded: ['refunded', 'warn'],
  MessageSent: ['taken by WhatsApp', 'info'],
  StatusUpdated: ['news of a message', 'good'],
  MessageReceived: ['received from a customer', 'neutral'],
  DeadLetterKept: ['dead letter', 'bad'],
  AccountPaused: ['account paused', 'bad'],
  LedgerSealed: ['ledger sealed', 'good'],
};

const wordOf = ({ type, status }: LiveEvent): [string, Tone] => {
  if (status !== undefined) return [status, status === 'failed' ? 'bad' : 'good'];
  return words[type] ?? [type.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase(), 'neutral'];
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
