import { loadGaps } from '../spec-data.ts';
import { answerProbes } from './answers.ts';
import { keyProbes, tenantProbes } from './api-keys.ts';
import type { Probe } from './probe.ts';
import { recordingProbes } from './recordings.ts';
import { refreshProbes } from './refresh.ts';
import { errorProbes } from './refusals.ts';
import { signInProbes } from './sign-in.ts';
import { statusProbes } from './statuses.ts';
import { patProbes, scopeProbes } from './tokens.ts';

const inLedger = loadGaps().map(({ id }) => id);

/** Every probe, in the ledger's order. */
export const allProbes: readonly Probe[] = [
  ...signInProbes,
  ...refreshProbes,
  ...patProbes,
  ...scopeProbes,
  ...recordingProbes,
  ...keyProbes,
  ...tenantProbes,
  ...errorProbes,
  ...statusProbes,
  ...answerProbes,
].toSorted((a, b) => inLedger.indexOf(a.gap) - inLedger.indexOf(b.gap));
