import { Badge } from '../../ui/badge.tsx';
import { Words } from '../../ui/value.tsx';
import type { Difference } from './differences.ts';

const tones = { added: 'good', removed: 'bad', changed: 'warn' } as const;

/** What is different between two graphs, in words. */
export const DifferenceList = ({ differences }: { differences: readonly Difference[] }) => {
  if (differences.length === 0) return <p className="muted">They do the same.</p>;
  return (
    <ul className="differences" aria-label="Differences">
      {differences.map(({ nodeId, kind, words }) => (
        <li key={nodeId}>
          <Badge tone={tones[kind]}>{kind}</Badge> <strong>{nodeId}</strong>
          {words.map((one) => (
            <div key={one}>
              <Words text={one} />
            </div>
          ))}
        </li>
      ))}
    </ul>
  );
};
