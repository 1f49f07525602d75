// DESIGN.md, part 3: who may import whom. Arrows point one way.
const layer = (name, from, forbidden) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: '\\.test\\.ts$' },
  to: { path: forbidden },
});
module.exports = {
  forbidden: [
    // Types that name each other are no cycle of execution.
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    layer('suite-is-portable', '^contract-tests/', '^src/'),
    layer(
      'spec-is-below-all',
      '^src/spec/',
      '^src/(world|profiles|operations|http|faults|control|dashboard|cli|app|index)',
    ),
    layer('world-is-pure', '^src/world/', '^src/(operations|http|faults|control|dashboard|cli|app|index)'),
    layer('world-knows-no-http', '^src/(world|profiles|operations)/', '^(node:http|node_modules/express)'),
    layer(
      'profiles-are-below-operations',
      '^src/profiles/',
      '^src/(world|operations|http|faults|control|dashboard|cli|app|index)',
    ),
    layer('operations-are-below-http', '^src/operations/', '^src/(http|faults|control|dashboard|cli|app|index)'),
    layer('http-is-below-app', '^src/(http|faults|control)/', '^src/(dashboard|cli|app|index)'),
    // Its router is handed the folder by app; the page knows the control plane's types and nothing else.
    layer('dashboard-talks-over-http', '^src/dashboard/', '^src/(?!dashboard/|control/control-types)'),
    layer('app-is-below-cli', '^src/(app|index)\\.ts$', '^src/cli/'),
    layer(
      'second-implementation-shares-nothing',
      '^contract-tests/second-implementation/',
      '^(src|contract-tests/(?!second-implementation)|spec|fixtures)',
    ),
    {
      name: 'no-dev-dependency',
      severity: 'error',
      from: {
        path: '^(src|contract-tests)/',
        pathNot: '(\\.test\\.ts$|second-implementation|^contract-tests/testing/|^src/(dashboard/page|testing)/)',
      },
      to: { dependencyTypes: ['npm-dev'], pathNot: '@types' },
    },
    { name: 'not-to-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
