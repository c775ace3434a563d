import type { SealedUnder } from '../../events/sealing.ts';
import type { Run } from './run.ts';
import type { BotsState } from './state.ts';

// What of the bots' state is personal: what the open run knows of the contact.

export type HiddenRun = Pick<Run, 'contact' | 'text' | 'variables'>;

const NOTHING: HiddenRun = {
  contact: { waId: null, userId: null, name: null },
  text: '',
  variables: {},
};

/** The state without it; null where nothing of the run is sealed in the log. */
export const splitBots = (
  bots: BotsState,
): { clear: BotsState; hidden: HiddenRun; under: SealedUnder } | null => {
  const { run, owner } = bots;
  if (!run || !owner?.sealedUnder) return null;
  const { contact, text, variables } = run;
  const clear = { ...bots, run: { ...run, ...NOTHING } };
  return { clear, hidden: { contact, text, variables }, under: owner.sealedUnder };
};

export const joinBots = (bots: BotsState, hidden: HiddenRun): BotsState => ({
  ...bots,
  run: bots.run && { ...bots.run, ...hidden },
});

/** What is the same where the run's data is erased. The recorded bytes are those of what can be read. */
export const lastingBots = ({ recorded: _, ...bots }: BotsState): unknown => ({
  ...bots,
  run: bots.run && { ...bots.run, ...NOTHING },
  owner: bots.owner && { ...bots.owner, isErased: false, sealedUnder: null },
});
