import { expect } from 'chai';

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
