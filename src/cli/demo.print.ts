import type { DemoSend, DemoTenant } from './demo.steps.ts';

export const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

export const showLedger = (sent: DemoSend, line: (text: string) => void): void => {
  line('\nLedger, newest first');
  for (const { type, amount, balanceAfter, reason } of sent.transactions) {
    const moved = `${amount > 0 ? '+' : ''}${amount}`.padStart(6);
    line(`  ${type.padEnd(7)}${moved}  →  ${String(balanceAfter).padStart(5)}  ${reason ?? ''}`);
  }
  line(`  balance ${sent.balance} credits`);
};

/** Lines to copy: a send, its status, the money, and every way a send can be refused. */
export const curlLines = (demo: {
  baseUrl: string;
  adminToken: string;
  tenant: DemoTenant;
  sent: DemoSend;
}): readonly string[] => {
  const { baseUrl, adminToken, tenant, sent } = demo;
  const { apiKey, accountId } = tenant;
  const key = `-H 'Authorization: Bearer ${apiKey}'`;
  const admin = `-H 'Authorization: Bearer ${adminToken}'`;
  const json = "-H 'Content-Type: application/json'";
  const send = (to: string, more = '') =>
    `  curl -si ${baseUrl}/v1/notifications/send ${key} ${json} -d '{"to":"${to}","event":"order_shipped"${more},"variables":{"orderId":"A-1002","awbCode":"AWB779","trackingLink":"https://shop.example/t/2"}}'`;
  const ledger = `${baseUrl}/admin/v1/accounts/${accountId}`;
  return [
    '\nTry it yourself (the key works until you stop the demo):',
    `  API key      ${apiKey}`,
    `  admin token  ${adminToken}`,
    '\n# Send a message (200), then read how far it got',
    send('+919812345678'),
    `  curl -s ${baseUrl}/v1/notifications/status/${encodeURIComponent(sent.messageId)} ${key}`,
    '\n# No approved template in French (409): charged and refunded',
    send('+919812345678', ',"languageCode":"fr"'),
    '\n# The provider refuses this recipient (502): charged and refunded',
    send('+15550199901'),
    '\n# Out of credit (402): take the credits away, send, give them back',
    `  curl -s ${ledger}/credits/revoke ${admin} ${json} -d '{"amount":${sent.balance - 10}}' # leave 10`,
    `  curl -s ${ledger}/limits -X PATCH ${admin} ${json} -d '{"daily":null}'`,
    '\n# Read the money',
    `  curl -s ${baseUrl}/v1/credits ${key}`,
    `  curl -s ${ledger}/ledger ${admin}`,
    '\n# Events, numbers, readiness',
    `  curl -s ${baseUrl}/v1/notifications/catalog ${key}`,
    `  curl -s '${baseUrl}/v1/notifications/events?refresh=true' ${key}`,
    `  curl -s ${baseUrl}/v1/phones ${key}`,
    '\nPress Ctrl+C to stop.',
  ];
};
