import { expect } from 'chai';
import { request } from 'undici';
import type { Content } from '../../../src/events/content.ts';
import type { MessageItem, StatusItem } from '../../../src/provider/webhook/item.ts';
import { outgoing, sender } from '../../support/provider.ts';
import { callAt, useSimulator } from './stage.ts';

const DIGITS = '447700900123';
const USER = 'GB.7700447700900123';
const HIDDEN = '15550199970';
const { phoneNumberId, wabaId } = sender();
const fast = { sentMs: 2, deliveredMs: 6, readMs: 10, retryMs: [5] };

describe('user ids of the simulator', () => {
  const on = useSimulator(() => ({ enforceWindow: false, timings: fast }));

  const statuses = () => on.receiver.items.filter((item) => item.kind === 'status') as StatusItem[];
  const written = () =>
    on.receiver.items.filter((item) => item.kind === 'message') as MessageItem[];
  const send = (to: string, content?: Content) =>
    on.provider.send(sender(), { ...outgoing(to), ...(content && { content }) });
  const control = async (body: object) => {
    const url = `${on.baseUrl}/_simulator/contacts`;
    const headers = { 'content-type': 'application/json' };
    const answer = await request(url, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: answer.statusCode, body: (await answer.body.json()) as object };
  };

  it('stand beside the number in what customers write, and alone where it is hidden', async () => {
    await on.simulator.inbound(DIGITS, { phoneNumberId, text: 'Hi' });
    await on.simulator.inbound(HIDDEN, { phoneNumberId, text: 'Hi' });
    const [shown, hidden] = written();
    expect(shown).to.deep.include({ from: DIGITS, userId: USER });
    expect(shown!.contact).to.include({ wa_id: DIGITS, user_id: USER });
    expect(hidden).to.deep.include({ from: null, userId: 'US.770015550199970' });
    expect(hidden!.contact).not.to.have.property('wa_id');
    expect(hidden!.message).not.to.have.property('from');
  });

  it('take messages, and the answer names what the call named', async () => {
    expect(await send(USER)).to.include({ recipientWaId: null, recipientUserId: USER });
    const byNumber = await send(DIGITS);
    expect(byNumber).to.include({ recipientWaId: DIGITS });
    expect(byNumber).not.to.have.property('recipientUserId');
    expect(await send('FR.1')).to.include({ kind: 'accepted', recipientUserId: 'FR.1' });
    expect(on.simulator.sends().map(({ to }) => to)).to.deep.equal([DIGITS, DIGITS, 'FR.1']);
  });

  it('are in all updates but failures, alone for hidden numbers', async () => {
    for (const to of [USER, HIDDEN, '15550199927']) await send(to);
    await on.settled();
    for (const status of statuses()) {
      const isFailure = status.status === 'failed';
      expect(status.recipientUserId === null, status.status).to.equal(isFailure);
    }
    const shown = new Set(statuses().map(({ recipientWaId }) => recipientWaId));
    expect([...shown]).to.have.members([DIGITS, null, '15550199927']);
  });

  it('take no authentication template', async () => {
    const components = [
      { type: 'BODY', add_security_recommendation: true },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
    ];
    const of = { name: 'code', language: 'en_US' };
    on.simulator.setTemplate(wabaId, { ...of, category: 'AUTHENTICATION', components });
    const parameters = ['123456'];
    const content: Content = { type: 'notification', ...of, authentication: true, parameters };
    expect(await send(USER, content)).to.deep.include({ kind: 'refused' });
    expect(on.simulator.sends().at(-1)).to.include({ code: 131062 });
    expect(await send(DIGITS, content)).to.include({ kind: 'accepted' });
  });

  it('are hidden, shown and changed by a control call', async () => {
    expect((await control({ contact: DIGITS, hidden: true })).body).to.include({ hidden: true });
    await on.simulator.inbound(DIGITS, { phoneNumberId, text: 'Hi' });
    expect(written().at(-1)).to.include({ from: null, userId: USER });
    const changed = await control({ contact: DIGITS, changeUserIdAt: phoneNumberId });
    const next = 'GB.7701447700900123';
    expect(changed.body).to.include({ userId: next, hidden: true, status: 200 });
    const { change } = written().at(-1)!;
    expect(change).to.deep.equal({ previous: USER, userId: next, waId: null });
    await control({ contact: DIGITS, hidden: false });
    await on.simulator.inbound(DIGITS, { phoneNumberId, text: 'Hi' });
    expect(written().at(-1)).to.include({ from: DIGITS, userId: next });
    expect((await control({ contact: 'nobody' })).status).to.equal(400);
    expect((await control({})).status).to.equal(400);
  });

  it('refuse what is neither a number nor a user id', async () => {
    const text = { messaging_product: 'whatsapp', type: 'text', text: { body: 'Hi' } };
    const codeFor = async (recipient?: string) => {
      const path = `${phoneNumberId}/messages`;
      const { status, body } = await callAt(on.baseUrl, 'POST', path, { ...text, recipient });
      return [status, body.error.code];
    };
    expect(await codeFor()).to.deep.equal([400, 100]);
    expect(await codeFor('us.1')).to.deep.equal([400, 131009]);
  });
});
