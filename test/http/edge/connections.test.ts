import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { createConnections, vouchFor } from '../../../src/http/edge/connections.ts';

describe('The bounds of connections', () => {
  const fill = (bounds: { perAddressMax: number | null; totalMax: number }, addresses: string) => {
    const connections = createConnections(bounds);
    const sockets = [...addresses].map((address) => {
      const socket = new PassThrough();
      connections.add(socket, address);
      return socket;
    });
    return { connections, sockets, closed: () => sockets.map(({ destroyed }) => destroyed) };
  };

  it('count each address alone', () => {
    const { closed } = fill({ perAddressMax: 2, totalMax: 100 }, 'ababa');
    expect(closed()).to.deep.equal([true, false, false, false, false]);
  });

  it('close of one address the one that has been idle the longest', () => {
    const { connections, sockets, closed } = fill({ perAddressMax: 2, totalMax: 100 }, 'aa');
    connections.serve(sockets[0]!, (end) => end());
    connections.add(new PassThrough(), 'a');
    expect(closed()).to.deep.equal([false, true]);
  });

  it('do not count connections with a valid credential', () => {
    const { connections, sockets, closed } = fill({ perAddressMax: 1, totalMax: 100 }, 'a');
    vouchFor(sockets[0]!);
    connections.add(new PassThrough(), 'a');
    expect(closed()).to.deep.equal([false]);
    connections.add(new PassThrough(), 'a');
    expect(closed()).to.deep.equal([false]);
    expect(connections.size()).to.equal(2);
  });

  it('in all close connections without a credential first, then idle ones', () => {
    const { connections, sockets, closed } = fill({ perAddressMax: null, totalMax: 3 }, 'abc');
    vouchFor(sockets[0]!);
    connections.serve(sockets[1]!, () => {});
    connections.serve(sockets[2]!, () => {});
    vouchFor(sockets[2]!);
    const add = () => {
      const socket = new PassThrough();
      connections.add(socket, 'd');
      vouchFor(socket);
      connections.serve(socket, () => {});
      return socket;
    };
    add();
    expect(closed(), 'the stranger').to.deep.equal([false, true, false]);
    add();
    expect(closed(), 'who is idle').to.deep.equal([true, true, false]);
    const newcomer = new PassThrough();
    connections.add(newcomer, 'e');
    expect(newcomer.destroyed, 'the newcomer, where all are busy').to.equal(true);
    expect(connections.size()).to.equal(3);
  });

  it('make room for more than one at a time where there are many', () => {
    const { connections, closed } = fill({ perAddressMax: null, totalMax: 500 }, 'a'.repeat(501));
    expect(closed().filter(Boolean)).to.have.length(5);
    expect(connections.size()).to.equal(496);
  });

  it('forget closed connections', async () => {
    const { connections, sockets } = fill({ perAddressMax: 2, totalMax: 2 }, 'aa');
    for (const socket of sockets) socket.destroy();
    await new Promise(setImmediate);
    expect(connections.size()).to.equal(0);
    const late = [new PassThrough(), new PassThrough()];
    for (const socket of late) connections.add(socket, 'a');
    expect(late.map(({ destroyed }) => destroyed)).to.deep.equal([false, false]);
  });

  it('serve a connection that was never added', () => {
    const { connections } = fill({ perAddressMax: 1, totalMax: 1 }, '');
    const foreign = new PassThrough();
    vouchFor(foreign);
    let served = 0;
    connections.serve(foreign, (end) => {
      served += 1;
      end();
    });
    expect(served).to.equal(1);
  });

  it('serve the requests of a connection one after the other', () => {
    const { connections, sockets } = fill({ perAddressMax: 1, totalMax: 1 }, 'a');
    const ends: (() => void)[] = [];
    for (let request = 0; request < 3; request += 1) {
      connections.serve(sockets[0]!, (end) => void ends.push(end));
    }
    expect(ends).to.have.length(1);
    ends[0]!();
    expect(ends).to.have.length(2);
    sockets[0]!.destroy();
    ends[1]!();
    expect(ends, 'of a closed connection').to.have.length(2);
  });

  it('close one with more than 16 waiting requests', () => {
    const { connections, sockets, closed } = fill({ perAddressMax: 2, totalMax: 2 }, 'ab');
    for (let request = 0; request < 17; request += 1) connections.serve(sockets[0]!, () => {});
    expect(closed()).to.deep.equal([false, false]);
    connections.serve(sockets[0]!, () => {});
    expect(closed()).to.deep.equal([true, false]);
  });
});
