import type { HeavyWork } from '../../shared/heavy-work.ts';
import { simulate } from './simulate.ts';
import type { Simulation, SimulationRequest } from './simulation.ts';

/** Runs a simulation turn by turn, next to the other work of this thread. */
export const simulateInTurns = async (
  inTurn: HeavyWork,
  accountId: string,
  request: SimulationRequest,
): Promise<Simulation> => {
  const playing = simulate(request);
  for (;;) {
    const { done, value } = await inTurn(accountId, () => playing.next());
    if (done) return value;
  }
};
