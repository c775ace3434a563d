import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import type { components } from '../../api/reference.ts';
import { useScope } from '../../session/session.tsx';
import { Ask, textIn } from '../../ui/ask.tsx';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { TextField } from '../../ui/field.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { Empty, QueryState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { Id, Words } from '../../ui/value.tsx';

type Phone = components['schemas']['Phone'];

const KEY = ['phones'];

const tones: Readonly<Record<string, Tone>> = { GREEN: 'good', YELLOW: 'warn', RED: 'bad' };

/** Sets or clears the URL; the service does not tell the one that is set. */
const Forward = ({ phoneNumberId, onDone }: { phoneNumberId: string; onDone: () => void }) => {
  const submit = async (form: FormData) => {
    const webhookUrl = textIn(form, 'webhookUrl') ?? null;
    const params = { path: { phoneNumberId } };
    await api.PATCH('/v1/phones/{phoneNumberId}/webhook', { params, body: { webhookUrl } });
    toast(webhookUrl === null ? 'Nothing is forwarded' : 'Inbound messages are forwarded');
    onDone();
  };
  return (
    <Ask label="Forward" title="Forward inbound messages" action="Save" submit={submit}>
      <TextField
        label="URL"
        name="webhookUrl"
        type="url"
        maxLength={2048}
        placeholder="https://shop.example/hooks/inbound"
        hint="WhatsApp’s own payload of this number goes there. Empty: nothing is forwarded. Webhooks are apart from this."
      />
    </Ask>
  );
};

const Health = ({ health }: { health: NonNullable<Phone['health']> }) => {
  const { canSend, blockers, limits = [] } = health;
  return (
    <span className="stack">
      <span>
        <Badge tone={canSend ? 'good' : 'bad'}>{canSend ? 'can send' : 'cannot send'}</Badge>
      </span>
      {[...blockers, ...limits].map((words) => (
        <Words key={words} text={words} />
      ))}
    </span>
  );
};

const PhoneCard = ({ phone, onDone }: { phone: Phone; onDone: () => void }) => {
  const mayWrite = useScope('phones:write');
  const { phoneNumberId, displayPhoneNumber, verifiedName, qualityRating, subscribed } = phone;
  return (
    <Card
      title={displayPhoneNumber}
      actions={mayWrite && <Forward phoneNumberId={phoneNumberId} onDone={onDone} />}
    >
      <Facts
        rows={[
          ['Name', <Words key="name" text={verifiedName} />],
          ['Id', <Id key="id" value={phoneNumberId} />],
          [
            'Quality',
            <Badge key="quality" tone={tones[qualityRating ?? ''] ?? 'neutral'}>
              {qualityRating?.toLowerCase() ?? 'not known'}
            </Badge>,
          ],
          [
            'Inbound',
            <Badge key="subscribed" tone={subscribed ? 'good' : 'warn'}>
              {subscribed === null ? 'not known' : subscribed ? 'subscribed' : 'not subscribed'}
            </Badge>,
          ],
          ['Health', phone.health && <Health health={phone.health} />],
        ]}
      />
    </Card>
  );
};

/** The numbers of the account, as the provider sees them now. */
export const Numbers = () => {
  const cache = useQueryClient();
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => bodyOf(api.GET('/v1/phones', { signal })),
  });
  const { data } = query;
  const again = () => void cache.invalidateQueries({ queryKey: KEY });
  return (
    <Page title="Numbers" lead="As WhatsApp sees them now. An operator links and registers them.">
      <QueryState query={query} />
      {data?.length === 0 && <Empty title="No number yet">An operator links one.</Empty>}
      {data?.map((phone) => (
        <PhoneCard key={phone.phoneNumberId} phone={phone} onDone={again} />
      ))}
    </Page>
  );
};
