import type { PhaseName } from '../api/phases.ts';
import { SUMMARY } from '../plan/questions.ts';
import { credentials, establish, etag, latePats, others, pats } from './establish.ts';
import { explore } from './explore.ts';
import { forgeries } from './forgeries.ts';
import { afterPause, expiry, lastSignIn, pause, refresh, signIns, useLast } from './late.ts';
import { changedLists, filterAsMember, lists } from './lists.ts';
import { ownRequests } from './own-requests.ts';
import { control, lookStep, remainingLones } from './read-only.ts';
import { reads } from './reads.ts';
import type { Step } from './steps.ts';
import { updates } from './updates.ts';

/** What a phase sends, and the lines of the plan about what that writes. */
export interface Phase {
  /** Every run has it. */
  isAlways?: true;
  /** Its part of a given budget; with 0 it has no limit. */
  share: number;
  /** Where the run goes on at the other recording, it is sent again there. */
  isOfRecording?: true;
  /** It sends what the phases before it left, which may be nothing. */
  isRest?: true;
  writes?: readonly string[];
  steps: readonly Step[];
}

const PATS = 'POST /v1/api-tokens, twice for admin and once for member';

export const PHASES: Readonly<Record<PhaseName, Phase>> = {
  establish: {
    isAlways: true,
    share: 0,
    writes: [
      'PATCH of each disposable recording, to find its title: nothing, else kb_document_id, summary, kb_folder_id or analysis',
    ],
    steps: [{ call: establish, runs: 'always' }],
  },
  scopes: {
    share: 10,
    writes: [PATS],
    steps: [
      { call: pats },
      { of: 'scopes', as: ['admin.jwt', 'member.jwt', 'admin.pat'], runs: 'always', once: true, for: 'scopes' },
      { of: 'scopes', as: ['member.login', 'member.pat'], once: true, for: 'scopes' },
      { call: etag },
    ],
  },
  others: {
    share: 6,
    steps: [
      { call: others, runs: 'always' },
      { call: credentials, runs: 'always' },
    ],
  },
  lists: {
    share: 28,
    writes: [PATS],
    steps: [
      { of: 'api-keys', as: 'admin.pat', runs: 'always', for: 'lists' },
      { call: lists, runs: 'always' },
      // Filtered lists are compared with whole lists before and after them.
      { of: 'api-keys', runs: 'always', for: 'lists, at the end' },
      { call: changedLists },
      { of: 'api-keys', id: 'other', runs: 'always', for: 'other tenants', odd: ['tenant'] },
      // A list with filters may be guarded by other code.
      {
        of: 'api-keys',
        id: 'other',
        as: 'admin.pat',
        query: { status: 'active' },
        runs: 'long',
        for: 'other tenants',
        odd: ['tenant'],
      },
      { of: 'api-keys', id: 'made-up', runs: 'long', for: 'other tenants', odd: ['tenant'] },
      { of: 'api-keys', id: 'cut', for: 'other tenants', odd: ['tenant'], covers: 'identifiers.tenant-cut' },
      // By JWT, member asked for the whole list before admin.
      { call: filterAsMember },
    ],
  },
  updates: {
    share: 56,
    isOfRecording: true,
    writes: [
      PATS,
      'PATCH of each disposable recording, by each caller: title (put back afterwards), kb_folder_id, kb_document_id, summary, analysis, alone and together',
      'PATCH of each disposable recording: every field that is not writable, in several spellings, none of which must be written',
    ],
    steps: [{ call: updates, runs: 'always' }],
  },
  identifiers: {
    share: 7,
    writes: ['PATCH of recordings with identifiers like that of the disposable one: title, none of which should exist'],
    steps: [
      {
        of: 'recording',
        id: 'near',
        title: 'Written to another identifier (cut)',
        odd: ['recording'],
        covers: 'identifiers.cut',
      },
      {
        of: 'recording',
        id: 'longer',
        title: 'Written to another identifier (longer)',
        odd: ['recording'],
        covers: 'identifiers.longer',
        runs: 'long',
      },
      {
        of: 'recording',
        id: 'other-case',
        json: { summary: SUMMARY },
        odd: ['recording'],
        covers: 'identifiers.other-case',
        runs: 'long',
      },
      {
        of: 'recording',
        id: 'unknown',
        title: 'Written to another identifier (unknown)',
        odd: ['recording'],
        covers: 'identifiers.unknown',
        runs: 'long',
      },
      { of: 'recording', id: 'other-uuid', json: { summary: SUMMARY }, odd: ['recording'] },
      // The same path, so this shows what became of the title as well.
      { of: 'recording', id: 'encoded', json: { summary: SUMMARY }, covers: 'identifiers.encoded' },
      { call: lookStep, once: true },
      { of: 'api-keys', id: 'made-up', times: 10, runs: 'long', for: 'errors in a row', odd: ['tenant'] },
      { call: control, runs: 'long', for: 'errors in a row' },
    ],
  },
  overlaps: {
    share: 19,
    isOfRecording: true,
    writes: ['PATCH of each disposable recording, several at a time: title (put back afterwards), summary'],
    steps: [
      {
        overlap: [
          { of: 'api-keys', id: 'other', as: 'others.0.jwt' },
          { of: 'api-keys', as: 'member.jwt', isInstead: true },
          { of: 'api-keys' },
          { of: 'scopes' },
          // Nothing but the token says who asks.
          {
            of: 'scopes',
            as: 'member.jwt',
            headers: { 'X-Admin': 'true', 'X-Is-Admin': 'true', 'X-Role': 'admin', 'X-User-Role': 'admin' },
            hasCookies: true,
          },
        ],
        for: 'lists and scopes of several at the same time',
      },
      {
        overlap: [
          { of: 'recording', title: 'One of two titles at once' },
          { of: 'recording', title: 'The other of two titles at once' },
        ],
        runs: 'long',
        isStaggered: true,
        for: 'updates at the same time',
      },
      { call: lookStep, runs: 'long' },
      {
        overlap: [
          // A longer text takes longer, and what it writes back may be the record before the title.
          { of: 'recording', json: { summary: SUMMARY.repeat(30) } },
          { of: 'recording', title: 'While another recording is updated' },
          { of: 'recording', on: 'second', title: 'In another recording' },
          { of: 'api-keys' },
        ],
        for: 'updates at the same time',
      },
      { call: lookStep },
      { call: lookStep, on: 'second' },
      // A comparison may take this title for the one before. Two recordings may have the same title: what becomes of that
      // of the second one is seen once the first one has another.
      {
        overlap: [
          { of: 'recording', title: 'WHILE ANOTHER RECORDING IS UPDATED' },
          { of: 'recording', json: { summary: SUMMARY } },
          { of: 'recording', on: 'second', title: 'WHILE ANOTHER RECORDING IS UPDATED', odd: ['title'] },
        ],
        isStaggered: true,
        for: 'equal titles at the same time',
      },
      { call: lookStep },
    ],
  },
  reads: {
    share: 0,
    isOfRecording: true,
    writes: [
      'PATCH of the disposable recording, where the target file names reads: every writable field but the title (put back afterwards)',
    ],
    steps: [
      {
        call: reads,
        json: {
          summary: 'Line 1, <b>bold</b> & *marked*\n\n- Größe 🎧 at https://example.test/a?b=1&c=%20\n',
          analysis: {
            key_topics: [
              'zeta',
              'alpha',
              'alpha',
              'Größe 🎧',
              ' in spaces ',
              '<i>R&D</i> &amp; more',
              'two\nlines',
              '042',
              '42',
              'true',
              '{"a":1}',
              'a long topic, a long topic, a long topic, a long topic, a long topic, a long topic, a long topic, a long topic, a long topic, a long topic, a long topic, a long topic, a long topic, a long topic, a long topic, a long topic, a long topic, a long topic, a long topic, a long topic, a long topic, a long topic, a long topic, a long topic, a long topic, ',
            ],
            action_items: ['verify'],
            title: 'A title in the analysis',
            details: {
              dueDate: '2026-01-02',
              Größe: 0,
              done: false,
              score: 0.125,
              large: 4294967297,
              below: -1,
              nested: { deep: { deeper: { pairs: [[1, 2], [3]], mixed: [1, 'one', true], none: [], nothing: {} } } },
              numbered: { 0: 'zero', 1: 'one' },
            },
          },
        },
      },
    ],
  },
  strangers: {
    share: 7,
    writes: [
      "POST /v1/auth/sso with claims of an unknown identity, without its oid, with % as its oid and before the @ of its upn, and with admin's upn in capitals: a target that makes users on sign-in keeps them",
      'POST /v1/auth/sso with claims of member and the role of an administrator: a target that takes it over keeps it',
    ],
    steps: [
      { of: 'sso', json: {}, writes: true, odd: ['identity'], covers: 'strangers.no-claims' },
      {
        of: 'sso',
        json: { oid: null, tid: null, upn: null },
        writes: true,
        odd: ['identity'],
        covers: 'strangers.null-claims',
      },
      {
        of: 'sso',
        json: { oid: { $ne: null }, tid: { $ne: null }, upn: { $ne: null } },
        writes: true,
        odd: ['identity'],
        runs: 'long',
        covers: 'strangers.operators',
      },
      // A valid sign-in right after refused ones shows what these leave behind; a charset is the same media type,
      // most clients accept anything, members of an object have no order, and any character may be escaped.
      {
        of: 'sso',
        json: 'claims of member in another order',
        headers: { 'Content-Type': 'application/json; charset=utf-8', Accept: '*/*' },
        isEscaped: true,
        for: 'control after unknown identities',
      },
      // Sign-ins of others, and failed ones, end no token of admin.
      { of: 'scopes', for: 'after sign-ins of others' },
      // The claims say who it is, in any order and framing; a service may refuse the header, the framing, and more members than these.
      {
        of: 'sso',
        json: 'claims of member and a role',
        as: 'admin.jwt',
        isChunked: true,
        writes: true,
        odd: ['credentials', 'framing'],
        for: 'claims of member with the token of admin',
      },
      { call: useLast, when: 'accepted', for: 'the token of a sign-in that claims a role' },
      // Whose claims these are is not known.
      {
        of: 'sso',
        json: 'claims of admin in capitals',
        writes: true,
        odd: ['identity'],
        covers: 'strangers.capitals',
      },
      {
        of: 'sso',
        json: 'claims that match any user',
        writes: true,
        odd: ['identity'],
        runs: 'long',
        covers: 'strangers.pattern',
      },
      {
        of: 'sso',
        json: 'claims of an unknown user without oid',
        writes: true,
        odd: ['identity'],
        covers: 'strangers.no-oid',
      },
      // Last, since a sign-in may end the session before it.
      { call: signIns, writes: true, runs: 'always' },
    ],
  },
  late: {
    share: 15,
    isOfRecording: true,
    writes: ['PATCH of each disposable recording: summary, after a pause, and with a token whose lifetime is over'],
    steps: [
      { call: signIns, runs: 'always' },
      { call: pause },
      { of: 'scopes', as: ['admin.login', 'admin.pat'], runs: 'always', for: 'after a pause' },
      { of: 'api-keys', runs: 'long', for: 'after a pause' },
      { call: afterPause, runs: 'always', for: 'after a pause' },
      { call: lastSignIn, runs: 'always' },
      { call: latePats },
      { call: refresh, runs: 'always' },
      { call: lookStep, on: 'second' },
      // A comparison may ignore accents.
      {
        of: 'recording',
        on: 'second',
        title: 'WHÏLE ANOTHER RECORDING IS UPDATED',
        runs: 'long',
        odd: ['title'],
        for: 'an accent alone',
      },
      { call: expiry, runs: 'always' },
    ],
  },

  // Before what may lock a caller out.
  own: { isAlways: true, share: 0, steps: [{ call: ownRequests, runs: 'always' }] },
  invalid: {
    share: 6,
    isOfRecording: true,
    writes: [
      'PATCH of each disposable recording: title, in requests that must be refused (put back if one is not), and summary',
    ],
    steps: [
      {
        of: 'recording',
        json: { title: 'written by a request that must be refused (invalid 1)', analysis: 'not an object' },
        runs: 'always',
        odd: ['type'],
      },
      // The first good update after a refused one is looked at by itself.
      { call: lookStep, runs: 'always' },
      // The same code as that of analysis validates it.
      {
        of: 'recording',
        json: { title: 'written by a request that must be refused (invalid 2)', summary: ['not a text'] },
        runs: 'long',
        odd: ['type'],
      },
      { of: 'recording', json: { title: 12345 }, odd: ['type'] },
      { of: 'recording', json: { title: null }, odd: ['type'] },
      { of: 'recording', json: { summary: null }, odd: ['type'] },
      { of: 'recording', json: { title: true }, runs: 'long', odd: ['type'] },
      { of: 'recording', json: { title: { text: 'not a text' } }, odd: ['type'] },
      // Where it is accepted, its title is the first after a refusal, and one that was written before others: no repetition.
      {
        of: 'recording',
        title: 'Contract title 1',
        query: {
          title: 'a title in the query',
          status: 'failed',
          filename: 'other.mp3',
          method: 'other',
          quality: 'other',
          language: 'other',
          diarization_enabled: 'true',
        },
        odd: ['query'],
      },
      { call: lookStep, when: 'accepted' },
    ],
  },
  refusals: {
    share: 40,
    isOfRecording: true,
    writes: [
      'PATCH of each disposable recording: title, in requests that must be refused (put back if one is not), and summary',
    ],
    steps: [
      { call: forgeries, runs: 'always' },
      // Valid ones right after the bad ones show what these leave behind.
      { call: control, runs: 'always', for: 'bad credentials' },
    ],
  },
  explore: { isAlways: true, share: 0, steps: [{ call: explore, runs: 'always' }] },

  // The fields that are not writable, each alone, which no look has carried.
  members: { share: 1, isRest: true, steps: [{ call: remainingLones }] },
};
