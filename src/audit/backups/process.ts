import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Backup } from '../offline-backups.ts';
import { stagingIn } from './mark.ts';

const PROGRAM = fileURLToPath(new URL('../../cli/waybill.ts', import.meta.url));

/** So that sends go first, where the system allows to say so. */
const lowerPriority = (pid: number | undefined): void => {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Refused by a filter of system calls, or the process has ended: the backup goes on.
  }
};

/** A backup that was just made. */
export type Made = Backup & { keys: number };

/**
 * Makes a backup by `waybill backup`, in a process of its own: copying and verifying take all of a processor,
 * which goes to sends first. Ends that process where the signal is aborted.
 */
export const backUpInProcess = async (
  { data, to, keep }: { data: string; to: string; keep: number },
  signal: AbortSignal,
): Promise<Made> => {
  signal.throwIfAborted();
  const words = ['backup', '--json', '--data', data, '--to', to, '--keep', String(keep)];
  const child = spawn(process.execPath, [PROGRAM, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const end = () => child.kill('SIGKILL');
  signal.addEventListener('abort', end, { once: true });
  try {
    lowerPriority(child.pid);
    const [out, said, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    if (code === 0) return JSON.parse(out);
    if (!signal.aborted) throw new Error(said.trim().replace(/^error: /, ''));
    rmSync(stagingIn(data), { recursive: true, force: true });
    throw signal.reason;
  } finally {
    signal.removeEventListener('abort', end);
  }
};
