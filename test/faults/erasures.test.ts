import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { runHere } from '../cli/support.ts';
import { answered } from '../support/answered.ts';
import { startInstance } from '../support/faults/instance.ts';
import { createFaultyKeys } from '../support/faults/keys.ts';
import { createFaultyStore, withType } from '../support/faults/store.ts';
import { openWorld, type World, type WorldOptions } from '../support/faults/world.ts';
import { folderInEachTest } from '../support/folder.ts';
import { checkInvariants } from '../support/invariants/invariants.ts';
import { recordAnswers } from '../support/invariants/recorder.ts';
import { useRealConnections } from '../support/network.ts';
import { type Needle, needlesOf } from '../support/privacy/needles.ts';
import { createPerson, type Person } from '../support/privacy/person.ts';
import { walkFiles } from '../support/privacy/walk.ts';
import { testServers } from '../support/servers.ts';
import { customerWrites, messagesPayload, notify } from '../support/surface.ts';
import { untilTrue } from '../support/until.ts';
import { type Json, startWaybill, type Tenant, type Waybill } from '../support/waybill.ts';

describe('an erasure @long', () => {
  useRealConnections();
  const copies = folderInEachTest();
  let world: World;
  let tenant: Tenant;
  const open = async (options: WorldOptions = {}) => {
    world = await openWorld(options);
    tenant = await world.tenant({ credits: 100_000 });
  };
  afterEach(() => world.close());

  const send = ({ number, text }: Person, place: string) =>
    world.send(tenant, {
      to: `+${number}`,
      variables: { orderId: text(place), awbCode: 'A', trackingLink: 'https://shop.example/t' },
    });
  const write = ({ number, text }: Person, place: string) =>
    customerWrites(world.waybill, tenant, {
      from: number,
      body: text(place),
      name: text('name'),
      id: `wamid.ERASE${Math.random()}`,
    });
  /** A contact with messages both ways. */
  const known = async (): Promise<Person> => {
    const person = createPerson();
    await write(person, 'hello');
    expect((await send(person, 'order')).status).to.equal(200);
    await world.waybill.settled();
    return person;
  };
  const request = async (person: Person): Promise<string> =>
    (await world.admin('POST', '/erasures', { contact: person.number })).id;
  const stateOf = async (id: string, waybill = world.waybill): Promise<string> =>
    (await waybill.admin('GET', `/erasures/${id}`)).body.state;
  const done = (id: string, waybill = world.waybill) =>
    untilTrue('the erasure is done', async () => (await stateOf(id, waybill)) === 'done');
  const needles = (person: Person): Needle[] => needlesOf(person.marks());
  /** No word of it is in a file, a document, an event, or in an answer from now on. */
  const isGone = async (marks: readonly Needle[], waybill: Waybill = world.waybill) => {
    if (!testServers()) expect(walkFiles(waybill.directory, marks)).to.deep.equal([]);
    const { store, views } = waybill;
    const { call, answers } = recordAnswers(waybill.call);
    await waybill.settled();
    for (const list of ['messages', 'conversations']) {
      for (let next: string | null = ''; next !== null; ) {
        const path = `/v1/${list}?limit=100${next && `&cursor=${next}`}`;
        const { status, body } = await call('GET', path, { token: tenant.apiKey });
        expect(status).to.equal(200);
        next = body.nextCursor;
      }
    }
    const erased = [{ needles: marks, answers: 0 }];
    const positions = testServers() ? 'ascending' : 'consecutive';
    const checked = { store, views, answers, erased };
    expect(await checkInvariants(checked, { positions })).to.deep.equal([]);
  };
  /** A backup of the log and of the keys; resolves with the file of these. */
  const backUp = async (): Promise<string> => {
    const [log, keys] = [join(copies.path, 'log'), join(copies.path, 'keys/keys.db')];
    const args = ['--data', world.waybill.directory, '--out', log, '--keys', keys];
    await answered(0, runHere(['backup', ...args]));
    return keys;
  };
  /** Of the stopped service. */
  const removeDatabase = (name: string) => {
    for (const end of ['', '-wal', '-shm']) {
      rmSync(join(world.waybill.directory, `${name}.db${end}`), { force: true });
    }
  };
  const putBack = (keys: string) => {
    removeDatabase('keys');
    cpSync(keys, join(world.waybill.directory, 'keys.db'));
  };
  const messagesOf = async ({ number }: Person, waybill = world.waybill): Promise<Json[]> => {
    const path = `/v1/messages?contact=${number}`;
    return (await waybill.call('GET', path, { token: tenant.apiKey })).body.messages;
  };

  it('row 45: under load empties what was before it, and nothing of others', async () => {
    await open({ statuses: true });
    const [gone, stays] = [await known(), await known()];
    const marks = needlesOf(gone.marks().filter(({ name }) => name !== 'number'));
    const others = (await messagesOf(stays)).length;
    let isOver = false;
    let count = 0;
    const load = [gone, stays, createPerson()].flatMap((person) => [
      async () => void (await send({ ...person, text: () => 'later' }, 'order')),
      async () => void (await write({ ...person, text: () => 'later' }, 'hello')),
    ]);
    const running = load.map(async (act) => {
      while (!isOver) {
        await act();
        count += 1;
      }
    });
    await untilTrue('load', async () => count > 30);
    const id = await request(gone);
    await done(id);
    const then = count;
    await untilTrue('load goes on', async () => count > then + 30);
    isOver = true;
    await Promise.all(running);
    await world.waybill.settled();
    await isGone(marks);
    expect((await messagesOf(stays)).length).to.be.above(others);
    expect(await world.problems({ positions: 'ascending' })).to.deep.equal([]);
  });

  // Where the process may end. What its files hold at that moment is opened by another one. The
  // simulation ends processes at any step, without files.
  const steps: [string, (held: Held) => { arrived(): Promise<void>; release(): void }][] = [
    ['before the keys are destroyed', ({ keys }) => keys.hold('destroySubjects')],
    ['before the log says so @series', ({ log }) => log.hold(withType('ContactErased'))],
    ['before the store of keys knows it @series', ({ keys }) => keys.hold('setApplied')],
    ['before what was found is said @series', ({ log }) => log.hold(withType('ErasureStarted'))],
    ['before the files are clean', ({ keys }) => keys.hold('clean')],
    ['before it is said to be done @series', ({ log }) => log.hold(withType('ErasureDone'))],
  ];
  interface Held {
    keys: ReturnType<typeof createFaultyKeys>;
    log: ReturnType<typeof createFaultyStore>;
  }
  for (const [title, holdAt] of steps) {
    it(`row 45: is completed by the next start after a kill ${title}`, async function () {
      if (testServers()) return this.skip();
      const held = { keys: createFaultyKeys(), log: createFaultyStore() };
      await open({ wrapKeys: held.keys.wrap, wrapStore: held.log.wrap });
      const [gone, stays] = [await known(), await known()];
      const marks = needles(gone);
      const there = await messagesOf(stays);
      const hold = holdAt(held);
      const id = await request(gone);
      await hold.arrived();
      const directory = copies.path;
      cpSync(world.waybill.directory, directory, { recursive: true });
      rmSync(join(directory, 'events.lock'), { force: true });
      hold.release();
      const next = await startWaybill({ directory, providerUrl: world.gate.url });
      try {
        await done(id, next);
        await isGone(marks, next);
        expect(await messagesOf(stays, next)).to.deep.equal(there);
      } finally {
        await next.stop();
      }
    });
  }

  it('row 45: takes what is joined with the contact between the request and its work', async () => {
    const log = createFaultyStore();
    await open({ wrapStore: log.wrap });
    const person = createPerson();
    const { number, userId, text } = person;
    const writes = (place: string, wa_id?: string) => {
      const from = { from_user_id: userId, ...(wa_id !== undefined && { from: wa_id }) };
      const contact = { profile: { name: text('name') }, user_id: userId, ...(wa_id && { wa_id }) };
      const at = String(Math.floor(world.waybill.clock.now() / 1000));
      const body = { type: 'text', text: { body: text(place) } };
      return world.waybill.webhook(
        messagesPayload(tenant, {
          contacts: [contact],
          messages: [{ id: `wamid.JOIN${place}`, ...from, timestamp: at, ...body }],
        }),
      );
    };
    await writes('one');
    const hold = log.hold(withType('ErasureRequested'));
    const asked = world.admin('POST', '/erasures', { contact: userId });
    await hold.arrived();
    await writes('two', number);
    hold.release();
    await done((await asked).id);
    await world.waybill.settled();
    await isGone(needles(person));
    expect(await world.problems({ positions: 'ascending' })).to.deep.equal([]);
  });

  it('row 46: stays done where an older copy of the keys is put back', async function () {
    if (testServers()) return this.skip();
    await open();
    const [gone, stays] = [await known(), await known()];
    const marks = needles(gone);
    const keys = await backUp();
    const there = await messagesOf(stays);
    await done(await request(gone));
    const later = await known();
    await world.restart(0, () => {
      putBack(keys);
      removeDatabase('views');
    });
    await world.waybill.settled();
    await isGone(marks);
    expect(await messagesOf(stays)).to.deep.equal(there);
    // It came after the copy: its keys are lost, and it is shown, as erased.
    const { body } = await world.call('GET', '/v1/messages', { token: tenant.apiKey });
    expect(body.messages.filter(({ erased }: Json) => erased)).to.have.length(4);
    await write(later, 'again');
    expect((await send(later, 'again')).status).to.equal(200);
    expect(await world.problems({ positions: 'ascending' })).to.deep.equal([]);
  });

  it('row 46: a key that is lost and made anew halts nothing @series', async function () {
    if (testServers()) return this.skip();
    await open();
    const person = await known();
    const keys = await backUp();
    const MONTH_MS = 31 * 86_400_000;
    await world.restart(MONTH_MS);
    await write(person, 'next month');
    await world.waybill.settled();
    await world.restart(0, () => putBack(keys));
    await write(person, 'with a new key');
    for (const { name } of (await world.admin('GET', '/projections')).projections as Json[]) {
      await world.admin('POST', `/projections/${name}/rebuild`);
    }
    const texts = async () => (await messagesOf(person)).map(({ text }) => text);
    await untilTrue('the new read models serve', async () => (await texts()).includes(null));
    const shown = await texts();
    expect(shown).to.include(person.text('with a new key')).and.include(person.text('hello'));
    expect(shown).not.to.include(person.text('next month'));
    const { projections } = await world.admin('GET', '/projections');
    expect(projections.filter(({ state }: Json) => state === 'halted')).to.deep.equal([]);
    expect(await world.problems({ positions: 'ascending' })).to.deep.equal([]);
  });

  it('row 48: waits while the data keys are away; sends to known contacts go on', async () => {
    const keys = createFaultyKeys();
    await open({ wrapKeys: keys.wrap });
    const [gone, stays] = [await known(), await known()];
    const marks = needles(gone);
    const hold = keys.hold('destroySubjects');
    const id = await request(gone);
    await hold.arrived();
    keys.setDown(true);
    hold.release();
    const refused = await send(createPerson(), 'order');
    expect(refused.status).to.equal(503);
    expect(refused.headers).to.have.property('retry-after');
    expect((await send(stays, 'while away')).status).to.equal(200);
    expect(await stateOf(id)).to.not.equal('done');
    keys.setDown(false);
    await done(id);
    expect((await send(createPerson(), 'order')).status).to.equal(200);
    await isGone(marks);
    expect(await world.problems({ positions: 'ascending' })).to.deep.equal([]);
  });

  it('row 49: is seen by another instance, which knows the contact no more', async () => {
    await open({ soleWriter: false });
    const other = await startInstance(world);
    try {
      const gone = await known();
      const marks = needlesOf(gone.marks().filter(({ name }) => name !== 'number'));
      const sendThere = () => notify(other, tenant, { to: `+${gone.number}` });
      expect((await sendThere()).status).to.equal(200);
      const refs = async () =>
        (await world.waybill.events(`account-${tenant.accountId}`)).flatMap(({ data }) => {
          const { contactRef } = data as { contactRef?: string };
          return contactRef ?? [];
        });
      const before = new Set(await refs());
      await done(await request(gone));
      await untilTrue('the other instance begins anew', async () => {
        expect((await sendThere()).status).to.equal(200);
        return !before.has((await refs()).at(-1)!);
      });
      await world.waybill.settled();
      const shown = (await messagesOf(gone)).filter(({ erased }) => !erased);
      expect(shown.length).to.be.at.least(1);
      await isGone(marks);
      expect(await world.problems({ positions: 'ascending' })).to.deep.equal([]);
    } finally {
      await other.stop();
    }
  });
});
