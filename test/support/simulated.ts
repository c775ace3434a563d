import nock from 'nock';
import { createSimulator, type Simulator } from '../../src/provider/simulator/simulator.ts';
import { fixedClock } from './ambient.ts';
import { APP_SECRET, startWaybill, type Waybill, type WaybillOptions } from './waybill.ts';

export interface Simulated {
  readonly waybill: Waybill;
  readonly simulator: Simulator;
  readonly providerUrl: string;
  close(): Promise<void>;
}

/** A service whose provider is the simulator, which tells it what becomes of messages. */
export const openSimulated = async (options: WaybillOptions = {}): Promise<Simulated> => {
  const clock = fixedClock();
  const simulator = createSimulator({ appSecret: APP_SECRET, clock });
  const providerUrl = await simulator.start();
  const forwardAllow = ['127.0.0.1'];
  const waybill = await startWaybill({ providerUrl, clock, forwardAllow, ...options });
  simulator.configure({ webhookUrl: `${waybill.url}/api/provider/webhook` });
  return {
    waybill,
    simulator,
    providerUrl,
    async close() {
      await waybill.stop();
      // The simulator has answered for what a tenant's number had stubbed.
      nock.cleanAll();
      await simulator.stop();
    },
  };
};
