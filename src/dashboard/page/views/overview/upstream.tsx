import { control, type Schemas, unwrap } from '../../api/client.ts';
import { namedSchema } from '../../api/document.ts';
import { useChange } from '../../ui/action.ts';
import { Card } from '../../ui/card.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Checkbox } from '../../ui/field.tsx';

/** The service behind the mock: which operations the mock answers in its place, from the next request on. */
export function UpstreamCard({ upstream: { url, only, mockOnly } }: { readonly upstream: Schemas['Upstream'] }) {
  const operations = (namedSchema('OperationId').enum ?? []).map(String);
  const isMocked = (operation: string): boolean => mockOnly?.includes(operation) ?? true;
  const { run, failure } = useChange(async (operation: string, mocked: boolean) => {
    const left = operations.filter((each) => (each === operation ? mocked : isMocked(each)));
    const body = { only, ...(left.length < operations.length && { mockOnly: left }) };
    await unwrap(control.PUT('/upstream', { body }));
    return `${operation} is answered by ${mocked ? 'the mock' : url}`;
  });
  return (
    <Card
      title="Service behind the mock"
      hint={`${url} answers what the mock does not know, and each operation that is not ticked here.`}
    >
      <div class="row">
        {operations.map((operation) => (
          <Checkbox
            key={operation}
            label={operation}
            checked={isMocked(operation)}
            onInput={(mocked) => void run(operation, mocked)}
          />
        ))}
      </div>
      {only.length > 0 && <p class="small">Whatever is ticked, it answers {only.join(', ')}.</p>}
      <FailureNote failure={failure} />
    </Card>
  );
}
