import { route } from '../api/api.ts';
import { usageError } from '../program/failure.ts';
import { readSecret, wholeNumber } from '../program/input.ts';
import type { Io } from '../program/io.ts';
import type { Noun, Verb } from '../program/noun.ts';
import { listVerb, postVerb, showVerb } from './verbs.ts';

interface TokenOptions {
  accessToken?: string;
  accessTokenFile?: string;
}

const FILE_HELP = 'File that holds the token; - is standard input';
const TOKEN_HELP = 'Discouraged: shows the token to others';

const hasToken = ({ accessToken, accessTokenFile }: TokenOptions): boolean =>
  accessToken !== undefined || accessTokenFile !== undefined;

const checkOneSource = ({ accessToken, accessTokenFile }: TokenOptions): void => {
  if (accessToken !== undefined && accessTokenFile !== undefined) {
    throw usageError('Give --access-token-file or --access-token, not both');
  }
};

const readAccessToken = async (io: Io, options: TokenOptions): Promise<string> => {
  checkOneSource(options);
  return options.accessToken ?? readSecret(io, 'Access token', options.accessTokenFile);
};

interface Linked extends TokenOptions {
  account: string;
  waba: string;
  displayPhoneNumber?: string;
  verifiedName?: string;
  messagesPerSecond?: number;
}

const link: Verb = (noun, act) =>
  noun
    .command('link')
    .description('Link a number to an account')
    .argument('<id>')
    .requiredOption('--account <id>', 'The account that sends from it')
    .requiredOption('--waba <id>', 'WhatsApp Business Account that holds it')
    .option('--access-token-file <file>', FILE_HELP)
    .option('--access-token <token>', TOKEN_HELP)
    .option('--display-phone-number <text>', 'Used until the provider names it')
    .option('--verified-name <text>', 'Used until the provider names it')
    .option('--messages-per-second <n>', 'Rate limit of its sends (default: 80)', wholeNumber(1))
    .action(
      act(async ({ api, out, io }, phoneNumberId: string, options: Linked) => {
        const { account, waba: wabaId, displayPhoneNumber, verifiedName } = options;
        const { messagesPerSecond } = options;
        checkOneSource(options);
        const accessToken = hasToken(options) ? await readAccessToken(io, options) : undefined;
        const optional = { accessToken, displayPhoneNumber, verifiedName, messagesPerSecond };
        const body = { phoneNumberId, wabaId, ...optional };
        out.one(await api.send('POST', route`/accounts/${account}/numbers`, body));
        if (accessToken === undefined) {
          out.note(`It needs an access token: waybill number token ${phoneNumberId} < file`);
        }
      }),
    );

const token: Verb = (noun, act) =>
  noun
    .command('token')
    .description('Set the access token, read from standard input')
    .argument('<id>')
    .option('--access-token-file <file>', FILE_HELP)
    .option('--access-token <token>', TOKEN_HELP)
    .option('--remove', 'Remove the token instead')
    .action(
      act(async ({ api, out, io }, id: string, options: TokenOptions & { remove?: boolean }) => {
        if (options.remove && hasToken(options)) {
          throw usageError('Give a token or --remove, not both');
        }
        const accessToken = options.remove ? null : await readAccessToken(io, options);
        out.one(await api.send('PUT', route`/numbers/${id}/access-token`, { accessToken }));
      }),
    );

const register: Verb = (noun, act) =>
  noun
    .command('register')
    .description('Register it with its PIN, read from standard input')
    .argument('<id>')
    .option('--pin-file <file>', 'File that holds the PIN; - is standard input')
    .option('--pin <pin>', 'Discouraged: shows the PIN to others')
    .action(
      act(async ({ api, out, io }, id: string, options: { pin?: string; pinFile?: string }) => {
        const pin = options.pin ?? (await readSecret(io, 'PIN', options.pinFile));
        if (!/^\d{6}$/.test(pin)) throw usageError('The PIN must be 6 digits');
        out.one(await api.send('POST', route`/numbers/${id}/register`, { pin }));
      }),
    );

const unlink: Verb = (noun, act) =>
  noun
    .command('unlink')
    .description('Unlink a number; its history stays')
    .argument('<id>')
    .action(
      act(async ({ api, out }, id: string) => {
        const answer = await api.send('DELETE', route`/numbers/${id}`);
        out.done(answer, `Number ${id} is unlinked; its history stays.`);
      }),
    );

export const number: Noun = {
  name: 'number',
  group: 'Customers',
  summary: 'Phone numbers: link, access token, registration',
  verbs: [
    link,
    listVerb<{ account: string }>({
      description: 'List the numbers of an account',
      from: ({ account }) => route`/accounts/${account}/numbers`,
      field: 'numbers',
      selection: (list) => list.requiredOption('--account <id>', 'The account'),
      columns: [
        { header: 'ID', of: 'phoneNumberId' },
        { header: 'NUMBER', of: 'displayPhoneNumber' },
        { header: 'NAME', of: 'verifiedName', narrow: 'cut' },
        { header: 'QUALITY', of: 'qualityRating' },
        { header: 'TOKEN', of: 'hasAccessToken' },
        { header: 'REGISTERED', of: 'registered' },
        { header: 'BUSINESS ACCOUNT', of: 'wabaId', narrow: 'drop' },
        { header: 'LINKED (UTC)', of: 'linkedAt', narrow: 'drop' },
      ],
    }),
    listVerb({
      name: 'health',
      description: 'Show what is wrong with each number',
      from: '/numbers/health',
      field: 'numbers',
      columns: [
        { header: 'ID', of: 'phoneNumberId' },
        { header: 'NUMBER', of: 'displayPhoneNumber' },
        { header: 'PROBLEMS', of: 'problems' },
        { header: 'QUALITY', of: 'qualityRating' },
        { header: 'LIMIT', of: 'messagingLimit', narrow: 'drop' },
        { header: 'SUBSCRIBED', of: 'subscribed' },
        { header: 'WAITS SINCE (UTC)', of: 'waitingSince', narrow: 'drop' },
        { header: 'ACCOUNT', of: 'accountId', narrow: 'drop' },
      ],
    }),
    showVerb('/numbers', 'Show one number'),
    token,
    register,
    postVerb('/numbers', 'refresh', 'Read the number from the provider again'),
    unlink,
  ],
  examples: [
    'number link <id> --account <id> --waba <id> --access-token-file token',
    'number list --account <id>',
    'number health',
    'number show <id>',
    'number token <id> < token',
    'number register <id> < pin',
    'number refresh <id>',
    'number unlink <id>',
  ],
};
