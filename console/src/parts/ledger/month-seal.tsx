import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Problem } from '../../api/problem.ts';
import { useMayWrite } from '../../session/session.tsx';
import { Facts } from '../../ui/page.tsx';
import { ProblemNote, Skeleton } from '../../ui/states.tsx';
import { Id, Time } from '../../ui/value.tsx';
import { Light, type LightState } from './light.tsx';
import { readHeadProof, type Statement } from './read.ts';
import { SealNow } from './seal-now.tsx';

/** The last line of the statement's chain beside the link that the last seal covers. */
const stateOf = (
  { chain }: Statement,
  leaf: { sequence: number; hash: string } | undefined,
): readonly [LightState, string] => {
  const { last } = chain;
  if (last === null) return ['off', 'There is no movement in this month to seal.'];
  if (!leaf) return ['off', 'No seal covers the account yet.'];
  if (leaf.sequence < last.sequence) {
    return [
      'off',
      `The last seal covers link ${leaf.sequence}; the month ends with ${last.sequence}.`,
    ];
  }
  if (leaf.sequence > last.sequence) {
    return [
      'good',
      `The last seal covers link ${leaf.sequence}, after the month’s last link, ${last.sequence}: the chain leads from there to here.`,
    ];
  }
  return leaf.hash === last.hash
    ? ['good', `The last seal covers link ${last.sequence}, with the hash of the statement.`]
    : ['bad', `The last seal covers another link ${last.sequence} than the statement counts.`];
};

/** Which seal holds the month, and whether it has the link that the statement ends with. */
export const SealStep = ({ statement }: { statement: Statement }) => {
  const mayWrite = useMayWrite();
  const cache = useQueryClient();
  const { accountId, seal } = statement;
  const { data, error, isLoading } = useQuery({
    queryKey: ['ledger', accountId, 'head-proof'],
    queryFn: () => readHeadProof(accountId),
  });
  const isUnsealed = error instanceof Problem && error.status === 404;
  const [state, words] = stateOf(statement, data && 'leaf' in data ? data.leaf : undefined);
  if (isLoading) return <Skeleton />;
  return (
    <div className="stack">
      {error && !isUnsealed && <ProblemNote problem={error} />}
      <Light state={state}>{words}</Light>
      {seal ? (
        <Facts
          rows={[
            ['Seal of the month', `number ${seal.number}`],
            ['Time', <Time key="at" at={seal.at} form="full" />],
            ['Position', <code key="position">{seal.position}</code>],
            ['Root', <Id key="root" value={seal.root} />],
          ]}
        />
      ) : (
        <p className="muted">The first seal after the month’s end makes the statement final.</p>
      )}
      <div className="row">
        <Link className="button" to={'/seals' as never}>
          All seals
        </Link>
        {mayWrite && (
          <SealNow
            onDone={() => void cache.invalidateQueries({ queryKey: ['ledger', accountId] })}
          />
        )}
      </div>
    </div>
  );
};
