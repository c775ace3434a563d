import { expect } from 'chai';
import type { NumberRecord } from '../../../src/commands/core/lookups.ts';
import { createNumberOwners } from '../../../src/commands/inbound/ingress-items.ts';
import { fixedClock } from '../../support/ambient.ts';
import { NOW } from '../../support/samples.ts';

const isoOf = (ms: number) => new Date(ms).toISOString();
const LINKED = NOW - 3_600_000;

/** A number that the look-ups give this account, and its own stream that one. */
const open = (shown: string | null, held: string | null, moved = true) =>
  createNumberOwners({
    clock: fixedClock(),
    lookups: {
      number: async () =>
        shown === null
          ? undefined
          : ({ accountId: shown, linkedAt: isoOf(LINKED) } as NumberRecord),
    },
    links: { linkOf: async () => (held === null ? null : { accountId: held, link: 2, moved }) },
  });
const kindOf = (work: Promise<unknown>) =>
  work.then(
    (owner) => owner,
    ({ kind }) => kind,
  );
const ownerAt = (owners: ReturnType<typeof open>, ms: number | null) =>
  kindOf(owners.ownerOf('10', ms === null ? null : isoOf(ms)));

describe('the owner of a number', () => {
  it('is the account that holds it, for what was written since, by clocks 10 s apart', async () => {
    const owners = open('acc_1', 'acc_1');
    expect(await ownerAt(owners, LINKED)).to.equal('acc_1');
    expect(await ownerAt(owners, LINKED - 10_000)).to.equal('acc_1');
    expect(await ownerAt(owners, LINKED - 10_001)).to.equal('before_link');
    expect(await ownerAt(owners, null)).to.equal('acc_1');
  });

  it('is that account at all times where no other had the number', async () => {
    expect(await ownerAt(open('acc_1', 'acc_1', false), 0)).to.equal('acc_1');
  });

  it('is the one of its own stream, linked just now, where the look-ups are behind', async () => {
    const owners = open('acc_1', 'acc_2');
    expect(await ownerAt(owners, NOW - 10_000)).to.equal('acc_2');
    expect(await ownerAt(owners, NOW - 10_001)).to.equal('before_link');
  });

  it('is nobody where the number is not linked', async () => {
    expect(await ownerAt(open(null, 'acc_1'), NOW)).to.equal('not_linked');
    expect(await ownerAt(open('acc_1', null), NOW)).to.equal('not_linked');
    expect(await kindOf(open(null, null).linkedNumber('10'))).to.equal('not_linked');
  });
});
