import { expect } from 'chai';

import type { Answer, Json } from './waybill.ts';

/** What was answered, or how a program ended, with this status and no other. */
export const answered = async <A extends { status: number | null }>(
  status: number,
  asked: A | Promise<A>,
  about = '',
): Promise<A> => {
  const answer = await asked;
  if (answer.status === status) return answer;
  const said = 'text' in answer ? answer.text : { ...answer, headers: undefined };
  expect(answer.status, `${about} ${JSON.stringify(said)}`).to.equal(status);
  return answer;
};

/** The body of an answer with this status. */
export const bodyOf = async (
  status: number,
  asked: Answer | Promise<Answer>,
  about = '',
): Promise<Json> => (await answered(status, asked, about)).body;

/** The body of any success. */
export const succeeded = async (asked: Promise<Answer>, about = ''): Promise<Json> => {
  const { status, body } = await asked;
  expect(status, `${about} ${JSON.stringify(body)}`).to.be.below(300);
  return body;
};

/** A refusal with this status and code. */
export const refusedWith = async (
  status: number,
  code: string,
  asked: Promise<Answer>,
  about = '',
): Promise<Answer> => {
  const answer = await answered(status, asked, about);
  expect(answer.body.code, about).to.equal(code);
  return answer;
};
