import { SAMPLE_ID } from '../api/operations.ts';
import { READ_ONLY_FIELDS, readOnlyField, WRITABLE_FIELDS } from '../api/records.ts';
import { type Asked, type Entry, isContentRefused, isOk, isRefused, sentObject } from '../log/entry.ts';
import { type Case, cover, oddIn } from '../plan/cover.ts';
import { textOfLength, type Value, valuesOf } from '../plan/model.ts';
import { type Caller, SUMMARY } from '../plan/questions.ts';
import { recordOf } from '../rules/documented.ts';
import type { JsonObject } from '../values/json.ts';
import { asText, hasMember, memberOf, objectOf } from '../values/json.ts';
import type { ClientRequest } from '../wire/exchange.ts';
import { otherValues, unlike } from './choices.ts';
import {
  extrasOf,
  isInVain,
  knownTo,
  LONES,
  loneIn,
  look,
  refusesExtras,
  seen,
  titleOf,
  wasExtraTried,
  wasLook,
} from './read-only.ts';
import { readBefore, readWritten } from './reads.ts';
import { isUpdateOf, type Recording, type Run, type Step } from './steps.ts';

const FIELDS = Object.keys(WRITABLE_FIELDS);

/** Updates of every kind, each title seen at the next update. */
export async function updates(run: Run, _step: Step, round: number): Promise<void> {
  const { session, recordings } = run;
  if (!session.config.allowWrites) return void run.problems.set('writes', 'writes are not allowed');
  const [first] = recordings;
  if (!first) return;
  await tryWhoMay(run, recordings);
  /** Those that the caller was seen to update; admin may update the first, by the target file. */
  const may = (caller: string): readonly Recording[] => {
    const actor = caller.startsWith('member') ? 'member' : 'admin';
    const own = recordings.filter((recording) => run.mayUpdate(recording, actor));
    return actor === 'member' ? own.slice(-1) : [first, ...own.filter((recording) => recording !== first)];
  };
  const callers: Value[] = [];
  for (const value of dimension(run, 'caller')) {
    const isWanted = !(run.isQuick && /login|member/.test(value.id)) && may(value.id).length > 0;
    if (isWanted && (await run.as(value.id as Caller))) callers.push(value);
  }
  if (callers.length === 0) return;
  /** The recording of a case, as far as its caller may update it. */
  const placeOf = ({ caller, recording }: Case): Recording | undefined => {
    const [own, other] = may(caller?.id ?? '');
    return (recording?.id === 'second' ? other : undefined) ?? own;
  };
  const cases = [...everyday(run), ...planned(run, callers, recordings.length, round)];
  const ordered = inTurn(cases, placeOf);
  for (const [at, chosen] of ordered.entries()) {
    const place = placeOf(chosen);
    await sendCase(run, chosen, place);
    // Of these, a database may keep less than the answer shows. A look carries a member that would be sent anyway.
    const isUnseen = rankOf(chosen) >= RANK_OF_LOOKED_AT && hasTitle(ordered[at + 1] ?? {});
    if (place && isUnseen && loneIn(run)) await look(run, place);
  }
  await readWritten(run);
  await rounds(run, first, may('member.jwt').at(-1));
  for (const recording of recordings)
    if (titleOf(run, recording) !== undefined && !wasLook(run, recording)) await seen(run, recording);
}

/** Tries which recordings each actor may update, since the document does not say. */
async function tryWhoMay(run: Run, [first, second]: readonly Recording[]): Promise<void> {
  if (!first || run.isQuick) return;
  const asked: Asked = { for: 'whether the caller may update', odd: ['caller'] };
  const find = async (caller: Caller): Promise<void> => {
    const headers = second && (await run.as(caller));
    if (headers) await run.attempt('recording', () => second.original(headers), asked);
  };
  await find('member.jwt');
  if (second && run.mayUpdate(second, 'member')) await run.update(second, 'admin.jwt', { summary: SUMMARY }, asked);
  else await find('admin.jwt');
  // A refused update must not write its title, whatever its credential is.
  const member = run.session.credentials('member').pat === undefined ? 'member.jwt' : 'member.pat';
  for (const caller of ['others.0.jwt', member] as const)
    await run.update(first, caller, { title: run.titled(`Written by ${caller.replace(/\W/g, ' ')}`) }, asked);
}

type WithParts = Value & { parts?: readonly Value[] };

const joinedText = (parts: readonly Value[]): string => parts.map(({ value }) => asText(value)).join(' | ');

/** Titles that share one update: their texts together, and each of them for when that is refused or changed. */
function joined(values: readonly Value[]): readonly Value[] {
  const parts = values.filter(({ join }) => join);
  const why = 'what a careless implementation changes anywhere in a title';
  const all: WithParts = { id: 'joined', why, value: joinedText(parts), odd: true, isMarked: true, parts };
  return parts.length === 0 ? values : [...values.filter(({ join }) => !join), all];
}

const fieldsIn = ({ fields }: Case): string[] => (fields?.value ?? []) as string[];
const hasTitle = (chosen: Case): boolean => fieldsIn(chosen).includes('title');

const dimension = (run: Run, name: string): readonly Value[] => valuesOf(run.model.recording, name, run.isLong);
const firstOf = (run: Run, name: string): Value => dimension(run, name)[0] as Value;
const usualTexts = (run: Run): Case => ({
  title: firstOf(run, 'title'),
  summary: firstOf(run, 'summary'),
  analysis: firstOf(run, 'analysis'),
});

/** Each field alone, and all together, with values that every conforming target accepts. */
function everyday(run: Run): Case[] {
  // Once with nothing else that a target may refuse.
  const more = { framing: dimension(run, 'framing').find(({ id }) => id === 'charset') as Value };
  const sets = dimension(run, 'fields').slice(0, FIELDS.length + 1);
  const usual = { caller: firstOf(run, 'caller'), ...usualTexts(run) };
  return sets.map((fields) => ({ fields, ...usual, ...(fields.id === 'all' && more) }));
}

function planned(run: Run, callers: readonly Value[], recordings: number, round: number): Case[] {
  const quickly = (name: string, most: number) => dimension(run, name).slice(0, run.isQuick ? most : undefined);
  const titles = dimension(run, 'title').filter(({ elsewhere }) => elsewhere === undefined || run.isLong);
  return cover({
    dimensions: {
      fields: quickly('fields', 8),
      caller: callers,
      recording: dimension(run, 'recording').slice(0, recordings),
      framing: quickly('framing', 1),
      language: quickly('language', 1),
      title: joined(
        run.isQuick ? titles.filter(({ join, id }) => join || id === 'plain' || id === 'url-encoded') : titles,
      ),
      summary: quickly('summary', 2),
      analysis: quickly('analysis', 1),
      extra: dimension(run, 'extra'),
    },
    pairs: run.isQuick ? [] : run.model.recording.pairs,
    // Where it is refused, the rest is sent without it.
    resent: ['extra'],
    applies: (name, chosen) => !['title', 'summary', 'analysis'].includes(name) || fieldsIn(chosen).includes(name),
    excludes: (chosen) =>
      (chosen.summary?.with !== undefined && !fieldsIn(chosen).includes(chosen.summary.with)) ||
      // With more members goes what leaves the title alone, and shows the one before.
      (chosen.extra?.value !== undefined && hasTitle(chosen)),
    given: everyday(run),
    seed: run.seed + round,
  });
}

/**
 * The cases of each recording, as many as can be in turn with a title and without one: each without shows the title before it.
 * One without a title comes first, since it shows what refused updates wrote before, and one ends the cases of each recording,
 * so that its title is known when others are updated.
 */
function inTurn(cases: readonly Case[], placeOf: (chosen: Case) => Recording | undefined): Case[] {
  const start = cases.find((each) => !hasTitle(each));
  const ordered: Case[] = start ? [start] : [];
  for (const recording of new Set(cases.map(placeOf))) {
    const own = cases.filter((chosen) => chosen !== start && placeOf(chosen) === recording);
    const withTitle = own.filter(hasTitle).toSorted((a, b) => rankOf(a) - rankOf(b));
    const others = own.filter((each) => !hasTitle(each));
    ordered.push(...withTitle.splice(0, Math.max(0, withTitle.length - others.length)));
    for (const [at, other] of others.entries()) ordered.push(...withTitle.slice(at, at + 1), other);
  }
  return ordered;
}

/** From this rank on, each title is looked at before the next one. */
const RANK_OF_LOOKED_AT = 3;

/** Everyday titles come first, then those by PATs, and last those of which a database may keep less than the answer shows. */
function rankOf({ recording, caller, title, summary }: Case): number {
  if (recording === undefined) return 0;
  if (title?.then !== undefined) return 5;
  if (title?.isEscaped || summary?.with !== undefined) return 4;
  if (title?.ladder || title?.id === 'joined') return 3;
  return caller?.id.endsWith('pat') ? 2 : 1;
}

const describeCase = (chosen: Case): string =>
  Object.entries(chosen)
    .map(([name, { id }]) => `${name} ${id}`)
    .join(', ');

/** Sends a case; values that the target was seen to refuse are not sent again. */
async function sendCase(run: Run, chosen: Case, recording: Recording | undefined): Promise<void> {
  const caller = (chosen.caller?.id ?? 'admin.jwt') as Caller;
  const fields = fieldsIn(chosen);
  // If a field that was refused alone is accepted with the others, its value was not the reason.
  const sent = fields.filter((field) => fields.length === FIELDS.length || !isRefusedAlone(run, field));
  if (!recording || sent.length === 0) return;
  // Any order will do: everyday ones come as the document has them.
  const own = bodyOf(run, chosen, chosen.recording ? sent.toReversed() : sent, recording);
  for (const [name, value] of Object.entries(chosen))
    for (const { id } of (value as WithParts).parts ?? [value]) run.covered.add(`recording.${name}.${id}`);
  const title: WithParts | undefined = hasTitle(chosen) ? chosen.title : undefined;
  const [framing, language] = [chosen.framing, chosen.language].map((each) => each?.value as Partial<ClientRequest>);
  const more = { ...framing, isEscaped: title?.isEscaped, headers: { ...framing?.headers, ...language?.headers } };
  const names = chosen.extra?.value as string[] | undefined;
  const extra = refusesExtras(run) || !names ? undefined : nested(extrasOf(run, recording, names));
  let odd = oddIn(chosen).filter((name) => name !== 'extra' || extra);
  const what = describeCase(chosen);
  const alone = (body: JsonObject, why: string, part: string) =>
    follow(run, recording, caller, body, { for: why, odd: [part] });
  let entry = await follow(run, recording, caller, { ...own, ...extra }, { for: what, odd }, more);
  if (!entry) return;
  if (extra && isContentRefused(entry)) {
    // The target may refuse members that are not writable: the rest is sent without them, and they are sent alone.
    odd = odd.filter((name) => name !== 'extra');
    const without = await follow(run, recording, caller, own, { for: what, odd }, more);
    await alone(extra, 'members that are not writable, alone', 'extra');
    if (!without) return;
    entry = without;
  }
  if (isContentRefused(entry) && odd.length > 0) await afterRefusal(run, recording, caller, chosen, own);
  const { parts, isEscaped } = title ?? {};
  // A server that takes texts for ASCII refuses all but those that are escaped.
  const wide = run.log.entries.findLast(
    (each) =>
      isUpdateOf(each)(['title']) &&
      /[^\p{ASCII}]/u.test(asText(sentObject(each).title)) &&
      isContentRefused(each) &&
      each.resource === entry.resource &&
      each.credential.who === entry.credential.who,
  );
  if (isEscaped && isOk(entry) && wide)
    await follow(run, recording, caller, sentObject(wide), { for: what, odd }, { isEscaped });
  const isSame = (one: Entry | undefined, text: unknown): boolean => recordOf(one)?.title === text;
  if (title?.then !== undefined && isSame(entry, own.title))
    await follow(run, recording, caller, { title: title.then }, { for: `${what}, then ${title.then}`, odd: ['title'] });
  if (!parts || isSame(entry, own.title)) return;
  // What is sent with the titles may be the reason of a refusal.
  const isAlone = fields.length === 1 || isOk(entry);
  if (!isAlone && isSame(await alone({ title: own.title }, 'the same titles alone', 'title'), own.title)) return;
  await halved(parts, async (some) => {
    const text = joinedText(some);
    const why = `title: ${some.map((each) => each.why).join('; ')}`;
    return some !== parts && isSame(await alone({ title: text }, why, 'title'), text);
  });
}

/** Sends some things together; if that is not fine, each half of them, down to single ones. */
async function halved<T>(some: readonly T[], isFine: (some: readonly T[]) => Promise<boolean>): Promise<void> {
  if ((await isFine(some)) || some.length < 2) return;
  const half = Math.ceil(some.length / 2);
  await halved(some.slice(0, half), isFine);
  await halved(some.slice(half), isFine);
}

/** Whether a value that the suite makes up was refused alone, and not accepted with all others. */
function isRefusedAlone(run: Run, field: string): boolean {
  const { kbFolderId, kbDocumentId, analysis } = run.session.target.resources ?? {};
  const given: Record<string, unknown> = { kb_folder_id: kbFolderId, kb_document_id: kbDocumentId, analysis };
  if (!hasMember(given, field) || memberOf(given, field) !== undefined) return false;
  const { entries } = run.log;
  return (
    entries.some((entry) => isUpdateOf(entry)([field]) && isRefused(entry) && !entry.asked?.odd.length) &&
    !entries.some((entry) => isUpdateOf(entry)(FIELDS) && isOk(entry))
  );
}

const bodyOf = (run: Run, chosen: Case, fields: readonly string[], recording?: Recording): JsonObject =>
  Object.fromEntries(fields.map((field) => [field, sentIn(run, chosen, field, recording)]));

function sentIn(run: Run, chosen: Case, field: string, recording?: Recording): unknown {
  const { title, analysis, summary } = chosen;
  const { resources = {} } = run.session.target;
  if (field === 'kb_folder_id') return resources.kbFolderId ?? SAMPLE_ID;
  if (field === 'kb_document_id') return resources.kbDocumentId ?? SAMPLE_ID;
  if (field === 'analysis' && analysis?.id === 'sample' && resources.analysis) return resources.analysis;
  if (field === 'analysis') return unlike(objectOf(analysis?.value), recording && run.lastRecord(recording));
  if (field === 'summary') return summary?.value ?? SUMMARY;
  const { ladder } = title ?? {};
  const text = ladder ? textOfLength(ladder.text, ladder.lengths[0] ?? 1) : (title?.value as string);
  // A title that is there already shows nothing of an update; everyday ones send it again once, which may go another way.
  const chosenText = title?.isMarked ? run.titled(text) : text;
  const isThere = chosen.recording && recording && run.lastRecord(recording)?.title === chosenText;
  return isThere ? run.titled(`${text} once more`) : chosenText;
}

/** The same fields in an object as well, which a mapper may take for the record. */
const nested = (extra: JsonObject | undefined): JsonObject | undefined =>
  extra && {
    ...extra,
    recording: Object.fromEntries(Object.entries(extra).map(([name, value]) => [readOnlyField(name) ?? name, value])),
  };

/** After a refusal: the same fields with everyday values, and shorter titles. */
async function afterRefusal(run: Run, recording: Recording, caller: Caller, chosen: Case, own: JsonObject) {
  const fields = Object.keys(own);
  const plain = bodyOf(run, { ...chosen, ...usualTexts(run) }, fields);
  if (!run.log.entries.some((entry) => isUpdateOf(entry)(fields) && recordOf(entry)))
    await follow(run, recording, caller, plain, { for: `${describeCase(chosen)}, with everyday values`, odd: [] });
  const { ladder, isEscaped } = chosen.title ?? {};
  // How a text is written in JSON is no reason to refuse it.
  if (isEscaped) await follow(run, recording, caller, own, { for: describeCase(chosen), odd: oddIn(chosen) });
  if (!ladder || !('title' in own)) return;
  // The longest one that is accepted shows a silent cut: the likely one is tried first, and then the next one that is longer.
  const { lengths, likely } = ladder;
  let [longest, shortest] = [1, lengths.length - 1];
  for (let at = lengths.indexOf(likely), isFirst = true; longest <= shortest; isFirst = false) {
    const length = lengths[at] ?? 1;
    const title = textOfLength(ladder.text, length);
    const asked = { for: `a title of ${length} characters`, odd: ['title'] };
    const entry = await follow(run, recording, caller, { title }, asked);
    if (!entry) return;
    if (isOk(entry)) shortest = at - 1;
    else longest = at + 1;
    at = isFirst && isOk(entry) ? shortest : Math.floor((longest + shortest) / 2);
  }
}

/** All read-only fields at once, with each candidate value and null; each alone if the target refuses that. */
async function rounds(run: Run, recording: Recording, members: Recording | undefined): Promise<void> {
  const record = run.lastRecord(recording);
  if (!record) return;
  const values = Object.keys(READ_ONLY_FIELDS).map(
    (field) => [field, otherValues(field, record, knownTo(run))] as const,
  );
  const isPat = !run.isQuick && (await run.as('admin.pat')) !== undefined;
  const asked = { for: 'members that are not writable', odd: ['extra'] };
  const sendAll = (group: JsonObject, company: JsonObject, by: Caller): Promise<void> =>
    halved(Object.entries(group), async (some) => {
      const send = (members: readonly [string, unknown][]) =>
        follow(run, recording, by, { ...company, ...Object.fromEntries(members) }, asked);
      const entry = await send(some);
      if (!entry || isOk(entry) || some.length === 1) return true;
      if (!refusesExtras(run) && !wasExtraTried(run)) await send(some.slice(0, 1));
      return refusesExtras(run);
    });
  const written = values.map(([field, all]) => [field, all.filter((value) => value !== null)] as const);
  const round = (at: number): JsonObject =>
    Object.fromEntries(written.map(([field, all]) => [field, all[at] ?? all[0]]));
  const empty = Object.fromEntries(values.flatMap(([field, all]) => (all.includes(null) ? [[field, null]] : [])));
  const further = run.isLong && written.some(([, all]) => all.length > 1) ? [round(1)] : [];
  // The title comes late: the others show what became of the title before.
  const title = run.elsewhereIn('rounds');
  // Other code may write them where these are given.
  const others = FIELDS.filter((field) => field !== 'title' && !isRefusedAlone(run, field));
  const whole = { title, ...bodyOf(run, usualTexts(run), others) };
  for (const group of run.isQuick ? [round(0)] : [...further, round(0), empty]) {
    if (refusesExtras(run)) break;
    // The first values go with a title, by a PAT.
    const isFirst = group !== empty && !further.includes(group);
    await sendAll(group, isFirst ? whole : { summary: SUMMARY }, isFirst && isPat ? 'admin.pat' : 'admin.jwt');
  }
  // To others than administrators, more may be writable.
  const own = members && extrasOf(run, members, Object.keys(READ_ONLY_FIELDS));
  if (own && !refusesExtras(run) && !run.isQuick)
    await follow(run, members, 'member.jwt', { ...own, title: run.elsewhereIn('own-rounds') }, asked);
  if (!refusesExtras(run)) return;
  const wasRefused = (fields: readonly string[]): boolean =>
    run.log.entries.some((entry) => isContentRefused(entry) && isUpdateOf(entry)(fields));
  const firstOf = new Map(written.map(([field, all]) => [field, all[0]]));
  const open: JsonObject[] = run.isLong
    ? values.flatMap(([field, all]) => all.map((value) => ({ [field]: value })))
    : [...LONES, ['user_id'], ['id']]
        .filter((fields) => !wasRefused(fields))
        .map((fields) => Object.fromEntries(fields.map((field) => [field, firstOf.get(field)])));
  for (const [at, body] of open.entries()) await sendAll(body, {}, at % 2 === 1 && isPat ? 'admin.pat' : 'admin.jwt');
}

/** Sends an update; one that sends no title waits until it shows the one that was written, as replicas may lag. */
async function follow(
  run: Run,
  recording: Recording,
  caller: Caller,
  body: JsonObject,
  asked: Asked,
  more?: Partial<ClientRequest>,
): Promise<Entry | undefined> {
  const title = titleOf(run, recording);
  await readBefore(run, recording, body);
  const entry = await run.update(recording, caller, body, asked, more);
  const record = recordOf(entry);
  if (!record || 'title' in body || title === undefined || record.title === title || isInVain(run)) return entry;
  await seen(run, recording);
  if (!isInVain(run)) return entry;
  // Whether the write or the later update lost it: another kind of update, since this one may have lost the title.
  const other = 'kb_document_id' in body ? { kb_folder_id: SAMPLE_ID } : { kb_document_id: SAMPLE_ID };
  for (const each of [{ title: run.titled('Is it the look?') }, other, body, other])
    await run.update(recording, caller, each, { for: 'a title that was lost', odd: each === body ? ['extra'] : [] });
  return entry;
}
