import { expect } from 'chai';
import { notRecorded, planKeepsChanging } from '../../../src/commands/sending/send-errors.ts';

describe('errors of a send that can be tried again', () => {
  it('say when, and keep their cause', () => {
    const cause = new Error('the reason');
    for (const [error, retryAfterSeconds] of [
      [planKeepsChanging(cause), 1],
      [notRecorded(cause), 60],
    ] as const) {
      expect(error).to.include({ code: 'service.unavailable', cause });
      expect(error.details).to.include({ retryAfterSeconds });
    }
  });
});
