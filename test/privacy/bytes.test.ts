import { join } from 'node:path';
import { expect } from 'chai';
import { runHere } from '../cli/support.ts';
import { fixedClock } from '../support/ambient.ts';
import { temporaryFolder } from '../support/folder.ts';
import { checkInvariants } from '../support/invariants/invariants.ts';
import { useRealConnections } from '../support/network.ts';
import { eraseContact } from '../support/privacy/erase.ts';
import { answersOf, walk, walkAnswers, walkLines } from '../support/privacy/held.ts';
import { type Needle, needlesOf } from '../support/privacy/needles.ts';
import { createPerson, type Person } from '../support/privacy/person.ts';
import { openStage, type Stage, sendTemplates, write } from '../support/privacy/stage.ts';
import { walkFiles } from '../support/privacy/walk.ts';
import { live, ownAnswers, rebuildAll } from '../support/privacy/whole.ts';
import { testServers } from '../support/servers.ts';
import { untilTrue } from '../support/until.ts';
import type { Json } from '../support/waybill.ts';

// One contact whose every word is unmistakable goes through all of the service, and is erased. Then
// every byte is walked.

/** Texts that the service does not keep, or that no answer shows. */
const UNSHOWN = /^error (title|message)$|^refus|^upload$|^lost status$|^preference$|unknown/;

/** Other tests write to the log of a server, too. */
const positions = testServers() ? 'ascending' : 'consecutive';

/** A person writes again, under this name. */
const writeAgain = (stage: Stage, { number, messageId }: Person, name: string, body: string) => {
  const own = { id: messageId('inbound'), from: number, timestamp: stage.timestamp() };
  const contacts = [{ wa_id: number, profile: { name } }];
  return stage.post({ contacts, messages: [{ ...own, type: 'text', text: { body } }] });
};

/** Fails with the places, each kind of them once. */
const nowhere = (places: readonly string[]) => {
  const kinds = places.map((place) =>
    place.replace(/ (at \d+|\S*wamid\S*|letter_\S+|run_\S+)/, ''),
  );
  expect([...new Set(kinds)].join('\n')).to.equal('');
};

describe('a contact who is erased @long', () => {
  useRealConnections();
  const folder = temporaryFolder();
  const gone = createPerson();
  const stays = createPerson();
  let stage: Stage;
  let earlier: Json;
  let erasure: Json;
  const all = new Map<Person, Needle[]>();
  /** Its needles, made when all of its marks are known. */
  const needles = (of: Person): readonly Needle[] => {
    const known = all.get(of) ?? needlesOf(of.marks());
    all.set(of, known);
    return known;
  };
  before(async () => {
    stage = await openStage({ directory: folder.path });
    await live(stage, gone);
    await live(stage, stays);
  });
  after(async () => {
    await stage.close();
    folder.remove();
  });

  it('is nowhere in the log, its keys and its lines, even before', async () => {
    nowhere(await walk(stage, needles(gone), { only: 'log' }));
    nowhere(walkLines(stage.logLines, needles(gone)));
  });

  it('is in read models and answers before, with every word that is kept', async () => {
    const kept = gone.marks().map(({ name }) => name);
    const wanted = needles(gone);
    const found = [
      ...(await walk(stage, wanted)),
      ...walkAnswers(await answersOf(stage, [gone]), wanted),
    ];
    const missing = kept.filter((name) => !found.some((place) => place.includes(`: ${name} as `)));
    expect(missing).to.have.members(kept.filter((name) => UNSHOWN.test(name)));
  });

  describe('once the erasure is done', () => {
    before(async () => {
      earlier = await ownAnswers(stage, stays);
      erasure = await eraseContact(stage.waybill, `+${gone.number}`);
    });

    it('was found in messages, conversations, runs and dead letters', () => {
      for (const what of ['events', 'messages', 'conversations', 'runs', 'deadLetters']) {
        expect(erasure.found[what], what).to.be.above(0);
      }
    });

    it('is in no byte of a file, no document, no event', async () => {
      nowhere(await walk(stage, needles(gone)));
    });

    it('is in no answer, and in no line of the log of the process', async () => {
      nowhere(walkAnswers(await answersOf(stage, [gone, stays]), needles(gone)));
      nowhere(walkLines(stage.logLines, needles(gone)));
    });

    it('leaves everything of another contact as it was', async () => {
      const found = await walk(stage, needles(stays));
      expect(found.some((place) => place.includes(': number as '))).to.equal(true);
      expect(await ownAnswers(stage, stays)).to.deep.equal(earlier);
    });

    it('leaves all invariants as they were', async () => {
      const { store, views } = stage.waybill;
      expect(await checkInvariants({ store, views }, { positions })).to.deep.equal([]);
      const { body } = await stage.waybill.admin('POST', '/ledger/verify', {});
      expect(body).to.include({ ok: true });
    });

    it('is in no backup', async function () {
      if (testServers()) return this.skip();
      const copies = temporaryFolder();
      const at = (name: string) => join(copies.path, name);
      const args = ['--data', folder.path, '--out', at('log'), '--keys', at('keys/keys.db')];
      expect((await runHere(['backup', ...args])).status).to.equal(0);
      nowhere(walkFiles(copies.path, needles(gone)));
      copies.remove();
    });

    it('is nowhere after a rebuild of all read models, and after a restart @series', async () => {
      await rebuildAll(stage);
      nowhere(await walk(stage, needles(gone)));
      nowhere(walkAnswers(await answersOf(stage, [gone, stays]), needles(gone)));
      await stage.restart();
      nowhere(walkAnswers(await answersOf(stage, [gone, stays]), needles(gone)));
      nowhere(await walk(stage, needles(gone)));
      expect(await ownAnswers(stage, stays)).to.deep.equal(earlier);
    });

    it('begins anew when it writes again', async () => {
      await writeAgain(stage, gone, 'New', 'Hello again');
      const { messages } = await ownAnswers(stage, gone);
      expect(messages.map(({ text }: Json) => text)).to.deep.equal(['Hello again']);
    });
  });
});

describe('a month that an account keeps no longer @long', () => {
  useRealConnections();
  const folder = temporaryFolder();
  const MONTH_MS = 31 * 86_400_000;
  let stage: Stage;
  before(async () => {
    stage = await openStage({ directory: folder.path, clock: fixedClock() });
  });
  after(async () => {
    await stage.close();
    folder.remove();
  });

  it('is in no byte afterwards, and later months are as they were', async () => {
    const { waybill, tenant } = stage;
    const person = createPerson();
    await sendTemplates(stage, person);
    await write(stage, person);
    await stage.waybill.settled();
    // Number and name are those of the next month, too.
    const marks = person.marks().filter(({ name }) => !/number|id$|^name$/.test(name));
    // The first half of an id is the number alone.
    const old = needlesOf(marks).filter(({ name }) => !/^id of .* as half/.test(name));
    waybill.clock.advance(MONTH_MS);
    await writeAgain(stage, person, person.text('name'), person.text('next month'));
    await waybill.settled();
    const retention = { contentRetentionMonths: 1 };
    await waybill.admin('PATCH', `/accounts/${tenant.accountId}/retention`, retention);
    expect((await walk(stage, old)).length).to.be.above(0);
    waybill.clock.advance(MONTH_MS / 2);
    await stage.restart();
    await untilTrue('the month is gone', async () => (await walk(stage, old)).length === 0);
    nowhere(walkAnswers(await answersOf(stage, [person]), old));
    const { messages } = await ownAnswers(stage, person);
    const shown = messages.filter(({ erased }: Json) => !erased).map(({ text }: Json) => text);
    expect(shown).to.deep.equal([person.text('next month')]);
    const { store, views } = stage.waybill;
    expect(await checkInvariants({ store, views }, { positions })).to.deep.equal([]);
  });
});
