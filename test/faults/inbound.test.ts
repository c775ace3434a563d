import { expect } from 'chai';
import { type Callee, startCallee } from '../support/callee.ts';
import { openWorld, type World } from '../support/faults.world.ts';
import { useRealConnections } from '../support/network.ts';
import { inboundPayload } from '../support/surface.ts';
import { untilTrue } from '../support/until.ts';
import type { Json, Tenant } from '../support/waybill.ts';

const FROM = '919812345678';
/** Longer than a callback URL may take. */
const CUT_TIMEOUT_MS = 12_000;

/** A bot that says one thing to everybody who writes. */
const greeter = {
  name: 'Greeter',
  trigger: 'ANY_MESSAGE',
  nodes: [
    { id: 'hello', type: 'message', data: { text: 'Hello' } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [{ id: 'e1', source: 'hello', sourceHandle: 'default', target: 'done' }],
};

describe('what customers write, and where it is forwarded', () => {
  useRealConnections();
  let world: World;
  let tenant: Tenant;
  let callee: Callee;
  /** What every name leads to now. */
  let addresses: readonly string[];
  let written = 0;
  before(async () => {
    world = await openWorld({ forwardAllow: ['127.0.0.1'], resolve: async () => addresses });
  });
  after(() => world.close());
  beforeEach(async () => {
    addresses = ['127.0.0.1'];
    tenant = await world.tenant();
    callee = await startCallee();
  });
  afterEach(async () => {
    await callee.close();
    expect(await world.problems()).to.deep.equal([]);
  });

  const setUrl = (webhookUrl: string, of = tenant) =>
    world.call('PATCH', `/v1/phones/${of.phoneNumberId}/webhook`, {
      token: of.apiKey,
      body: { webhookUrl },
    });
  const receive = async (of = tenant, id?: string) => {
    written += 1;
    const message = { id: id ?? `wamid.F${written}`, at: world.waybill.clock.now() };
    return (await world.waybill.webhook(inboundPayload(of, message))).status;
  };
  const thread = async (of = tenant): Promise<Json[]> =>
    world.waybill.events(`conversation-${of.phoneNumberId}.${FROM}`);
  const countOf = async (type: string, of = tenant) =>
    (await thread(of)).filter((event) => event.type === type).length;
  const outcomes = async (count: number, of = tenant): Promise<Json[]> => {
    const all = async () => (await thread(of)).filter(({ type }) => type === 'MessageForwarded');
    await untilTrue('the outcomes', async () => (await all()).length >= count, CUT_TIMEOUT_MS);
    return (await all()).map(({ data }) => data);
  };
  /** Sends go on, at once, whatever hangs. */
  const othersAreServed = async () => expect((await world.send(tenant)).status).to.equal(200);

  it('row 21: the same message 20 times at once and again: one forward, one run, one window', async () => {
    await setUrl(`${callee.url}/hook`);
    const { apiKey: token } = tenant;
    const made = await world.call('POST', '/v1/bots', { token, body: greeter });
    expect(made.status).to.be.oneOf([200, 201]);
    const same = () => receive(tenant, 'wamid.SAME');
    const statuses = await Promise.all(Array.from({ length: 20 }, same));
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    await outcomes(1);
    await untilTrue('the run', async () => (await countOf('BotRunEnded')) > 0);
    expect(await same()).to.equal(200);
    expect(await receive()).to.equal(200);
    await outcomes(2);
    await untilTrue('the second run', async () => (await countOf('BotRunEnded')) > 1);

    const counts = { MessageReceived: 2, ForwardClaimed: 2, MessageForwarded: 2, BotRunStarted: 2 };
    for (const [type, count] of Object.entries(counts)) {
      expect(await countOf(type), type).to.equal(count);
    }
    const ids = callee.calls.map(({ body }) => JSON.parse(body).message.id);
    expect(ids.filter((id) => id === 'wamid.SAME')).to.have.length(1);
    expect(world.sendsOf(tenant), 'what the bot said').to.have.length(2);
    const { body } = await world.call('GET', '/v1/conversations', { token });
    expect(body.conversations).to.have.length(1);
    expect(body.conversations[0]).to.include({ windowOpen: true });
  });

  it('row 22: a URL that hangs is cut after 5 seconds; nobody waits for it', async () => {
    callee.answer(() => undefined);
    await setUrl(`${callee.url}/hangs`);
    const other = await world.tenant();
    const quick = await startCallee();
    await setUrl(`${quick.url}/quick`, other);
    for (let count = 0; count < 10; count += 1) expect(await receive()).to.equal(200);
    await othersAreServed();
    await receive(other);
    expect(await outcomes(1, other)).to.have.length(1);
    expect(await countOf('MessageForwarded'), 'still hanging').to.equal(0);
    for (const { statusCode, error } of await outcomes(10)) {
      expect([statusCode, error]).to.deep.equal([null, 'no answer in time']);
    }
    expect(callee.calls, 'each is tried once').to.have.length(10);
    await quick.close();
  }).timeout(2 * CUT_TIMEOUT_MS);

  it('row 22: a URL that answers 500 is called once', async () => {
    callee.answer((response) => response.writeHead(500).end('no'));
    await setUrl(`${callee.url}/fails`);
    await receive();
    expect((await outcomes(1))[0]).to.include({ statusCode: 500, error: null });
    await receive();
    await outcomes(2);
    expect(callee.calls).to.have.length(2);
  });

  it('row 22: of an answer without end a few KB are read', async () => {
    let poured = 0;
    callee.answer((response) => {
      const pour = () => {
        while (response.write('x'.repeat(4096))) poured += 4096;
      };
      response.on('drain', pour).on('error', () => undefined);
      pour();
    });
    await setUrl(`${callee.url}/pours`);
    await receive();
    expect((await outcomes(1))[0]).to.include({ statusCode: 200, error: null });
    await othersAreServed();
    // What the two kernels hold between them may be a few megabytes; what never ends is more.
    expect(poured).to.be.below(32 * 1024 * 1024);
  });

  it('row 22: a redirect to a metadata address is not followed', async () => {
    const location = 'http://169.254.169.254/latest/meta-data/';
    callee.answer((response) => response.writeHead(302, { location }).end());
    await setUrl(`${callee.url}/moved`);
    await receive();
    expect((await outcomes(1))[0]).to.include({ statusCode: 302, error: null });
    expect(callee.calls).to.have.length(1);
  });

  for (const url of [
    'https://10.0.0.1/hook',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::1]/hook',
    'https://[::ffff:192.168.0.1]/hook',
    'https://2130706434/hook',
    'http://127.0.0.2/hook',
  ]) {
    it(`row 23: ${url} is refused when it is set`, async () => {
      const { status, body } = await setUrl(url);
      expect(status).to.equal(400);
      expect(body).to.have.property('error');
    });
  }

  it('row 23: a name that leads to a private address is refused when it is set', async () => {
    for (const private_ of [['10.0.0.1'], ['203.0.113.7', '192.168.1.1'], ['fd00::1']]) {
      addresses = private_;
      expect((await setUrl('https://shop.example/hook')).status, private_.join()).to.equal(400);
    }
  });

  it('row 23: a name that leads elsewhere later is refused when it is called', async () => {
    expect((await setUrl(`http://shop.example:${callee.port}/hook`)).status).to.equal(200);
    await receive();
    expect((await outcomes(1))[0]).to.include({ statusCode: 200 });
    addresses = ['10.0.0.1'];
    await receive();
    const [, rebound] = await outcomes(2);
    expect(rebound.statusCode).to.equal(null);
    expect(rebound.error).to.match(/address|https/);
    expect(callee.calls).to.have.length(1);
  });
});
