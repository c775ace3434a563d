import { expect } from 'chai';
import { nouns } from '../../src/cli/program/program.ts';
import { runHere } from './support.ts';

const helpOf = async (...words: string[]): Promise<string> => {
  const { status, stdout, stderr } = await runHere([...words, '--help']);
  expect({ words, status, stderr }).to.deep.equal({ words, status: 0, stderr: '' });
  return stdout;
};

const section = (help: string, title: string): string[] => {
  const lines = help.split('\n');
  const start = lines.indexOf(title);
  return start < 0 ? [] : lines.slice(start + 1, lines.indexOf('', start));
};

const isReadable = (help: string) => {
  for (const line of help.split('\n')) {
    expect(line.length, line).to.be.at.most(80);
    expect(line.trimEnd()).to.equal(line);
  }
};

describe('waybill --help', () => {
  it('is the same for a noun however it is asked', async () => {
    const { stdout } = await runHere('help account');
    expect(stdout).to.equal(await helpOf('account'));
  });

  it('shows the arguments and options of a verb', async () => {
    expect(await helpOf('key', 'create')).to.equal(`\
Usage: waybill key create <name> --account <id> [options]

Create an API key; the key is printed once

Options:
  --account <id>             The account that the key is for
  --scope <scope>            What it may do; repeat for more (default: all)
  --allowed-origin <origin>  Website that may use it; repeat for more
  --rate-limit <n>           Requests in 60 seconds (default: 120)
  --expires-at <time>        A time, a day, or a span such as 90d
  --opaque-is-idempotent     At the gateway opaque data is an idempotency key
  -h, --help                 Show this help

Global options:
  --url <url>       Root of the service (or WAYBILL_URL)
  --token <token>   Administrator token (better: WAYBILL_ADMIN_TOKEN)
  --api-key <key>   API key of an account (better: WAYBILL_API_KEY)
  --profile <name>  Profile of waybill login (or WAYBILL_PROFILE)
  --json            Print the API's answer as one line of JSON

Examples:
  waybill key create "Checkout" --account <account>
  waybill key create "Reports" --account <account> --scope messages:read
`);
  });

  const alone =
    'send quote mcp status login logout completion statement balance reconcile doctor backup restore';
  for (const name of alone.split(' ')) {
    it(`of ${name} has examples, and fits 80 columns`, async () => {
      const help = await helpOf(name);
      isReadable(help);
      expect(section(help, 'Examples:')).to.not.deep.equal([]);
    });
  }

  for (const { name } of nouns) {
    it(`of ${name} has a line for each verb, has examples, and fits 80 columns`, async () => {
      const help = await helpOf(name);
      isReadable(help);
      const verbs = section(help, 'Verbs:');
      expect(verbs).to.have.length.above(0);
      const examples = section(help, 'Examples:');
      expect(examples).to.have.length.above(0);
      for (const verb of verbs) {
        // A description that did not fit would go on in a line that begins with spaces only.
        expect(verb).to.match(/^ {2}[a-z-]+( <\w+>)*( \[\w+\])* {2,}[A-Z]/);
        const [word = ''] = verb.trim().split(' ');
        const helpOfVerb = await helpOf(name, word);
        isReadable(helpOfVerb);
        expect(section(helpOfVerb, 'Examples:'), `${name} ${word}`).to.not.deep.equal([]);
      }
      const words = verbs.map((verb) => verb.trim().split(' ')[0]);
      for (const example of examples) {
        const [, noun, verb] = example.trim().split(' ');
        expect(noun).to.equal(name);
        expect(words).to.include(verb);
      }
    });
  }
});
