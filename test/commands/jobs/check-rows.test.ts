import { expect } from 'chai';
import { createRowCheck } from '../../../src/commands/jobs/check-rows.ts';
import { findEvent } from '../../../src/commands/sending/catalog.ts';
import { fillVariables } from '../../../src/commands/sending/variables.ts';
import { NOW } from '../../support/samples.ts';

const entry = findEvent('order_shipped') ?? expect.fail();
const variables = { orderId: 'order', awbCode: 'awb', trackingLink: 'link' };
const columns = { to: 'phone', clientReference: 'ref', variables };

describe('the rows of a job', () => {
  it('have the values that a live send would send', () => {
    const check = createRowCheck(entry, columns, {}, NOW);
    const values = { order: true, awb: 12345678901234567890n, link: 1.5 };
    const row = check({ row: 1, fields: { phone: 919812345678, ref: 77n, ...values } });
    const live = { orderId: values.order, awbCode: values.awb, trackingLink: values.link };
    const { parameters } = fillVariables(entry, live);
    expect(parameters).to.deep.equal(['true', '12345678901234567890', '1.5']);
    const good = { to: '919812345678', values: parameters, clientReference: '77' };
    expect(row).to.deep.equal({ row: 1, good, id: '919812345678' });
  });
});
