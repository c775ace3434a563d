import { useSession } from '../session/session.tsx';
import { type Red, runbooks } from './runbooks.ts';

/** Leads an operator from a red thing to what is done about it. */
export const Runbook = ({ of }: { of: Red }) => {
  const { session } = useSession();
  if (session.kind === 'key') return null;
  return (
    <a
      href={`/docs/runbooks#${runbooks[of]}`}
      aria-label={`Runbook: ${runbooks[of].replaceAll('-', ' ')}`}
    >
      Runbook
    </a>
  );
};
