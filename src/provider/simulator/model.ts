import type { Json } from '../shape.ts';
import type { Inbound, InboundResult } from './customers.ts';
import type { ScenarioName, Step } from './scenarios.ts';
import type { LoggedSend, Settings, SimulatedNumber, SimulatedTemplate } from './world.ts';

/** Settings to change; an absent one keeps its value. */
export type SimulatorSettings = Partial<Omit<Settings, 'timings' | 'chaos'>> & {
  timings?: Partial<Settings['timings']>;
  chaos?: Partial<Settings['chaos']>;
};

/** A simulated provider. `scenarios` and `magicRecipients` list what it can do. */
export interface Simulator {
  /** Resolves with the base address. */
  start(): Promise<string>;
  stop(): Promise<void>;
  configure(settings: SimulatorSettings): void;
  /** Sets up a number, or changes it. */
  setNumber(number: Partial<SimulatedNumber> & { phoneNumberId: string }): SimulatedNumber;
  /** Sets up a template without a review: approved, or in the given `status`. */
  setTemplate(wabaId: string, template: Json): SimulatedTemplate;
  /** Puts a template into a state and notifies the service; DELETED removes it. */
  decideTemplate(id: string, status: string, reason?: string): Promise<number | null>;
  /** Lets the next `count` sends of a number (default: all) meet a scenario; null ends that. */
  fault(phoneNumberId: string, scenario: ScenarioName | null, count?: number): void;
  /** Lets a customer write. Resolves when the service has answered the webhook once. */
  inbound(from: string, message: Inbound): Promise<InboundResult>;
  /** Sends an update of a sent message; a number is a failure with that code. */
  status(messageId: string, step: Step): Promise<unknown>;
  /** Sends any payload, signed. Resolves with the service's HTTP status. */
  webhook(payload: unknown): Promise<number | null>;
  /** The received sends, oldest first; all, or those with one charge id. */
  sends(chargeId?: string): LoggedSend[];
  /** The number of updates, reviews and webhooks that are not done yet. */
  pending(): number;
  /** The number of webhooks that were given up. */
  lost(): number;
}
