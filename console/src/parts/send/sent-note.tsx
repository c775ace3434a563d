import { Link } from '@tanstack/react-router';
import { useScope } from '../../session/session.tsx';
import { Facts } from '../../ui/page.tsx';
import { Amount, creditWords, Id, Time } from '../../ui/value.tsx';
import type { Later, Sent } from './read.ts';

/** When a send goes out that quiet hours hold. */
export const LaterNote = ({ later }: { later: Later }) => (
  <section className="sent" role="status" aria-label="The answer">
    <strong>It goes out later.</strong>
    <Facts
      rows={[
        ['Due', <Time key="due" at={later.dueAt} form="full" />],
        ['Because', later.rule.text],
        ['Scheduled send', <Id key="id" value={later.id} short />],
      ]}
    />
  </section>
);

/** What the provider accepted, and what it cost, as the answer says. */
export const SentNote = ({ sent }: { sent: Sent }) => {
  const mayRead = useScope('messages:read');
  const { messageId, category, price, charged, left, template } = sent;
  return (
    <section className="sent" role="status" aria-label="The answer">
      <strong>WhatsApp has taken it.</strong>
      <Facts
        rows={[
          ['Message', <Id key="id" value={messageId} short />],
          ['Template', template],
          ['Category', category],
          ['Price', price && <Amount value={price} />],
          ['Charged', charged && creditWords(Number(charged))],
          ['Left', left && <Amount value={left} unit={charged === null ? null : 'credits'} />],
        ]}
      />
      {mayRead && (
        <Link to={`/messages/${encodeURIComponent(messageId)}` as never}>
          Follow its whole story
        </Link>
      )}
    </section>
  );
};
