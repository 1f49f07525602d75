import type { SwaggerPlugin, SwaggerSystem } from './swagger.ts';

interface Example {
  readonly summary?: string;
}

interface ResponsesProps {
  readonly path: string;
  readonly method: string;
  readonly responses: { toJS(): Record<string, { content?: Record<string, { examples?: Record<string, Example> }> }> };
}

const errorsIn = ({ responses }: ResponsesProps) =>
  Object.entries(responses.toJS())
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { content = {} }]) =>
      Object.values(content).flatMap(({ examples = {} }) =>
        Object.entries(examples).map(([name, { summary }]) => ({ status, name, summary })),
      ),
    );

/** Wrong credentials are sent as such; any other error is asked for. */
const spoils: Readonly<Record<string, (headers: Record<string, string>) => void>> = {
  'missing-credentials': (headers) => {
    delete headers.Authorization;
  },
  'invalid-credentials': (headers) => {
    headers.Authorization = 'Bearer not-a-token';
  },
};

/** A plugin that shows a button for each error of which an operation has an example. */
export function tryErrors() {
  let wanted: string | undefined;
  const wrapped =
    (Original: unknown, { React: { createElement }, specActions, specSelectors }: SwaggerSystem) =>
    (props: ResponsesProps) => {
      const { path, method } = props;
      const send = (name: string) => {
        wanted = name;
        const operation = specSelectors.specResolvedSubtree(['paths', path, method]);
        specActions.execute({ path, method, operation });
      };
      const buttons = errorsIn(props).map(({ status, name, summary }) =>
        createElement(
          'button',
          { key: name, type: 'button', className: 'btn', title: summary, onClick: () => send(name) },
          `${status} ${name}`,
        ),
      );
      const hint = createElement(
        'span',
        null,
        'Try an error (wrong credentials, or ',
        createElement('code', null, 'Prefer: example=NAME'),
        ')',
      );
      return createElement(
        'div',
        null,
        createElement('div', { className: 'try-errors' }, hint, ...buttons),
        createElement(Original, props),
      );
    };
  const plugin: SwaggerPlugin = () => ({ wrapComponents: { responses: wrapped } });
  /** Makes the request that is being sent one that is answered with the error whose button was pressed, if any was. */
  const applyTo = (headers: Record<string, string>): void => {
    const spoil = headers.Authorization === undefined ? undefined : spoils[wanted ?? ''];
    if (spoil) spoil(headers);
    else if (wanted !== undefined) headers.Prefer = `example=${wanted}`;
    wanted = undefined;
  };
  return { plugin, applyTo };
}
