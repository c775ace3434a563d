import { useEffect, useState } from 'react';
import { Badge } from '../../ui/badge.tsx';

const MINUTE_MS = 60_000;

const leftOf = (ms: number): string => {
  const minutes = Math.ceil(ms / MINUTE_MS);
  const hours = Math.floor(minutes / 60);
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
};

/** The time until then in ms, which goes on by itself. */
const useLeft = (until: string | null): number => {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS / 4);
    return () => clearInterval(timer);
  }, []);
  return until === null ? 0 : Date.parse(until) - now;
};

/** How long a free-form reply is still allowed. */
export const WindowClock = ({ expiresAt }: { expiresAt: string | null }) => {
  const left = useLeft(expiresAt);
  if (left <= 0) return <Badge tone="neutral">window closed</Badge>;
  return <Badge tone={left < 60 * MINUTE_MS ? 'warn' : 'good'}>{leftOf(left)} left</Badge>;
};

/** How long a hand-off still holds. */
export const TimeLeft = ({ until }: { until: string }) => {
  const left = useLeft(until);
  return <Badge tone="info">{left <= 0 ? 'over' : `${leftOf(left)} left`}</Badge>;
};
