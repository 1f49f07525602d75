// The API's docs: Swagger UI on the document of the world that this page belongs to. Its files are the package's own,
// served beside this page; nothing is asked of another origin.
import { controlUrl, ownSandbox } from './api/place.ts';
import { credentials } from './api/token.ts';

type SwaggerUi = (options: Readonly<Record<string, unknown>>) => unknown;

function load(tag: 'link' | 'script', attributes: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve, reject) => {
    const element = Object.assign(document.createElement(tag), attributes);
    element.onload = () => resolve();
    element.onerror = () => reject(new Error(`${attributes.href ?? attributes.src} cannot be loaded.`));
    document.head.prepend(element);
  });
}

/** The document, with this world's base URL in place of whatever servers it names. */
async function documentOfWorld(): Promise<object> {
  const response = await fetch(new URL('spec.json', controlUrl), { headers: credentials() });
  const body = (await response.json()) as { error?: { message: string } };
  if (!response.ok) throw new Error(body.error?.message ?? `The mock answered ${response.status}.`);
  const url = controlUrl.href.replace(/\/_mock\/$/, '');
  return { ...body, servers: [{ url, description: ownSandbox ? `Sandbox ${ownSandbox}` : 'The main world' }] };
}

async function show(): Promise<void> {
  const [spec] = await Promise.all([
    documentOfWorld(),
    load('link', { rel: 'stylesheet', href: './swagger-ui/swagger-ui.css' }),
    load('script', { src: './swagger-ui/swagger-ui-bundle.js' }),
  ]);
  const { SwaggerUIBundle } = window as unknown as { SwaggerUIBundle: SwaggerUi };
  SwaggerUIBundle({
    spec,
    dom_id: '#swagger',
    validatorUrl: null,
    deepLinking: true,
    tryItOutEnabled: true,
    persistAuthorization: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    requestSnippetsEnabled: false,
  });
}

// Swagger UI has a dark look, but leaves it to the page to say when.
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

const world = document.getElementById('world');
if (world) world.textContent = ownSandbox ? `API of the sandbox ~${ownSandbox}` : 'API of the main world';
show().catch((error: unknown) => {
  const place = document.getElementById('swagger');
  if (!place) return;
  const note = document.createElement('p');
  note.setAttribute('role', 'alert');
  note.textContent = `The docs cannot be shown: ${error instanceof Error ? error.message : String(error)}`;
  place.replaceChildren(note);
});
