/** Who may import whom: docs/architecture.md, "The house". */
module.exports = {
  forbidden: [
    { name: 'no-circular', comment: 'nor by a lazy import or by a type', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'schema-is-pure',
      comment: 'the language knows no React, DOM, network or any of our other layers',
      severity: 'error',
      from: { path: '^src/schema' },
      to: {
        path: [
          '^src/(headless|runtime|widgets|shell)',
          '^gateway',
          'node_modules/(react|react-dom|antd|axios|fastify|pg|drizzle-orm|@formily/(react|antd-v5))/',
        ],
      },
    },
    {
      name: 'headless-knows-the-schema-only',
      comment: 'forms, lists and reports without what draws them: browser and gateway share it',
      severity: 'error',
      from: { path: '^src/headless' },
      to: {
        path: [
          '^src/(runtime|widgets|shell)',
          '^gateway',
          'node_modules/(react|react-dom|antd|axios|fastify|pg|drizzle-orm|@formily/(react|antd-v5))/',
        ],
      },
    },
    {
      name: 'runtime-reaches-the-world-through-Host',
      severity: 'error',
      from: { path: '^src/runtime' },
      to: { path: ['^src/(widgets|shell)', '^gateway', 'node_modules/axios/'] },
    },
    {
      name: 'widgets-import-runtime-and-schema-only',
      severity: 'error',
      from: { path: '^src/widgets' },
      to: { path: ['^src/shell', '^gateway', 'node_modules/axios/'] },
    },
    {
      name: 'a-widget-never-imports-another-widget',
      severity: 'error',
      from: { path: '^src/widgets/([^/]+)/' },
      to: { path: '^src/widgets/([^/]+)/', pathNot: '^src/widgets/$1/' },
    },
    { name: 'shell-does-not-know-the-gateway', severity: 'error', from: { path: '^src' }, to: { path: '^gateway' } },
    {
      name: 'gateway-shares-only-what-knows-no-React',
      comment: 'a form is tried before it is released, and a report is a file, too',
      severity: 'error',
      from: { path: '^gateway' },
      to: {
        path: '^src/(runtime|widgets|shell|main)',
      },
    },
    {
      name: 'gateway-capabilities-through-their-index',
      severity: 'error',
      from: { path: '^gateway/([^/]+)/' },
      to: {
        path: '^gateway/([^/]+)/.+',
        pathNot: [
          '^gateway/$1/',
          '^gateway/[^/]+/index\\.ts$',
          '^gateway/platform/[^/]+/index\\.ts$',
          '^gateway/modules/[^/]+/index\\.ts$',
        ],
      },
    },
    { name: 'not-to-test', severity: 'error', from: { pathNot: '^(tests|bench)' }, to: { path: '^tests' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
}
