import { expect } from 'chai';
import type { Decider } from '../../src/commands/core/decider.ts';
import type { Fact } from '../../src/events/define.ts';
import { AppError, type ErrorCode } from '../../src/shared/errors.ts';

type Happened<F extends Fact> = { type: F['type']; data: object };

/** Given what has happened, when a command comes, then this happens, or nothing, or a refusal. */
export const spec =
  <S, C, F extends Fact>(decider: Decider<S, C, F>) =>
  (...history: readonly F[]) => {
    const before = history.reduce<S>(decider.evolve, decider.initial);
    return {
      state: before,
      when(command: C) {
        const decide = () => decider.decide(command, before);
        return {
          facts: decide,
          /** These facts with this data, or more; of one alone, its type and its data will do. */
          thenHappened(...facts: readonly Happened<F>[] | [type: F['type'], data: object]) {
            const [type, data] = facts;
            const expected =
              typeof type === 'string' ? [{ type, data }] : (facts as readonly Happened<F>[]);
            const made = decide();
            expect(made.map(({ type }) => type)).to.deep.equal(expected.map(({ type }) => type));
            for (const [index, { data }] of expected.entries()) {
              expect(made[index]!.data).to.deep.include(data);
            }
            return made;
          },
          thenNothing() {
            expect(decide()).to.deep.equal([]);
          },
          thenRefused(code: ErrorCode, details?: object) {
            let refusal: unknown;
            try {
              decide();
            } catch (error) {
              refusal = error;
            }
            expect(refusal, 'a refusal').to.be.instanceOf(AppError);
            expect((refusal as AppError).code).to.equal(code);
            if (details) expect((refusal as AppError).details).to.deep.include(details);
          },
          thenThrows(kind: new (...parameters: never[]) => Error, says?: RegExp) {
            expect(decide).to.throw(kind, says);
          },
        };
      },
    };
  };

/** The error with which this work ends. */
export const failureOf = <Failure = AppError>(work: Promise<unknown>): Promise<Failure> =>
  work.then(
    () => expect.fail('it did not fail'),
    (error) => error,
  );

/** What the error says with which this work ends. */
export const messageOf = async (work: Promise<unknown>): Promise<string> =>
  (await failureOf(work)).message;

/** The code of the refusal with which this work ends, the name of another error, or `none`. */
export const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    ({ code, name }) => code ?? name,
  );
