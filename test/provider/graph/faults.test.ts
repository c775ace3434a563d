import { createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { createGraphProvider } from '../../../src/provider/graph/graph.ts';
import { createTransport } from '../../../src/provider/graph/transport.ts';
import type { Provider } from '../../../src/provider/provider.ts';
import { createSimulator, type Simulator } from '../../../src/provider/simulator/simulator.ts';
import { useRealConnections } from '../../support/network.ts';
import { outgoing, sender } from '../../support/provider.ts';
import { until } from '../../support/until.ts';

/** For answers that come: only a test that hangs would wait so long. */
const LONG_MS = 60_000;
/** For answers that never come. */
const SHORT_MS = 1000;

const providerAt = (baseUrl: string, timeoutMs = LONG_MS) =>
  createGraphProvider({ baseUrl, version: 'v25.0', timeoutMs, random: () => 0 });

describe('GraphProvider on real connections', () => {
  useRealConnections();

  let simulator: Simulator;
  let baseUrl: string;
  let provider: Provider;
  let impatient: Provider;

  beforeEach(async () => {
    simulator = createSimulator({ appSecret: 'secret' });
    baseUrl = await simulator.start();
    provider = providerAt(baseUrl);
    impatient = providerAt(baseUrl, SHORT_MS);
  });
  afterEach(async () => {
    await Promise.all([provider.close(), impatient.close()]);
    await simulator.stop();
  });

  const sendTo = (to: string) => provider.send(sender(), outgoing(to));

  it('reuses its connections', async () => {
    for (let i = 0; i < 5; i += 1) expect((await sendTo('447700900123')).kind).to.equal('accepted');
    expect(simulator.sends()).to.have.length(5);
  });

  const ambiguous: [string, string][] = [
    ['never answers', '15550199911'],
    ['never answers, though the message goes out', '15550199912'],
    ['resets after reading', '15550199913'],
    ['resets in the middle of the answer', '15550199915'],
  ];
  for (const [what, recipient] of ambiguous) {
    it(`reports an unknown outcome when the provider ${what}, and does not retry`, async () => {
      expect((await impatient.send(sender(), outgoing(recipient))).kind).to.equal('unknown');
      expect(simulator.sends('charge-1')).to.have.length(1);
      expect((await sendTo('447700900123')).kind).to.equal('accepted');
    });
  }

  it('reports an unknown outcome when the connection is reset before the request is read', async () => {
    simulator.fault('100000000000001', 'reset_unread', 1);
    expect((await sendTo('447700900123')).kind).to.equal('unknown');
    expect(simulator.sends()).to.have.length(0);
  });

  it('reports that nothing was sent after two failed connections', async () => {
    await simulator.stop();
    const outcome = await sendTo('447700900123');
    expect(outcome.kind).to.equal('unreachable');
    expect(JSON.stringify(outcome)).to.include('ECONNREFUSED');
    simulator = createSimulator({ appSecret: 'secret' });
  });

  it('reports that nothing was sent when the name does not resolve', async () => {
    const nowhere = providerAt('http://provider.invalid');
    const outcome = await nowhere.send(sender(), outgoing());
    expect(outcome.kind).to.equal('unreachable');
    await nowhere.close();
  });
});

describe('GraphProvider and a strange server', () => {
  useRealConnections();

  const withServer = async (
    onData: (socket: Socket, data: Buffer) => void,
    run: (baseUrl: string) => Promise<void>,
  ) => {
    const sockets = new Set<Socket>();
    const server: Server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('data', (data: Buffer) => onData(socket, data));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    try {
      await run(`http://127.0.0.1:${port}`);
    } finally {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    }
  };

  const outcomeOf = async (onData: (socket: Socket) => void, timeoutMs = LONG_MS) => {
    let outcome = '';
    await withServer(onData, async (baseUrl) => {
      const provider = providerAt(baseUrl, timeoutMs);
      outcome = (await provider.send(sender(), outgoing())).kind;
      await provider.close();
    });
    return outcome;
  };

  const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

  it('ends an answer that comes too slowly', async () => {
    const outcome = await outcomeOf((socket) => {
      socket.write(`${HEAD}content-length: 1000\r\n\r\n`);
      const drip = setInterval(() => socket.write(' '), 20);
      socket.once('close', () => clearInterval(drip));
    }, SHORT_MS);
    expect(outcome).to.equal('unknown');
  });

  for (const [what, bytes] of [
    ['the answer is not HTTP', '220 mail.example ESMTP\r\n'],
    ['the connection closes without an answer', ''],
  ] as const) {
    it(`reports an unknown outcome when ${what}`, async () => {
      expect(await outcomeOf((socket) => socket.end(bytes))).to.equal('unknown');
    });
  }

  it('never sends a request after it has given up', async () => {
    const seen: string[] = [];
    const onData = (socket: Socket, data: Buffer) => {
      const path = data.toString().split(' ')[1]!;
      seen.push(path);
      if (path === '/last') socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
    };
    await withServer(onData, async (origin) => {
      const clock = { now: () => performance.now() };
      const transport = createTransport({ origin, timeoutMs: LONG_MS, connections: 1, clock });
      const exchange = (path: string, withinMs: number) =>
        transport.exchange(
          { method: 'POST', path, token: 'x', body: '{}' },
          clock.now() + withinMs,
        );
      const hanging = exchange('/hangs', SHORT_MS);
      await until('the first is under way', () => seen.length === 1);
      // There is one connection, and it is taken.
      expect((await exchange('/queued', 20)).kind).to.equal('not_sent');
      expect((await hanging).kind).to.equal('broken');
      expect((await exchange('/last', LONG_MS)).kind).to.equal('answer');
      expect(seen).to.deep.equal(['/hangs', '/last']);
      await transport.close();
    });
  });

  it('reports that nothing was sent when the server does not speak TLS', async () => {
    await withServer(
      (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
      async (baseUrl) => {
        const provider = providerAt(baseUrl.replace('http:', 'https:'));
        expect((await provider.send(sender(), outgoing())).kind).to.equal('unreachable');
        await provider.close();
      },
    );
  });
});
