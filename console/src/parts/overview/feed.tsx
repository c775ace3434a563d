import type { LiveEvent } from '../../api/live.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { LiveBadge } from '../../ui/live-badge.tsx';
import { Card } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Id, Time } from '../../ui/value.tsx';

const words: Readonly<Record<string, [string, Tone]>> = {
  ChargeReserved: ['charged', 'neutral'],
  ChargeRefunded: ['refunded', 'warn'],
  MessageSent: ['accepted', 'info'],
  StatusUpdated: ['status', 'good'],
  MessageReceived: ['received', 'neutral'],
  DeadLetterKept: ['dead letter', 'bad'],
  AccountPaused: ['paused', 'bad'],
  LedgerSealed: ['sealed', 'good'],
};

const wordOf = ({ type, status }: LiveEvent): [string, Tone] => {
  if (status !== undefined) return [status, status === 'failed' ? 'bad' : 'good'];
  return words[type] ?? [type, 'neutral'];
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
    {events.length === 0 && <Empty title="Nothing has happened since you opened this page" />}
    <ol className="feed">
      {events.map((event) => {
        const [word, tone] = wordOf(event);
        return (
          <li key={`${event.position}-${event.type}`}>
            <Badge tone={tone}>{word}</Badge>
            {event.accountId !== null && <Id value={event.chargeId ?? event.accountId} short />}
            <span className="muted small">
              <Time at={event.at} form="ago" />
            </span>
          </li>
        );
      })}
    </ol>
  </Card>
);
