const causeOf = (error: unknown): NodeJS.ErrnoException & { address?: string; port?: number } =>
  error as never;

export const isPortTaken = (error: unknown): boolean => causeOf(error).code === 'EADDRINUSE';

/** The message of an error; of a taken port, the port and what to do about it. */
export const startProblem = (error: unknown, remedyOf: (port: number) => string): string => {
  const { message, address, port } = causeOf(error);
  if (!isPortTaken(error) || port === undefined) return message;
  return `Port ${port} of ${address} is taken by another program: ${remedyOf(port)}`;
};
