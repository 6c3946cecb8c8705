import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Begun last, one of them would keep one worker busy long after the other has nothing to do. The first two need different data, which
 * each makes while the other works.
 */
const LONGEST = [
  'modules/crm',
  'modules/mail/brokenServers',
  'pages/designer',
  'pages/fieldProof',
  'pages/upgrade',
  'start',
  'files/largeImport',
  'modules/withoutModule',
  'modules/filesTouched',
  'pages/releaseKill',
  'modules/rowScope',
  'modules/fieldRules',
  'modules/importTemplates',
  'pages/changes',
  'pages/widening',
  'modules/jobs',
  'modules/customerWork',
  'demo/approvals',
  'demo/edges',
  'reconcile',
  'hostileInput',
  'files/downloads',
  'pages/attack',
  'modules/handover',
  'entities/largeTransfer',
  'entities/transfer',
  'instances',
  'gateway/demo/world',
  'schema/proof/exposure',
  'gateway/pages/concerned',
  'schemas/withoutModule',
  'gateway/pages/upgrade',
]

/** The place of a file among the longest; after all of them for the others. */
function placeOf({ moduleId }: TestSpecification): number {
  const name = /(?:integration\/gateway|unit)\/(.+?)(?:\.full)?\.test\.tsx?$/.exec(moduleId)?.[1] ?? ''
  const at = LONGEST.indexOf(name)
  return at < 0 ? LONGEST.length : at
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}

/** Kill loops and large files are of the full run; `npm test` sets the seed of what it walks, and may name some of them. */
const NAMED = (process.env.WALK_WHOLE ?? '').match(/[^/,]+(?=\.full\.test\.)/g) ?? []
const LEFT_OUT = process.env.WALK_SEED ? [`**/!(${['-', ...NAMED].join('|')}).full.test.{ts,tsx}`] : []

/** Young objects are many while pages are compiled and gateways start: a fifth of the time was their collection. */
const execArgv = ['--max-semi-space-size=64']

/** A walk over everything takes minutes, ms. */
const LONGEST_TEST = process.env.WALK_SEED && !process.env.WALK_WHOLE ? 300_000 : 1_800_000

/** Unit tests are pure or run in jsdom; integration tests start real databases and servers, one file at a time. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.{ts,tsx}', 'tests/oracle/{examples,reckon}.test.ts'],
          exclude: LEFT_OUT,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // By itself Vitest keeps one core for what it does beside the tests, which is little.
          maxWorkers: '100%',
          execArgv,
          // Modules are read once a worker, not once a file: a third of the time. No test may leave something behind in them.
          isolate: false,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['tests/integration/**/*.test.ts', 'tests/oracle/play.test.ts'],
          exclude: LEFT_OUT,
          globalSetup: ['tests/integration/support/server.ts'],
          testTimeout: LONGEST_TEST,
          hookTimeout: LONGEST_TEST,
          // A machine that others use too may stall once; a fault of ours fails twice.
          retry: process.env.CI ? 1 : 0,
          maxWorkers: 2,
          execArgv,
          // A gateway keeps all that it knows to itself: its modules are read once a worker, which is a quarter of the time.
          isolate: false,
        },
      },
    ],
  },
})
