import type { Schemas } from '../api/client.ts';
import { call } from '../api/document.ts';
import { useLoad } from '../api/load.ts';
import { OperationButton } from '../ui/button.tsx';
import { operationFields } from '../ui/fields.ts';
import { Form } from '../ui/form.tsx';
import { Card, Facts, Load, Table, View } from '../ui/parts.tsx';

const looks = {
  path: { placeholder: '/v1/things/{id}' },
  method: { blank: 'GET' },
  status: { placeholder: '200' },
  auth: { blank: 'none' },
  times: { placeholder: 'always' },
  delay: { placeholder: '0' },
  override: { blank: 'false' },
  after: { blank: 'last' },
  description: {},
  body: {},
  headers: {},
  when: {},
  answers: {},
};

/** The custom routes of this world, and a form that adds one. */
export function RoutesView() {
  const list = useLoad(() => call('listRoutes', {}));
  const isAdded = ({ id, source }: Schemas['ServedRoute']) => id === source;
  return (
    <View
      title="Routes"
      hint="Custom routes, in the order in which they are tried: those added here, then those of files."
      actions={
        <OperationButton
          text="Remove all added"
          asks
          operation="removeRoute"
          given={{ route: 'all' }}
          disabled={!list.data?.routes.some(isAdded)}
        />
      }
    >
      <Card title="Served">
        <Load of={list}>
          {({ routes, tables }) => (
            <>
              <Table
                caption="Routes"
                of="ServedRoute"
                items={routes}
                empty="No custom routes. Add one below, or start the mock with --routes FILE."
                actions={(route) =>
                  isAdded(route) && (
                    <OperationButton text="Remove" of={route.id} operation="removeRoute" given={{ route: route.id }} />
                  )
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
          act={async (route: Schemas['Route']) => `Added: ${(await call('addRoute', route)).id}`}
          clears={['path', 'body', 'when', 'answers']}
          submit="Add route"
          kind="primary"
          layout="grid"
        />
      </Card>
    </View>
  );
}
