import { Link } from '@tanstack/react-router';
import { useAccount } from '../../layout/shop.tsx';
import { useScope } from '../../session/session.tsx';
import { Facts } from '../../ui/page.tsx';
import { Amount, creditWords, eventWords, Id, Time } from '../../ui/value.tsx';
import type { Later, Sent } from './read.ts';

/** When a send goes out that quiet hours hold. */
export const LaterNote = ({ later }: { later: Later }) => (
  <section className="sent" role="status" aria-label="The answer">
    <strong>It goes out later.</strong>
    <Facts
      rows={[
        ['Due', <Time key="due" at={later.dueAt} form="full" />],
        ['Because', later.rule.text],
        ['Id', <Id key="id" value={later.id} short />],
      ]}
    />
  </section>
);

/** What the provider accepted, and what it cost, as the answer says. */
export const SentNote = ({ sent }: { sent: Sent }) => {
  const mayRead = useScope('messages:read');
  const currency = useAccount()?.currency ?? null;
  const { messageId, category, price, charged, left, template } = sent;
  return (
    <section className="sent" role="status" aria-label="The answer">
      <strong>WhatsApp has taken it.</strong>
      <Facts
        rows={[
          ['Template', template && eventWords(template)],
          ['Category', category?.toLowerCase()],
          ['Price', price && <Amount value={price} unit={currency} />],
          ['Charged', charged && creditWords(Number(charged))],
          ['Left', left && <Amount value={left} unit={charged === null ? currency : 'credits'} />],
          ['Id', <Id key="id" value={messageId} short />],
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
