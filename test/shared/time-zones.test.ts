import { expect } from 'chai';
import {
  clockMinutes,
  isTimeZone,
  momentOf,
  openFrom,
  outsideFrom,
  wallClock,
} from '../../src/shared/time-zones.ts';

const utc = (text: string) => Date.parse(text);
const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());
const hours = (from: string, until: string, days?: number[]) => ({
  from: clockMinutes(from)!,
  until: clockMinutes(until)!,
  days,
});

describe('the clock of a place', () => {
  it('knows its offset, half hours and quarters too', () => {
    const at = utc('2026-11-26T12:00:00.250Z');
    expect(iso(wallClock('Asia/Kolkata', at))).to.equal('2026-11-26T17:30:00.250Z');
    expect(iso(wallClock('Asia/Kathmandu', at))).to.equal('2026-11-26T17:45:00.250Z');
    expect(isTimeZone('Mars/Olympus')).to.equal(false);
  });

  const momentIn = (zone: string, wall: string) => iso(momentOf(zone, utc(`${wall}:00Z`)));
  // Each with the change of its year: the clock is put forward, then back.
  const skipped = [
    ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:00:00.000Z'],
    ['America/New_York', '2026-03-08T02:00', '2026-03-08T07:00:00.000Z'],
    ['America/New_York', '2026-03-08T02:59', '2026-03-08T07:00:00.000Z'],
    ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:30:00.000Z'],
  ] as const;
  for (const [zone, wall, at] of skipped) {
    it(`shows no ${wall} in ${zone}: the first moment after the change stands for it`, () =>
      expect(momentIn(zone, wall)).to.equal(at));
  }
  const twice = [
    ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
    ['America/New_York', '2026-11-01T01:00', '2026-11-01T05:00:00.000Z'],
    ['Australia/Lord_Howe', '2026-04-05T01:45', '2026-04-04T14:45:00.000Z'],
  ] as const;
  for (const [zone, wall, at] of twice) {
    it(`shows ${wall} in ${zone} twice: the first stands for it`, () =>
      expect(momentIn(zone, wall)).to.equal(at));
  }
  it('is not led astray beside a change', () => {
    for (const [wall, at] of [
      ['2026-03-29T01:59', '2026-03-29T00:59:00.000Z'],
      ['2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
      ['2026-10-25T03:00', '2026-10-25T02:00:00.000Z'],
    ] as const) {
      expect(momentIn('Europe/Berlin', wall)).to.equal(at);
    }
  });
});

describe('hours of the day', () => {
  const berlin = (from: string, until: string, at: string, days?: number[]) =>
    iso(openFrom('Europe/Berlin', hours(from, until, days), utc(at)));
  const [day, night] = [['09:00', '20:00'] as const, ['22:00', '06:00'] as const];

  it('are open from their begin on, and not at their end', () => {
    expect(berlin(...day, '2026-11-26T08:00:00Z')).to.equal('2026-11-26T08:00:00.000Z');
    expect(berlin(...day, '2026-11-26T18:59:59.999Z')).to.equal('2026-11-26T18:59:59.999Z');
    expect(berlin(...day, '2026-11-26T19:00:00Z')).to.equal('2026-11-27T08:00:00.000Z');
    expect(berlin(...day, '2026-11-26T03:00:00Z')).to.equal('2026-11-26T08:00:00.000Z');
  });

  it('run over midnight', () => {
    expect(berlin(...night, '2026-11-26T04:00:00Z')).to.equal('2026-11-26T04:00:00.000Z');
    expect(berlin(...night, '2026-11-26T05:00:00Z')).to.equal('2026-11-26T21:00:00.000Z');
  });

  it('begin on their days, Monday first', () => {
    // A Thursday.
    const at = '2026-11-26T12:00:00Z';
    expect(berlin(...day, at, [1])).to.equal('2026-11-30T08:00:00.000Z');
    expect(berlin('09:00', '10:00', at, [4])).to.equal('2026-12-03T08:00:00.000Z');
    expect(berlin(...night, '2026-11-27T04:00:00Z', [4])).to.equal('2026-11-27T04:00:00.000Z');
    expect(berlin(...night, '2026-11-27T04:00:00Z', [5])).to.equal('2026-11-27T21:00:00.000Z');
  });

  it('that a change of the clock skips whole are not open that day', () => {
    expect(berlin('02:10', '02:40', '2026-03-28T23:30:00Z')).to.equal('2026-03-30T00:10:00.000Z');
    expect(berlin('02:30', '04:00', '2026-03-28T23:30:00Z')).to.equal('2026-03-29T01:00:00.000Z');
  });

  it('end at the first of two equal times', () => {
    const until = (at: string) =>
      iso(outsideFrom('Europe/Berlin', hours('21:00', '02:30'), utc(at)));
    expect(until('2026-10-24T22:00:00Z')).to.equal('2026-10-25T00:30:00.000Z');
    expect(until('2026-10-25T01:15:00Z')).to.equal('2026-10-25T01:15:00.000Z');
  });
});
