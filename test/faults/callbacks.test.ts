import { expect } from 'chai';
import { edge, node } from '../commands/bots/graphs.ts';
import { type Callee, startCallee } from '../support/callee.ts';
import { openWorld } from '../support/faults/world.ts';
import { inSuite } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import { inboundPayload, makeBot, messagesPayload, threadOf } from '../support/surface.ts';
import { until, untilTrue } from '../support/until.ts';
import type { Json, Tenant } from '../support/waybill.ts';

const DAY_MS = 24 * 60 * 60_000;
const METADATA = 'http://169.254.169.254/latest/meta-data/';

describe('callback URLs @long', () => {
  useRealConnections();
  let callees: Callee[] = [];
  /** What names lead to now. */
  let addresses: readonly string[] = ['127.0.0.1'];
  const world = inSuite(() =>
    openWorld({ forwardAllow: ['127.0.0.1'], resolve: async () => addresses }),
  );
  beforeEach(() => {
    addresses = ['127.0.0.1'];
  });
  afterEach(async () => {
    await Promise.all(callees.map((callee) => callee.close()));
    callees = [];
    expect(await world.problems()).to.deep.equal([]);
  });

  const callee = async (): Promise<Callee> => {
    const one = await startCallee();
    callees.push(one);
    return one;
  };
  const call = (of: Tenant, method: string, path: string, body?: Json) =>
    world.waybill.call(method, `/v1${path}`, {
      token: of.apiKey,
      ...(body !== undefined && { body }),
    });
  const setUrl = (of: Tenant, webhookUrl: string) =>
    call(of, 'PATCH', `/phones/${of.phoneNumberId}/webhook`, { webhookUrl });
  const calledAt = async (url: string): Promise<Tenant> => {
    const tenant = await world.tenant();
    expect((await setUrl(tenant, url)).status).to.equal(200);
    return tenant;
  };
  let written = 0;
  const write = async (to: Tenant, id = `wamid.CB${written++}`): Promise<string> => {
    const payload = inboundPayload(to, { id, at: world.waybill.clock.now() });
    expect((await world.waybill.webhook(payload)).status).to.equal(200);
    return id;
  };
  const outcomesOf = async (of: Tenant): Promise<Json[]> => {
    const events = await world.waybill.events(await threadOf(world.waybill, of));
    return events.filter(({ type }) => type === 'MessageForwarded').map(({ data }) => data);
  };
  const outcomes = async (of: Tenant, count: number): Promise<Json[]> => {
    await untilTrue(`${count} outcomes`, async () => (await outcomesOf(of)).length >= count);
    return outcomesOf(of);
  };

  /** So many messages of its bots are sent and recorded: nothing of them is under way any more. */
  const answered = (of: Tenant, count: number, what: string) =>
    untilTrue(what, async () => {
      const { reserved, sent } = await world.charges(of);
      return reserved === count && sent === count;
    });

  it('row 21: the same inbound twice, also in parallel: one forward, one bot run, one window', async () => {
    const hook = await callee();
    const tenant = await calledAt(hook.url);
    const bot = await makeBot(world, tenant, [node('m', 'message', { text: 'Hi' })]);
    const first = world.waybill.clock.now();
    const id = 'wamid.SAME';
    const one = inboundPayload(tenant, { id, at: first });
    const [message] = one.entry[0]!.changes[0]!.value.messages;
    // Alone, doubled in one call, and in the company of another message.
    const twice = messagesPayload(tenant, { messages: [message, message] });
    const other = { ...message, id: 'wamid.OTHER', from: '919800000002' };
    const company = messagesPayload(tenant, { messages: [other, message] });
    const posts = [one, twice, company, one, twice, company];
    const answers = await Promise.all(posts.map((payload) => world.waybill.webhook(payload)));
    expect(answers.map(({ status }) => status)).to.deep.equal(posts.map(() => 200));
    await outcomes(tenant, 1);
    await answered(tenant, 2, 'both answers');
    world.waybill.clock.advance(60_000);
    await world.waybill.webhook(company);
    await world.restart(60_000);
    await world.waybill.webhook(twice);
    // What comes last shows that all before it has been looked at.
    await write(tenant, 'wamid.LAST');
    await outcomes(tenant, 2);
    await answered(tenant, 3, 'the last answer');
    const forwarded = hook.calls.map(({ body }) => JSON.parse(body).message.id);
    expect(forwarded).to.have.members(['wamid.SAME', 'wamid.OTHER', 'wamid.LAST']);
    expect((await call(tenant, 'GET', `/bots/${bot.id}`)).body.totalExecutions).to.equal(3);
    const { body } = await call(tenant, 'GET', '/messages?direction=inbound');
    expect(body.messages.map((shown: Json) => shown.id)).to.have.members(forwarded);
    const { conversations } = (await call(tenant, 'GET', '/conversations')).body;
    const quiet = conversations.find(({ contact }: Json) => contact.waId === '919800000002');
    expect(Date.parse(quiet.windowExpiresAt)).to.equal(Math.floor(first / 1000) * 1000 + DAY_MS);
  });

  it('row 22: hangs, 500s, streams for ever, redirects: cut, once each, and nobody else waits', async () => {
    const [hanging, failing, pouring, leading] = [
      await callee(),
      await callee(),
      await callee(),
      await callee(),
    ];
    const sound = await callee();
    hanging.answer(() => undefined);
    failing.answer((response) => response.writeHead(500).end('no'));
    let poured = 0;
    pouring.answer((response) => {
      const { socket } = response;
      const pour = () => {
        while (response.write('x'.repeat(4096)));
      };
      response.on('drain', pour).on('error', () => undefined);
      response.on('close', () => {
        poured = socket?.bytesWritten ?? 0;
      });
      pour();
    });
    leading.answer((response) => response.writeHead(307, { location: METADATA }).end());
    const bad = [hanging, failing, pouring, leading];
    const tenants = await Promise.all(bad.map(({ url }) => calledAt(url)));
    const [slow, broken, endless, astray] = tenants;
    const well = await calledAt(sound.url);
    await makeBot(world, well, [node('m', 'message', { text: 'Hi' })]);
    // More than are called at a time, so that some wait for those that hang.
    for (let count = 0; count < 20; count += 1) await write(slow!);
    for (const tenant of [broken!, endless!, astray!]) await write(tenant);
    await write(well);
    expect(await outcomes(well, 1)).to.have.nested.property('[0].statusCode', 200);
    expect(await outcomesOf(slow!), 'what hangs still does').to.deep.equal([]);
    await answered(well, 1, 'the answer of its bot');
    expect((await world.send(well)).status).to.equal(200);
    expect((await world.send(slow!)).status).to.equal(200);

    const told = async (of: Tenant) => (await outcomes(of, 1))[0];
    expect(await told(broken!)).to.include({ outcome: 'answered', statusCode: 500, error: null });
    expect(await told(endless!)).to.include({ outcome: 'answered', statusCode: 200 });
    expect(await told(astray!)).to.include({ outcome: 'answered', statusCode: 307 });
    const cut = await told(slow!);
    expect(cut).to.include({ outcome: 'failed', statusCode: null, error: 'no answer in time' });
    // A contract's limit and no speed: five seconds, told by the service itself; a busy machine is late.
    expect(cut).to.have.property('latencyMs').least(4500);
    // Whatever the sockets between them hold, and no more.
    await until('the end of the stream', () => poured > 0);
    expect(poured).to.be.below(16 * 1024 * 1024);
    for (const once of [failing, pouring, leading]) expect(once.calls).to.have.length(1);
    hanging.answer((response) => response.end());
    const all = await outcomes(slow!, 20);
    expect(all).to.have.length(20);
    expect(hanging.calls, 'nothing is tried again').to.have.length(20);
  });

  it('row 23: a name that has changed its mind is not connected to @series', async () => {
    const hook = await callee();
    const tenant = await calledAt(`http://shop.example:${hook.port}/hook`);
    const data = { url: `http://bots.example:${hook.port}/ask` };
    const nodes = [node('ask', 'http_request', data), node('m', 'message', { text: 'No luck' })];
    await makeBot(world, tenant, nodes, [edge('ask -error-> m')]);
    for (const rebound of [['10.0.0.1'], ['127.0.0.2'], ['::1'], ['::ffff:127.0.0.2']]) {
      addresses = rebound;
      const before = (await outcomesOf(tenant)).length;
      await write(tenant);
      const told = (await outcomes(tenant, before + 1)).at(-1);
      expect(told, String(rebound)).to.include({ outcome: 'failed', statusCode: null });
      expect(told.error).to.match(/address|https/);
      await answered(tenant, before + 1, 'the bot goes on');
    }
    expect(hook.connections()).to.equal(0);
    addresses = ['127.0.0.1'];
    await write(tenant);
    await until('the call', () => hook.calls.length === 2);
  });
});
