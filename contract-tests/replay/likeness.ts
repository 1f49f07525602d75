import { OPERATIONS } from '../api/operations.ts';
import { count } from '../report/text.ts';
import { discoverTarget } from '../session/discover.ts';
import { Session } from '../session/session.ts';
import { groupBy } from '../values/group.ts';
import { KINDS } from './compare.ts';
import type { Recording } from './recording.ts';
import { Replay } from './replay.ts';

/** How many exchanges of a recording a mock answers alike. */
export interface Likeness {
  sent: number;
  alike: number;
  /** What differs: the operation, how, and in how many exchanges. */
  differences: string[];
}

/** Sends a recording again at a mock that knows nothing of it, whatever it changes there. `answers` tell its undocumented paths. */
export async function likenessAt(
  baseUrl: string,
  answers: Record<string, unknown>,
  recording: Recording,
): Promise<Likeness> {
  const { profile: _, ...target } = await discoverTarget({ baseUrl });
  const session = new Session({ target, answers, allowWrites: true, probing: false });
  try {
    const replayed = await new Replay(session, recording, { isPaced: false, isMock: true, isFresh: true }).run();
    const sent = replayed.filter(({ unsent }) => unsent === undefined);
    const found = sent.flatMap(({ interaction, differences }) =>
      [...new Set(differences.map(({ kind }) => KINDS[kind]))].map((what) => {
        const { operation, recorded, path } = interaction;
        const name = operation ? OPERATIONS[operation].name : `${recorded.request.method} ${path.split('?')[0]}`;
        return `${name}: ${what}`;
      }),
    );
    const groups = [...groupBy(found, (line) => line)].toSorted(([, a], [, b]) => b.length - a.length);
    return {
      sent: sent.length,
      alike: sent.filter(({ differences }) => differences.length === 0).length,
      differences: groups.map(([line, own]) => `${line} (${count(own.length, 'exchange')})`),
    };
  } finally {
    session.client.close();
  }
}
