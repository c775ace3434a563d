import type { Json } from '../shape.ts';
import type { Inbound, InboundResult } from './customers.ts';
import type { ScenarioName, Step } from './scenarios.ts';
import type { LoggedSend, Settings, SimulatedNumber, SimulatedTemplate } from './world.ts';

/** Settings with every part optional; what is absent keeps its value. */
export type SimulatorSettings = Partial<Omit<Settings, 'timings' | 'chaos'>> & {
  timings?: Partial<Settings['timings']>;
  chaos?: Partial<Settings['chaos']>;
};

/** A provider to try things with; see `scenarios` and `magicRecipients` for what it can do. */
export interface Simulator {
  /** Resolves with the base address. */
  start(): Promise<string>;
  stop(): Promise<void>;
  configure(settings: SimulatorSettings): void;
  /** Sets up a number, or changes it. */
  setNumber(number: Partial<SimulatedNumber> & { phoneNumberId: string }): SimulatedNumber;
  /** Sets up a template that is approved from the start, or has the `status` given. */
  setTemplate(wabaId: string, template: Json): SimulatedTemplate;
  /** Puts a template into a state, and tells the service; DELETED removes it. */
  decideTemplate(id: string, status: string, reason?: string): Promise<number | null>;
  /** Lets the next `count` sends of a number (default: all) end so; null ends it. */
  fault(phoneNumberId: string, scenario: ScenarioName | null, count?: number): void;
  /** A customer writes. Resolves when the service has answered the webhook once. */
  inbound(from: string, message: Inbound): Promise<InboundResult>;
  /** Sends an update of a message that went out; a number fails it with that code. */
  status(messageId: string, step: Step): Promise<unknown>;
  /** Sends any payload, signed. Resolves with the service's HTTP status. */
  webhook(payload: unknown): Promise<number | null>;
  /** The sends that came in, oldest first, or those with one charge id. */
  sends(chargeId?: string): LoggedSend[];
  /** What is still to happen: updates, reviews, webhooks on their way. */
  pending(): number;
  /** Webhooks that were given up. */
  lost(): number;
}
