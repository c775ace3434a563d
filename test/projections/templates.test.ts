import { expect } from 'chai';
import {
  TemplateAdopted,
  TemplateChangeAnnounced,
  TemplateRecategorised,
  TemplateRemoved,
  TemplateStatusChanged,
  TemplateSubmitted,
} from '../../src/events/template.ts';
import { templateId, templates } from '../../src/projections/templates.ts';
import { given } from '../support/projections.ts';
import { positionAt, written } from '../support/projections-facts.ts';
import { NOW } from '../support/samples.ts';

const history = given(templates);
const identity = { wabaId: '2001', name: 'order_shipped', language: 'en_US' };
const id = '2001.order_shipped.en_US';
const stream = `template-${id}`;
const components = [{ type: 'BODY', text: 'Hi {{1}}' }];
const submitted = (metaTemplateId = '77', at = NOW) =>
  written(
    stream,
    TemplateSubmitted.of({
      ...identity,
      metaTemplateId,
      category: 'UTILITY',
      status: 'PENDING',
      components,
      accountId: 'acc_1',
    }),
    at,
  );
const refusal = { status: 'REJECTED', statusReason: 'INVALID_FORMAT' } as const;
const rejected = written(
  stream,
  TemplateStatusChanged.of({ ...identity, metaTemplateId: '77', ...refusal }),
  NOW + 60_000,
);

const recategorised = written(
  stream,
  TemplateRecategorised.of({ ...identity, category: 'MARKETING' }),
);
const removed = written(stream, TemplateRemoved.of(identity));

describe('templates', () => {
  it('are kept by business account, name and language', () => {
    history(submitted()).thenIs(templateId(identity), {
      ...identity,
      metaTemplateId: '77',
      category: 'UTILITY',
      status: 'PENDING',
      statusReason: null,
      components,
      accountId: 'acc_1',
      updatedAt: '2026-11-21T12:00:00.000Z',
      order: positionAt(0),
    });
  });
  it('follow the provider', () =>
    history(submitted(), rejected, recategorised).thenShows(id, {
      ...refusal,
      category: 'MARKETING',
      components,
    }));
  describe('whose change of category is announced', () => {
    const at = '2026-11-22T12:00:00.000Z';
    const announced = (category: string | null) => {
      const changingTo = category === null ? null : { category, at };
      return written(stream, TemplateChangeAnnounced.of({ ...identity, changingTo }));
    };
    const changingTo = { category: 'MARKETING', at };

    it('show it beside the category in force', () =>
      history(submitted(), announced('MARKETING')).thenShows(id, {
        category: 'UTILITY',
        changingTo,
      }));
    it('show the latest', () =>
      history(submitted(), ...['AUTHENTICATION', 'MARKETING'].map(announced)).thenShows(id, {
        changingTo,
      }));
    for (const [what, ended] of [
      ['the change comes', recategorised],
      ['it is withdrawn', announced(null)],
      ['the template is submitted again', submitted('78')],
    ] as const) {
      it(`do not show it any more when ${what}`, () => {
        const shown = history(submitted(), announced('MARKETING'), ended).document(id);
        expect(shown).to.be.an('object').that.does.not.have.property('changingTo');
      });
    }
    it('show nothing of a template that is not known', () =>
      history(announced('MARKETING')).thenHas(0));
  });
  it('keep their place when submitted again, and lose the old reason', () =>
    history(submitted(), rejected, submitted('78', NOW + 1)).thenShows(id, {
      status: 'PENDING',
      statusReason: null,
      metaTemplateId: '78',
      order: positionAt(0),
      updatedAt: '2026-11-21T12:00:00.001Z',
    }));
  it('are taken over as the provider has them', () => {
    const theirs = { accountId: null, metaTemplateId: '79', ...refusal };
    const whole = { ...identity, ...theirs, category: 'MARKETING', components };
    history(written(stream, TemplateAdopted.of(whole))).thenShows(id, theirs);
  });
  it('go when the provider deletes them', () => history(submitted(), removed).thenHas(0));
  it('come again after that', () =>
    history(submitted(), removed, submitted('80')).thenShows(id, {
      metaTemplateId: '80',
      order: positionAt(2),
    }));
});
