import { expect } from 'chai';
import type { Made } from '../../../src/audit/backups/process.ts';
import { refusedWith } from '../../support/answered.ts';
import { NOW } from '../../support/samples.ts';
import { useWaybill } from '../../support/surface.ts';

const backup: Made = {
  name: '2026-11-21T10-15-07Z',
  format: 1,
  takenAt: new Date(NOW).toISOString(),
  position: '00000000000004d2',
  events: 12,
  sha256: '9f'.repeat(32),
  keys: 2,
};

describe('Backups', () => {
  const { keys: _, ...listed } = backup;
  let take: () => Promise<Made> = async () => backup;
  const on = useWaybill({
    backups: { to: './backups', everyMs: null, keep: 1 },
    backupWork: { take: () => take(), list: async (most) => [listed].slice(0, most) },
  });

  it('are made on request, one at a time, and listed', async () => {
    const made = Promise.withResolvers<Made>();
    const begun = Promise.withResolvers<void>();
    take = () => {
      begun.resolve();
      return made.promise;
    };
    const first = on.waybill.admin('POST', '/backups');
    await begun.promise;
    await refusedWith(409, 'BACKUP_RUNNING', on.waybill.admin('POST', '/backups'));
    made.resolve(backup);
    expect(await first).to.deep.include({ status: 201, body: backup });
    expect((await on.waybill.admin('GET', '/backups')).body).to.deep.equal({ backups: [listed] });
  });

  it('that fail say why', async () => {
    take = async () => {
      throw new Error('ENOSPC: no space left on device');
    };
    const { body } = await refusedWith(502, 'BACKUP_FAILED', on.waybill.admin('POST', '/backups'));
    expect(body.error).to.equal('The backup failed: ENOSPC: no space left on device');
  });
});

describe('Backups without a place', () => {
  const on = useWaybill();

  it('are refused with the setting that is missing', async () => {
    for (const method of ['GET', 'POST']) {
      const { body } = await refusedWith(409, 'BACKUP_UNSET', on.waybill.admin(method, '/backups'));
      expect(body.error).to.equal('WAYBILL_BACKUP_TO is not set: there is no place for backups');
    }
  });
});
