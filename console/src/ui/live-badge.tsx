import { Badge } from './badge.tsx';

/** Whether a page is told of events as they happen. */
export const LiveBadge = ({ isConnected }: { isConnected: boolean }) => (
  <span role="status">
    <Badge tone={isConnected ? 'good' : 'warn'}>
      {isConnected ? 'connected' : 'not live, connecting'}
    </Badge>
  </span>
);
