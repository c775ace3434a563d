import { asText, type Json } from '../shape.ts';
import { type GraphAnswer, ok } from './answers.ts';
import type { ContactChange, Inbound } from './customers.ts';
import type { SimulatorFunctions, SimulatorSettings } from './functions.ts';
import type { GraphRequest } from './graph.ts';
import { magicRecipients, magicTemplateNames, type ScenarioName, scenarios } from './scenarios.ts';
import type { SimulatedNumber } from './world.ts';

type ControlRequest = Pick<GraphRequest, 'method' | 'path' | 'query'> & { body: Json };

export type Control = (request: ControlRequest) => Promise<GraphAnswer>;

const needed = (body: Json, key: string): string => {
  const text = asText(body[key]);
  if (text === null) throw new Error(`${key} is missing`);
  return text;
};

const scenarioNamed = (name: string | null): ScenarioName | null => {
  if (name === null || name in scenarios) return name as ScenarioName | null;
  throw new Error(`there is no scenario ${name}`);
};

const catalogue = () => ({
  scenarios,
  recipients: Object.entries(magicRecipients).map(([recipient, scenario]) => ({
    recipient: `+${recipient}`,
    scenario,
    what: scenarios[scenario].what,
  })),
  templateNames: magicTemplateNames,
});

/** The functions of the simulator over HTTP, below `/_simulator/`. */
export const createControl = (simulator: SimulatorFunctions): Control => {
  const reads: Readonly<Record<string, (query: URLSearchParams) => unknown>> = {
    sends: (query) => {
      const to = query.get('to');
      const sends = simulator.sends(query.get('chargeId') ?? undefined);
      return { sends: sends.filter((send) => to === null || send.to === to) };
    },
    scenarios: catalogue,
    state: () => ({ pending: simulator.pending(), lost: simulator.lost() }),
  };

  const writes: Readonly<Record<string, (body: Json, path: string[]) => unknown>> = {
    configure: (body) => simulator.configure(body as SimulatorSettings),
    numbers: (body) => {
      const phoneNumberId = needed(body, 'phoneNumberId');
      return simulator.setNumber({ ...(body as Partial<SimulatedNumber>), phoneNumberId });
    },
    templates: async (body, [id, action]) => {
      if (id === undefined) return simulator.setTemplate(needed(body, 'wabaId'), body);
      if (action !== 'status') throw new Error(`a template has no ${action}`);
      const reason = asText(body.reason) ?? undefined;
      return { status: await simulator.decideTemplate(id, needed(body, 'status'), reason) };
    },
    fault: (body) => {
      const scenario = scenarioNamed(asText(body.scenario));
      const count = body.count === undefined ? undefined : Number(body.count);
      simulator.fault(needed(body, 'phoneNumberId'), scenario, count);
    },
    subscriptions: (body) =>
      simulator.setSubscription(needed(body, 'wabaId'), body.subscribed !== false),
    inbound: (body) => simulator.inbound(needed(body, 'from'), body as unknown as Inbound),
    contacts: (body) => simulator.setContact(needed(body, 'contact'), body as ContactChange),
    status: async ({ messageId, step }) => ({
      status: await simulator.status(String(messageId), step as 'sent'),
    }),
    webhook: async (body) => ({ status: await simulator.webhook(body) }),
  };

  return async ({ method, path, query, body }) => {
    const [verb = '', ...rest] = path;
    const read = reads[verb];
    const write = writes[verb];
    try {
      if (method === 'GET' && read) return ok(read(query));
      if (method === 'POST' && write) return ok((await write(body, rest)) ?? { success: true });
      const known = { reads: Object.keys(reads), writes: Object.keys(writes) };
      return { kind: 'answer', status: 404, body: { error: 'Not found', ...known } };
    } catch (error) {
      return { kind: 'answer', status: 400, body: { error: (error as Error).message } };
    }
  };
};
