import type { Outcome, Verdict } from '../../contract-tests/model.ts';
import type { Fault } from '../core/faults/index.ts';

/** One target to measure; ids are unique within their kind. */
export interface Job {
  readonly kind: 'fault' | 'variant' | 'meta-fault';
  readonly id: string;
  /** How many requests the run may send; default: as many as the model takes. */
  readonly requests?: number;
}

/** The suite's findings at a mock with one fault. */
export interface FaultRun {
  readonly kind: 'fault';
  readonly id: string;
  /** How often the fault changed something. */
  readonly hits: number;
  /** Answers of the mock that broke its own spec: a bug of ours, so that the run says nothing. */
  readonly ownViolations: number;
  /** Ids of the requirements that were found violated. */
  readonly violated: readonly string[];
  /** Ids of the checks that found so. */
  readonly checks: readonly string[];
}

/** The suite's findings at a conforming implementation. */
export interface VariantRun {
  readonly kind: 'variant';
  readonly id: string;
  readonly description: string;
  /** Checks that found a violation, or could not be set up, with what they said. */
  readonly alarms: readonly string[];
  readonly passed: number;
  /** Checks that were not run, since the target file lacks what they declare to need. */
  readonly unmet: number;
  /** How the number of passes differs from the pinned one, and which checks did not pass; empty: not at all. */
  readonly coverage: readonly string[];
  readonly verdict: Verdict;
}

/** The suite's findings at a server that is not this API. */
export interface MetaFaultRun {
  readonly kind: 'meta-fault';
  readonly id: string;
  readonly description: string;
  readonly verdict: Verdict;
  readonly outcomes: Readonly<Record<Outcome, number>>;
}

export type Run = FaultRun | VariantRun | MetaFaultRun;

/** A fault in the score. */
export interface FaultScore
  extends Pick<Fault, 'id' | 'family' | 'description' | 'requirements'>,
    Pick<FaultRun, 'violated' | 'checks'> {
  /** `unobservable`: it breaks a requirement that no check can judge. */
  readonly result: 'killed' | 'survived' | 'unobservable' | 'not run';
  /** Why it survived. */
  readonly reason?: string;
}

export interface RequirementScore {
  readonly id: string;
  /** Faults whose main requirement it is, and how many of them a check of it caught. */
  readonly faults: number;
  readonly killed: number;
  /** Ids of all faults at which a check of it found a violation. */
  readonly violatedBy: readonly string[];
}

/** The suite's own measure. */
export interface Score {
  readonly schemaVersion: 1;
  readonly totals: ScoreTotals;
  readonly faults: readonly FaultScore[];
  readonly requirements: readonly RequirementScore[];
  readonly variants: readonly VariantRun[];
  readonly metaFaults: readonly MetaFaultRun[];
  readonly seconds: number;
}

/** The figures of a score, without anything that differs from run to run: shipped as spec/score.json. */
export interface ScoreTotals {
  readonly checks: number;
  readonly requirements: number;
  /** Faults that break a requirement. */
  readonly faults: number;
  readonly killed: number;
  /** From 0 to 1. */
  readonly killRate: number;
  /** Faults of requirements that no check can judge. */
  readonly unobservableFaults: number;
  /** Faults of the environment, which say nothing about conformance. */
  readonly environmentFaults: number;
  readonly variants: number;
  readonly falseAlarms: number;
  /** Checks that were not run at a variant for want of a field in its target file, summed over all variants. */
  readonly unmetNeeds: number;
  readonly metaFaults: number;
  readonly metaFaultsConforming: number;
}
