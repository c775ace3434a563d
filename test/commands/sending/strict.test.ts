import { expect } from 'chai';
import {
  batchProblems,
  notificationProblems,
  recipientProblems,
} from '../../../src/commands/sending/strict.ts';

const TO = 'is no possible telephone number: write it with its country code, such as +919812345678';
const GOOD = { orderId: 'A-77', awbCode: 'AWB1', trackingLink: 'https://shop.example/t/1' };
const to = '+919812345678';

describe('a strict send', () => {
  for (const given of [to, '+91 (98123) 456-78', '00919812345678', 'US.13491208655302741918']) {
    it(`takes ${given}`, () => expect(recipientProblems(given)).to.deep.equal([]));
  }
  for (const given of ['9812345678', '+91 98123', '+9198123456789012', '+91 98123x45678']) {
    it(`refuses ${given}, which is no possible number`, () =>
      expect(recipientProblems(given)).to.deep.equal([{ path: ['to'], message: TO }]));
  }
  it('refuses letters that only look like a user id', () =>
    expect(recipientProblems('us.1349')).to.have.length(1));

  const saysOf = (variables: Record<string, unknown>) =>
    notificationProblems({ event: 'order_shipped', to, variables }).map(
      ({ path, message }) => `${path.join('.')} ${message}`,
    );

  it('names missing and blank variables, with a sample of each', () => {
    expect(saysOf(GOOD)).to.deep.equal([]);
    const blank = { orderId: null, awbCode: ' \u200b', trackingLink: { url: 'x' } };
    expect(saysOf(blank)).to.deep.equal([
      'variables.orderId is required, such as A-1042',
      'variables.awbCode must be a text or a number, not blank, such as AWB7788990011',
      'variables.trackingLink must be a text or a number, not blank, such as https://shop.example.com/track/A-1042',
    ]);
    const required = 'variables.awbCode is required, such as AWB7788990011';
    expect(saysOf({ ...GOOD, awbCode: undefined })).to.deep.equal([required]);
  });

  it('names unknown variables, and what was probably meant: first what is missing', () => {
    const { awbCode, ...without } = GOOD;
    expect(saysOf({ ...without, awbCod: awbCode })[1]).to.match(/awbCod .*did you mean awbCode\?$/);
    expect(saysOf({ ...GOOD, awbcodes: 'X', zzzzzzzz: 'Y' })).to.deep.equal([
      'variables.awbcodes is no variable of order_shipped; did you mean awbCode?',
      'variables.zzzzzzzz is no variable of order_shipped; its variables are orderId, awbCode, trackingLink',
    ]);
  });

  it('follows what is known already, and leaves an unknown event to the send', () => {
    const known = [{ path: ['dryrun'], message: 'is no field' }];
    const wrong = { event: 'order_shipped', to: '12345', variables: GOOD };
    const all = [...known, { path: ['to'], message: TO }];
    expect(notificationProblems(wrong, known)).to.deep.equal(all);
    expect(notificationProblems({ ...wrong, event: 'nothing' }, known)).to.deep.equal([]);
    expect(batchProblems({ event: 'nothing', recipients: [wrong] }, known)).to.deep.equal([]);
  });

  it('names a recipient of a batch by its index', () => {
    const recipients = [
      { to, variables: GOOD },
      { to, variables: { ...GOOD, awbCode: '' } },
    ];
    const [problem, ...others] = batchProblems({ event: 'order_shipped', recipients });
    expect(problem!.path).to.deep.equal(['recipients[1].variables.awbCode']);
    expect(others).to.deep.equal([]);
  });
});
