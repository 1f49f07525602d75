// The API's docs: Swagger UI with the OpenAPI document of the world that this page belongs to. Its files are served
// beside this page; nothing is loaded from another origin.
import { control, unwrap } from './api/client.ts';
import { controlUrl, currentSandbox } from './api/location.ts';

type SwaggerUi = (options: Readonly<Record<string, unknown>>) => unknown;

/** The document, with this world's base URL as its only server. */
async function worldDocument(): Promise<object> {
  const url = controlUrl.href.replace(/\/_mock\/$/, '');
  const description = currentSandbox ? `Sandbox ${currentSandbox}` : 'The main world';
  return { ...(await unwrap(control.GET('/spec.json'))), servers: [{ url, description }] };
}

async function show(): Promise<void> {
  const spec = await worldDocument();
  const { SwaggerUIBundle } = window as unknown as { SwaggerUIBundle?: SwaggerUi };
  if (!SwaggerUIBundle) throw new Error('Swagger UI is not loaded.');
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

// Swagger UI has a dark theme, but the page has to switch it on.
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const applyTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', applyTheme);
applyTheme();

const world = document.getElementById('world');
if (world) world.textContent = currentSandbox ? `API of the sandbox ~${currentSandbox}` : 'API of the main world';
show().catch((error: unknown) => {
  const note = document.createElement('p');
  note.setAttribute('role', 'alert');
  note.textContent = `The docs cannot be shown: ${error instanceof Error ? error.message : String(error)}`;
  document.getElementById('swagger')?.replaceChildren(note);
});
