import { useRows } from '../../api/queries.ts';
import { useMayWrite } from '../../session/session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Card, Facts } from '../../ui/page.tsx';
import { Empty, ProblemNote, Skeleton } from '../../ui/states.tsx';
import { Id, Time, Words } from '../../ui/value.tsx';
import { LinkNumber, NumberVerbs } from './number-verbs.tsx';
import { type Account, numbersKey, type PhoneNumber, readNumbers } from './read.ts';

const qualities: Readonly<Record<string, 'good' | 'warn' | 'bad'>> = {
  GREEN: 'good',
  YELLOW: 'warn',
  RED: 'bad',
};

const Registration = ({ registered }: Pick<PhoneNumber, 'registered'>) => {
  if (registered === null) return <Badge>not known</Badge>;
  return registered ? (
    <Badge tone="good">registered</Badge>
  ) : (
    <Badge tone="bad">not registered</Badge>
  );
};

const Subscription = ({ subscribed, subscriptionProblem }: PhoneNumber) => (
  <span>
    {subscribed === null && <Badge>not known</Badge>}
    {subscribed === true && <Badge tone="good">subscribed</Badge>}
    {subscribed === false && <Badge tone="bad">not subscribed</Badge>}{' '}
    {subscriptionProblem && <Words text={subscriptionProblem} />}
  </span>
);

const NumberCard = ({ number }: { number: PhoneNumber }) => {
  const mayWrite = useMayWrite();
  const { qualityRating, hasAccessToken, webhookUrl } = number;
  return (
    <Card
      title={number.displayPhoneNumber || number.phoneNumberId}
      actions={mayWrite && <NumberVerbs number={number} />}
    >
      <Facts
        rows={[
          ['Name', <Words key="name" text={number.verifiedName || '–'} />],
          ['Number id', <Id key="id" value={number.phoneNumberId} />],
          ['Business account', <Id key="waba" value={number.wabaId} />],
          [
            'Access token',
            hasAccessToken ? (
              <Badge key="token" tone="good">
                stored, encrypted
              </Badge>
            ) : (
              <Badge key="token" tone="warn">
                none: it cannot send
              </Badge>
            ),
          ],
          ['Registration', <Registration key="registered" registered={number.registered} />],
          ['Statuses and messages', <Subscription key="subscribed" {...number} />],
          [
            'Quality',
            qualityRating && (
              <Badge key="quality" tone={qualities[qualityRating] ?? 'neutral'}>
                {qualityRating.toLowerCase()}
              </Badge>
            ),
          ],
          ['Throttle', `${number.messagesPerSecond} messages a second at most`],
          ['Forwards to', webhookUrl && <Words key="url" text={webhookUrl} />],
          ['Linked', <Time key="linked" at={number.linkedAt} form="full" />],
        ]}
      />
    </Card>
  );
};

/** The numbers that the account sends from. */
export const Numbers = ({ account: { id } }: { account: Account }) => {
  const mayWrite = useMayWrite();
  const { rows, error, isLoading, refetch } = useRows(numbersKey(id), readNumbers(id));
  return (
    <div className="stack">
      {mayWrite && (
        <div className="tab-actions">
          <LinkNumber accountId={id} />
        </div>
      )}
      {error && <ProblemNote problem={error} again={refetch} />}
      {isLoading && <Skeleton />}
      {!isLoading && !error && rows.length === 0 && (
        <Empty title="No number yet">Link one with its token, to send from it.</Empty>
      )}
      {rows.map((number) => (
        <NumberCard key={number.phoneNumberId} number={number} />
      ))}
    </div>
  );
};
