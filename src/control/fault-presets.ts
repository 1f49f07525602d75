import { didYouMean } from '../core/profiles/did-you-mean.ts';
import { ConfigError } from '../core/spec/config-error.ts';
import type { components } from '../core/spec/control-types.ts';

type FaultTerms = components['schemas']['FaultTerms'];

type FaultPreset = Readonly<Record<'label' | 'about' | 'fault', string>> & { readonly terms: FaultTerms };

/** The failures that a frontend must survive first, by name: faults with their parameters. */
export const faultPresets = {
  slow: { label: 'Slow', about: 'Every response takes 2 s longer', fault: 'delay', terms: { ms: 2000 } },
  silent: { label: 'No answer', about: 'No request gets a response', fault: 'hang', terms: {} },
  dropped: { label: 'Drop', about: 'Every connection is closed without a response', fault: 'drop', terms: {} },
  offline: { label: 'Offline', about: 'As without a network, preflights as well', fault: 'offline', terms: {} },
  unauthorized: { label: '401', about: 'Every request gets 401', fault: 'respond', terms: { status: 401 } },
  rateLimited: {
    label: '429',
    about: 'Every request gets 429 with Retry-After: 2',
    fault: 'respond',
    terms: { status: 429, headers: { 'Retry-After': '2' } },
  },
  unavailable: {
    label: '503',
    about: 'Every request gets 503 with Retry-After: 2',
    fault: 'respond',
    terms: { status: 503, headers: { 'Retry-After': '2' } },
  },
  malformed: {
    label: 'Broken JSON',
    about: 'JSON bodies lack their last character',
    fault: 'malformed-json',
    terms: {},
  },
} as const satisfies Readonly<Record<string, FaultPreset>>;

/** A preset for `control.PUT('/faults/{fault}', …)`; `terms` say which requests it hits. Throws ConfigError for a name that is none. */
export function presetFault(name: keyof typeof faultPresets, terms: FaultTerms = {}) {
  if (!Object.hasOwn(faultPresets, name)) {
    const known = Object.keys(faultPresets);
    throw new ConfigError([`there is no preset ${name}${didYouMean(name, known)}; there are ${known.join(', ')}`]);
  }
  const { fault, terms: own }: FaultPreset = faultPresets[name];
  return { params: { path: { fault } }, body: { ...own, ...terms } };
}
