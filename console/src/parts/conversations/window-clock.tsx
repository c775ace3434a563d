import { useEffect, useState } from 'react';
import { Badge } from '../../ui/badge.tsx';

const MINUTE_MS = 60_000;

const leftOf = (ms: number): string => {
  const minutes = Math.ceil(ms / MINUTE_MS);
  const hours = Math.floor(minutes / 60);
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
};

/** How long a free-form reply is still allowed. */
export const WindowClock = ({ expiresAt }: { expiresAt: string | null }) => {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS / 4);
    return () => clearInterval(timer);
  }, []);
  const left = expiresAt === null ? 0 : Date.parse(expiresAt) - now;
  if (left <= 0) return <Badge tone="neutral">window closed</Badge>;
  return <Badge tone={left < 60 * MINUTE_MS ? 'warn' : 'good'}>{leftOf(left)} left</Badge>;
};
