import { expect } from 'chai';
import { planSend, type Timing, zonesOfCountry } from '../../../src/commands/sending/timing.ts';
import type { Category } from '../../../src/events/category.ts';
import { isoTime } from '../../../src/shared/clock.ts';
import { AppError } from '../../../src/shared/errors.ts';

/** A Thursday, 17:30 in India. */
const NOW = Date.parse('2026-11-26T12:00:00Z');
const INDIA = '919812345678';
const NEW_YORK = '12125550123';
const NIGHT = { from: '21:00', until: '09:00' };

const plan = (
  timing: Timing,
  change: { to?: string; category?: Category; now?: number; quiet?: boolean; zone?: string } = {},
  isTaken = false,
) => {
  const { to = INDIA, category = 'MARKETING', now = NOW, quiet = false, zone = 'UTC' } = change;
  const quietHours = quiet ? { MARKETING: NIGHT, UTILITY: NIGHT } : null;
  return planSend({ timing, to, category, now, account: { quietHours, timeZone: zone } }, isTaken);
};

const expectProblem = (act: () => unknown) =>
  expect(act).to.throw(AppError).with.nested.property('details.fieldErrors').that;

describe('the time of a send', () => {
  it('is now where nothing says otherwise', () => {
    expect(plan({})).to.equal(undefined);
    expect(plan({ notAfter: '2026-11-26T12:00:00.000Z' })).to.equal(undefined);
    expect(plan({}, { quiet: true })).to.equal(undefined);
  });

  it('is `sendAt`, for a day after that, or ten minutes of a code', () => {
    const sendAt = '2026-12-24T18:00:00.000Z';
    expect(plan({ sendAt })).to.deep.equal({
      dueAt: sendAt,
      notAfter: '2026-12-25T18:00:00.000Z',
      timeZone: 'Asia/Kolkata',
      rule: { by: 'sendAt', text: 'as asked' },
    });
    const code = plan({ sendAt }, { category: 'AUTHENTICATION' });
    expect(code?.notAfter).to.equal('2026-12-24T18:10:00.000Z');
    const notAfter = '2026-12-24T19:00:00.000Z';
    expect(plan({ sendAt, notAfter })?.notAfter).to.equal(notAfter);
  });

  it('is before the retention of the account has destroyed its content', () => {
    const account = { quietHours: null, timeZone: 'UTC', contentRetentionMonths: 1 };
    const of = (sendAt: string) =>
      planSend({ timing: { sendAt }, to: INDIA, category: 'UTILITY', now: NOW, account });
    expect(of('2026-12-31T23:59:59.999Z')?.dueAt).to.equal('2026-12-31T23:59:59.999Z');
    const end = '2027-01-01T00:00:00.000Z';
    const problem = `must be before ${end}, when the retention of the account destroys what is stored now`;
    expectProblem(() => of(end)).deep.equals({ sendAt: [problem] });
  });

  it('is the first moment of the window at or after `sendAt`', () => {
    const deliverBetween = { from: '09:00', until: '20:00' };
    const of = (sendAt?: string) => plan({ sendAt, deliverBetween })?.dueAt;
    expect(of()).to.equal('2026-11-26T12:00:00.000Z');
    expect(of('2026-11-26T14:29:59.000Z')).to.equal('2026-11-26T14:29:59.000Z');
    expect(of('2026-11-26T14:30:00.000Z')).to.equal('2026-11-27T03:30:00.000Z');
    const timeZone = 'America/New_York';
    const elsewhere = plan({ deliverBetween: { ...deliverBetween, timeZone } });
    expect(elsewhere).to.include({ dueAt: '2026-11-26T14:00:00.000Z', timeZone });
  });

  it('is open in every zone of the country', () => {
    const found = plan({ deliverBetween: { from: '09:00', until: '20:00' } }, { to: NEW_YORK });
    // 09:00 in Honolulu and Adak is 14:00 in New York.
    expect(found).to.include({ dueAt: '2026-11-26T19:00:00.000Z', timeZone: null });
    expect(found?.rule.by).to.equal('deliverBetween');
  });

  it('is by the clock of the account where the country is not known', () => {
    const [deliverBetween, timeZone] = [{ from: '21:00', until: '23:00' }, 'Asia/Tokyo'];
    const found = plan({ deliverBetween }, { to: '999123456', zone: timeZone });
    expect(found).to.include({ dueAt: isoTime(NOW), timeZone });
  });

  it('is the end of the quiet hours, where the category has some', () => {
    const at = { quiet: true, now: Date.parse('2026-11-26T16:00:00Z') };
    const dueAt = '2026-11-27T03:30:00.000Z';
    const text = 'the quiet hours of MARKETING, 21:00 to 09:00 in Asia/Kolkata, end';
    expect(plan({}, at)).to.deep.include({ dueAt, rule: { by: 'quietHours', text } });
    expect(plan({}, { ...at, category: 'AUTHENTICATION' })).to.equal(undefined);
    expect(plan({}, { ...at, category: 'SERVICE' })).to.equal(undefined);
    const ignoreQuietHours = true;
    expect(plan({ ignoreQuietHours }, { ...at, category: 'UTILITY' })).to.equal(undefined);
    expect(plan({ ignoreQuietHours }, at)?.rule.by).to.equal('quietHours');
    expect(plan({ sendAt: '2026-11-26T17:00:00.000Z' }, { quiet: true })?.dueAt).to.equal(dueAt);
  });

  it('is refused where it has passed, is too far, or never comes', () => {
    for (const [timing, problem] of [
      [{ sendAt: '2026-11-26T11:58:59.000Z' }, 'has passed: leave it out to send now'],
      [{ sendAt: '2027-02-24T12:00:01.000Z' }, 'must be within 90 days'],
      [{ notAfter: '2026-11-26T11:59:59.000Z' }, `is before ${isoTime(NOW)}, when it is due`],
    ] as const) {
      const [field] = Object.keys(timing);
      expectProblem(() => plan(timing)).deep.equals({ [field!]: [problem] });
    }
    const early = { sendAt: '2026-12-01T00:00:00.000Z', notAfter: '2026-11-30T00:00:00.000Z' };
    expectProblem(() => plan(early)).has.key('notAfter');
    const deliverBetween = { from: '09:00', until: '09:30' };
    expectProblem(() => plan({ deliverBetween }, { to: NEW_YORK })).has.key('deliverBetween');
    expect(plan({ sendAt: '2026-11-26T11:59:30.000Z' })?.dueAt).to.equal(isoTime(NOW));
    expect(plan({ sendAt: '2026-11-01T00:00:00.000Z' }, {}, true)?.dueAt).to.equal(isoTime(NOW));
  });

  it('counts zones of one clock once', () => {
    expect(zonesOfCountry('DE', NOW)).to.deep.equal(['Europe/Berlin']);
    expect(zonesOfCountry('IN', NOW)).to.deep.equal(['Asia/Kolkata']);
    expect(zonesOfCountry('ES', NOW)).to.have.length(2);
    expect(zonesOfCountry('ZZ', NOW)).to.deep.equal([]);
  });
});
