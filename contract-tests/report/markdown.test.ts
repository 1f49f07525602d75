import { describe, expect, it } from 'vitest';
import { check, hostileReport, hugeReport, mixedReport, report } from '../testing/report.ts';
import { renderMarkdown } from './markdown.ts';

/** The text outside of fenced blocks, and the blocks. */
function split(markdown: string): { prose: string; blocks: string[] } {
  const blocks: string[] = [];
  const prose: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    const mark = /^(`{3,})\w*$/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark === line && line.length >= fence.length) fence = undefined;
      else blocks.push(`${blocks.pop() ?? ''}${line}\n`);
    } else if (mark) {
      fence = mark;
      blocks.push('');
    } else prose.push(line);
  }
  expect(fence).toBeUndefined();
  return { prose: prose.join('\n'), blocks };
}

describe('renderMarkdown', () => {
  const markdown = renderMarkdown(mixedReport());

  it('says the verdict in its first lines', () => {
    expect(markdown).toMatch(/^## ❌ Violates: .*\n\n\*\*One sentence about the run\.\*\*\n/);
  });

  it('groups the untested checks, with the requirements that stay open', () => {
    expect(markdown).toContain('- the target file has no actors.member (2 checks: SCO-04, SSO-16)');
    expect(markdown).toContain('- No array of keys (see keys-array) (1 check: KEY-03)');
  });

  it('lists the gaps that differ, and no others', () => {
    expect(markdown).toContain(
      '| At which path is a refresh token exchanged? <code>refresh-path</code> | <code>/v1/auth/refresh</code> | <code>/v1/auth/token</code> |',
    );
    expect(markdown).not.toContain('error-body');
  });

  it('leaves out the parts that are empty', () => {
    for (const title of ['Findings', '<details>', 'Left behind'])
      expect(renderMarkdown(report([check()]))).not.toContain(title);
  });

  it('lets nothing of a hostile target be markup, a link, a mention or the end of a block', () => {
    const { prose } = split(renderMarkdown(hostileReport()));
    const tags = [...prose.matchAll(/<[^>]*>/g)].map(([tag]) => tag);
    expect(new Set(tags)).toEqual(
      new Set(['<code>', '</code>', '<details>', '</details>', '<summary>', '</summary>', '<!-- -->']),
    );
    expect(prose).not.toMatch(/(?<!\\)\]\(|@somebody|#12|https?:\/\/\w|(?<!\\)`|^# heading/m);
    expect(prose.match(/<details>/g)?.length).toBe(prose.match(/<\/details>/g)?.length);
    for (const row of prose.split('\n').filter((line) => line.startsWith('| ') && line.includes('<code>'))) {
      expect(row.match(/(?<!\\)\|/g)).toHaveLength(4);
    }
  });

  it('stays below the limit of a pull request, and says what is left out', () => {
    const huge = renderMarkdown(hugeReport());
    expect(Buffer.byteLength(huge)).toBeLessThan(61_000);
    expect(huge).toMatch(/… and \d+ more findings: report\.html has all of them/);
    expect(huge).toMatch(/… and \d+ more leftovers/);
    split(huge);
  });
});
