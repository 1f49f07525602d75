// Draws a chart (bench/plots/charts.ts) as SVG, without a browser.
import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';

const { document } = parseHTML('<html><body></body></html>');
const [width, height, marginRight, lineHeight] = [760, 420, 150, 15];
const ink = '#24292f';
// Okabe and Ito's colours, which people with any colour vision tell apart; each line has a symbol and its name as well.
const colours = ['#0072b2', '#d55e00', '#cc79a7', '#009e73', '#b07d00', '#56606b'];
const symbols = ['circle', 'square', 'triangle', 'diamond', 'star', 'times'];

/** The chart as the text of an SVG file. */
export function svgOf({ title, x, y, lines }) {
  const points = lines.flatMap((line) => line.points.map((point) => ({ ...point, line: line.name })));
  // A sampled curve has too many points to mark each.
  const marked = lines.flatMap((line) =>
    line.points.length > 30 ? [] : line.points.map((point) => ({ ...point, line: line.name })),
  );
  const names = lines.map(({ name }) => name);
  const scale = (axis) => ({
    type: axis.scale,
    label: axis.label,
    labelAnchor: 'center',
    labelArrow: 'none',
    nice: axis.scale === 'linear',
    ...(axis.ticks && { ticks: axis.ticks }),
    ...(axis.base && { base: axis.base }),
    ...(axis.scale === 'linear' && { zero: true }),
    tickFormat: (value) => (isShown(axis, value) ? shortNumber(value) : ''),
  });
  const options = {
    document,
    width,
    height,
    marginRight,
    marginTop: 44,
    marginLeft: 70,
    marginBottom: 48,
    style: { background: '#ffffff', color: ink, fontSize: '12px' },
    x: scale(x),
    y: { ...scale(y), grid: true },
    color: { domain: names, range: colours },
    symbol: { domain: names, range: symbols },
  };
  const marks = [
    Plot.text([title], { frameAnchor: 'top-left', dx: -58, dy: -32, fontSize: 15, fontWeight: 600, fill: ink }),
    Plot.line(points, {
      x: 'x',
      y: 'y',
      z: 'line',
      stroke: 'line',
      strokeWidth: (d) => (d.line === names[0] ? 3 : 1.7),
    }),
    Plot.dot(marked, { x: 'x', y: 'y', stroke: 'line', fill: 'white', symbol: 'line', r: 3.5, strokeWidth: 1.7 }),
  ];
  const toPixels = Plot.plot({ ...options, marks }).scale('y').apply;
  const labels = spread(lines.map(({ name, points }) => ({ name, at: toPixels(points.at(-1)?.y ?? 0) })));
  const texts = labels.map(({ name, at }) =>
    Plot.text([name], {
      frameAnchor: 'top-right',
      textAnchor: 'start',
      lineAnchor: 'middle',
      dx: 12,
      dy: at - options.marginTop,
      fill: colours[names.indexOf(name)],
      fontWeight: name === names[0] ? 700 : 500,
    }),
  );
  const svg = Plot.plot({ ...options, marks: [...marks, ...texts] });
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', title);
  // The page's colour mode must not reach into the picture: paper stays white, ink dark.
  svg.setAttribute('fill', ink);
  return `${svg.outerHTML.replaceAll('currentColor', ink)}\n`;
}

/** Moves labels that would overlap apart, in the order of their lines' ends. */
function spread(labels) {
  const sorted = labels.toSorted((left, right) => left.at - right.at);
  const bottom = height - 48;
  for (const [index, label] of sorted.entries())
    label.at = Math.max(label.at, (sorted[index - 1]?.at ?? Number.NEGATIVE_INFINITY) + lineHeight);
  for (const [index, label] of sorted.toReversed().entries())
    label.at = Math.min(label.at, bottom - index * lineHeight);
  return sorted;
}

/** On a logarithmic axis without ticks of its own, only 1, 2 and 5 of each decade have room for a number. */
const isShown = (axis, value) =>
  axis.scale !== 'log' || axis.ticks !== undefined || /^[125]$/.test(value.toExponential().replace(/e.*/, ''));

const shortNumber = (value) =>
  value >= 1e6 ? `${value / 1e6} M` : value >= 1e3 ? `${value / 1e3} k` : value.toLocaleString('en-US');
