// Draws a chart (bench/report.ts) as SVG, without a browser.
import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';

const { document } = parseHTML('<html><body></body></html>');
const margins = { marginTop: 44, marginRight: 150, marginBottom: 48, marginLeft: 70 };
const ink = '#24292f';
// Okabe and Ito's colours, which people with any colour vision tell apart; each line has a symbol and its name as well.
const colours = ['#0072b2', '#d55e00', '#cc79a7', '#009e73', '#b07d00', '#56606b'];
const symbols = ['circle', 'square', 'triangle', 'diamond', 'star', 'times'];

export function svgOf({ title, x, y, lines: names, points }) {
  const options = {
    document,
    ...margins,
    width: 760,
    height: 420,
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
      strokeWidth: ({ line }) => (line === names[0] ? 3 : 1.7),
    }),
    // A sampled curve has too many points to mark each.
    ...(x.ticks
      ? [Plot.dot(points, { x: 'x', y: 'y', stroke: 'line', fill: 'white', symbol: 'line', strokeWidth: 1.7 })]
      : []),
  ];
  const toPixels = Plot.plot({ ...options, marks }).scale('y').apply;
  const ends = names.map((name) => ({ name, at: toPixels(points.findLast(({ line }) => line === name).y) }));
  const labels = apart(ends).map(({ name, at }) =>
    Plot.text([name], {
      frameAnchor: 'top-right',
      textAnchor: 'start',
      lineAnchor: 'middle',
      dx: 12,
      dy: at - margins.marginTop,
      fill: colours[names.indexOf(name)],
      fontWeight: name === names[0] ? 700 : 500,
    }),
  );
  const svg = Plot.plot({ ...options, marks: [...marks, ...labels] });
  const attributes = { xmlns: 'http://www.w3.org/2000/svg', role: 'img', 'aria-label': title, fill: ink };
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  // The page's colour mode must not reach into the picture: paper stays white, ink dark.
  return `${svg.outerHTML.replaceAll('currentColor', ink)}\n`;
}

const scale = ({ scale: type, label, ticks }) => ({
  type,
  label,
  labelAnchor: 'center',
  labelArrow: 'none',
  // On a base of 2, all of them are labelled.
  ...(ticks && { ticks, ...(type === 'log' && { base: 2 }) }),
  ...(type === 'linear' && { nice: true, zero: true }),
  // On a logarithmic axis without given ticks, only 1, 2 and 5 of each decade have room for a number.
  tickFormat: (value) => (type === 'linear' || ticks || /^[125](e|$)/.test(value.toExponential()) ? short(value) : ''),
});

const short = (value) =>
  value >= 1e6 ? `${value / 1e6} M` : value >= 1e3 ? `${value / 1e3} k` : value.toLocaleString('en-US');

/** Labels that would overlap, moved apart: up from the lowest. */
function apart(labels) {
  const sorted = labels.toSorted((left, right) => right.at - left.at);
  for (const [index, label] of sorted.entries())
    label.at = Math.min(label.at, (sorted[index - 1]?.at ?? Number.POSITIVE_INFINITY) - 15);
  return sorted;
}
