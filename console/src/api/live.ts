import { useEffect, useRef, useState } from 'react';
import type { Session } from '../session/api.ts';
import type { components } from './reference.ts';

export type LiveEvent = components['schemas']['LiveEvents']['events'][number];

/** Follows the events that the viewer may see; `onEvents` is called for each half second with any. */
export const useLive = (
  session: Session,
  onEvents: (events: readonly LiveEvent[]) => void,
): boolean => {
  const [isConnected, setConnected] = useState(false);
  const latest = useRef(onEvents);
  latest.current = onEvents;
  const { kind } = session;
  useEffect(() => {
    const source = new EventSource(kind === 'key' ? '/api/v1/live' : '/api/admin/v1/live');
    source.onopen = () => setConnected(true);
    source.onerror = () => setConnected(false);
    source.onmessage = ({ data }) => {
      const { events } = JSON.parse(data) as components['schemas']['LiveEvents'];
      latest.current(events);
    };
    return () => source.close();
  }, [kind]);
  return isConnected;
};
