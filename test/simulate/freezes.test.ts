import './runtime.ts';
import { expect } from 'chai';
import { chooseSeed } from '../support/faults/random.ts';
import { runs } from '../support/runs.ts';
import type { Planned } from './plan.ts';
import { play } from './play.ts';

/** Steps of two processes until a send with a key is over. */
const STEPS = 120;

/**
 * A send with a key, in one of two processes that is frozen so many steps after the claim. Meanwhile the key is
 * asked for again and again.
 */
const frozenAfter = (after: number, nth: number, ms: number): Planned[] => {
  const send = { do: 'send', tenant: 0, to: 0, key: 0, hangUpAfter: null } as const;
  const sleep = { do: 'sleep', ms: ms / 8, isIdle: false, when: null, after: 0 } as const;
  const again = [
    { command: send, pause: STEPS + 30 },
    { command: sleep, pause: 30 },
  ];
  return [
    { command: { do: 'freeze', nth, ms, when: 'RequestClaimed', after }, pause: 0 },
    ...Array.from({ length: 12 }, () => again).flat(),
  ];
};

/** Whether it is the process that has the send which is frozen. */
const isHit = (trace: string): boolean => {
  const [, asked] = /POST \/v1\/notifications\/send at (p\d+)/.exec(trace) ?? [];
  const [, frozen] = /(p\d+) is frozen/.exec(trace) ?? [];
  return asked !== undefined && asked === frozen;
};

describe('a send whose process is frozen, simulated @long', () => {
  const seed = chooseSeed();
  for (const [places, tag] of runs(4, STEPS / 2)) {
    for (const [what, ms] of [
      ['for seconds', 12_000],
      ['until its charge is given back', 60_000],
    ] as const) {
      it(`row 67: wherever that is, ${what}, a key is sent and charged once (WAYBILL_FAULTS_SEED=${seed})${tag}`, async () => {
        for (let place = 0; place < places; place += 1) {
          const after = place * (STEPS / places) + (seed % (STEPS / places));
          let hits = 0;
          for (const nth of [0, 1]) {
            const lines: string[] = [];
            const how = { form: 'servers', trace: (line: string) => lines.push(line) } as const;
            const { problems } = await play(seed + after, frozenAfter(after, nth, ms), how);
            expect(problems, `seed ${seed}, after ${after} steps`).to.deep.equal([]);
            if (isHit(lines.join('\n'))) hits += 1;
          }
          expect(hits, `seed ${seed}, after ${after} steps`).to.equal(1);
        }
      });
    }
  }
});
