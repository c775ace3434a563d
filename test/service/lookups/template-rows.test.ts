import { expect } from 'chai';
import fc from 'fast-check';
import type { TemplateFact } from '../../../src/events/template.ts';
import type { TemplateDocument } from '../../../src/projections/templates.ts';
import {
  type TemplateEvent,
  templateEventTypes,
  withTemplateEvent,
} from '../../../src/service/lookups/cached-lookups.ts';

const NAME = { wabaId: '2', name: 'order_shipped' };
const row = (language: string) => ({ ...NAME, language });
const seen = {
  metaTemplateId: '3',
  category: 'UTILITY',
  status: 'APPROVED' as const,
  statusReason: null,
  components: [],
};

const languages = fc.constantFrom('de', 'en', 'en_US');
const categories = fc.constantFrom('UTILITY', 'MARKETING', 'AUTHENTICATION');
const statuses = fc.constantFrom('APPROVED' as const, 'PENDING' as const, 'REJECTED' as const);
const fact = fc
  .tuple(languages, categories, statuses, fc.integer({ min: 0, max: 6 }))
  .map(([language, category, status, kind]): Pick<TemplateFact, 'type' | 'data'> => {
    const is = row(language);
    const { statusReason: _, ...submitted } = { ...seen, category, status };
    switch (kind) {
      case 0:
        return { type: 'TemplateSubmitted', data: { ...is, ...submitted } };
      case 1:
        return { type: 'TemplateAdopted', data: { ...is, ...seen, category, status } };
      case 2: {
        const data = { ...is, metaTemplateId: '3', status, statusReason: null };
        return { type: 'TemplateStatusChanged', data };
      }
      case 3:
        return { type: 'TemplateRecategorised', data: { ...is, category } };
      case 4:
      case 5: {
        const changingTo = kind === 4 ? { category, at: null } : null;
        return { type: 'TemplateChangeAnnounced', data: { ...is, changingTo } };
      }
      default:
        return { type: 'TemplateRemoved', data: is };
    }
  });
const recorded = (facts: readonly object[]) =>
  facts.map((one, index) => ({
    ...one,
    meta: { at: new Date(index).toISOString(), requestId: 'r' },
    position: String(index).padStart(6, '0'),
  })) as unknown as TemplateEvent[];

const fold = (events: readonly TemplateEvent[], from: readonly TemplateDocument[] = []) =>
  events.reduce<readonly TemplateDocument[]>(withTemplateEvent, from);
const shown = (rows: readonly TemplateDocument[]) =>
  rows.map(({ language, category, status, changingTo }) => ({
    language,
    category,
    status,
    ...(changingTo && { changingTo }),
  }));

describe('kept rows of a template', () => {
  it('follow the events, in the order of their languages', () => {
    const events = recorded([
      { type: 'TemplateAdopted', data: { ...row('en_US'), ...seen } },
      { type: 'TemplateAdopted', data: { ...row('de'), ...seen } },
      { type: 'TemplateRecategorised', data: { ...row('en_US'), category: 'MARKETING' } },
      { type: 'TemplateStatusChanged', data: { ...row('fr'), ...seen } },
    ]);
    expect(shown(fold(events))).to.deep.equal([
      { language: 'de', category: 'UTILITY', status: 'APPROVED' },
      { language: 'en_US', category: 'MARKETING', status: 'APPROVED' },
    ]);
    const removed = recorded([{ type: 'TemplateRemoved', data: row('de') }]);
    const left = shown(fold(removed, fold(events)));
    expect(left.map(({ language }) => language)).to.deep.equal(['en_US']);
  });

  it('are the same in the end when events came early or twice', () => {
    fc.assert(
      fc.property(fc.array(fact, { maxLength: 12 }), fc.nat(), fc.nat(), (facts, a, b) => {
        const events = recorded(facts);
        const loaded = a % (events.length + 1);
        const followed = b % (loaded + 1);
        const own = events.slice(loaded);
        // Read up to one place, written here after it, followed from a place before both.
        const remembered = fold(events.slice(followed), fold(own, fold(events.slice(0, loaded))));
        expect(shown(remembered)).to.deep.equal(shown(fold(events)));
      }),
    );
  });

  it('follow the events of templates alone', () => {
    expect(templateEventTypes).to.include.members(['TemplateAdopted', 'TemplateRemoved']);
    expect(templateEventTypes).not.to.include('TemplateNoticed');
  });
});
