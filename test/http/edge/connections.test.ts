import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { createConnections, vouchFor } from '../../../src/http/edge/server.ts';

describe('The bounds of connections', () => {
  const fill = (bounds: { perAddressMax: number | null; totalMax: number }, addresses: string) => {
    const served: EventEmitter[] = [];
    const connections = createConnections(bounds, {
      handler: (_, response) => void served.push(response),
    });
    const add = (address: string) => {
      const socket = new PassThrough();
      connections.add(socket, address);
      return socket;
    };
    const sockets = [...addresses].map(add);
    const serve = (socket: PassThrough) =>
      connections.serve(
        { socket } as unknown as IncomingMessage,
        new EventEmitter() as ServerResponse,
      );
    const closed = () => sockets.map(({ destroyed }) => destroyed);
    return { connections, add, sockets, closed, serve, served };
  };

  it('count each address alone', () => {
    const { closed } = fill({ perAddressMax: 2, totalMax: 100 }, 'ababa');
    expect(closed()).to.deep.equal([true, false, false, false, false]);
  });

  it('close of one address the one that has been idle the longest', () => {
    const bounds = { perAddressMax: 2, totalMax: 100 };
    const { add, sockets, closed, serve, served } = fill(bounds, 'aa');
    serve(sockets[0]!);
    served[0]!.emit('close');
    add('a');
    expect(closed()).to.deep.equal([false, true]);
  });

  it('do not count connections with a valid credential', () => {
    const bounds = { perAddressMax: 1, totalMax: 100 };
    const { connections, add, sockets, closed } = fill(bounds, 'a');
    vouchFor(sockets[0]!);
    for (let others = 0; others < 2; others += 1) {
      add('a');
      expect(closed()).to.deep.equal([false]);
    }
    expect(connections.size()).to.equal(2);
  });

  it('in all close connections without a credential first, then idle ones', () => {
    const bounds = { perAddressMax: null, totalMax: 3 };
    const { connections, add, sockets, closed, serve } = fill(bounds, 'abc');
    vouchFor(sockets[0]!);
    serve(sockets[1]!);
    serve(sockets[2]!);
    vouchFor(sockets[2]!);
    for (const [closing, expected] of [
      ['the stranger', [false, true, false]],
      ['who is idle', [true, true, false]],
    ] as const) {
      const socket = add('d');
      vouchFor(socket);
      serve(socket);
      expect(closed(), closing).to.deep.equal(expected);
    }
    const newcomer = add('e');
    expect(newcomer.destroyed, 'the newcomer, where all are busy').to.equal(true);
    expect(connections.size()).to.equal(3);
  });

  it('make room for more than one at a time where there are many', () => {
    const { connections, closed } = fill({ perAddressMax: null, totalMax: 500 }, 'a'.repeat(501));
    expect(closed().filter(Boolean)).to.have.length(5);
    expect(connections.size()).to.equal(496);
  });

  it('forget closed connections', async () => {
    const { connections, add, sockets } = fill({ perAddressMax: 2, totalMax: 2 }, 'aa');
    for (const socket of sockets) socket.destroy();
    await new Promise(setImmediate);
    expect(connections.size()).to.equal(0);
    const late = [add('a'), add('a')];
    expect(late.map(({ destroyed }) => destroyed)).to.deep.equal([false, false]);
  });

  it('serve the requests of a connection one after the other', () => {
    const { sockets, serve, served } = fill({ perAddressMax: 1, totalMax: 1 }, 'a');
    for (let request = 0; request < 3; request += 1) serve(sockets[0]!);
    expect(served).to.have.length(1);
    served[0]!.emit('close');
    expect(served).to.have.length(2);
    sockets[0]!.destroy();
    served[1]!.emit('close');
    expect(served, 'of a closed connection').to.have.length(2);
  });

  it('are empty once the last response is over', async () => {
    const { connections, sockets, serve, served } = fill({ perAddressMax: 2, totalMax: 2 }, 'ab');
    await connections.empty();
    let isEmpty = false;
    serve(sockets[0]!);
    serve(sockets[0]!);
    serve(sockets[1]!);
    void connections.empty().then(() => {
      isEmpty = true;
    });
    for (const index of [0, 1, 2]) {
      await new Promise(setImmediate);
      expect(isEmpty).to.equal(false);
      served[index]!.emit('close');
    }
    await new Promise(setImmediate);
    expect(isEmpty).to.equal(true);
  });

  it('close one with more than 16 waiting requests', () => {
    const { sockets, closed, serve } = fill({ perAddressMax: 2, totalMax: 2 }, 'ab');
    for (let request = 0; request < 17; request += 1) serve(sockets[0]!);
    expect(closed()).to.deep.equal([false, false]);
    serve(sockets[0]!);
    expect(closed()).to.deep.equal([true, false]);
  });
});
