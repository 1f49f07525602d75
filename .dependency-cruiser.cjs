// Who may import whom (docs/ARCHITECTURE.md). Arrows point one way.
const layer = (name, from, forbidden) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: '\\.test\\.ts$' },
  to: { path: forbidden },
});
/** A room of the suite imports itself, these rooms and files of the suite, and packages. */
const room = (name, allowed) =>
  layer(`suite-room-${name}`, `^contract-tests/${name}/`, `^contract-tests/(?!${name}/|(${allowed}))`);

module.exports = {
  forbidden: [
    // Imports of types count, too.
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    layer('suite-is-portable', '^contract-tests/', '^src/'),
    // The suite's rooms: what the document says and values, pure, below all; log <- rules, readers; wire <- session <- run.
    room('values', 'model'),
    room('api', 'values/|model|spec-data'),
    room('secrets', 'api/|values/|model|spec-data'),
    room('log', 'api/|values/|model|errors'),
    room('rules', 'log/|api/|values/|model'),
    room('readers', 'log/|plan/|api/|values/|model|spec-data'),
    room('plan', 'api/|values/|model|errors|spec-data'),
    room('own', 'plan/|rules/|files/|log/|values/|model|errors|spec-data'),
    room('files', 'values/|errors|spec-data'),
    room('wire', 'api/operations|values/|model|errors'),
    room('session', 'log/|secrets/|wire/|plan/|api/|values/|files/|model|errors|spec-data'),
    room(
      'run',
      'plan/|rules/|readers/|log/|session/|secrets/|wire/|api/|values/|report/text|commands/interruption|model|errors|spec-data',
    ),
    room('har', 'run/|readers/|log/|session/|secrets/|wire/|api/|values/|report/text|commands/|model|errors|spec-data'),
    room(
      'replay',
      'har/|commands/|run/|readers/|rules/|log/|session/|secrets/|wire/|api/|values/|report/(text|verdict)|model|errors|spec-data',
    ),
    room('report', 'model|values/'),
    room('compare', 'report/|session/gap-answers|api/operations|values/|model|errors|spec-data'),
    // What reports say, and what rules judge, depends on what they are given alone.
    layer(
      'reports-and-rules-are-pure',
      '^contract-tests/(report|rules|log|values)/',
      '^(node:)?(fs|http|https|net|child_process|timers)|node_modules/(?!picocolors)',
    ),
    // The core runs anywhere: no Node, no Express, no files.
    layer('core-is-below-all', '^src/core/', '^src/(?!core/)'),
    {
      name: 'core-is-portable',
      severity: 'error',
      from: { path: '^src/(core|control|mock\\.ts|doors/(?!vite))', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    layer(
      'core-needs-no-server',
      '^src/(core|control|mock\\.ts|doors/(?!vite))',
      '^(src/server|node_modules/(express|express-openapi-validator|jsonwebtoken|cors|pino|yaml))/',
    ),
    layer('control-is-on-the-core', '^src/control/', '^src/(?!core/|control/)'),
    layer('server-is-below-cli', '^src/server/', '^src/(cli|score|vary|generate|index|doors)'),
    layer('doors-are-below-cli', '^src/doors/', '^src/(cli|score|vary|generate)'),
    // Its router is handed the folder by the app; the page knows JSON, the control plane's types and presets, and its client.
    layer(
      'dashboard-talks-over-http',
      '^src/dashboard/',
      '^src/(?!dashboard/|core/spec/(control-types|json)|control/fault-presets|doors/(control-client|calls/events))',
    ),
    layer('index-is-below-cli', '^src/(index|mock)\\.ts$', '^src/(cli|score|vary|generate)'),
    // The servers that the suite is measured at know nothing of ours, and only tests start them.
    layer('servers-share-nothing', '^fixtures/servers/', '^(src|contract-tests|bench)/'),
    layer('servers-are-for-tests', '^(src|contract-tests)/(?!testing/|examples/)', '^fixtures/servers/'),
    {
      name: 'no-dev-dependency',
      severity: 'error',
      from: {
        path: '^(src|contract-tests)/',
        pathNot: '(\\.test\\.ts$|^contract-tests/testing/|^src/(dashboard/page|testing|examples|generate)/)',
      },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm-peer'], pathNot: '@types' },
    },
    // The packages of the generated clients may not be installed; the first file that runs reads package.json from dist/.
    {
      name: 'not-to-unresolvable',
      severity: 'error',
      from: { pathNot: '^src/examples/clients/calls/|^src/cli/start.cts$' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // The examples import this package by its name.
    doNotFollow: { path: 'node_modules|^dist/' },
    exclude: { path: '^src/examples/(clients/generated|frameworks/[^/]+)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
