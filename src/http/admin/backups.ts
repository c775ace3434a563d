import { z } from 'zod';
import { AppError } from '../../shared/errors.ts';
import { reply } from '../edge/respond.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';

const Backup = z
  .object({
    name: z.string().describe('Its name at its place: its time.'),
    format: z.int().describe('Format of its manifest.'),
    takenAt: z.iso.datetime().describe('When it was begun, ISO 8601.'),
    position: z.string().describe('Position of its newest event.'),
    events: z.int().describe('Number of events.'),
    sha256: z.string().describe('Hash of its log, in hex.'),
  })
  .meta({ id: 'Backup' });

const MadeBackup = Backup.extend({ keys: z.int().describe('Number of data keys.') }).meta({
  id: 'MadeBackup',
});

export interface BackupDeps {
  /** Null where no place is set. */
  backups: {
    make(signal: AbortSignal): Promise<z.output<typeof MadeBackup>>;
    list(most: number): Promise<z.output<typeof Backup>[]>;
  } | null;
  stopping: AbortSignal;
}

const LISTED_MAX = 100;

const common = {
  path: '/admin/v1/backups',
  access: 'administrator',
  tags: ['Operations'],
} as const;

export const backupRoutes = ({ backups, stopping }: BackupDeps): readonly JsonRoute[] => {
  const mustBeSet = () => {
    if (backups) return backups;
    throw new AppError(
      'backup.unset',
      'WAYBILL_BACKUP_TO is not set: there is no place for backups',
    );
  };
  return [
    defineRoute({
      ...common,
      method: 'POST',
      summary: 'Make a backup of the log and of the data keys now',
      description:
        'The copy is verified, and goes to `WAYBILL_BACKUP_TO`; older ones beyond `WAYBILL_BACKUP_KEEP` are removed there. Goes on when the caller leaves.',
      answer: 'Made and verified.',
      responses: { 201: MadeBackup },
      errors: ['backup.unset', 'backup.running', 'backup.failed', 'service.stopping'],
      idempotent: { contacts: null },
      handle: async () => reply(201, await mustBeSet().make(stopping)),
    }),
    defineRoute({
      ...common,
      method: 'GET',
      summary: 'List the backups at `WAYBILL_BACKUP_TO`',
      description: 'Newest first. Of those that the command made at the same place, too.',
      responses: {
        200: z.object({
          backups: z.array(Backup).max(LISTED_MAX).describe(`The newest ${LISTED_MAX}.`),
        }),
      },
      errors: ['backup.unset', 'backup.failed'],
      handle: async () => ({ backups: await mustBeSet().list(LISTED_MAX) }),
    }),
  ];
};
