import { expect } from 'chai';

/** What was answered, or how a program ended, with this status and no other. */
export const answered = async <A extends { status: number | null }>(
  status: number,
  asked: A | Promise<A>,
  about = '',
): Promise<A> => {
  const { headers: _, ...answer } = (await asked) as A & { headers?: unknown };
  expect(answer.status, `${about} ${JSON.stringify(answer)}`).to.equal(status);
  return asked;
};
