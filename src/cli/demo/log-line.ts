import type { DestinationStream } from 'pino';
import { printable } from '../../shared/printable.ts';
import { rowOf } from '../output/format.ts';

/** Fields that say nothing to who watches one service. */
const LEFT_OUT = new Set(['level', 'time', 'msg', 'requestId', 'accountId', 'err']);

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** A line of the service's log, which is JSON, in words: time, level, text, fields. */
export const readableLogLine = (text: string): string => {
  const fields = rowOf(JSON.parse(text));
  const { level, time, msg, err } = fields;
  const { message } = rowOf(err);
  const details = [
    ...Object.entries(fields)
      .filter(([name, value]) => !LEFT_OUT.has(name) && isPlain(value))
      .map(([name, value]) => `${name} ${value}`),
    ...(message === undefined ? [] : [String(message)]),
  ];
  const more = details.length > 0 ? ` (${details.join(', ')})` : '';
  return printable(`${String(time).slice(11, 19)} ${level}: ${msg}${more}`);
};

/** Writes the log as lines for people. */
export const readableLog = (write: (line: string) => unknown): DestinationStream => ({
  write: (text) => void write(`${readableLogLine(text)}\n`),
});
