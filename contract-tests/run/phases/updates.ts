import { WRITABLE_FIELDS } from '../../api/records.ts';
import { type Asked, type Entry, isContentRefused, isOk, isRefused, statusOf } from '../../log/entry.ts';
import { type Case, cover, oddIn } from '../../plan/cover.ts';
import { textOf, textOfLength, type Value, valuesOf } from '../../plan/model.ts';
import type { Session } from '../../session/session.ts';
import type { JsonObject } from '../../values/json.ts';
import type { ClientRequest } from '../../wire/exchange.ts';
import type { Caller } from '../asker.ts';
import { extraOf } from './look.ts';
import {
  isLong,
  isQuick,
  modelOf,
  type Run,
  recordIn,
  recordingsOf,
  SAMPLE_ID,
  SUMMARY,
  titled,
  update,
} from './phase.ts';
import { rounds } from './read-only-members.ts';
import { type Known, seen, send } from './updating.ts';

const MODEL = (run: Run) => modelOf(run).recording;

const fieldsIn = ({ fields }: Case): string[] => (fields?.value ?? []) as string[];

const hasField = (chosen: Case, field: string): boolean => fieldsIn(chosen).includes(field);
const canTitle = (chosen: Case): boolean => hasField(chosen, 'title');

const joinedText = (parts: readonly Value[]): string => parts.map(({ value }) => value).join(' | ');

/** Titles that share one update: their texts together, and each of them for when that is refused or changed. */
function joined(values: readonly Value[]): Value[] {
  const parts = values.filter(({ join }) => join);
  const others = values.filter(({ join }) => !join);
  const why = 'what a careless implementation changes anywhere in a title';
  const all = { id: 'joined', why, value: joinedText(parts), odd: true, isMarked: true, parts } as Value;
  return parts.length === 0 ? others : [...others, all];
}

/** The cases of a run. */
function plan(run: Run, callers: readonly Value[], recordings: number): Case[] {
  const withRare = isLong(run);
  const model = MODEL(run);
  const dimension = (name: string): readonly Value[] => valuesOf(model, name, withRare);
  const quickly = (name: string, most: number): readonly Value[] =>
    isQuick(run) ? dimension(name).slice(0, most) : dimension(name);
  const cases = cover({
    dimensions: {
      fields: quickly('fields', 8),
      caller: callers,
      recording: dimension('recording').slice(0, recordings),
      framing: quickly('framing', 1),
      language: quickly('language', 1),
      title: joined(
        isQuick(run)
          ? dimension('title').filter(({ join, id }) => join || id === 'plain' || id === 'url-encoded')
          : dimension('title'),
      ),
      summary: quickly('summary', 2),
      analysis: quickly('analysis', 1),
      extra: dimension('extra'),
    },
    pairs: isQuick(run) ? [] : model.pairs,
    // Where it is refused, the rest is sent without it.
    resent: ['extra'],
    applies: (name, chosen) =>
      name === 'title' || name === 'summary' || name === 'analysis' ? hasField(chosen, name) : true,
    excludes: ({ summary, extra, ...chosen }) =>
      (summary?.with !== undefined && !hasField(chosen, summary.with)) ||
      // With more members goes what leaves the title alone, and shows the one before.
      (extra !== undefined && extra.id !== 'none' && (fieldsIn(chosen).length > 1 || canTitle(chosen))),
    given: everyday(run),
    seed: run.seed,
  });
  return [...everyday(run), ...cases];
}

/** Each field alone, and all together, with values that every conforming target accepts. */
function everyday(run: Run): Case[] {
  const { dimensions } = MODEL(run);
  const first = (name: string): Value => dimensions[name]?.[0] as Value;
  // Once with nothing else that a target may refuse.
  const framing = dimensions.framing?.find(({ id }) => id === 'charset');
  return ['title', 'folder', 'document', 'summary', 'analysis', 'all'].flatMap((id) => {
    const fields = dimensions.fields?.find((value) => value.id === id);
    const usual = { title: first('title'), summary: first('summary'), analysis: first('analysis') };
    const caller = { id: 'admin.jwt', why: 'the usual caller' };
    return fields ? [{ fields, caller, ...usual, ...(id === 'all' && framing && { framing }) }] : [];
  });
}

/**
 * The cases of each recording, as many as can be in turn with a title and without one: each without shows the title before it.
 * One without a title comes first, since it shows what refused updates wrote before, and one ends the cases of each recording,
 * so that its title is known when others are updated.
 */
function inTurn(cases: readonly Case[], known: Known): Case[] {
  const start = cases.find((each) => !canTitle(each));
  const ordered: Case[] = start ? [start] : [];
  for (const recording of new Set(cases.map((chosen) => recordingFor(chosen, known)))) {
    const own = cases.filter((chosen) => chosen !== start && recordingFor(chosen, known) === recording);
    const titled = own.filter(canTitle).toSorted((a, b) => rankOf(a) - rankOf(b));
    const others = own.filter((each) => !canTitle(each));
    ordered.push(...titled.splice(0, Math.max(0, titled.length - others.length)));
    for (const [at, other] of others.entries()) ordered.push(...titled.slice(at, at + 1), other);
  }
  return ordered;
}

/** Everyday titles come first, then those by PATs, and last those of which a database may keep less than the answer shows. */
function rankOf({ recording, caller, title }: Case): number {
  if (recording === undefined) return 0;
  if (title?.ladder || title?.isEscaped || title?.id === 'joined') return 3;
  return caller?.id.endsWith('pat') ? 2 : 1;
}

/** Updates of every kind, each title seen at the next update. */
export async function updates(run: Run): Promise<void> {
  const { asker, session } = run;
  if (!session.config.allowWrites) {
    asker.problems.set('writes', 'writes are not allowed');
    return;
  }
  const recordings = recordingsOf(run);
  if (recordings.length === 0) return;
  const callers: Value[] = [];
  const may = await whoMay(run, recordings);
  for (const value of valuesOf(MODEL(run), 'caller', isLong(run))) {
    const isWanted = !(isQuick(run) && /login|member/.test(value.id)) && (may[actorOf(value.id)] ?? []).length > 0;
    if (isWanted && (await asker.as(value.id as Caller))) callers.push(value);
  }
  if (callers.length === 0) return;
  const known: Known = { may, titles: new Map(), refused: new Set(), accepted: new Set() };
  const cases = plan(run, callers, recordings.length);
  for (const chosen of inTurn(cases, known)) await sendCase(run, chosen, known);
  await rounds(run, recordings[0] as Session['recording'], known);
  for (const recording of recordings) if (known.titles.has(recording)) await seen(run, recording, known);
}

const actorOf = (caller: string): string => caller.split('.')[0] ?? '';

/** Tries which recordings each actor may update, since the document does not say; by the target file, admin may update the first. */
async function whoMay(run: Run, recordings: readonly Session['recording'][]): Promise<Known['may']> {
  const [first, second] = recordings;
  const tried = async (
    recording: Session['recording'] | undefined,
    caller: Caller,
  ): Promise<Session['recording'][]> => {
    if (!recording || isQuick(run)) return [];
    const asked: Asked = { for: 'whether the caller may update', odd: ['caller'] };
    const isKnown = recording === first || run.editors.has(recording);
    const body = isKnown ? { title: titled(run, `Written by ${caller.replace(/\W/g, ' ')}`) } : { summary: SUMMARY };
    const entry = await update(run, recording, caller, body, asked);
    return entry && isOk(entry) ? [recording] : [];
  };
  const own = await tried(second, 'member.jwt');
  const admins = await tried(second, 'admin.jwt');
  if (second && own.length > 0 && admins.length === 0) {
    run.editors.set(second, 'member.jwt');
    const headers = await run.asker.as('member.jwt');
    await run.asker.attempt('recording', () => second.original(headers));
  }
  // A refused update must not write its title.
  await tried(first, 'others.0.jwt');
  const members = await tried(first, 'member.jwt');
  return {
    admin: [...(first ? [first] : []), ...admins],
    member: own.length > 0 ? own : members,
  };
}

/** The recording of a case, as far as its caller may update it. */
function recordingFor(chosen: Case, { may }: Known): Session['recording'] | undefined {
  const own = may[actorOf(chosen.caller?.id ?? '')] ?? [];
  return (chosen.recording?.id === 'second' ? own[1] : undefined) ?? own[0];
}

const FRAMING: Record<string, Partial<ClientRequest>> = {
  chunked: { isChunked: true },
  charset: { headers: { 'Content-Type': 'application/json; charset=utf-8' } },
  'accept-any': { headers: { Accept: '*/*' } },
};

async function sendCase(run: Run, chosen: Case, known: Known): Promise<void> {
  const recording = recordingFor(chosen, known);
  if (!recording) return;
  const caller = (chosen.caller?.id ?? 'admin.jwt') as Caller;
  const { headers, ...framing } = FRAMING[chosen.framing?.id ?? ''] ?? {};
  const language = chosen.language?.value;
  const spoken: Record<string, string> = typeof language === 'string' ? { 'Accept-Language': language } : {};
  const { isEscaped, ladder } = (canTitle(chosen) && chosen.title) || {};
  const more = { ...framing, isEscaped, headers: { ...headers, ...spoken } };
  const text = ladder ? textOfLength(ladder.text, ladder.lengths[0] ?? 1) : (chosen.title?.value as string);
  const title = chosen.title?.isMarked ? titled(run, text) : text;
  const fields = fieldsIn(chosen);
  // If a field that was refused alone is accepted with the others, its value was not the reason.
  const isAll = fields.length === Object.keys(WRITABLE_FIELDS).length;
  const own: JsonObject = Object.fromEntries(
    fields
      .filter((field) => isAll || !known.refused.has(field))
      .map((field) => [field, sentValue(run, chosen, field, title)]),
  );
  if (Object.keys(own).length === 0) return;
  for (const [name, { id, parts }] of Object.entries(chosen) as [string, Value & { parts?: readonly Value[] }][])
    for (const one of parts ?? [{ id }]) run.asker.covered.add(`recording.${name}.${one.id}`);
  const extra = chosen.extra && chosen.extra.id !== 'none' ? await extraOf(run, recording, chosen.extra.id) : undefined;
  const body = extra && !known.isStrict ? { ...own, ...extra } : own;
  let odd = oddIn(chosen).filter((name) => name !== 'extra' || body !== own);
  const asked: Asked = { for: describeCase(chosen), odd };
  let entry = await send(run, recording, caller, body, asked, known, more);
  if (entry && isOk(entry) && isAll) known.refused.clear();
  const [alone = ''] = fields.length === 1 && body === own && odd.length === 0 ? fields : [];
  if (entry && isRefused(entry) && isMadeUp(run, alone)) known.refused.add(alone);
  const ask: Ask = (sent, what, part) => send(run, recording, caller, sent, { for: what, odd: [part] }, known);
  // The target may refuse members that are not writable: the rest is sent without them, and they are sent alone.
  const isUnwelcome = entry !== undefined && body !== own && isContentRefused(entry);
  if (entry && isUnwelcome) {
    odd = odd.filter((name) => name !== 'extra');
    const without = await send(run, recording, caller, own, { ...asked, odd }, known, more);
    known.isStrict = statusOf(entry) < 500 && without !== undefined && isOk(without);
    entry = without;
  }
  if (extra && (isUnwelcome || (body === own && isLong(run)))) {
    const alone = await ask(extra, 'a member that is not writable, alone', 'extra');
    // Where one of them is refused alone, so are the others.
    known.isStrict ||= alone !== undefined && isContentRefused(alone) && statusOf(alone) < 500;
    if (known.isStrict) run.lones.length = 0;
  }
  if (entry && isContentRefused(entry) && odd.length > 0)
    await afterRefusal(run, recording, caller, chosen, own, known);
  const parts = (chosen.title as { parts?: readonly Value[] } | undefined)?.parts;
  const isSame = (one: Entry | undefined): boolean => recordIn(one)?.title === title;
  if (!entry || !parts || !canTitle(chosen) || isSame(entry)) return;
  // What is sent with the titles may be the reason of a refusal.
  if (fields.length === 1 || isOk(entry) || !isSame(await ask({ title }, 'the same titles alone', 'title')))
    await halved(parts, ask);
}

type Ask = (body: JsonObject, what: string, odd: string) => Promise<Entry | undefined>;

/** Sends texts that were refused or changed together in halves, down to single ones. */
export async function halved(parts: readonly Value[], ask: Ask): Promise<void> {
  const half = Math.ceil(parts.length / 2);
  for (const some of [parts.slice(0, half), parts.slice(half)]) {
    const title = joinedText(some);
    const entry = await ask({ title }, `title: ${some.map(({ why }) => why).join('; ')}`, 'title');
    if (some.length > 1 && entry && (!isOk(entry) || recordIn(entry)?.title !== title)) await halved(some, ask);
  }
}

const describeCase = (chosen: Case): string =>
  Object.entries(chosen)
    .map(([name, { id }]) => `${name} ${id}`)
    .join(', ');

/** Whether the suite makes up what it sends in a field. */
function isMadeUp({ session }: Run, field: string): boolean {
  const { kbFolderId, kbDocumentId, analysis } = session.target.resources ?? {};
  const named: Record<string, unknown> = { kb_folder_id: kbFolderId, kb_document_id: kbDocumentId, analysis };
  return field in named && named[field] === undefined;
}

/** What is sent in a field. */
function sentValue({ session }: Run, chosen: Case, field: string, title: string): unknown {
  const { kbFolderId, kbDocumentId, analysis } = session.target.resources ?? {};
  if (field === 'title') return title;
  if (field === 'kb_folder_id') return kbFolderId ?? SAMPLE_ID;
  if (field === 'kb_document_id') return kbDocumentId ?? SAMPLE_ID;
  if (field === 'analysis')
    return chosen.analysis && chosen.analysis.id !== 'sample'
      ? chosen.analysis.value
      : (analysis ?? chosen.analysis?.value);
  return chosen.summary ? textOf(chosen.summary) : SUMMARY;
}

/** After a refusal: the same fields with everyday values, and shorter titles. */
async function afterRefusal(
  run: Run,
  recording: Session['recording'],
  caller: Caller,
  chosen: Case,
  own: JsonObject,
  known: Known,
): Promise<void> {
  const plain: JsonObject = {
    ...own,
    ...('title' in own && chosen.title?.odd ? { title: titled(run, 'Everyday title') } : {}),
    ...('summary' in own && chosen.summary?.odd ? { summary: SUMMARY } : {}),
    ...('analysis' in own && chosen.analysis?.odd
      ? { analysis: sentValue(run, { analysis: MODEL(run).dimensions.analysis?.[0] as Value }, 'analysis', '') }
      : {}),
  };
  if (!known.accepted.has(Object.keys(own).toString()))
    await send(run, recording, caller, plain, { for: `${describeCase(chosen)}, with everyday values`, odd: [] }, known);
  const { ladder } = chosen.title ?? {};
  if (!ladder || !('title' in own)) return;
  // The longest one that is accepted shows a silent cut.
  let [longest, shortest] = [1, ladder.lengths.length - 1];
  while (longest <= shortest) {
    const at = Math.floor((longest + shortest) / 2);
    const length = ladder.lengths[at] ?? 1;
    const asked: Asked = { for: `a title of ${length} characters`, odd: ['title'] };
    const entry = await send(run, recording, caller, { title: textOfLength(ladder.text, length) }, asked, known);
    if (!entry) return;
    if (isOk(entry)) shortest = at - 1;
    else longest = at + 1;
  }
}
