import { createSimulator } from '../provider/simulator/simulator.ts';
import { presentValue } from '../shared/secret-files.ts';
import { startProblem } from '../shared/start-problem.ts';

// The simulated provider as a program, so that several instances of the service can share one.

const { HOST, PORT, WAYBILL_APP_SECRET, WAYBILL_WEBHOOK_URL } = process.env;
if (!WAYBILL_APP_SECRET || !WAYBILL_WEBHOOK_URL) {
  process.stderr.write('simulator: WAYBILL_APP_SECRET and WAYBILL_WEBHOOK_URL are required\n');
  process.exit(1);
}
const simulator = createSimulator({
  appSecret: presentValue(WAYBILL_APP_SECRET),
  webhookUrl: WAYBILL_WEBHOOK_URL,
  host: HOST ?? '127.0.0.1',
  port: Number(PORT ?? 4000),
});
const url = await simulator.start().catch((error: unknown) => {
  const problem = startProblem(error, () => 'stop that program, or set PORT to a free one');
  process.stderr.write(`simulator: ${problem}\n`);
  process.exit(1);
});
process.stdout.write(`The simulated provider listens at ${url}\n`);
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => void simulator.stop());
}
