import { expect } from 'chai';
import { checkInvariants } from '../support/invariants/invariants.ts';
import { eraseContact } from '../support/privacy/erase.ts';
import { foundIn, needlesOf } from '../support/privacy/needles.ts';
import { createPerson, type Person } from '../support/privacy/person.ts';
import { walkFiles } from '../support/privacy/walk.ts';
import { testServers } from '../support/servers.ts';
import { messagesPayload, useTenant } from '../support/surface.ts';
import { untilTrue } from '../support/until.ts';
import { type Json, providerAccepts } from '../support/waybill.ts';

const cardOf = ({ number }: Person) => ({
  name: { formatted_name: 'A neighbour', first_name: 'A' },
  phones: [{ phone: `+${number}`, wa_id: number, type: 'CELL' }],
  vcard: `BEGIN:VCARD\nTEL;type=CELL;waid=${number}:+${number}\nEND:VCARD`,
});

describe('a contact whom others name', () => {
  const on = useTenant();
  let writer: Person;
  let named: Person;
  /** An item that no account takes in names both, too. */
  const elsewhere = { phoneNumberId: '55500000790', wabaId: '55500000791' };

  const get = async (path: string): Promise<Json> => (await on.call('GET', path)).body;
  const send = async (body: Json) => {
    const whole = { to: `+${writer.number}`, ...body };
    const { status } = await on.call('POST', '/v1/messages/send', whole);
    expect(status).to.equal(200);
  };
  type Place = typeof elsewhere;
  const write = async (message: Json, place: Place = on.tenant, recordOf = writer.number) => {
    const timestamp = String(Math.floor(on.waybill.clock.now() / 1000));
    const own = { id: writer.messageId('inbound'), from: writer.number, timestamp };
    const contacts = [{ wa_id: recordOf, profile: { name: writer.text('name') } }];
    const payload = messagesPayload(place, { contacts, messages: [{ ...own, ...message }] });
    expect((await on.waybill.webhook(payload)).status).to.equal(200);
  };

  beforeEach(async () => {
    [writer, named] = [createPerson(), createPerson()];
    const { number, userId } = named;
    const quoted = () => named.messageId('inbound');
    const text = { type: 'text', text: { body: writer.text('reply') } };
    await write({ ...text, context: { from: number, id: quoted() } });
    await write({ ...text, context: { from: number, id: quoted() } }, elsewhere);
    await write({ type: 'reaction', reaction: { message_id: quoted(), emoji: '👍' } });
    await write({ type: 'contacts', contacts: [cardOf(named)] }, on.tenant, number);
    const body = `User A changed from ${writer.number} to ${number}`;
    const system = { type: 'user_changed_number', wa_id: number, user_id: userId, body };
    await write({ type: 'system', system });
    providerAccepts(on.tenant, 3);
    await send({ type: 'text', text: { body: 'so' }, contextMessageId: quoted() });
    await send({ type: 'reaction', reaction: { messageId: quoted(), emoji: '👍' } });
    await send({ type: 'contacts', contacts: [cardOf(named)] });
    await on.waybill.settled();
  });

  const marks = (person: Person) => needlesOf(person.marks());
  const history = async (): Promise<Json[]> =>
    (await get(`/v1/messages?contact=${writer.number}&limit=100`)).messages;
  const answers = async (): Promise<string> => {
    const rows = await history();
    const timelines = rows.map(({ id }) => get(`/v1/messages/${encodeURIComponent(id)}/timeline`));
    const exported = await on.waybill.admin('GET', `/contacts/${writer.number}/export`);
    const letters = await on.waybill.admin('GET', '/dead-letters?limit=100');
    return JSON.stringify([rows, await Promise.all(timelines), exported.body, letters.body]);
  };
  const isIn = (text: string, person: Person) => foundIn(Buffer.from(text), marks(person));
  /** In the log, the keys and their write-ahead files. */
  const inLog = (person: Person) =>
    walkFiles(on.waybill.directory, marks(person)).filter((place) => /^(events|keys)/.test(place));
  const isNowhere = (person: Person) => {
    if (!testServers()) {
      expect(walkFiles(on.waybill.directory, marks(person))).to.deep.equal([]);
    }
  };
  const rebuild = async () => {
    const { messages: before } = await on.waybill.views.live();
    await on.waybill.admin('POST', '/projections/messages/rebuild', {});
    await untilTrue('the new read model serves', async () => {
      return (await on.waybill.views.live()).messages !== before;
    });
  };

  it('row 72: goes with whoever named it, too @long', async () => {
    await eraseContact(on.waybill, writer.number);
    isNowhere(writer);
    const { body } = await on.waybill.admin('GET', `/contacts/${named.number}/export`);
    expect(isIn(JSON.stringify(body), writer)).to.deep.equal([]);
    const { messages } = await get('/v1/messages?limit=100');
    expect(messages).to.have.length(7);
    expect(isIn(JSON.stringify(messages), named)).to.deep.equal([]);
  });

  it("sends what has the id of another's message as its reference, and as its text", async () => {
    const id = named.messageId('inbound');
    providerAccepts(on.tenant, 2);
    await send({ type: 'text', text: { body: id }, contextMessageId: id, clientReference: id });
    await send({ type: 'contacts', contacts: [cardOf(named)], clientReference: id });
    await on.waybill.settled();
    const [second, first] = await history();
    expect([first!.contextMessageId, first!.text]).to.deep.equal([id, id]);
    expect(second!.clientReference).to.equal(id);
  });

  // The last one: for some seconds after a rebuild, no erasure is done.
  it('row 72: is in histories until erased, and then in nothing that others said', async () => {
    if (!testServers()) expect(inLog(named)).to.deep.equal([]);
    const before = await history();
    for (const row of before) expect(isIn(JSON.stringify(row), named), row.id).not.to.be.empty;
    const types = ['contacts', 'reaction', 'text', 'system', 'contacts', 'reaction', 'text'];
    expect(before.map(({ messageType }) => messageType)).to.deep.equal(types);

    await eraseContact(on.waybill, named.number);
    isNowhere(named);
    const after = await answers();
    expect(isIn(after, named)).to.deep.equal([]);
    expect(after).to.contain(JSON.stringify(writer.text('reply')).slice(1, -1));
    const rows = await history();
    expect(rows.map(({ erased }) => erased)).to.deep.equal(rows.map(() => true));
    const shown = (all: Json[]) => all.map(({ id, text }) => [id, text]);
    expect(shown(rows)).to.deep.equal(shown(before));
    await rebuild();
    expect(await history()).to.deep.equal(rows);
    isNowhere(named);
    const { store, views } = on.waybill;
    const positions = testServers() ? 'ascending' : 'consecutive';
    expect(await checkInvariants({ store, views }, { positions })).to.deep.equal([]);
  });
});
