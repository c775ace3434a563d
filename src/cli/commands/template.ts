import { type Api, route } from '../api/api.ts';
import { type Row, rowOf } from '../output/format.ts';
import type { Facts } from '../output/output.ts';
import { CliError } from '../program/failure.ts';
import type { Noun, Verb } from '../program/noun.ts';

interface OfNumber {
  number?: string;
}

/** The given number, else the only one of the account. */
const numberOf = async (api: Api, { number }: OfNumber): Promise<string> => {
  if (number !== undefined) return number;
  const ids = (await api.get<Row[]>('/phones')).map((phone) => String(phone.phoneNumberId));
  const [only] = ids;
  if (only === undefined) {
    throw new CliError('The account has no number: an administrator links one (number link)');
  }
  if (ids.length === 1) return only;
  throw new CliError(`The account has several numbers: add --number, one of ${ids.join(', ')}`);
};

const NUMBER = [
  '--number <phoneNumberId>',
  "The number (default: the account's only one)",
] as const;

const list: Verb = (noun, act) =>
  noun
    .command('list')
    .description('List the templates of a number, and whether they are approved')
    .option(...NUMBER)
    .action(
      act(async ({ api, out }, options: OfNumber) => {
        const phoneNumberId = await numberOf(api, options);
        const rows = await api.get<Row[]>('/templates', { phoneNumberId });
        out.list({ rows, nextCursor: null, answer: rows }, [
          { header: 'ID', of: 'id' },
          { header: 'NAME', of: 'name' },
          { header: 'LANGUAGE', of: 'language' },
          { header: 'CATEGORY', of: 'category', narrow: 'drop' },
          { header: 'STATUS', of: 'status' },
        ]);
      }),
    );

/** Every field, and a line for each component. */
const factsOf = ({ components, ...fields }: Row): Facts => [
  ...Object.entries(fields),
  ...(Array.isArray(components) ? components : []).map((component) => {
    const { type, text, ...rest } = rowOf(component);
    return [String(type).toLowerCase(), text ?? rest] as const;
  }),
];

const show: Verb = (noun, act) =>
  noun
    .command('show')
    .description('Show one template with its components')
    .argument('<id>')
    .option('--number <phoneNumberId>', 'The number whose access token reads it')
    .action(
      act(async ({ api, out }, id: string, { number: phoneNumberId }: OfNumber) =>
        out.one(await api.get(route`/templates/${id}`, { phoneNumberId }), factsOf),
      ),
    );

interface Events extends OfNumber {
  refresh?: true;
}

const events: Verb = (noun, act) =>
  noun
    .command('events')
    .description('List the events to send, with their variables')
    .option('--number <phoneNumberId>', "The number (default: the account's oldest)")
    .option('--refresh', 'Ask the provider first')
    .action(
      act(async ({ api, out }, { number: phoneNumberId, refresh }: Events) => {
        const query = { phoneNumberId, refresh: refresh && 'true' };
        const answer = await api.get<Row>('/notifications/events', query);
        const rows = Array.isArray(answer.events) ? answer.events.map(rowOf) : [];
        out.list({ rows, nextCursor: null, answer }, [
          { header: 'EVENT', of: 'event' },
          { header: 'CATEGORY', of: 'category', narrow: 'drop' },
          { header: 'STATUS', of: 'status' },
          { header: 'VARIABLES', of: 'variables', narrow: 'cut' },
        ]);
        const { blockers } = rowOf(answer.health);
        for (const blocker of Array.isArray(blockers) ? blockers : []) out.note(String(blocker));
      }),
    );

interface Submission extends OfNumber {
  again?: true;
}

const submit: Verb = (noun, act) =>
  noun
    .command('submit')
    .description('Submit the templates of events for approval')
    .argument('[events...]', 'The events (default: the whole catalog)')
    .option('--number <phoneNumberId>', "The number (default: the account's oldest)")
    .option('--again', 'Submit approved and pending ones, too')
    .action(
      act(async ({ api, out }, events: string[], { number: phoneNumberId, again }: Submission) => {
        const answer = await api.send<Row>('POST', '/notifications/templates/submit', {
          phoneNumberId,
          events: events.length > 0 ? events : undefined,
          onlyMissing: !again,
        });
        const rows = Array.isArray(answer.results) ? answer.results.map(rowOf) : [];
        out.list({ rows, nextCursor: null, answer }, [
          { header: 'EVENT', of: 'event' },
          { header: 'STATE', of: 'state' },
          { header: 'STATUS', of: 'status' },
          { header: 'ERROR', of: 'error', narrow: 'cut' },
        ]);
        out.note(
          rows.length > 0
            ? 'The provider reviews them: waybill template events --refresh'
            : 'They are approved or under review already; --again submits them all the same',
        );
      }),
    );

export const template: Noun = {
  name: 'template',
  group: 'Messages',
  access: 'key',
  summary: 'Templates of an account, and the events to send: list, show, events, submit',
  verbs: [list, show, events, submit],
  examples: [
    'template list',
    'template list --number 100000000000001',
    'template show <id>',
    'template submit',
    'template submit order_shipped otp_verification',
    'template events',
    'template events --refresh --json',
  ],
};
