import { fileURLToPath } from 'node:url';
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

/** Its answer ends with the line, so that the prompt of the shell does not follow it. */
const CURL = "curl -sw '\\n'";

const sendTo = (to: string, more = ''): string =>
  `  ${CURL} -i $WAYBILL_URL/v1/notifications/send -H "$KEY" -H "$JSON" -d '{"to":"${to}","event":"order_shipped"${more},${VARIABLES}}'`;

/** What the lines to copy are about. */
interface Shown {
  baseUrl: string;
  adminToken: string;
  tenant: DemoTenant;
  sent: DemoSend;
  /** The bot that answers, and the simulated provider on which to write to it. */
  bot?: { botId: string; providerUrl: string };
}

const botLines = ({ botId }: { botId: string }) => [
  '\n# Write as a customer, read what the bot sends back, and list its run',
  '  waybill simulate inbound --from +919812345678 --text "What are your hours?"',
  `  waybill bot runs ${botId}`,
];

/** Lines to copy: a send, its status, three refusals, the ledger, a bot. */
export const curlLines = ({ tenant, sent, bot }: Shown): readonly string[] => {
  const status = `$WAYBILL_URL/v1/notifications/status/${encodeURIComponent(sent.messageId)}`;
  return [
    '\nTry it from another terminal. First copy the block at the end into it, which sets all variables;',
    'then run the lines in any order:',
    '\n# Send a message (200), and read the status of the first one',
    sendTo('+919812345678'),
    `  ${CURL} ${status} -H "$KEY"`,
    '\n# No approved template in French (409): charged and refunded',
    sendTo('+919812345678', ',"languageCode":"fr"'),
    '\n# A recipient whom the simulated provider refuses (502): charged and refunded',
    sendTo('+15550199901'),
    '\n# Out of credit (402): take all credits away, send, give some back',
    `  LEFT=$(curl -s $WAYBILL_URL/v1/credits -H "$KEY" | sed 's/{"balance":\\([0-9]*\\).*/\\1/')`,
    `  ${CURL} $ACCOUNT/credits/revoke -H "$ADMIN" -H "$JSON" -d "{\\"amount\\":$LEFT}"`,
    sendTo('+919812345678'),
    `  ${CURL} $ACCOUNT/credits/grant -H "$ADMIN" -H "$JSON" -d '{"amount":1000}'`,
    '\n# The same with the command line: a send, its message, every row of the ledger, all on one screen',
    '  waybill send order_shipped --to +919812345678 orderId=A-1003 awbCode=AWB780 trackingLink=https://shop.example/t/3',
    '  waybill message find',
    `  waybill ledger list ${tenant.accountId}`,
    '  waybill status',
    ...(bot ? botLines(bot) : []),
    '\n# A program of the WhatsApp Cloud API changes its address and its token, and has a ledger',
    `  ${CURL} -i $WAYBILL_URL/graph/v25.0/${tenant.phoneNumberId}/messages -H "$KEY" -H "$JSON" -d '{"messaging_product":"whatsapp","to":"+919812345678","type":"template","template":{"name":"order_shipped","language":{"code":"en_US"},"components":[{"type":"body","parameters":[{"type":"text","text":"A-1004"},{"type":"text","text":"AWB781"},{"type":"text","text":"https://shop.example/t/4"}]}]}}'`,
    '\n# List the events, which of them can be sent, the numbers, the templates, the messages',
    `  ${CURL} $WAYBILL_URL/v1/notifications/catalog -H "$KEY"`,
    `  ${CURL} "$WAYBILL_URL/v1/notifications/events?refresh=true" -H "$KEY"`,
    `  ${CURL} $WAYBILL_URL/v1/phones -H "$KEY"`,
    `  ${CURL} "$WAYBILL_URL/v1/templates?phoneNumberId=${tenant.phoneNumberId}" -H "$KEY"`,
    `  ${CURL} "$WAYBILL_URL/v1/messages?limit=5" -H "$KEY"`,
  ];
};

/** The command line of this program, wherever it lies: `npx waybill` asks the registry outside of a clone. */
const program = fileURLToPath(import.meta.resolve('../../../src/cli/waybill.cjs'));

const inShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The last lines: a shell can evaluate them. The names are those of the docs and the command line. */
export const exportLines = ({ baseUrl, adminToken, tenant, bot }: Shown): readonly string[] => [
  `\n# The reference is at ${baseUrl.replace(/\/api$/, '')}/docs. Press Ctrl+C here to stop.`,
  '# Copy this block into another terminal:',
  `export WAYBILL_URL=${baseUrl}`,
  `export WAYBILL_ADMIN_TOKEN=${adminToken}`,
  `export WAYBILL_API_KEY=${tenant.apiKey}`,
  ...(bot ? [`export WAYBILL_PROVIDER_URL=${bot.providerUrl}`] : []),
  'JSON="Content-Type: application/json"',
  'KEY="Authorization: Bearer $WAYBILL_API_KEY"',
  'ADMIN="Authorization: Bearer $WAYBILL_ADMIN_TOKEN"',
  `ACCOUNT=$WAYBILL_URL/admin/v1/accounts/${tenant.accountId}`,
  `waybill() { ${[process.execPath, program].map(inShell).join(' ')} "$@"; }`,
];
