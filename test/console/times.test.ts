import { expect } from 'chai';
import { dayTime, localOf, momentOf, showTimesIn } from '../../console/src/ui/times.ts';

describe('A moment that is entered in the console', () => {
  afterEach(() => showTimesIn(undefined));

  it('is one of the zone in which times are shown, whatever the zone of the browser', () => {
    for (const [zone, local, moment] of [
      ['Asia/Kolkata', '2026-11-20T14:03', '2026-11-20T08:33:00.000Z'],
      ['America/New_York', '2026-07-01T00:00', '2026-07-01T04:00:00.000Z'],
      // On the days when the clocks change.
      ['America/New_York', '2026-03-08T23:30', '2026-03-09T03:30:00.000Z'],
      ['Europe/Berlin', '2026-10-25T23:30', '2026-10-25T22:30:00.000Z'],
      ['Pacific/Auckland', '2026-01-01T00:00', '2025-12-31T11:00:00.000Z'],
    ] as const) {
      showTimesIn(zone);
      expect(momentOf(local), `${local} in ${zone}`).to.equal(moment);
      expect(localOf(Date.parse(moment))).to.equal(local);
      expect(dayTime(moment, Date.parse('2020-01-01'))).to.equal(local.replace('T', ' '));
    }
  });

  it('keeps its seconds', () => {
    showTimesIn('Asia/Kolkata');
    expect(momentOf('2026-11-20T14:03:07')).to.equal('2026-11-20T08:33:07.000Z');
  });
});
