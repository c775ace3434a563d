import { writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { openTenant } from '../../src/cli/demo/steps.ts';
import { answered } from '../support/answered.ts';
import { temporaryFolder } from '../support/folder.ts';
import { inSuite } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import { startServer } from '../support/server.ts';
import { openSimulated } from '../support/simulated.ts';
import { until, untilTrue } from '../support/until.ts';
import { ADMIN_TOKEN } from '../support/waybill.ts';
import { type InProcess, runHere } from './support.ts';

const TO = '+919812345678';
const NONE = { status: 0, stdout: '', stderr: 'None.\n' };
const LINK = 'https://shop.example/?a=b';
const SHIPPED = `order_shipped --to ${TO} orderId=A-1 awbCode=AWB1 trackingLink=${LINK}`.split(' ');

describe('waybill with the API key of an account @long', () => {
  useRealConnections();
  const on = inSuite(() => openSimulated({ resolve: async () => [] }));
  let root: string;
  let apiKey: string;
  let accountId: string;
  before(async () => {
    root = `${on.waybill.url}/api`;
    ({ apiKey, accountId } = await openTenant(root, ADMIN_TOKEN, () => undefined));
  });

  const run = (words: string | readonly string[], setting: InProcess = {}) =>
    runHere(words, {
      ...setting,
      env: { WAYBILL_URL: root, WAYBILL_API_KEY: apiKey, ...setting.env },
    });
  /** Begins what ends by Ctrl-C alone. */
  const begin = (line: string) => {
    const control = new AbortController();
    let printed = '';
    const watch = (text: string) => {
      printed = text;
    };
    const ended = run(line, { interrupt: control.signal, watch });
    const interrupt = () => {
      control.abort();
      return answered(0, ended);
    };
    return { interrupt, printed: () => printed };
  };
  let attempts = 0;
  /** A send under a key of its own; the ids of runs in this process repeat. */
  const runSend = (...words: string[]) => {
    attempts += 1;
    return run(['send', ...words, '--idempotency-key', `attempt-${attempts}`]);
  };
  const asRoot = { WAYBILL_ADMIN_TOKEN: ADMIN_TOKEN };
  const send = async (...more: string[]): Promise<string> => {
    const { stdout } = await runSend(...SHIPPED, '--json', ...more);
    return JSON.parse(stdout).messageId;
  };

  it('sends an event with its variables, and shows the charge', async () => {
    const { stdout } = await answered(0, runSend(...SHIPPED));
    expect(stdout).to.match(/^message: +wamid\./m);
    expect(stdout).to.match(/^category: +UTILITY$/m);
    expect(stdout).to.match(/^credits charged: +1$/m);
    const id = /wamid\.\S+/.exec(stdout)![0];
    const { body } = await on.waybill.call('GET', '/v1/messages?limit=1', { token: apiKey });
    expect(body.messages[0]).to.include({ id });
    expect(body.messages[0].text).to.include('https://shop.example/?a=b');
  });

  it('lists the attempts to send to one customer', async () => {
    await send();
    expect((await run(`send list --to ${TO}`)).stdout).to.include('919812345678');
    expect(await run('send list --to +919812345670')).to.deep.equal(NONE);
  });

  it('sends once with the same idempotency key, and says so', async () => {
    const line = ['send', ...SHIPPED, '--idempotency-key', 'k-1'];
    const first = await run(line);
    const again = await run(line);
    expect(again.stderr).to.match(/^This was done before\./);
    expect(again.stdout).to.equal(first.stdout);
  });

  it('quotes a send, sends nothing for it, and then sends at that price', async () => {
    const factOf = (text: string, name: string) =>
      new RegExp(`^${name}: +(.*)$`, 'm').exec(text)?.[1];
    const calls = on.simulator.sends().length;
    const quoted = await answered(0, run(['quote', ...SHIPPED]));
    const facts = ['would', 'channel', 'category', 'amount', 'refused for'];
    const told = facts.map((name) => factOf(quoted.stdout, name));
    expect(told).to.deep.equal(['send', 'template', 'UTILITY', '1', undefined]);
    // What is quoted anew is the same but for the quote itself.
    const dry = await runSend(...SHIPPED, '--dry-run');
    const after = factOf(quoted.stdout, 'balance after');
    expect(factOf(dry.stdout, 'balance after')).to.equal(after);
    expect(on.simulator.sends()).to.have.length(calls);
    const sent = await runSend(...SHIPPED, '--quote', factOf(quoted.stdout, 'quote')!);
    expect(factOf(sent.stdout, 'credits remaining')).to.equal(after);
    expect(on.simulator.sends()).to.have.length(calls + 1);
  });

  /** Sends to the rows of a file, of which one is no number. */
  const sendJob = async (more: readonly string[], setting: InProcess = {}) => {
    const folder = temporaryFolder();
    const file = join(folder.path, 'rows.csv');
    writeFileSync(file, `phone,order,awb,link\n${TO},A,B,C\n12,A,B,C\n`);
    const columns = ['orderId=order', 'awbCode=awb', 'trackingLink=link'];
    const variables = columns.flatMap((column) => ['--var', column]);
    const line = ['job', 'send', file, '--event', 'order_shipped', '--to', 'phone', ...variables];
    const ended = await run([...line, ...more], setting);
    folder.remove();
    return ended;
  };

  it('checks the rows of a file in a dry run, and makes no job', async () => {
    const { status, stdout, stderr } = await sendJob(['--dry-run']);
    expect([status, stderr]).to.deep.equal([0, '']);
    expect(stdout)
      .to.match(/^can be sent: +1$/m)
      .and.match(/^row 2: +bad: to: is no possible telephone number/m);
    expect(await run('job list')).to.deep.equal(NONE);
  });

  it('starts no job that is left while its file is checked', async () => {
    const { stderr } = await answered(1, sendJob([], { interrupt: AbortSignal.abort() }));
    const [, id] = /not started: waybill job start (job_\w+)\n/.exec(stderr)!;
    const { body } = await on.waybill.call('GET', `/v1/jobs/${id}`, { token: apiKey });
    expect(body.state).to.be.oneOf(['checking', 'ready']);
  });

  it('shows in a quote why a send would be refused, and refuses a quote that was changed', async () => {
    const { stdout } = await answered(0, run(['quote', '--to', '+919899999999', '--text', 'Hi']));
    expect(stdout)
      .to.match(/^would: +refuse$/m)
      .and.match(/^refused for: .*24-hour window/m);
    const { stderr, ...forged } = await runSend(...SHIPPED, '--quote', 'quote_x');
    expect(forged).to.deep.equal({ status: 1, stdout: '' });
    expect(stderr).to.include('[QUOTE_INVALID]');
  });

  it('sends a text and a template, once the customer has written', async () => {
    await on.simulator.inbound('919812345678', { text: 'Hello', phoneNumberId: '100000000000001' });
    expect(await runSend('--to', TO, '--text', 'We are open')).to.include({ status: 0 });
    const template = '--template order_shipped --param A --param B --param C'.split(' ');
    const { stdout } = await answered(0, runSend('--to', TO, ...template));
    expect(stdout).to.match(/^channel: +template$/m);
  });

  it('says what to do after a refusal, and does not offer to repeat what was given back', async () => {
    const filled = ['order_delivered', 'customerName=Mia', 'orderId=A-1'];
    const { stderr, ...ended } = await runSend(...filled, '--to', '+15550199901');
    expect(ended).to.deep.equal({ status: 1, stdout: '' });
    expect(stderr).to.match(/^error: The provider rejected the send: .* \[SEND_FAILED\]/);
    expect(stderr).to.match(/\n {2}The number is not on WhatsApp/);
    expect(stderr).to.not.include('idempotency-key');
  });

  it('needs the key, and takes no administrator token for it', async () => {
    const env = { ...asRoot, WAYBILL_API_KEY: '' };
    const { stderr } = await answered(2, run('template list', { env }));
    expect(stderr).to.match(/^error: No API key: set WAYBILL_API_KEY or WAYBILL_API_KEY_FILE, add/);
  });

  it('finds messages of its account, and shows one with its events', async () => {
    const id = await send('--reference', 'order-7');
    const found = await run('message find --reference order-7 --json');
    const { messages } = JSON.parse(found.stdout);
    expect(messages.map((one: { id: string }) => one.id)).to.deep.equal([id]);
    const own = await run(['message', 'show', id]);
    expect(own.stdout)
      .to.match(/^event: .* MessageSent$/m)
      .and.not.include('provider cost');
    const rooted = await run(['message', 'show', id], { env: asRoot });
    expect(rooted.stdout)
      .to.match(/^event: .* MessageSent$/m)
      .and.include('provider cost');
  });

  it('lists messages and attempts of an account that an administrator names, and of all', async () => {
    const withoutKey = { env: { ...asRoot, WAYBILL_API_KEY: '' } };
    for (const list of ['message find', 'send list']) {
      const named = await run(`${list} --account ${accountId} --limit 1`, { env: asRoot });
      expect(named.stdout, list).to.include(accountId);
      const all = await run(`${list} --limit 1`, withoutKey);
      expect(all.stdout, list).to.include(accountId);
      const own = await run(`${list} --limit 1`, { env: asRoot });
      expect(own.stdout, list)
        .to.match(/order_shipped/)
        .and.not.include(accountId);
    }
    const refusals = await run(`send refusals --account acc_none`, { env: asRoot });
    expect(refusals).to.deep.equal({ status: 0, stdout: '', stderr: 'None.\n' });
  });

  const terminal = { columns: 100, env: { NO_COLOR: '1' } };

  it('lists templates and events, and shows a template', async () => {
    const listed = await run('template list --json');
    const templates = JSON.parse(listed.stdout);
    expect(templates).to.have.length(18);
    const shown = await run(`template show ${templates[0].id}`);
    expect(shown.stdout).to.match(/^body: /m);
    const { stdout } = await run('template events', terminal);
    expect(stdout).to.match(/^order_shipped +UTILITY +APPROVED +orderId, awbCode, tracking/m);
  });

  it('submits events of the catalog', async () => {
    expect((await answered(0, run('template submit'))).stderr).to.include('--again submits them');
    const again = await run('template submit order_shipped --again', terminal);
    expect(again.stdout).to.match(/^order_shipped +already_exists/m);
    expect(again.stdout).not.to.include('cart_recovery');
    expect(again.stderr).to.include('template events --refresh');
    const unknown = await answered(1, run('template submit order_shiped'));
    expect(unknown.stderr).to.include('order_shiped');
  });

  it('lists bots and their runs', async () => {
    const bot = { name: 'Greeter' };
    const { body } = await on.waybill.call('POST', '/v1/bots', { token: apiKey, body: bot });
    const listed = await run('bot list');
    expect(listed.stdout).to.include(body.id).and.include('Greeter');
    expect((await run(`bot show ${body.id}`)).stdout).to.match(/^name: +Greeter$/m);
    expect(await run(`bot runs ${body.id}`)).to.deep.equal(NONE);
  });

  it('shows on one screen what its credentials may see', async () => {
    const { stdout } = await answered(0, run('status', { env: asRoot }));
    expect(stdout).to.match(/^ready: +yes$/m);
    expect(stdout).to.match(/^ {2}log: +ok$/m);
    expect(stdout).to.match(/^log position: +\d+$/m);
    expect(stdout).to.match(/^projections: +\d+ live; at most/m);
    expect(stdout).to.match(/^balance: +\d+ credits$/m);
    const bare = await run('status', { env: { WAYBILL_API_KEY: '' } });
    expect(bare.stdout).to.match(/^balance: +needs an API key$/m);
    expect(bare.stdout).to.match(/^projections: +needs an administrator token$/m);
    const gone = await run('status --url http://127.0.0.1:1/api');
    expect(gone).to.include({ status: 1 });
    expect(gone.stderr).to.match(/^error: Cannot reach http:\S+: connection refused/);
  });

  it('creates, shows and deletes a webhook, and lists its deliveries', async () => {
    const made = await run('webhook create https://hooks.example/x --event message.sent');
    expect(made.stdout).to.match(/^secret: +whsec_/m);
    const id = /wh_\w+/.exec(made.stdout)![0];
    expect((await run('webhook list')).stdout)
      .to.include(id)
      .and.not.include('whsec_');
    expect((await run(`webhook deliveries ${id}`)).stderr).to.equal('None.\n');
    expect((await run(`webhook update ${id}`)).stderr).to.match(/Nothing to change/);
    expect((await run(`webhook delete ${id}`)).stdout).to.equal(`Deleted ${id}\n`);
    expect((await run('webhook list')).stderr).to.equal('None.\n');
  });

  it('forwards events to a program of this machine, signed, and leaves no webhook', async () => {
    const got: { headers: IncomingHttpHeaders; body: string }[] = [];
    const target = await startServer(async (req, res) => {
      got.push({ headers: req.headers, body: await text(req) });
      res.writeHead(204).end();
    });
    const { interrupt } = begin(`webhook listen --forward-to 127.0.0.1:${target.port}/hooks`);
    await untilTrue('the webhook', async () => (await run('webhook list')).stdout !== '');
    const id = await send();
    // What became of earlier messages may be told, too.
    const isOfIt = ({ body }: { body: string }) => {
      const { type, data } = JSON.parse(body);
      return type === 'message.sent' && data.id === id;
    };
    await until('its event', () => got.some(isOfIt));
    const { stdout, stderr } = await interrupt();
    await target.close();
    expect(stdout).to.match(/ {2}message\.sent {2}\S+ {2}204\n/);
    const { headers, body } = got.find(isOfIt)!;
    expect(JSON.parse(body)).to.deep.include({ accountId });
    const [secret] = /whsec_\S+/.exec(stderr)!;
    const at = new Date(Number(headers['webhook-timestamp']) * 1000);
    const signature = new Webhook(secret).sign(String(headers['webhook-id']), at, body);
    expect(headers['webhook-signature']).to.equal(signature);
    expect((await run('webhook list')).stderr).to.equal('None.\n');
  });

  it('prints events without a program to forward them to', async () => {
    const { interrupt, printed } = begin('webhook listen');
    await untilTrue('the webhook', async () => (await run('webhook list')).stdout !== '');
    const id = await send();
    await until('the event', () => printed().includes(id));
    const { stdout, stderr } = await interrupt();
    expect(stdout).to.match(/ {2}message\.sent {2}\S+ {2}\{"type":"message\.sent",/);
    expect(stderr).to.equal('Prints each event. Ctrl-C ends it.\n');
  });

  it('follows messages as they come, until it is interrupted', async () => {
    const { interrupt, printed } = begin('message tail --lines 1');
    await until('the first line', () => printed() !== '');
    const id = await send();
    await until('the line of the send', () => printed().includes(id));
    const { stdout, stderr } = await interrupt();
    expect(stderr).to.equal('');
    const [, line] = stdout.split('\n');
    expect(line).to.match(
      /^\d{4}-\d\d-\d\d [\d:]+ {2}-> {2}919812345678 +order_shipped +\w+ +wamid\./,
    );
  });

  it('ends after as many messages as were asked for', async () => {
    const id = await send();
    const { stdout } = await answered(0, run('message tail --lines 1 --count 1 --json'));
    expect(JSON.parse(stdout)).to.include({ id });
  });
});
