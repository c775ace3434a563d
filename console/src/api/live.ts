import { useEffect, useRef, useState } from 'react';
import type { Session } from '../session/api.ts';
import type { components } from './reference.ts';

export type LiveEvent = components['schemas']['LiveEvents']['events'][number];

/** Pauses before the next try after a refusal; each is twice the one before. */
const PAUSE_MS = { first: 1_000, longest: 60_000 };

/**
 * Follows the events that the viewer may see; `onEvents` is called for each half second with any, and
 * with none after a gap, in which events may have been missed. False while it is not connected.
 */
export const useLive = (
  session: Session,
  onEvents: (events: readonly LiveEvent[]) => void,
): boolean => {
  const [isConnected, setConnected] = useState(false);
  const latest = useRef(onEvents);
  latest.current = onEvents;
  const account = session.kind === 'key' ? session.accountId : undefined;
  const path = account === undefined ? '/api/admin/v1/live' : `/api/v1/live?account=${account}`;
  useEffect(() => {
    let source: EventSource;
    let timer: number | undefined;
    let pauseMs = PAUSE_MS.first;
    let isGap = false;
    const open = () => {
      // An EventSource sends no headers of ours.
      source = new EventSource(path);
      source.onopen = () => {
        pauseMs = PAUSE_MS.first;
        setConnected(true);
        if (isGap) latest.current([]);
        isGap = false;
      };
      source.onerror = () => {
        isGap = true;
        setConnected(false);
        // The browser connects again after a lost connection, but not after a refusal, such as 503.
        if (source.readyState !== EventSource.CLOSED) return;
        timer = window.setTimeout(open, pauseMs * (0.5 + Math.random() / 2));
        pauseMs = Math.min(pauseMs * 2, PAUSE_MS.longest);
      };
      source.onmessage = ({ data }) => {
        const { events } = JSON.parse(data) as components['schemas']['LiveEvents'];
        latest.current(events);
      };
    };
    open();
    return () => {
      window.clearTimeout(timer);
      source.close();
    };
  }, [path]);
  return isConnected;
};
