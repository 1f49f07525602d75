import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { elementsOf } from '../testing/markup.ts';
import {
  check,
  exchange,
  hostileReport,
  hugeReport,
  mixedReport,
  report,
  unreachableReport,
} from '../testing/report.ts';
import { renderHtml } from './html.ts';
import { pastRunOf } from './report-file.ts';

const none = () => report([]);
const pass = () => report([check()]);

describe.each([mixedReport, hostileReport, unreachableReport, none, pass])('the page of a report: $name', (make) => {
  const page = renderHtml(make());
  const elements = elementsOf(page);
  const all = (name: string) => elements.filter((element) => element.name === name);

  it('has balanced elements, and no others than its own', () => {
    expect(all('script')).toHaveLength(1);
    expect(all('style')).toHaveLength(1);
    for (const name of ['img', 'iframe', 'link', 'object', 'base', 'form']) expect(all(name)).toEqual([]);
  });

  it('refers to nothing outside of itself, and runs nothing inline', () => {
    for (const { attributes } of elements) {
      expect(Object.keys(attributes).filter((name) => /^(on.*|src|srcset|action|style)$/i.test(name))).toEqual([]);
      if (attributes.href !== undefined) expect(attributes.href).toMatch(/^#[\w-]+$/);
    }
    expect(all('style')[0]?.text).not.toMatch(/url\(|@import/);
  });

  it('allows only its own script and style by their hashes', () => {
    const policy = all('meta').find(({ attributes }) => attributes['http-equiv'])?.attributes.content ?? '';
    expect(policy).toContain('default-src &#39;none&#39;');
    for (const name of ['script', 'style']) {
      const hash = createHash('sha256')
        .update(all(name)[0]?.text ?? '')
        .digest('base64');
      expect(policy).toContain(`${name}-src &#39;sha256-${hash}&#39;`);
    }
  });

  it('has headings in order, links that lead somewhere, and ids that are unique', () => {
    const levels = elements.flatMap(({ name }) => (/^h[1-6]$/.test(name) ? [Number(name[1])] : []));
    expect(levels[0]).toBe(1);
    for (const [index, level] of levels.entries()) expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
    const ids = elements.flatMap(({ attributes }) => attributes.id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    const targets = elements.flatMap(({ attributes }) => attributes.href?.slice(1) ?? []);
    expect(targets.filter((id) => !ids.includes(id))).toEqual([]);
  });
});

describe('the trend', () => {
  const past = [check(), check({ outcome: 'violation', message: 'm' })].map((one) => pastRunOf(report([one])));

  it('is drawn of the runs of a history, a column each, and lists them, the latest first', () => {
    const page = renderHtml(mixedReport(), past);
    const columns = elementsOf(page).filter(({ name, attributes }) => name === 'rect' && attributes.width === '0.8');
    expect(columns.map(({ attributes }) => attributes.height)).toEqual(['0', '0', '1', '0']);
    expect(page).toMatch(/<td>violates<\/td><td>1<span class="note">keys-array<\/span>.*\n.*<td>conforms<\/td><td>0/);
  });

  it('is left out where there is no past', () => {
    expect(renderHtml(mixedReport(), past.slice(1))).not.toContain('id="trend"');
  });
});

describe('the page', () => {
  const page = renderHtml(mixedReport());
  const section = (id: string): string =>
    (id === 'top' ? page.split('<nav')[0] : page.split(`<h2 id="${id}">`)[1]?.split('</section>')[0]) ?? '';

  it.each<[what: string, where: string, texts: string[]]>([
    [
      'says the verdict first',
      'top',
      [
        ...['<h1>Violates</h1>', 'One sentence about the run.', 'https://staging.example.test/api'],
        ...['2026-11-21 00:27:15 UTC', '1.8 s', 'platform-mock 0.1.0', 'Exit code'],
      ],
    ],
    ['shows the exchange', 'findings', ['HTTP 200', 'content-type: application/json']],
    ['counts what a finding blocks, directly or not', 'findings', ['2 checks could not run because of it']],
    ['names what blocks', 'blocked', ['href="#check-keys-array"']],
    ['shows a number in a body as it was sent', 'findings', ['&quot;id&quot;: 12345678901234567890']],
    ['says why a gap could not be seen', 'gaps', ['Nothing shows it over HTTP.']],
  ])('%s', (_what, where, texts) => {
    for (const text of texts) expect(section(where)).toContain(text);
  });

  it('puts the parts in the order of a reader', () => {
    const ids = [...page.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual(['findings', 'error', 'blocked', 'untested', 'counts', 'requirements', 'gaps', 'leftovers']);
  });

  it('names what is missing once for all checks that lack it', () => {
    expect(section('untested').match(/the target file has no actors\.member/g)).toHaveLength(1);
  });

  it('shows every gap, the differing first', () => {
    const ids = [...section('gaps').matchAll(/<code class="id">([^<]+)/g)].map(([, id]) => id);
    expect(ids).toEqual(['refresh-path', 'error-body', 'events']);
  });

  it('shows why a requirement is excluded', () => {
    const reason = 'Its path is not shown.';
    const excluded = { id: 'SSO-18', section: '4.1', statement: 'Refreshed.', outcome: 'excluded', reason } as const;
    expect(renderHtml(report([], { requirements: [excluded] }))).toContain(reason);
  });

  it('writes out what cannot be seen', () => {
    const hostile = renderHtml(hostileReport());
    expect(hostile).toContain('rtl \\u{202e} bom \\u{feff} lone \\u{d800}');
    for (const char of ['\0', '\u0007', '\u202e', '\ufeff']) expect(hostile).not.toContain(char);
  });

  it('stays readable when bodies are long or deep', () => {
    expect(renderHtml(hugeReport()).length).toBeLessThan(6_000_000);
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const response = { status: 200, headers: {}, body: deep };
    const page = renderHtml(report([check({ outcome: 'violation', exchanges: [exchange({ response })] })]));
    expect(page).toContain('more characters');
    expect(page.length).toBeLessThan(200_000);
  });
});
