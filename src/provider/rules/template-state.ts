import type { TemplateStatus } from '../../events/template.ts';
import { asRecord, asText, type Json, shorten } from '../shape.ts';

/** A template's state in our words. */
export interface TemplateState {
  status: TemplateStatus;
  statusReason: string | null;
}

const EXPLANATION_LENGTH_MAX = 1000;

const approved = new Set(['APPROVED', 'FLAGGED', 'REINSTATED', 'UNARCHIVED']);
const pending = new Set(['PENDING', 'IN_APPEAL']);
const removed = new Set(['DELETED', 'PENDING_DELETION']);

/** Why a template that was approved once cannot be sent. */
const stopped: Readonly<Record<string, string>> = {
  PAUSED: 'PAUSED: the provider paused it for low quality',
  DISABLED: 'DISABLED: the provider disabled it for repeated low quality',
  LIMIT_EXCEEDED: 'LIMIT_EXCEEDED: the business account has too many templates',
  ARCHIVED: 'ARCHIVED: the provider archived it because it was not used',
  LOCKED: 'LOCKED: the provider locked it',
};

const reasonOf = (reason: unknown): string | null => {
  const text = asText(reason);
  return text === null || text.toUpperCase() === 'NONE' ? null : text;
};

/** The provider's explanations in a notice of a template, as far as it gave them. */
const explanationOf = ({ rejection_info, disable_info, other_info }: Json): string | null => {
  const rejection = asRecord(rejection_info);
  const other = asRecord(other_info);
  const disabledOn = asText(asRecord(disable_info).disable_date);
  const parts = [
    [asText(other.title), asText(other.description)].filter((part) => part !== null).join(': '),
    asText(rejection.reason),
    asText(rejection.recommendation),
    disabledOn === null ? null : `disabled on ${disabledOn}`,
  ].filter((part) => part !== null && part !== '');
  return parts.length === 0 ? null : shorten(parts.join('; '), EXPLANATION_LENGTH_MAX);
};

/** Translates the provider's word for a template's state; null for a deleted template. */
export const readTemplateState = (
  state: string,
  reason: unknown,
  notice: Json = {},
): TemplateState | null => {
  const word = state.toUpperCase();
  const code = reasonOf(reason);
  const explanation = explanationOf(notice);
  const why = [code, explanation].filter((part) => part !== null).join(': ') || null;
  if (removed.has(word)) return null;
  if (approved.has(word)) return { status: 'APPROVED', statusReason: null };
  if (pending.has(word)) return { status: 'PENDING', statusReason: null };
  if (word === 'REJECTED') return { status: 'REJECTED', statusReason: why };
  const sentence = stopped[word];
  if (sentence) {
    return { status: 'REJECTED', statusReason: why === null ? sentence : `${sentence} (${why})` };
  }
  // An unknown state counts as pending, because the template may not be sendable.
  return { status: 'PENDING', statusReason: `The provider calls its state ${word}` };
};

/** The provider's word for a template's state: inverse of the above, as far as our words keep it. */
export const providerStateOf = ({ status, statusReason }: TemplateState): string => {
  const word = /^[A-Z_]+(?=:)/.exec(statusReason ?? '')?.[0] ?? '';
  return status === 'REJECTED' && Object.hasOwn(stopped, word) ? word : status;
};
