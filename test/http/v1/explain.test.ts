import { expect } from 'chai';
import { runHere } from '../../cli/support.ts';
import { bodyOf } from '../../support/answered.ts';
import { notified, useTenant } from '../../support/surface.ts';
import type { Json } from '../../support/waybill.ts';

describe('GET /v1/messages/:id/explain', () => {
  const on = useTenant({ templates: ['order_shipped'], credits: 5 });

  it('names every rule, as it was at the send, with the event that it came from', async () => {
    const limits = (daily: number) =>
      on.waybill.admin('PATCH', `/accounts/${on.tenant.accountId}/limits`, { daily });
    await limits(50);
    const { messageId: id } = (await notified(on.waybill, on.tenant)).body;
    await limits(70);
    const body = await bodyOf(200, on.call('GET', `/v1/messages/${id}/explain`));
    expect(body).to.include({ messageId: id, outcome: 'sent' });
    const rules = new Map<string, Json>(body.rules.map((rule: Json) => [rule.rule, rule]));
    const names = 'plan template price caps strict balance pace sent';
    expect([...rules.keys()].join(' ')).to.equal(names);
    expect(rules.get('plan')).to.deep.include({ value: 'standard version 1', event: null });
    expect(rules.get('template')).to.include({ value: 'order_shipped en_US' });
    expect(rules.get('template')!.event.type).to.match(/^Template/);
    expect(rules.get('price')!.value).to.equal('0.00168 USD');
    expect(rules.get('price')!.why).to.match(
      /row India, UTILITY of rate card .* is 0\.0014 USD.*1 credits/,
    );
    expect(rules.get('caps')!.value).to.match(/per day 50,/);
    expect(rules.get('caps')!.event.type).to.equal('LimitsSet');
    const why = '5 before the reservation, which took 1';
    expect(rules.get('balance')).to.include({ value: '4', why });
    const { position } = rules.get('balance')!.event;
    expect(rules.get('caps')!.event.position < position).to.equal(true);
    expect(rules.get('pace')).to.include({ value: '10000 a second' });
    expect(rules.get('sent')!.event.position > position).to.equal(true);
    expect(rules.get('sent')!.why).to.match(/; its call took \d+ ms/);
    const env = { WAYBILL_URL: `${on.waybill.url}/api`, WAYBILL_API_KEY: on.tenant.apiKey };
    const { stdout } = await runHere(['explain', id], { env });
    expect(stdout).to.match(/^The message is sent\.\nplan {6}standard version 1\n/);
    expect(stdout).to.match(/^caps .*\n {10}.*\(LimitsSet of .*, at \S+\)$/m);
  });
});
