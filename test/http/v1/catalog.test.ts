import { expect } from 'chai';
import { catalog } from '../../../src/commands/sending/catalog.ts';
import { bodyOf } from '../../support/answered.ts';
import { useTenant } from '../../support/surface.ts';
import type { Json } from '../../support/waybill.ts';

const FIELDS =
  'event title description group category templateName language variables variableDocs preview';

/** What an entry holds is tested with the catalog itself. */
describe('GET /v1/notifications/catalog', () => {
  const on = useTenant({ once: true, number: false });
  const read = async (): Promise<Json[]> =>
    bodyOf(200, on.call('GET', '/v1/notifications/catalog'));

  it('lists exactly the 18 events, without any number', async () => {
    const all = await read();
    expect(all).to.have.length(18);
    expect(all).to.deep.equal(catalog);
  });

  it('describes each with the ten fields of an entry and no others', async () => {
    for (const entry of await read()) expect(entry).to.have.all.keys(FIELDS.split(' '));
  });

  it('names the template as the event, but for order_status', async () => {
    const renamed = (await read()).filter(({ event, templateName }) => event !== templateName);
    expect(renamed.map(({ event, templateName }) => [event, templateName])).to.deep.equal([
      ['order_status', 'order_status_update'],
    ]);
  });

  it('leaves the placeholders in the preview, one for each variable', async () => {
    const all = await read();
    for (const { variables, preview } of all) {
      expect(preview.match(/\{\{\d+\}\}/g)).to.have.length(variables.length);
    }
    const shipped = all.find(({ event }) => event === 'order_shipped');
    expect(shipped.preview).to.equal(
      'Your order {{1}} has been shipped with tracking number {{2}}. Track it here: {{3}} . Thank you.',
    );
  });
});
