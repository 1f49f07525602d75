import type { Schemas } from '../../api/client.ts';
import { useChange } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { arm, disarm, type Terms } from './arming.ts';

interface Preset {
  readonly name: string;
  readonly what: string;
  readonly fault: string;
  readonly terms: Terms;
}

/** What is tried most, for all requests. */
const presets: readonly Preset[] = [
  { name: 'Slow', what: 'Every response takes 2 s longer', fault: 'delay', terms: { ms: 2000 } },
  { name: '503', what: 'Every request gets 503', fault: 'respond', terms: { status: 503 } },
  { name: 'Drop', what: 'Every connection is closed without a response', fault: 'drop', terms: {} },
  { name: 'Offline', what: 'As without a network, preflights as well', fault: 'offline', terms: {} },
];

/** One click for each of the most common failures; the same click ends it. */
export const Presets = ({ armed }: { readonly armed: readonly Schemas['Fault'][] }) => (
  <ul class="row" aria-label="Presets">
    {presets.map((preset) => (
      <PresetButton
        key={preset.name}
        preset={preset}
        isOn={armed.some(({ id, armed: terms }) => id === preset.fault && isPreset(terms, preset))}
      />
    ))}
  </ul>
);

/** Armed by the preset, and not with conditions or parameters of its own. */
function isPreset(armed: Schemas['Fault']['armed'], { terms }: Preset): boolean {
  const { parameters = {}, probability = 1, ...conditions } = armed ?? {};
  const isSame = Object.entries(terms).every(([name, value]) => parameters[name as keyof typeof parameters] === value);
  const isWhole = Object.keys(parameters).length === Object.keys(terms).length;
  return isSame && isWhole && probability === 1 && Object.keys(conditions).length === 0;
}

function PresetButton({
  preset: { name, what, fault, terms },
  isOn,
}: {
  readonly preset: Preset;
  readonly isOn: boolean;
}) {
  const { run, busy, failure } = useChange(() => (isOn ? disarm(fault) : arm(fault, terms)));
  return (
    <li>
      <Button aria-pressed={isOn} busy={busy} title={`${what} (${fault})`} onClick={() => run()}>
        {name}
      </Button>
      <FailureNote failure={failure} />
    </li>
  );
}
