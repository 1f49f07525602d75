import { call } from '../api/document.ts';
import { useLoad } from '../api/load.ts';
import { ActButton } from '../ui/button.tsx';
import { operationFields } from '../ui/fields.ts';
import { Form } from '../ui/form.tsx';
import { Card, Facts, Load, Table, ViewHead } from '../ui/parts.tsx';

const looks = {
  path: { placeholder: '/v1/things/{id}' },
  method: { blank: 'GET' },
  status: { placeholder: '200' },
  body: {},
  headers: {},
  auth: { blank: 'none' },
  when: {},
  times: { placeholder: 'always' },
  delay: { placeholder: '0' },
  override: { blank: 'false' },
  answers: {},
  after: { blank: 'last' },
  description: {},
};

async function remove(route: string): Promise<string> {
  await call('removeRoute', { route });
  return route === 'all' ? 'All added routes removed.' : `Removed: ${route}`;
}

/** The custom routes of this world, and a form that adds one. */
export function RoutesView() {
  const list = useLoad(() => call('listRoutes', {}));
  const isAdded = ({ id, source }: { readonly id: string; readonly source: string }) => id === source;
  return (
    <>
      <ViewHead
        title="Routes"
        hint="Custom routes, in the order in which they are tried: those added here, then those of files."
        actions={
          <ActButton
            text="Remove all added"
            asks
            act={() => remove('all')}
            disabled={!list.data?.routes.some(isAdded)}
          />
        }
      />
      <Card title="Served">
        <Load of={list}>
          {({ routes, tables }) => (
            <>
              <Table
                caption="Routes"
                items={routes}
                empty="No custom routes. Add one below, or start the mock with --routes FILE."
                columns={['id', 'method', 'path', 'source', 'auth', 'override', 'served', 'left']}
                actions={(route) =>
                  isAdded(route) && <ActButton text="Remove" of={route.id} act={() => remove(route.id)} />
                }
              />
              <Facts label="Records by table" of={tables} />
            </>
          )}
        </Load>
      </Card>
      <Card title="New route" hint="Comes before the others. A reset of this world removes it; snapshots hold it.">
        <Form
          fields={operationFields('addRoute', looks).map((field) => ({ ...field, hint: field.description }))}
          act={async (body: Parameters<typeof call<'addRoute'>>[1]) => `Added: ${(await call('addRoute', body)).id}`}
          clears={['path', 'body', 'when', 'answers']}
          submit="Add route"
          kind="primary"
          layout="grid"
        />
      </Card>
    </>
  );
}
