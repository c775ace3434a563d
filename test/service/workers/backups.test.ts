import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { expect } from 'chai';
import { backUpInProcess, type Made } from '../../../src/audit/backups/process.ts';
import { createBackups } from '../../../src/service/workers/backups.ts';
import { fixedClock } from '../../support/ambient.ts';
import { temporaryFolder } from '../../support/folder.ts';

const HOUR_MS = 3_600_000;

/** A place in memory, and a service that makes backups there. */
const stage = (everyMs: number | null = 6 * HOUR_MS) => {
  const clock = fixedClock();
  const place: Made[] = [];
  const warnings: string[] = [];
  const broken: { error?: Error } = {};
  const { signal } = new AbortController();
  const add = () => {
    const takenAt = new Date(clock.now()).toISOString();
    const made = {
      name: takenAt,
      format: 1,
      takenAt,
      position: '1',
      events: 1,
      sha256: '',
    } as const;
    place.unshift({ ...made, keys: 1 });
    return place[0]!;
  };
  const open = () =>
    createBackups({
      async take() {
        if (broken.error) throw broken.error;
        return add();
      },
      list: async (most) => place.slice(0, most),
      everyMs,
      clock,
      logger: {
        info: () => undefined,
        warn: (_: unknown, text?: string) => void warnings.push(text!),
      },
    });
  let backups = open();
  return {
    clock,
    place,
    warnings,
    broken,
    signal,
    add,
    restart() {
      backups = open();
    },
    get backups() {
      return backups;
    },
    /** The number of backups after so many hours more. */
    async after(hours: number) {
      clock.advance(hours * HOUR_MS);
      await backups.tick(signal);
      return place.length;
    },
  };
};

describe('backups on a schedule', () => {
  it('are made each time after the newest one, also of the command or before a restart', async () => {
    const on = stage();
    expect(await on.after(0)).to.equal(1);
    expect(await on.after(5)).to.equal(1);
    on.restart();
    expect(await on.after(0.5)).to.equal(1);
    expect(await on.after(0.5)).to.equal(2);
    on.clock.advance(5 * HOUR_MS);
    on.add();
    expect(await on.after(1)).to.equal(3);
    expect(await on.after(5)).to.equal(4);
    expect(on.backups.health()).to.deep.equal({ ok: true });
  });

  it('are tried again after five minutes where one failed, and say so', async () => {
    const on = stage();
    on.broken.error = new Error('the disk is full');
    expect(await on.after(0)).to.equal(0);
    expect(on.warnings).to.deep.equal(['No backup was made: trying again']);
    expect(on.backups.health()).to.deep.equal({
      ok: false,
      detail: 'the last one failed: the disk is full',
    });
    on.broken.error = undefined as never;
    expect(await on.after(4 / 60)).to.equal(0);
    expect(await on.after(1 / 60)).to.equal(1);
    expect(on.backups.health()).to.deep.equal({ ok: true });
    on.clock.advance(12 * HOUR_MS + 1);
    expect(on.backups.health().detail).to.equal('the newest one is older than it should be');
  });

  it('are made again by the command after a failure, with and without a schedule', async () => {
    for (const everyMs of [6 * HOUR_MS, null]) {
      const on = stage(everyMs);
      on.add();
      on.clock.advance(HOUR_MS);
      await on.backups.tick(on.signal);
      on.broken.error = new Error('the disk is full');
      expect(await on.backups.make(on.signal).catch(({ code }) => code)).to.equal('backup.failed');
      expect(await on.after(6 / 60)).to.equal(1);
      expect(on.backups.health().ok, 'the copy is older than the failure').to.equal(false);
      on.add();
      expect(await on.after(6 / 60)).to.equal(2);
      expect(on.backups.health()).to.deep.equal({ ok: true });
      expect(on.warnings).to.deep.equal([]);
    }
  });

  it('are made on request alone without a schedule', async () => {
    const on = stage(null);
    expect(await on.after(100)).to.equal(0);
    await on.backups.make(on.signal);
    expect(await on.backups.list(5)).to.have.length(1);
    expect(on.backups.health()).to.deep.equal({ ok: true });
  });

  it('are made one at a time, and their end with the service is no failure', async () => {
    const stopping = new AbortController();
    const on = createBackups({
      take: (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
      list: async () => [],
      everyMs: HOUR_MS,
      clock: fixedClock(),
      logger: { info: () => undefined, warn: () => expect.fail('a warning') },
    });
    const scheduled = on.tick(stopping.signal);
    await Promise.resolve();
    const refused = await on.make(stopping.signal).catch((error) => error.code);
    expect(refused).to.equal('backup.running');
    await on.tick(stopping.signal);
    stopping.abort();
    await scheduled;
    expect(on.health()).to.deep.equal({ ok: true });
  });
});

describe('a backup in a process of its own @long', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  it('goes on where the system refuses a lower priority', async () => {
    const refusing = mock.method(os, 'setPriority', () => {
      throw new Error('EPERM');
    });
    // The program has imported it before.
    syncBuiltinESMExports();
    try {
      const from = { data: join(folder.path, 'empty'), to: join(folder.path, 'to'), keep: 1 };
      mkdirSync(from.data);
      const { signal } = new AbortController();
      const failure = await backUpInProcess(from, signal).catch((error) => error.message);
      expect(failure).to.equal(`there is no event log in ${from.data}`);
      expect(refusing.mock.callCount()).to.equal(1);
    } finally {
      refusing.mock.restore();
      syncBuiltinESMExports();
    }
  });

  it('fails with its words, and leaves nothing where it is ended', async () => {
    const data = join(folder.path, 'data');
    const from = { data, to: join(folder.path, 'to'), keep: 1 };
    mkdirSync(data);
    const { signal } = new AbortController();
    const failure = await backUpInProcess(from, signal).catch((error) => error.message);
    expect(failure).to.equal(`there is no event log in ${data}`);

    const ending = new AbortController();
    mkdirSync(join(data, 'backup.partial'));
    writeFileSync(join(data, 'backup.partial', 'events.db'), 'half');
    const ended = backUpInProcess(from, ending.signal).catch((error) => error);
    ending.abort(new Error('stopping'));
    expect((await ended).message).to.equal('stopping');
    expect(readdirSync(data)).to.deep.equal([]);
    expect(existsSync(from.to)).to.equal(false);
  });
});
