import { type Row, rowOf } from '../output/format.ts';
import { codeOf } from '../program/failure.ts';

export interface Answer {
  status: number;
  /** The time of the server, in milliseconds; NaN when it does not tell. */
  date: number;
  text: string;
  /** The text as JSON; empty when it is none. */
  body: Row;
}

interface Question {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
}

/** The server gave no answer. */
export class NoAnswer extends Error {}

const TIMEOUT_MS = 15_000;
/** More than any answer that a check reads. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

const rowIn = (text: string): Row => {
  try {
    return rowOf(JSON.parse(text));
  } catch {
    return {};
  }
};

/** Asks any server once. Throws NoAnswer without a whole answer. */
export const ask = async (url: string, question: Question = {}): Promise<Answer> => {
  const { Agent, request } = await import('undici');
  const agent = new Agent({ maxResponseSize: ANSWER_BYTES_MAX });
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answered = await request(url, { ...question, signal, dispatcher: agent });
    const text = await answered.body.text();
    const { statusCode: status, headers } = answered;
    return { status, date: Date.parse(String(headers.date)), text, body: rowIn(text) };
  } catch (error) {
    const isLate = (error as Error).name === 'TimeoutError';
    throw new NoAnswer(isLate ? `no answer in ${TIMEOUT_MS / 1000} s` : codeOf(error));
  } finally {
    await agent.destroy();
  }
};
