import { expect } from 'chai';
import { checkInstallation } from '../../../src/commands/core/installation.ts';
import { type EventStore, NO_STREAM } from '../../../src/events/store.ts';
import { createSecrets } from '../../../src/shared/secrets.ts';
import { countedIds, fixedClock } from '../../support/ambient.ts';
import { createMemoryLog } from '../../support/interleaving.ts';
import { codeOf } from '../../support/spec.ts';

const [right, wrong] = [7, 8].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer];

const open = () => {
  const log = createMemoryLog();
  const { store, events } = log;
  const reads: number[] = [];
  const counting: EventStore = {
    ...store,
    readAll(after, limit) {
      reads.push(limit);
      return store.readAll(after, limit);
    },
  };
  const check = (secret: Buffer, more: { secretLost?: boolean; eventsMax?: number } = {}) =>
    checkInstallation({
      store: counting,
      proofs: createSecrets(secret),
      clock: fixedClock(),
      ids: countedIds(),
      ...more,
    });
  const write = (type: string, data: object) => log.write(`phone-${events.length}`, type, data);
  const token = (secret: Buffer, type = 'PhoneTokenSet') => {
    const accessToken = createSecrets(secret).seal('EAAG', 'phone-10');
    return write(type, { phoneNumberId: '10', accessToken });
  };
  const others = async (count: number) => {
    for (let one = 0; one < count; one += 1) await write('Other', {});
  };
  const found = (data: object) =>
    store.append('installation-waybill', NO_STREAM, [
      { id: 'f', type: 'InstallationFounded', version: 2, data, meta: { at: '', requestId: 'r' } },
    ]);
  return { check, events, reads, write, token, others, found };
};

describe('whose a log is', () => {
  it('is said at the first start, and is the same from then on', async () => {
    const { check, events } = open();
    const [founded, beside] = await Promise.all([check(right), check(right)]);
    expect(beside).to.deep.equal(founded);
    expect(founded.installationId).to.be.a('string');
    expect(founded.secretCheck).to.equal(createSecrets(right).checkOf(founded.installationId));
    expect(await check(right)).to.deep.equal(founded);
    expect(events.map(({ type, stream, data }) => [type, stream, data])).to.deep.equal([
      ['InstallationFounded', 'installation-waybill', founded],
    ]);
    expect(events[0]!.meta.cause).to.equal('start');
  });

  it('is not another secret’s, unless the earlier one is lost', async () => {
    const { check, events } = open();
    const founded = await check(right);
    expect(await codeOf(check(wrong))).to.equal('WrongSecret');
    expect(events).to.have.length(1);
    const replaced = await check(wrong, { secretLost: true });
    expect(replaced.installationId).to.equal(founded.installationId);
    expect(replaced.secretCheck).to.not.equal(founded.secretCheck);
    expect(events.at(-1)).to.include({ type: 'SecretReplaced' });
    expect(await check(wrong)).to.deep.equal(replaced);
    expect(await check(wrong, { secretLost: true })).to.deep.equal(replaced);
    expect(events).to.have.length(2);
    expect(await codeOf(check(right))).to.equal('WrongSecret');
  });

  it('shows by the first token of a log that does not say it', async () => {
    for (const type of ['PhoneTokenSet', 'PhoneLinked']) {
      const { check, token, write, events } = open();
      await write('PhoneLinked', { phoneNumberId: '9', accessToken: null });
      await token(right, type);
      expect(await codeOf(check(wrong)), type).to.equal('WrongSecret');
      expect(events).to.have.length(2);
      expect(await codeOf(check(right))).to.equal('none');
    }
    const lost = open();
    await lost.token(right);
    expect(await codeOf(lost.check(wrong, { secretLost: true }))).to.equal('none');
    expect(lost.reads).to.deep.equal([]);
  });

  it('is not asked of a log on servers of another format, for which no command is named', async () => {
    for (const [format, remedy] of [
      [2, /format 2, .* no command brings such a log over\. Use the program that wrote it/],
      [9, /format 9, .*: use the program that wrote it$/],
    ] as const) {
      const { check, found } = open();
      await found({ installationId: 'i', secretCheck: 'c', format });
      const { message } = await check(right).catch((error) => error);
      expect(message).to.match(remedy).and.not.to.include('waybill log copy');
    }
  });

  it('is looked for page by page, up to a bound', async () => {
    const { check, token, others, reads } = open();
    await others(1000);
    await token(right);
    expect(await codeOf(check(wrong, { eventsMax: 1001 }))).to.equal('WrongSecret');
    expect(reads).to.have.length(2);
    reads.length = 0;
    expect(await codeOf(check(wrong, { eventsMax: 1000 }))).to.equal('none');
  });

  it('is looked for in 20000 events by default', async () => {
    const { check, others, reads } = open();
    await others(2001);
    await check(right);
    expect(reads).to.deep.equal([1000, 1000, 1000, 1000]);
  });
});
