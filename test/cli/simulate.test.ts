import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { notices } from '../../src/provider/simulator/notices.ts';
import { createSimulator, type Simulator } from '../../src/provider/simulator/simulator.ts';
import { callAt } from '../provider/simulator/stage.ts';
import { answered } from '../support/answered.ts';
import { folderInSuite } from '../support/folder.ts';
import { inSuite } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import { startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { runHere } from './support.ts';

const NUMBER = '100000000000001';

describe('waybill simulate', () => {
  useRealConnections();
  const folder = folderInSuite();
  const receiver = inSuite(() => startReceiver('app-secret'));
  let simulator: Simulator;
  let url: string;
  before(async () => {
    simulator = createSimulator({ appSecret: 'app-secret', webhookUrl: receiver.url });
    url = await simulator.start();
    simulator.setNumber({ phoneNumberId: NUMBER, wabaId: '200000000000002' });
  });
  after(() => simulator.stop());

  const said = (...args: string[]) =>
    runHere(['simulate', ...args], { env: { WAYBILL_PROVIDER_URL: url } });
  const simulate = (...args: string[]) => said('inbound', '--from', '+919812345678', ...args);
  const received = () => {
    const item = receiver.items.at(-1);
    if (item?.kind !== 'message') throw new Error('no message came');
    return item;
  };

  it('lets a customer write, without any token', async () => {
    const written = ['--text', 'Where is it?', '--name', 'Mia'];
    const { stdout, ...ended } = await simulate(...written, '--wait', '0');
    expect(ended).to.deep.equal({ status: 0, stderr: '' });
    const { message, messageId, from, contact } = received();
    expect(message).to.deep.include({ type: 'text', text: { body: 'Where is it?' } });
    expect(from).to.equal('919812345678');
    expect(contact).to.deep.include({ profile: { name: 'Mia' } });
    expect(stdout).to.contain(messageId);
  });

  it('lets a customer tap a button or choose a row of an earlier message', async () => {
    await simulate('--button', 'yes', '--title', 'Yes', '--context', 'wamid.OUT', '--wait', '0');
    expect(received().message).to.deep.include({
      interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } },
    });
    expect(received().message.context).to.include({ id: 'wamid.OUT' });
    await simulate('--row', 'r1', '--wait', '0');
    expect(received().message).to.deep.include({
      interactive: { type: 'list_reply', list_reply: { id: 'r1', title: 'r1' } },
    });
  });

  it('lets a customer send a file, of a type that the provider takes', async () => {
    const file = join(folder.path, 'receipt.pdf');
    writeFileSync(file, 'the bytes');
    const sent = await simulate('--file', file, '--type', 'application/pdf', '--wait', '0');
    expect(sent.stderr).to.equal('');
    const { message } = received();
    expect(message).to.deep.include({ type: 'document' });
    expect(message.document).to.include({ mime_type: 'application/pdf', filename: 'receipt.pdf' });
    writeFileSync(file, Buffer.alloc(700_001));
    for (const [args, words] of [
      [['--file', file], /Give the type of the file with --type, as one of image\/jpeg/],
      [['--file', file, '--type', 'text/html'], /with --type/],
      [['--file', file, '--type', 'image/png'], /larger than 700000 bytes/],
      [['--file', join(folder.path, 'none'), '--type', 'image/png'], /cannot be read: ENOENT/],
      [['--file', file, '--text', 'Hi'], /Give one of --text, --button, --row and --file/],
    ] as const) {
      const refused = await simulate(...args, '--wait', '0');
      expect(refused.status).to.be.oneOf([1, 2]);
      expect(refused.stderr).to.match(words);
    }
  });

  it('shows all replies', async () => {
    const sendBack = async (message: object) => {
      const body = { messaging_product: 'whatsapp', to: '+919812345678', ...message };
      await answered(200, callAt(url, 'POST', `${NUMBER}/messages`, body));
    };
    const heard = receiver.items.length;
    const running = simulate('--text', 'Hi', '--wait', '5');
    await until('the message', () => receiver.items.length > heard);
    await sendBack({ type: 'text', text: { body: 'Hello' } });
    const buttons = [{ type: 'reply', reply: { id: 'yes', title: 'Yes' } }];
    const interactive = { type: 'button', body: { text: 'Sure?' }, action: { buttons } };
    await sendBack({ type: 'interactive', interactive });
    const { stdout, ...ended } = await running;
    expect(ended).to.deep.equal({ status: 0, stderr: '' });
    expect(stdout.match(/(?<=^Sent back: ).*$/gm)).to.deep.equal(['Hello', 'Sure?']);
  });

  it('says where to look when there is no reply', async () => {
    const { stdout, stderr } = await answered(0, simulate('--text', 'Hi', '--wait', '0.1'));
    expect(stdout).not.to.contain('Sent back');
    expect(stderr).to.contain('docs/bots.md');
  });

  it("reports an address that is not a simulator's", async () => {
    const { stderr } = await answered(1, simulate('--text', 'Hi', '--provider-url', `${url}/api`));
    expect(stderr).to.contain('no simulated provider at that address');
  });

  it('prints the answer as one line of JSON', async () => {
    const { stdout } = await simulate('--text', 'Hi', '--id', 'wamid.MINE', '--json');
    expect(JSON.parse(stdout)).to.deep.equal({ messageId: 'wamid.MINE', status: 200 });
  });

  it('fails when the service refuses the message', async () => {
    receiver.answer(500);
    expect((await answered(1, simulate('--text', 'Hi'))).stderr).to.contain('500');
  });

  it('fails when the simulator cannot be reached', async () => {
    const nobody = await simulate('--text', 'Hi', '--provider-url', 'http://127.0.0.1:9');
    expect(nobody).to.include({ status: 1, stdout: '' });
  });

  it('exits with 2 for a wrong command line', async () => {
    for (const args of [
      [],
      ['--text', 'a', '--row', 'b'],
      ['--text', 'a', '--provider-url', 'x'],
      ['--text', 'a', '--wait', 'long'],
      ['--text', 'a', '--wait', '61'],
    ]) {
      expect(await simulate(...args), args.join(' ')).to.include({ status: 2, stdout: '' });
    }
    const line = 'simulate inbound --from +919812345678 --text a';
    const without = await answered(2, runHere(line));
    expect(without.stderr).to.contain('WAYBILL_PROVIDER_URL');
  });

  it('sends every notice of the provider, of a number and of a template', async () => {
    const [number, wabaId] = ['100000000000003', '200000000000004'];
    simulator.setNumber({ phoneNumberId: number, wabaId });
    const template = { name: 'order_shipped', language: 'en_US', category: 'UTILITY' };
    simulator.setTemplate(wabaId, template);
    const kinds: Record<string, string> = {
      message_template_status_update: 'template_status',
      message_template_quality_update: 'template_quality',
      template_category_update: 'template_category',
      phone_number_quality_update: 'phone_quality',
      phone_number_name_update: 'phone_name',
      account_update: 'account_update',
      business_capability_update: 'account_capability',
      user_preferences: 'user_preference',
    };
    expect(Object.keys(kinds)).to.deep.equal(Object.keys(notices));
    for (const [field, kind] of Object.entries(kinds)) {
      const before = receiver.items.length;
      const { status, stderr } = await said('trigger', field, '--number', number);
      expect({ status, stderr }, field).to.deep.equal({ status: 0, stderr: '' });
      // An earlier webhook may come once more meanwhile.
      expect(receiver.items.slice(before).map((item) => item.kind)).to.include(kind);
    }
    await said('trigger', 'user_preferences', '--number', number, '--set', 'value=resume');
    expect(receiver.items.filter((item) => 'value' in item).at(-1)).to.include({ value: 'resume' });
    const none = await said('trigger', 'account_update', '--template', 'x', '--set', 'event');
    expect(none).to.include({ status: 2 });
    const missing = ['trigger', 'template_category_update', '--template', 'none'];
    expect((await said(...missing)).stderr).to.include('no template none');
  });

  it('reports what became of a message', async () => {
    const messageId = simulator.sends()[0]!.messageId!;
    const { stdout } = await answered(0, said('status', messageId, '131026'));
    expect(stdout).to.match(/HTTP status of the service: +200/);
    const update = receiver.items.findLast(({ kind }) => kind === 'status');
    expect(update).to.include({ messageId, status: 'failed' });
    expect((await said('status', messageId, 'lost')).stderr).to.include('Must be sent, delivered');
  });
});
