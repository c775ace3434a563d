import { createGraphProvider } from '../../../src/provider/graph/graph.ts';
import type { Provider } from '../../../src/provider/provider.ts';
import { createSimulator, type Simulator } from '../../../src/provider/simulator/simulator.ts';
import { useRealConnections } from '../../support/network.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';
import type { Json } from '../../support/waybill.ts';

/** A call as a program of others makes it. */
export const callAt = async (baseUrl: string, method: string, path: string, body?: object) => {
  const answer = await fetch(`${baseUrl}/v25.0/${path}`, {
    method,
    headers: { authorization: 'Bearer a-token' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Json };
};

interface Stage {
  simulator: Simulator;
  /** Takes the simulator's webhooks. */
  receiver: Receiver;
  /** Calls the simulator as the service does. */
  provider: Provider;
  baseUrl: string;
}

/** A simulator of its own for each test; `options` are read before each. */
export const useSimulator = (
  options: () => Partial<Parameters<typeof createSimulator>[0]>,
): Readonly<Stage> & { settled(): Promise<void> } => {
  useRealConnections();
  const on = {} as Stage;
  beforeEach(async () => {
    on.receiver = await startReceiver('secret');
    const webhookUrl = on.receiver.url;
    on.simulator = createSimulator({ appSecret: 'secret', webhookUrl, ...options() });
    on.baseUrl = await on.simulator.start();
    const { baseUrl } = on;
    const terms = { baseUrl, version: 'v25.0', timeoutMs: 60_000 };
    on.provider = createGraphProvider({ ...terms, random: () => 0 });
  });
  afterEach(async () => {
    await on.provider.close();
    await on.simulator.stop();
    await on.receiver.close();
  });
  const settled = () => until('the simulator is quiet', () => on.simulator.pending() === 0);
  return Object.assign(on, { settled });
};
