import { createSimulator } from '../../src/provider/simulator/simulator.ts';
import { answerBench, tellBench } from './measure.ts';

// The simulated provider, without any delay. It reports three statuses of each message, once
// `configure` has told it where webhooks go.

const STATUSES_AT_ONCE = 20;
const NO_DELAY = {
  answerMs: 0,
  sentMs: 0,
  deliveredMs: 0,
  readMs: 0,
  reviewMs: 0,
  authenticationReviewMs: 0,
};

const simulator = createSimulator({
  appSecret: 'bench-app-secret',
  timings: NO_DELAY,
  batch: STATUSES_AT_ONCE,
  enforceWindow: false,
});
const url = await simulator.start();

answerBench({ pending: simulator.pending, lost: simulator.lost, stop: simulator.stop });
tellBench({ port: Number(new URL(url).port) });
