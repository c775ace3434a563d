import { createDemoClient } from './client.ts';
import { curlLines, say, showLedger } from './print.ts';
import { openTenant, sendFirstMessage } from './steps.ts';

// The demo's first message on a service that runs already, wherever that is.

const { WAYBILL_URL: baseUrl = 'http://127.0.0.1:8080/api', WAYBILL_ADMIN_TOKEN: adminToken } =
  process.env;
if (!adminToken) {
  process.stderr.write('firstmessage: WAYBILL_ADMIN_TOKEN is required\n');
  process.exit(1);
}
const client = createDemoClient(baseUrl, adminToken);
const tenant = await openTenant(client, say);
const sent = await sendFirstMessage(client, tenant, say);
showLedger(sent, say);
curlLines({ baseUrl, adminToken, tenant, sent }).forEach(say);
