import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Figures } from './read.ts';

const HEIGHT = 220;

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
    legend: { live: true },
    scales: { y: { range: (_, __, max) => [0, Math.max(4, max * 1.1)] } },
    axes: [
      { ...axis, grid: { show: false }, ticks: { show: false } },
      { ...axis, grid, ticks: { show: false }, size: 52 },
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
      {
        label: 'Refunds',
        stroke: computed(element, '--warn'),
        width: 2,
        points: { show: false },
      },
      { label: 'Failures', stroke: computed(element, '--bad'), width: 2, points: { show: false } },
    ],
  };
};

/** Sends, refunds and failures by hour. The table below it has the same numbers for screen readers. */
export const Chart = ({ hours }: { hours: Figures['hours'] }) => {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const data: uPlot.AlignedData = [
      hours.map(({ hour }) => Date.parse(hour) / 1000),
      hours.map(({ sends }) => sends),
      hours.map(({ refunds }) => refunds),
      hours.map(({ failures }) => failures),
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
  }, [hours]);
  return (
    <>
      <div ref={box} className="chart" aria-hidden="true" />
      <div className="hidden">
        <table>
          <caption>Sends, refunds and failures by hour</caption>
          <thead>
            <tr>
              <th>Hour</th>
              <th>Sends</th>
              <th>Refunds</th>
              <th>Failures</th>
            </tr>
          </thead>
          <tbody>
            {hours.map(({ hour, sends, refunds, failures }) => (
              <tr key={hour}>
                <td>{hour}</td>
                <td>{sends}</td>
                <td>{refunds}</td>
                <td>{failures}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
};
