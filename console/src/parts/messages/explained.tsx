import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { Card } from '../../ui/page.tsx';
import { QueryState } from '../../ui/states.tsx';
import { Time, Words } from '../../ui/value.tsx';

/** Every rule that led to the outcome and the price; read when it is opened. */
export const Explained = ({ messageId }: { messageId: string }) => {
  const [isOpen, setOpen] = useState(false);
  const query = useQuery({
    queryKey: ['explained', messageId],
    queryFn: ({ signal }) => {
      const params = { path: { messageId } };
      return bodyOf(api.GET('/v1/messages/{messageId}/explain', { params, signal }));
    },
    enabled: isOpen,
  });
  return (
    <Card title="Why it came to this">
      <details className="explained" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Every rule that led to the outcome and the price</summary>
        {isOpen && <QueryState query={query} />}
        <ol className="timeline">
          {query.data?.rules.map(({ rule, value, why, event }) => (
            <li key={`${rule} ${value} ${event?.position}`}>
              <div className="timeline-head">
                <strong>{rule}</strong>
                <Words text={value} />
                {event && (
                  <span className="muted small">
                    <Time at={event.at} />
                  </span>
                )}
              </div>
              <div className="timeline-words">
                <Words text={why} />
              </div>
            </li>
          ))}
        </ol>
      </details>
    </Card>
  );
};
