import { expect, test } from 'vitest';
import { BASE_URL, check, exchange, report } from '../testing/report.ts';
import { renderAnnotations } from './github.ts';
import { renderHtml } from './html.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import { renderTerminal } from './terminal.ts';

const at = (path: string, decisive = false) =>
  exchange({
    request: { method: 'PATCH', url: `${BASE_URL}${path}`, headers: {} },
    curl: `curl -i -X PATCH ${BASE_URL}${path}`,
    ...(decisive && { decisive }),
  });

/** A finding that the eighth of ten requests shows. */
const exchanges = Array.from({ length: 10 }, (_, index) => at(`/v1/request-${index + 1}`, index === 7));
const given = report([
  check({ outcome: 'violation', message: 'It does not hold.', expected: 1, actual: 2, exchanges }),
]);
const CURL = `curl -i -X PATCH ${BASE_URL}/v1/request-8`;

test('every report repeats the request that shows a finding, not the last one', () => {
  expect(renderTerminal(given)).toContain(CURL);
  expect(renderTerminal(given)).not.toContain('request-10');
  expect(renderMarkdown(given)).toContain(CURL);
  expect(renderMarkdown(given)).toContain('Request and response (8 of 10)');
  expect(renderMarkdown(given)).not.toContain('request-10');
  expect(renderJunit(given)).toContain(`repeat:   ${CURL}`);
  expect(renderAnnotations(given)).toContain('[PATCH /v1/request-8: 200]');
});

test('the page has it open, and folds requests long before and after', () => {
  const page = renderHtml(given);
  expect(page).toContain('Repeat request 8, which shows it');
  expect(page).toContain('3 earlier exchanges');
  expect(page).toContain('2 later exchanges');
  expect(page.match(/· shows it/g)).toHaveLength(1);
});

test('without a mark it is the last one', () => {
  const last = report([check({ outcome: 'violation', exchanges: [at('/v1/first'), at('/v1/last')] })]);
  expect(renderTerminal(last)).toContain('/v1/last');
  expect(renderHtml(last)).toContain('Repeat request 2, which shows it');
});
