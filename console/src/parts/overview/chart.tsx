import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { hourOf } from '../../ui/times.ts';
import { Time } from '../../ui/value.tsx';
import type { Figures } from './read.ts';

const HEIGHT = 220;
const HALF_HOUR_S = 1800;
/** Steps of the axis: nothing is sent by halves. */
const WHOLE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 100_000];

const colour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** The colour of a token as the browser computes it: a canvas knows no `light-dark()`. */
const computed = (element: HTMLElement, token: string): string => {
  element.style.color = colour(token);
  const { color } = getComputedStyle(element);
  element.style.color = '';
  return color;
};

const bars = uPlot.paths.bars?.({ size: [0.7, 40] });

const optionsFor = (element: HTMLElement): Omit<uPlot.Options, 'width'> => {
  const axis = { stroke: computed(element, '--muted'), font: '12px system-ui' };
  const grid = { stroke: computed(element, '--line'), width: 1 };
  return {
    height: HEIGHT,
    cursor: { y: false },
    legend: { show: false },
    scales: {
      // Half an hour on both sides, so that the first and the last bar are whole.
      x: { range: (_, min, max) => [min - HALF_HOUR_S, max + HALF_HOUR_S] },
      y: { range: (_, __, max) => [0, Math.max(4, max * 1.1)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        ticks: { show: false },
        size: 28,
        values: (_, splits) => splits.map((at) => hourOf(at * 1000)),
      },
      { ...axis, grid, ticks: { show: false }, size: 40, incrs: WHOLE },
    ],
    series: [
      { label: 'Hour' },
      {
        label: 'Sends',
        fill: computed(element, '--accent'),
        stroke: computed(element, '--accent'),
        ...(bars && { paths: bars }),
        points: { show: false },
      },
      { label: 'Failed', stroke: computed(element, '--bad'), width: 2, points: { show: false } },
      { label: 'Refused', stroke: computed(element, '--warn'), width: 2, points: { show: false } },
    ],
  };
};

const dark = matchMedia('(prefers-color-scheme: dark)');

/** Changes when the colours of the page do, which a canvas does not follow by itself. */
const useColours = (): number => {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const next = () => setCount((before) => before + 1);
    const chosen = new MutationObserver(next);
    chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    dark.addEventListener('change', next);
    return () => {
      chosen.disconnect();
      dark.removeEventListener('change', next);
    };
  }, []);
  return count;
};

/** Sends, failures and refusals by hour. The table below it has the same numbers for screen readers. */
export const Chart = ({ hours }: { hours: Figures['hours'] }) => {
  const box = useRef<HTMLDivElement>(null);
  const colours = useColours();
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn anew in other colours
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const data: uPlot.AlignedData = [
      hours.map(({ hour }) => Date.parse(hour) / 1000),
      hours.map(({ sends }) => sends),
      hours.map(({ failures }) => failures),
      hours.map(({ refused }) => refused),
    ];
    const plot = new uPlot({ ...optionsFor(element), width: element.clientWidth }, data, element);
    const resized = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: HEIGHT }),
    );
    resized.observe(element);
    return () => {
      resized.disconnect();
      plot.destroy();
    };
  }, [hours, colours]);
  return (
    <>
      <div className="legend small" aria-hidden="true">
        <span className="legend-sends">Sends</span>
        <span className="legend-failed">Failed</span>
        <span className="legend-refused">Refused before sending</span>
      </div>
      <div ref={box} className="chart" aria-hidden="true" />
      <div className="hidden">
        <table>
          <caption>Sends, failures and refusals by hour</caption>
          <thead>
            <tr>
              <th>Hour</th>
              <th>Sends</th>
              <th>Failed</th>
              <th>Refused before sending</th>
            </tr>
          </thead>
          <tbody>
            {hours.map(({ hour, sends, failures, refused }) => (
              <tr key={hour}>
                <td>
                  <Time at={hour} />
                </td>
                <td>{sends}</td>
                <td>{failures}</td>
                <td>{refused}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
};
