// The API's docs: Swagger UI with the OpenAPI document of the world that this page belongs to, signed in. Its files are
// served next to this page; nothing is loaded from another origin.
import { control, controlUrl, currentSandbox, defaultPersona, mint, storeControlToken, unwrap } from './api/client.ts';
import { toFailure } from './api/failure.ts';
import { markBasis, offerErrors } from './docs/marks.ts';

const day = 86_400;
const worldName = currentSandbox ? `the sandbox ~${currentSandbox}` : 'the main world';

async function show(): Promise<void> {
  const personas = await unwrap(control.GET('/personas'));
  let user = defaultPersona(personas)?.user ?? '';
  // The document's examples are of a world in which no user has signed in yet: its refresh token is replaced by one that works.
  const text = JSON.stringify(await unwrap(control.GET('/spec.json')));
  const [, exampleToken = ''] = /"refresh_token":"([^"]+)"/.exec(text) ?? [];
  const shownToken = user && (await mint(user, 'refresh')).token;
  const spec = JSON.parse(exampleToken && shownToken ? text.replaceAll(exampleToken, shownToken) : text);
  markBasis(spec);
  offerErrors(spec);
  // Of the package, not of the API.
  delete spec.info.license;
  spec.servers = [{ url: controlUrl.href.replace(/\/_mock\/$/, ''), description: worldName }];
  const ui = await startSwaggerUi({
    spec,
    dom_id: '#swagger',
    validatorUrl: null,
    deepLinking: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    // Unfolds the fields of a schema: each says whether it is documented.
    defaultModelExpandDepth: 2,
    requestSnippetsEnabled: false,
    requestInterceptor: async (request: SentRequest) => {
      // A refresh token is spent when it was used: each request gets a new one in the place of the one that is shown.
      const { body, headers } = request;
      if (!shownToken || !JSON.stringify([body, headers]).includes(shownToken)) return request;
      const { token } = await mint(user, 'refresh');
      if (typeof body === 'string') request.body = body.replaceAll(shownToken, token);
      if (headers.Authorization) headers.Authorization = headers.Authorization.replace(shownToken, token);
      return request;
    },
  });
  const signIn = async (as: string) => {
    user = as;
    ui.preauthorizeApiKey('bearer', (await mint(as, 'access', day)).token);
    // The document has this scheme where the profile sends refresh tokens in the header.
    ui.preauthorizeApiKey('refreshToken', shownToken);
  };
  if (user === '') return;
  await signIn(user);
  offerPersonas(personas, user, signIn);
}

interface SentRequest {
  readonly headers: Record<string, string>;
  body?: unknown;
}

/** The part of Swagger UI's interface that the docs page uses. */
interface SwaggerUi {
  /** Sends that token where the security scheme is required. Not before `onComplete`. */
  preauthorizeApiKey(scheme: string, token: string): void;
}

async function startSwaggerUi(options: object): Promise<SwaggerUi> {
  const { SwaggerUIBundle } = window as { SwaggerUIBundle?: (options: object) => SwaggerUi };
  if (!SwaggerUIBundle) throw new Error('Swagger UI is not loaded.');
  return new Promise((resolve) => {
    const ui = SwaggerUIBundle({ ...options, onComplete: () => setTimeout(() => resolve(ui)) });
  });
}

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
  note.textContent = `The docs cannot be shown: ${toFailure(error).message}`;
  document.getElementById('swagger')?.replaceChildren(note);
}

// Swagger UI has a dark theme, but the page has to switch it on.
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const applyTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', applyTheme);
applyTheme();

const heading = document.getElementById('world');
if (heading) heading.textContent = `API of ${worldName}`;

/** A page that may not call the control plane asks for the token. */
const start = (): Promise<void> =>
  show().catch((error: unknown) => {
    const token = toFailure(error).status === 403 ? window.prompt('Control token') : null;
    if (!token) return showFailure(error);
    storeControlToken(token);
    return start();
  });
void start();
