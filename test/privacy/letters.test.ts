import { expect } from 'chai';
import { fixedClock } from '../support/ambient.ts';
import { temporaryFolder } from '../support/folder.ts';
import { eraseContact } from '../support/privacy/erase.ts';
import { foundIn, needlesOf } from '../support/privacy/needles.ts';
import { storedEvents } from '../support/privacy/stored.ts';
import { inboundPayload, messagesPayload, typesOf, useTenant } from '../support/surface.ts';
import { untilTrue } from '../support/until.ts';
import { type Json, onlyLoopback, startWaybill, type Waybill } from '../support/waybill.ts';

const MIA = '4915798765431';
const TOM = '4915798765432';
const NAME = 'Mia Quetzalcoatl';
const TEXT = 'Leave it at Glimmerlane 77, please';
const STRANGE = { phoneNumberId: '55500000777', wabaId: '55500000778' };
const MONTH_MS = 31 * 86_400_000;

const marks = [MIA, TOM, NAME, TEXT].map((text) => ({ name: text, text }));

/** What the stored events of dead letters hold of the marks. */
const foundInLetters = async (waybill: Waybill): Promise<string[]> => {
  const all = await storedEvents(waybill);
  const events = all.filter(({ type }) => type.startsWith('DeadLetter'));
  expect(events).not.to.have.length(0);
  return foundIn(Buffer.from(JSON.stringify(events)), needlesOf(marks));
};

const lettersOf = async (waybill: Waybill, phoneNumberId: string): Promise<Json[]> => {
  const { body } = await waybill.admin('GET', '/dead-letters?limit=100');
  return body.deadLetters.filter((one: Json) => one.phoneNumberId === phoneNumberId);
};

let count = 0;
/** A customer writes to a number; resolves to the dead letter that it becomes. */
const write = async (waybill: Waybill, place: typeof STRANGE, from: string): Promise<Json> => {
  count += 1;
  const at = waybill.clock.now();
  const message = { id: `wamid.L${count}`, from, at, body: TEXT, name: NAME };
  expect((await waybill.webhook(inboundPayload(place, message))).status).to.equal(200);
  const all = await lettersOf(waybill, place.phoneNumberId);
  return all.find(({ raw }) => raw?.includes(`wamid.L${count}"`));
};

describe('Dead letters and the contacts in them @long', () => {
  const on = useTenant();
  const call = (method: string, path: string) =>
    on.waybill.admin(method, `/dead-letters/${path}`, method === 'POST' ? {} : undefined);
  const sealedOf = (id: string) => on.waybill.sealed.read(`deadletter-${id}`);

  it('are null and `erased` once the contact is erased: listed, dismissed, and not retried', async () => {
    const other = await write(on.waybill, STRANGE, TOM);
    await write(on.waybill, STRANGE, MIA);
    const { id } = await write(on.waybill, STRANGE, MIA);
    const before = await sealedOf(id);
    const { found } = await eraseContact(on.waybill, MIA);
    expect(found).to.deep.include({ deadLetters: 2 });

    const listed = await lettersOf(on.waybill, STRANGE.phoneNumberId);
    const reason = 'the number is not linked';
    const erased = { raw: null, erased: true, state: 'open', reason };
    expect(listed.find((one) => one.id === id)).to.include(erased);
    expect(listed.find((one) => one.id === other.id)).to.deep.equal(other);
    expect((await call('GET', id)).body).to.include({ raw: null, erased: true });

    const { status, body } = await call('POST', `${id}/retry`);
    const error =
      'The content of this dead letter was erased: it cannot be taken in again, only dismissed';
    expect({ status, body }).to.deep.equal({ status: 410, body: { error, code: 'ERASED' } });
    expect(await sealedOf(id)).to.deep.equal(before);
    const dismissed = await call('POST', `${id}/dismiss`);
    expect(dismissed.status).to.equal(200);
    expect(dismissed.body).to.include({ raw: null, erased: true, state: 'dismissed' });
    expect(typesOf(await sealedOf(id))).to.deep.equal(['DeadLetterKept', 'DeadLetterDismissed']);
  });

  it('belong to the account of their number, whose erasure empties them', async () => {
    const noTime = { id: 'wamid.NOTIME', from: MIA, type: 'text', text: { body: TEXT } };
    await on.waybill.webhook(messagesPayload(on.tenant, { messages: [noTime] }));
    const [letter] = await lettersOf(on.waybill, on.tenant.phoneNumberId);
    expect(letter!.raw).to.include(TEXT);
    const [kept] = await sealedOf(letter!.id);
    expect(kept!.data).to.include({ accountId: on.tenant.accountId });
    const stranger = await write(on.waybill, STRANGE, MIA);

    const { found } = await eraseContact(on.waybill, MIA, on.tenant.accountId);
    expect(found).to.deep.include({ deadLetters: 1 });
    expect((await call('GET', letter!.id)).body).to.include({ raw: null, erased: true });
    expect((await call('GET', stranger.id)).body).to.include({ raw: stranger.raw });
    expect(await foundInLetters(on.waybill)).to.deep.equal([]);
  });
});

describe('Dead letters without a contact @long', () => {
  it('lose their content after three months, while those of the month stay', async () => {
    onlyLoopback();
    const folder = temporaryFolder();
    const clock = fixedClock();
    const strange = (waybill: Waybill, body: string) =>
      waybill.webhook({ object: 'page', entry: [{ id: '1', changes: [{ value: { body } }] }] });
    const all = async (waybill: Waybill): Promise<Json[]> =>
      (await waybill.admin('GET', '/dead-letters')).body.deadLetters;
    let waybill = await startWaybill({ directory: folder.path, clock });
    try {
      await strange(waybill, TEXT);
      expect((await all(waybill))[0]!.raw).to.include(TEXT);
      expect(await foundInLetters(waybill)).to.deep.equal([]);
      await waybill.stop();
      clock.advance(4 * MONTH_MS);
      waybill = await startWaybill({ directory: folder.path, clock });
      await strange(waybill, 'of this month');
      await untilTrue('the months are gone', async () =>
        (await waybill.events('destroyedkeys-all')).some(({ type }) => type === 'MonthsExpired'),
      );
      await waybill.settled();
      const [young, old] = await all(waybill);
      expect(old).to.include({ raw: null, erased: true });
      expect(young!.raw).to.include('of this month');
    } finally {
      await waybill.stop();
      folder.remove();
    }
  });
});
