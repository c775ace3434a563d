import { connect, createServer, type Socket } from 'node:net';
import { answerBench, tellPort } from './measure.ts';

// Stands between workers and their event log. While it is held no byte passes, as where the log cannot be
// reached: a backlog grows, and the workers keep their leases.

const port = Number(process.argv[2]);
const sockets = new Set<Socket>();
let isHeld = false;

const pass = (from: Socket, to: Socket): void => {
  sockets.add(from);
  from.setNoDelay(true);
  from.on('error', () => to.destroy());
  from.on('close', () => {
    sockets.delete(from);
    to.destroy();
  });
  from.on('data', (bytes) => {
    if (!to.write(bytes)) from.pause();
  });
  to.on('drain', () => {
    if (!isHeld) from.resume();
  });
  if (isHeld) from.pause();
};

const server = createServer((near) => {
  const far = connect(port, '127.0.0.1');
  pass(near, far);
  pass(far, near);
});
server.listen(0, '127.0.0.1', () => tellPort(server.address()));

answerBench({
  hold() {
    isHeld = true;
    for (const socket of sockets) socket.pause();
    return true;
  },
  release() {
    isHeld = false;
    for (const socket of sockets) socket.resume();
    return true;
  },
});
