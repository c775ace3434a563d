import { envelopeOf, OBJECT } from '../webhook/reader.ts';
import type { Hooks } from './hooks.ts';
import type { Timers } from './timers.ts';
import type { SimulatedTemplate, World } from './world.ts';

const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown };

const explanation = {
  reason: 'The variables of the text do not match its samples.',
  recommendation: 'Give one sample for each variable.',
};

/** Reviews submitted templates and notifies the service. */
export const createReviews = (world: World, hooks: Pick<Hooks, 'post'>, timers: Timers) => {
  const { settings } = world;

  const notify = (template: SimulatedTemplate, field: string, value: object) => {
    const entry = { id: template.wabaId, time: Math.floor(world.clock.now() / 1000) };
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
    template.status = status;
    template.rejectedReason = reason;
    if (status === 'DELETED') world.templates.delete(template.id);
    return notify(template, 'message_template_status_update', {
      event: status,
      message_template_category: template.category,
      reason,
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
      const isExplained = template.name.includes('explain');
      const isRejected = isExplained || template.name.includes('reject');
      void decide(
        template,
        isRejected ? 'REJECTED' : 'APPROVED',
        isRejected ? 'INVALID_FORMAT' : 'NONE',
        isExplained ? { rejection_info: explanation } : {},
      );
    });
  };

  return { decide, review };
};

export type Reviews = ReturnType<typeof createReviews>;
