import type { ReactNode } from 'react';
import { Runbook } from '../../ui/runbook.tsx';

export type LightState = 'off' | 'busy' | 'good' | 'bad';

const words: Readonly<Record<LightState, string>> = {
  off: 'not checked',
  busy: 'checking',
  good: 'checked',
  bad: 'wrong',
};

/** Green for what was checked, and for nothing else. The word says the same as the colour. */
export const Light = ({ state, children }: { state: LightState; children: ReactNode }) => (
  <div className={`light light-${state}`}>
    <span className="light-lamp" aria-hidden="true" />
    <div>
      <strong>{words[state]}</strong> {children} {state === 'bad' && <Runbook of="ledger" />}
    </div>
  </div>
);

/** How far a check has come; without an end where it is not known. */
export const Progress = ({
  label,
  done,
  of,
}: {
  label: string;
  done?: number | undefined;
  of?: number | undefined;
}) => (
  <progress
    className="check-progress"
    aria-label={label}
    {...(done !== undefined && of !== undefined && { value: done, max: Math.max(of, 1) })}
  />
);
