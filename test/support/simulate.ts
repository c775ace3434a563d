import { simulate } from '../../src/commands/bots/simulate.ts';
import type { Simulation, SimulationRequest } from '../../src/commands/bots/simulation.ts';

/** Runs a simulation to its end at once. */
export const simulateAtOnce = (request: SimulationRequest): Simulation => {
  const playing = simulate(request);
  for (;;) {
    const { done, value } = playing.next();
    if (done) return value;
  }
};
