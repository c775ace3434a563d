import { expect } from 'chai';
import { StoreUnavailable } from '../../src/events/store.ts';
import { AppError } from '../../src/shared/errors.ts';
import { createLogger } from '../../src/shared/logger.ts';

const sink = (level = 'debug') => {
  const lines: string[] = [];
  const log = createLogger({ level, destination: { write: (line) => void lines.push(line) } });
  return { log, text: () => lines.join(''), last: () => JSON.parse(lines.at(-1)!) };
};

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
    const private_ = {
      authorization: 'leak',
      Authorization: 'leak',
      token: 'leak',
      accessToken: 'leak',
      key: 'leak',
      to: 'leak',
      variables: { orderId: 'leak' },
      body: 'leak',
      rawBody: 'leak',
      webhookUrl: 'leak',
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
});
