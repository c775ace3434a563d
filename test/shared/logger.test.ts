import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { expect } from 'chai';
import { StoreUnavailable } from '../../src/events/store.ts';
import { AppError } from '../../src/shared/errors.ts';
import { createLogger } from '../../src/shared/logger.ts';

const sink = (level = 'debug') => {
  const lines: string[] = [];
  const log = createLogger({ level, destination: { write: (line) => void lines.push(line) } });
  return { log, text: () => lines.join(''), last: () => JSON.parse(lines.at(-1)!) };
};

const messageOf = (work: () => unknown): string => {
  try {
    return String(work());
  } catch (error) {
    return (error as Error).message;
  }
};
const messageOfJson = (text: string) => messageOf(() => JSON.parse(text));

describe('The log', () => {
  it('is JSON lines with time and level in words', () => {
    const { log, last } = sink();
    log.warn({ requestId: 'r1', bytes: Buffer.alloc(3), big: 12n }, 'Slow');
    expect(last()).to.include({ level: 'warn', msg: 'Slow', requestId: 'r1', big: '12' });
    expect(last().bytes).to.equal('[3 bytes]');
    expect(new Date(last().time).getTime()).to.be.closeTo(Date.now(), 5_000);
  });

  it('hides secrets and message texts by the names of their fields, at any depth', () => {
    const { log, text } = sink();
    const names = 'authorization Authorization token accessToken key to body rawBody webhookUrl';
    const private_ = {
      ...Object.fromEntries(names.split(' ').map((name) => [name, 'leak'])),
      variables: { orderId: 'leak' },
      contacts: [{ wa_id: 'leak' }],
    };
    log.info(private_);
    log.info({ a: { b: { c: [private_] } } });
    log.child(private_).info('child');
    log.child({ a: 1 }).child({ deep: private_ }).info('grandchild');
    log.error({ err: Object.assign(new Error('bad'), { request: private_, body: 'leak' }) });
    expect(text()).not.to.include('leak');
    expect(text()).to.include('[hidden]');
  });

  it('hides secrets by their shape in texts', () => {
    const { log, text } = sink();
    const key = `wb_live_12345678_${'a'.repeat(32)}`;
    log.info(`key ${key} sent Bearer abc.def-1`);
    const cause = new Error('connecting to mongodb://user:hunter2@host/ failed');
    log.error({ err: new Error(`GET /x?access_token=EAAB123&y=1 with ${key}`, { cause }) });
    log.error(new Error(`token wb_adm_12345678_${'b'.repeat(32)}`));
    for (const secret of ['aaaa', 'bbbb', 'abc.def', 'EAAB123', 'hunter2']) {
      expect(text()).not.to.include(secret);
    }
  });

  it('hides numbers, user ids and quoted values in texts, and leaves ids of ours', () => {
    const { log, text, last } = sink();
    const texts = [
      'stream conversation-acc_1.100.919812345678 is contended',
      'to +49 170 1234-567 and %2B919812345678',
      'recipient US.13491208655302741918 unknown',
      'stream message-wamid.HBgMOTE5ODEyMzQ1Njc4FQIAERgSOUI1RjE2 ended',
      'E11000 duplicate key error dup key: { name: "Mia Meyer", n: { x: 1 } }',
      ...['Mia Meyer', '{"a":Mia', '[1,"Mia",Meyer]'].map(messageOfJson),
      messageOf(() => setTimeout('Mia Meyer' as never)),
      messageOf(() => createHash('sha256', { outputLength: 'Mia Meyer' as never })),
    ];
    expect(texts.filter((one) => one.includes('is not valid JSON'))).to.have.length(3);
    const leaks = /9812345678|1234-567|1349120|HBgM|Mia|Meyer/;
    for (const message of texts) {
      log.warn({ err: new StoreUnavailable(message), reason: message, list: [{ deep: message }] });
      log.error({ err: new Error('outer', { cause: new Error(message) }) }, message);
      log.error(new Error(message));
      log.error(Object.assign(new Error('x'), { name: message, code: message }));
      log.child({ detail: message }).info(message);
    }
    log.info({ count: 919812345678, big: 919812345678n, userId: 'Mia', messageId: 'Mia' });
    expect(text()).not.to.match(leaks);
    expect(text()).to.include('is contended').and.include('is not valid JSON');
    const kept = {
      requestId: '12345678-1234-4321-8765-123456789012',
      accountId: 'acc_a1234567890123456789012345678901',
      chargeId: 'chg_01234567890123456789012345678901_4',
      phoneNumberId: '100000000010001',
      position: '0000000000001234',
      bytes: 52_428_800,
      reason: 'connect ECONNREFUSED 10.244.13.107:27017 in 1500 ms on 2026-11-22T18:10:00.123Z',
      detail: 'acc_a1234567890123456789012345678901 and 12345678-1234-4321-8765-123456789012',
    };
    log.info(kept, 'Kept');
    expect(last()).to.include(kept);
  });

  it('writes JSON whatever it hides', () => {
    const { log, last } = sink();
    const answer = '{"data":{"link":"https://x.example"},"id":"a@b","token":"Bearer "}';
    log.warn({ excerpt: answer, more: { [answer]: 'access_token="' } }, `bearer "${answer}`);
    expect(last()).to.include({ level: 'warn' });
    expect(last().excerpt).to.include('"data"');
    log.info({ 'of 4915112345678': 1, list: { 4915112345678: 1 } });
    expect(JSON.stringify(last())).not.to.include('4915112345678');
  });

  it('keeps type, message, stack, code and cause of a fault', () => {
    const { log, last } = sink();
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    log.error({ err: new TypeError('outer', { cause }) }, 'Failed');
    const { err } = last();
    expect(err).to.include({ type: 'TypeError', message: 'outer' });
    expect(err.stack).to.include('logger.test.ts');
    expect(err.cause).to.include({ message: 'refused', code: 'ECONNREFUSED' });
  });

  it('shows no stack of an expected error and its causes', () => {
    const { log, last } = sink();
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const away = new StoreUnavailable('the log is away', { cause });
    for (const err of [away, new AppError('service.unavailable', 'Not now', { cause: away })]) {
      log.warn({ err }, 'Refused');
      expect(JSON.stringify(last())).to.include('ECONNREFUSED').and.not.include('logger.test.ts');
    }
    log.error({ err: new AppError('key.lookup_failed', 'Broken', { cause }) }, 'Failed');
    expect(last().err.stack).to.include('logger.test.ts');
    expect(last().err.cause.stack).to.include('logger.test.ts');
  });

  it('bounds the length of a line', () => {
    const { log, text } = sink();
    const endless: Record<string, unknown> = { list: Array(10_000).fill('x'.repeat(10)) };
    endless.self = endless;
    endless.long = 'y'.repeat(1_000_000);
    log.info({ endless });
    expect(text().length).to.be.below(60_000);
  });

  it('is silent below its level', () => {
    const { log, text } = sink('warn');
    log.info('nothing');
    expect(text()).to.equal('');
  });

  it('has a fault that nothing caught, masked, and the process ends', async () => {
    for (const fault of ['throw new Error(words)', 'Promise.reject(new Error(words))']) {
      const program = `
        import { createLogger, endOnFault } from '${new URL('../../src/shared/logger.ts', import.meta.url)}';
        endOnFault(createLogger({ level: 'info' }));
        const words = 'no room for 4915112345678';
        setTimeout(() => { ${fault} }, 1);
        setInterval(() => undefined, 1000);`;
      const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
      const chunks: Buffer[] = [];
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (one) => chunks.push(one));
      const [status] = await once(child, 'close');
      const text = String(Buffer.concat(chunks));
      expect(status).to.equal(1);
      expect(text).to.include('no room for [hidden]').and.not.include('4915112345678');
    }
  });
});
