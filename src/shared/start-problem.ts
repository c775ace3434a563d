type Failure = NodeJS.ErrnoException & { address?: string; port?: number; hostname?: string };

export const isPortTaken = (error: unknown): boolean => (error as Failure).code === 'EADDRINUSE';

/** The message of an error; where a port cannot be bound, which one, why, and what to do about it. */
export const startProblem = (error: unknown, remedyOf: (port: number) => string): string => {
  const { message, code, syscall, address, port, hostname } = error as Failure;
  if (syscall === 'getaddrinfo') {
    return `HOST=${hostname} has no address (${code}): set HOST to an address of this machine`;
  }
  if (syscall !== 'listen') return message;
  // Node leaves out a port of 0.
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${address} is taken by another program: ${remedyOf(port!)}`;
    case 'EADDRNOTAVAIL':
      return `HOST=${address} is not an address of this machine: set HOST to one of its addresses, or to 0.0.0.0 for all`;
    case 'EACCES':
      return `Port ${port} of ${address} needs rights that this process does not have: set a port from 1024 on`;
    default:
      return message;
  }
};
