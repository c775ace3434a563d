import type { DemoSend, DemoTenant } from './steps.ts';

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

const VARIABLES =
  '"variables":{"orderId":"A-1002","awbCode":"AWB779","trackingLink":"https://shop.example/t/2"}';

const sendTo = (to: string, more = ''): string =>
  `  curl -si $API/v1/notifications/send -H "$KEY" -H "$JSON" -d '{"to":"${to}","event":"order_shipped"${more},${VARIABLES}}'`;

const botLines = ({ botId, providerUrl }: { botId: string; providerUrl: string }) => [
  '\n# Write as a customer, read what the bot sends back, and list its run',
  `  export WAYBILL_PROVIDER_URL=${providerUrl}`,
  '  npx waybill simulate inbound --from +919812345678 --text "What are your hours?"',
  `  curl -s "$API/v1/bots/${botId}/runs?limit=1" -H "$KEY"`,
];

/** Lines to copy: a send, its status, three refusals, the ledger, a bot. */
export const curlLines = (demo: {
  baseUrl: string;
  adminToken: string;
  tenant: DemoTenant;
  sent: DemoSend;
  /** The bot that answers, and the simulated provider on which to write to it. */
  bot?: { botId: string; providerUrl: string };
}): readonly string[] => {
  const { baseUrl, adminToken, tenant, sent, bot } = demo;
  const { apiKey, accountId } = tenant;
  const status = `$API/v1/notifications/status/${encodeURIComponent(sent.messageId)}`;
  return [
    `\nAPI key      ${apiKey}`,
    `Admin token  ${adminToken}`,
    '\nTry it from another terminal. Set these variables first; then run the lines in any order:',
    `  API=${baseUrl}; JSON='Content-Type: application/json'`,
    `  KEY='Authorization: Bearer ${apiKey}'`,
    `  ADMIN='Authorization: Bearer ${adminToken}'`,
    `  ACCOUNT=$API/admin/v1/accounts/${accountId}`,
    '\n# Send a message (200), and read the status of the first one',
    sendTo('+919812345678'),
    `  curl -s ${status} -H "$KEY"`,
    '\n# No approved template in French (409): charged and refunded',
    sendTo('+919812345678', ',"languageCode":"fr"'),
    '\n# A recipient whom the simulated provider refuses (502): charged and refunded',
    sendTo('+15550199901'),
    '\n# Out of credit (402): take all credits away, send, give some back',
    `  LEFT=$(curl -s $API/v1/credits -H "$KEY" | sed 's/{"balance":\\([0-9]*\\).*/\\1/')`,
    `  curl -s $ACCOUNT/credits/revoke -H "$ADMIN" -H "$JSON" -d "{\\"amount\\":$LEFT}"`,
    sendTo('+919812345678'),
    `  curl -s $ACCOUNT/credits/grant -H "$ADMIN" -H "$JSON" -d '{"amount":1000}'`,
    '\n# Every row of the ledger, and the balance; then the same with the command line',
    `  curl -s $ACCOUNT/ledger -H "$ADMIN"`,
    `  curl -s $API/v1/credits -H "$KEY"`,
    `  export WAYBILL_URL=$API WAYBILL_ADMIN_TOKEN=${adminToken}`,
    `  npx waybill ledger list ${accountId}`,
    ...(bot ? botLines(bot) : []),
    '\n# List the events, which of them can be sent, the numbers, the templates, the messages',
    '  curl -s $API/v1/notifications/catalog -H "$KEY"',
    '  curl -s "$API/v1/notifications/events?refresh=true" -H "$KEY"',
    '  curl -s $API/v1/phones -H "$KEY"',
    `  curl -s "$API/v1/templates?phoneNumberId=${tenant.phoneNumberId}" -H "$KEY"`,
    '  curl -s "$API/v1/messages?limit=5" -H "$KEY"',
    `\nThe reference is at ${baseUrl.replace(/\/api$/, '')}/docs. Press Ctrl+C to stop.`,
  ];
};
