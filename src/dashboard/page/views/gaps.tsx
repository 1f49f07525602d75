import { useId } from 'preact/hooks';
import type { ViewProps } from '../address.ts';
import type { Schemas } from '../api/client.ts';
import { call } from '../api/document.ts';
import { useLoad } from '../api/load.ts';
import { useAction } from '../ui/action.tsx';
import { ActButton, Button } from '../ui/button.tsx';
import { Check, Filters, Form, OperationForm } from '../ui/form.tsx';
import { Card, FailureNote, Fold, Groups, Load, View } from '../ui/parts.tsx';
import { displayed } from '../ui/text.ts';
import { apiDocument, bySection, GapMap, sectionTitle, subjectsOf } from './gap-map.tsx';

type Gap = Schemas['Gap'];

/** The ledger of what the source document leaves open, with the answers in force, by the operations that they are about. */
export function GapsView({ rest, query, setAddress }: ViewProps) {
  const { q = rest, as = '', only = '' } = query;
  const ledger = useLoad(async () => ({
    profile: await call('getProfile', {}),
    document: await apiDocument(),
  }));
  const set = (changed: Record<string, string>) => setAddress({ rest: '', query: { q, as, only, ...changed } });
  const isShown = ({ id, question, section, isDefault }: Gap) =>
    !(only && isDefault) && `${id} ${question} ${section}`.toLowerCase().includes(q.trim().toLowerCase());
  return (
    <View
      title="Gaps"
      hint="What the source document leaves open, and what this world assumes. A changed answer applies from the next request."
      actions={<Button text="Map" aria-pressed={as === 'map'} onClick={() => set({ as: as === '' ? 'map' : '' })} />}
    >
      <Load of={ledger}>
        {({ profile, document }) => {
          const subjects = subjectsOf(document);
          const headingOf = ({ id, section }: Gap) => subjects.get(id) ?? sectionTitle(section, profile.sections);
          const headings = [...subjects.values()];
          // Those of no operation, in the order of their sections, are the last.
          const rankOf = ({ id }: Gap) => headings.indexOf(subjects.get(id) ?? '') >>> 0;
          const shown = profile.gaps
            .filter(isShown)
            .sort((one, other) => rankOf(one) - rankOf(other) || bySection(one.section, other.section));
          return (
            <>
              <Profile profile={profile} />
              {as === 'map' && <GapMap profile={profile} document={document} />}
              <Filters
                fields={[{ name: 'q', label: 'Filter', kind: 'search', placeholder: 'id, words, section' }]}
                values={{ q }}
                onChange={set}
                shown={`${shown.length} of ${profile.gaps.length} gaps`}
              >
                <Check
                  text="Show only what differs from the default"
                  checked={only !== ''}
                  onChange={(isOn) => set({ only: isOn ? 'changed' : '' })}
                />
              </Filters>
              <Groups
                items={shown}
                groupOf={headingOf}
                isOpen={q !== '' || only !== ''}
                empty={only ? allDefault : 'No gaps match.'}
              >
                {(gap) => <GapRow key={gap.id} gap={gap} />}
              </Groups>
            </>
          );
        }}
      </Load>
    </View>
  );
}

const allDefault = 'Every answer is the default.';

function Profile({ profile: { name, shipped, differences } }: { readonly profile: Schemas['Profile'] }) {
  const count = Object.keys(differences).length;
  const differing = `${count === 1 ? 'One answer differs' : `${count} answers differ`} from the default.`;
  const choice = { kind: 'choice', type: 'string', options: shipped, blank: 'choose…' } as const;
  const look = { ...choice, label: 'Apply a shipped profile' };
  return (
    <Card title={`Profile ${name}`} hint={count === 0 ? allDefault : differing}>
      <OperationForm
        of="replaceProfile"
        looks={{ profile: look }}
        done={(applied) => `Profile ${applied.name} applied.`}
        submit="Apply"
        layout="inline"
      />
    </Card>
  );
}

function GapRow({ gap }: { readonly gap: Gap }) {
  const { id, section, question, answer, isDefault, origin, answers } = gap;
  const change = async (next: unknown): Promise<string> => {
    await call('changeProfile', { answers: { [id]: next } });
    return `${id} is now ${displayed(next)}.`;
  };
  const summary = (
    <>
      <span class="grow">
        <strong>{question}</strong>
        <span class="muted">
          <code>{id}</code> · section {section}
        </span>
      </span>
      <span class="row gap-answer">
        <code>{displayed(answer)}</code>
        <span class={`badge ${isDefault ? '' : 'accent'}`}>{isDefault ? 'default' : 'changed'}</span>
      </span>
    </>
  );
  return (
    <li class="gap" id={`gap-${id}`}>
      <Fold class="grow" summary={summary}>
        <div class="stack">
          <p class="muted">
            Source: {origin}.{' '}
            {!isDefault && (
              <>
                The default is <code>{displayed(gap.default)}</code>.
              </>
            )}
          </p>
          {answers && <Choices gap={gap} answers={answers} change={change} />}
          {(!answers || gap.schema) && <FreeAnswer key={JSON.stringify(answer)} gap={gap} change={change} />}
          {!isDefault && (
            <div class="row">
              <ActButton text="Restore default" of={id} act={() => change(gap.default)} />
            </div>
          )}
        </div>
      </Fold>
    </li>
  );
}

interface AnswerProps {
  readonly gap: Gap;
  readonly change: (answer: unknown) => Promise<string>;
}

function Choices({ gap, answers, change }: AnswerProps & { readonly answers: Readonly<Record<string, string>> }) {
  const group = useId();
  const { run, busy, failure } = useAction(change);
  return (
    <fieldset class="stack" aria-label={`Answers to ${gap.id}`} aria-busy={busy}>
      {Object.entries(answers).map(([answer, meaning]) => (
        <label key={answer} class="row check">
          <input
            type="radio"
            name={group}
            value={answer}
            checked={gap.answer === answer}
            onClick={(event) => {
              // The server decides: a rejected answer must not appear to be in force.
              event.preventDefault();
              if (gap.answer !== answer) void run(answer);
            }}
          />
          <span class="grow">
            <code>{answer}</code> {meaning}
          </span>
        </label>
      ))}
      {busy && <p class="muted">Applying…</p>}
      <FailureNote failure={failure} />
    </fieldset>
  );
}

/** An answer that is not one of a list. Anything but text is entered as JSON. */
function FreeAnswer({ gap: { id, answer: current, answers, examples = [] }, change }: AnswerProps) {
  // Where there are named answers, any other one is written out.
  const isText = typeof current === 'string' && !answers;
  const options = examples.map(displayed);
  return (
    <Form
      fields={[
        {
          name: 'answer',
          label: `Answer to ${id}${isText ? '' : ' (JSON)'}`,
          type: isText ? 'string' : 'json',
          initial: isText ? current : JSON.stringify(current),
          options,
          hint: options.length > 0 ? `Examples: ${options.join(' · ')}` : undefined,
        },
      ]}
      act={({ answer = '' }: { readonly answer?: unknown }) => change(answer)}
      submit="Apply"
      layout="inline"
    />
  );
}
