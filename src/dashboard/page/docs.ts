// The API's docs: Swagger UI with the OpenAPI document of the world that this page belongs to, signed in. Its files are
// served beside this page; nothing is loaded from another origin.
import { control, unwrap } from './api/client.ts';
import { storeControlToken } from './api/control-token.ts';
import { Failure } from './api/failure.ts';
import { controlUrl, currentSandbox } from './api/location.ts';
import { defaultPersona, mint } from './api/tokens.ts';
import { type SwaggerSystem, startSwaggerUi } from './docs/swagger.ts';
import { tryErrors } from './docs/try-errors.ts';

const day = 86_400;

interface Operation {
  readonly operationId?: string;
}

interface WorldDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/**
 * The document, with this world's base URL as its only server. Its examples are of a world in which nobody has signed in
 * yet; the refresh token that the first sign-in would give is replaced by one that works now.
 */
async function worldDocument(refreshToken: string | undefined): Promise<WorldDocument> {
  const url = controlUrl.href.replace(/\/_mock\/$/, '');
  const description = currentSandbox ? `Sandbox ${currentSandbox}` : 'The main world';
  const text = JSON.stringify(await unwrap(control.GET('/spec.json')));
  const [, shown] = /"refresh_token":"([^"]+)"/.exec(text) ?? [];
  const usable = shown && refreshToken ? text.replaceAll(shown, refreshToken) : text;
  return { ...(JSON.parse(usable) as WorldDocument), servers: [{ url, description }] } as WorldDocument;
}

async function show(): Promise<void> {
  const personas = await unwrap(control.GET('/personas'));
  let user = defaultPersona(personas)?.user;
  let refreshToken = user && (await mint(user, 'refresh')).token;
  const spec = await worldDocument(refreshToken);
  const errors = tryErrors();

  /** A refresh token is spent when it was used: the next one stands in the request before it is sent again. */
  const renewRefreshToken = async (path: string, method: string, { oas3Actions, oas3Selectors }: SwaggerSystem) => {
    const entered = oas3Selectors.requestBodyValue(path, method);
    if (!user) return;
    const { token } = await mint(user, 'refresh');
    ui.preauthorizeApiKey('refreshToken', token);
    if (typeof entered === 'string' && refreshToken && entered.includes(refreshToken)) {
      oas3Actions.setRequestBodyValue({ value: entered.replace(refreshToken, token), pathMethod: [path, method] });
      refreshToken = token;
    }
  };
  const renewing = () => ({
    statePlugins: {
      spec: {
        wrapActions: {
          setResponse:
            (original: (...args: unknown[]) => unknown, system: SwaggerSystem) =>
            (path: string, method: string, response: { readonly ok?: boolean }) => {
              const { operationId } = spec.paths[path]?.[method] ?? {};
              if (operationId === 'refreshAccessToken' && response.ok) void renewRefreshToken(path, method, system);
              return original(path, method, response);
            },
        },
      },
    },
  });
  const ui = await startSwaggerUi({
    spec,
    dom_id: '#swagger',
    validatorUrl: null,
    deepLinking: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    requestSnippetsEnabled: false,
    plugins: [errors.plugin, renewing],
    requestInterceptor: (request) => {
      errors.applyTo(request.headers);
      return request;
    },
  });

  /** The document has a scheme for refresh tokens where the profile sends them in the header. */
  const signIn = async (as: string) => {
    user = as;
    const { token } = await mint(as, 'access', day);
    ui.preauthorizeApiKey('bearer', token);
    ui.preauthorizeApiKey('refreshToken', refreshToken ?? '');
  };
  if (user === undefined) return;
  await signIn(user);
  offerPersonas(personas, user, signIn);
}

/** Lets the reader choose as whom requests are sent. */
function offerPersonas(
  personas: readonly { readonly user: string; readonly username: string }[],
  selected: string,
  signIn: (user: string) => Promise<void>,
): void {
  const select = document.createElement('select');
  select.append(...personas.map(({ user, username }) => new Option(username, user, false, user === selected)));
  select.addEventListener('change', () => void signIn(select.value).catch(showFailure));
  const label = document.createElement('label');
  label.append('Signed in as ', select);
  document.getElementById('world')?.after(label);
}

function showFailure(error: unknown): void {
  const note = document.createElement('p');
  note.setAttribute('role', 'alert');
  note.textContent = `The docs cannot be shown: ${error instanceof Error ? error.message : String(error)}`;
  document.getElementById('swagger')?.replaceChildren(note);
}

// Swagger UI has a dark theme, but the page has to switch it on.
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const applyTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', applyTheme);
applyTheme();

const world = document.getElementById('world');
if (world) world.textContent = currentSandbox ? `API of the sandbox ~${currentSandbox}` : 'API of the main world';

/** A page that may not call the control plane asks for the token. */
const start = (): Promise<void> =>
  show().catch((error: unknown) => {
    const token = error instanceof Failure && error.status === 403 ? window.prompt('Control token') : null;
    if (!token) return showFailure(error);
    storeControlToken(token);
    return start();
  });
void start();
