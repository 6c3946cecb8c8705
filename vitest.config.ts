import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Begun last, one of them would keep one worker busy long after the other has nothing to do. */
const LONGEST =
  /integration\/gateway\/(files\/(largeImport|downloads)|modules\/(crm|fieldRules|rowScope|withoutModule)|pages\/(designer|releaseKill)|reconcile|start|hostileInput)\.test/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLongest = ({ moduleId }: TestSpecification): boolean => LONGEST.test(moduleId)
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))]
  }
}

/** Walks over everything, kill loops and large files are of the full run; `npm test` sets the seed of what it walks. */
const LEFT_OUT = process.env.WALK_SEED ? ['**/*.full.test.{ts,tsx}'] : []

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
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // A machine that others use too may stall once; a fault of ours fails twice.
          retry: process.env.CI ? 1 : 0,
          maxWorkers: 2,
          // A gateway keeps all that it knows to itself: its modules are read once a worker, which is a quarter of the time.
          isolate: false,
        },
      },
    ],
  },
})
