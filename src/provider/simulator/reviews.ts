import { envelopeOf, OBJECT } from '../webhook/reader.ts';
import type { Hooks } from './hooks.ts';
import type { Timers } from './timers.ts';
import type { SimulatedTemplate, World } from './world.ts';

const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown };

const explanation = {
  reason: 'The variables of the text do not match its samples.',
  recommendation: 'Give one sample for each variable.',
};

/** The provider pauses a template of low quality for 3 h, then for 6 h, and disables it at the third time. */
const pauses = [
  { title: 'FIRST_PAUSE', description: 'The template is paused for 3 hours.' },
  { title: 'SECOND_PAUSE', description: 'The template is paused for 6 hours.' },
];

/** What the notice of a new state says besides it. */
const detailsOf = (status: string, pausesBefore: number, now: number): object => {
  switch (status) {
    case 'PAUSED':
      return { other_info: pauses[pausesBefore] ?? pauses.at(-1) };
    case 'DISABLED':
      return { disable_info: { disable_date: new Date(now).toISOString().slice(0, 10) } };
    default:
      return {};
  }
};

/** Whether the review of a template approves it, by its name, and what the notice says. */
const verdictOf = ({ name }: SimulatedTemplate) => {
  const isExplained = name.includes('explain');
  const isRejected = isExplained || name.includes('reject');
  return {
    status: isRejected ? 'REJECTED' : 'APPROVED',
    reason: isRejected ? 'INVALID_FORMAT' : 'NONE',
    more: isExplained ? { rejection_info: explanation } : {},
  };
};

/** Reviews submitted templates and notifies the service. */
export const createReviews = (world: World, hooks: Pick<Hooks, 'post'>, timers: Timers) => {
  const { settings, clock } = world;

  const notify = (template: SimulatedTemplate, field: string, value: object) => {
    const entry = { id: template.wabaId, time: Math.floor(clock.now() / 1000) };
    return hooks.post(
      envelopeOf(
        { object: OBJECT, entry, field },
        {
          // The provider writes this id as a number, however large.
          message_template_id: rawJson(template.id),
          message_template_name: template.name,
          message_template_language: template.language.replace('_', '-'),
          ...value,
        },
      ),
    );
  };

  /** Puts a template into a state, and notifies the service. */
  const decide = (
    template: SimulatedTemplate,
    status: string,
    reason = 'NONE',
    more: object = {},
  ) => {
    const details = detailsOf(status, template.pauses, clock.now());
    template.status = status;
    template.rejectedReason = reason;
    if (status === 'PAUSED') template.pauses += 1;
    if (status === 'DELETED') world.templates.delete(template.id);
    return notify(template, 'message_template_status_update', {
      event: status,
      message_template_category: template.category,
      reason,
      ...details,
      ...more,
    });
  };

  const recategorise = (template: SimulatedTemplate, category: string) => {
    const previous = template.category;
    template.category = category;
    return notify(template, 'template_category_update', {
      previous_category: previous,
      new_category: category,
    });
  };

  const review = (template: SimulatedTemplate) => {
    if (template.name.includes('stay_pending')) return;
    const { reviewMs, authenticationReviewMs } = settings.timings;
    const isAuthentication = template.category === 'AUTHENTICATION';
    timers.after(isAuthentication ? authenticationReviewMs : reviewMs, () => {
      if (template.status !== 'PENDING') return;
      if (template.name.includes('recategorise') && template.category !== 'MARKETING') {
        void recategorise(template, 'MARKETING');
      }
      const { status, reason, more } = verdictOf(template);
      void decide(template, status, reason, more);
    });
  };

  return { decide, review, notify };
};

export type Reviews = ReturnType<typeof createReviews>;
