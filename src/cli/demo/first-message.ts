import { presentValue } from '../../shared/secret-files.ts';
import { curlLines, exportLines, say, showLedger } from './print.ts';
import { openTenant, sendFirstMessage } from './steps.ts';

// Sends the first message of the demo through a service that runs already.

const { WAYBILL_URL: baseUrl = 'http://127.0.0.1:8080/api' } = process.env;
const adminToken = presentValue(process.env.WAYBILL_ADMIN_TOKEN ?? '');
if (!adminToken) {
  process.stderr.write('first-message: WAYBILL_ADMIN_TOKEN is required\n');
  process.exit(1);
}
const tenant = await openTenant(baseUrl, adminToken, say);
const sent = await sendFirstMessage(baseUrl, tenant, say);
showLedger(sent, say);
const shown = { baseUrl, adminToken, tenant, sent };
[...curlLines(shown), ...exportLines(shown)].forEach(say);
