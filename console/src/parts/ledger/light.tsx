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
