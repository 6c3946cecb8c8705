import { createHash } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { ensureChineseFont, findChromium } from './chromium.mjs'
import { ensureMailServer } from './mailServer.mjs'
import { runChild } from './children.mjs'
import { environment, longest, longestFiles, runVitest, withReport } from './vitest.mjs'

const MINUTE = 60_000

/**
 * What a step of `npm test` found. `output` is shown when something failed; `slowest` names the tests that took longest, `again`
 * those that passed only when they were tried again, each with what failed first; `note` is what the machine lacks.
 * `files` says the seconds of the longest files.
 * @typedef {{ passed: number, failed: number, output?: string, skipped?: string, slowest?: string[], files?: string, again?: string[], note?: string }} Outcome
 * @typedef {{ name: string, alone: boolean, run: () => Promise<Outcome> }} TestStep
 */

/**
 * The steps of `npm test` in order. Steps that are not `alone` may run beside another one. Walks over everything take the part that belongs to the
 * seed, and files that only the full run has are left out; without a seed (`npm run test:full`) these are run, and the walks are whole.
 * @param {string} root
 * @param {string | null} seed
 * @param {readonly string[]} whole files of the full run, from the root: beside a seed they are run too, whole; without one only they are
 * @returns {TestStep[]}
 */
export function testSteps(root, seed, whole) {
  const bin = (path, ...args) => [process.execPath, [join(root, 'node_modules', path), ...args]]
  const tsx = (file, ...args) => bin('tsx/dist/cli.mjs', file, ...args)
  const has = (file) => existsSync(join(root, file))
  const walks = { WALK_SEED: seed ?? '', WALK_WHOLE: seed === null ? '' : whole.join(',') }
  let building
  const built = () => (building ??= ensureBuilt(root))
  /** `npm test` runs every file that the runner finds, the full run those that it names. */
  const of = async (folder, run) => {
    if (seed !== null) return run([])
    const chosen = whole.filter((name) => name.startsWith(folder))
    return chosen.length > 0 ? run(chosen) : { passed: 0, failed: 0, skipped: 'no file of this part' }
  }
  const tests = [
    { name: 'unit', alone: true, run: () => of('tests/unit', (chosen) => vitest('unit', chosen)) },
    { name: 'integration', alone: true, run: () => of('tests/integration', (chosen) => vitest('integration', chosen)) },
    { name: 'e2e', alone: true, run: () => of('tests/e2e', browser) },
  ]
  if (seed === null) return tests
  return [
    check('generate', tsx('scripts/generate.ts', '--check'), has('scripts/generate.ts')),
    check('types', bin('typescript/bin/tsc', '-p', '.', '--noEmit')),
    check('lint', bin('eslint/bin/eslint.js', '.', '--max-warnings', '0')),
    { name: 'build', alone: false, run: build },
    check('layers', bin('dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.cjs', 'src', 'gateway')),
    check('unused', bin('knip/bin/knip.js', '--no-progress')),
    check('schemas', tsx('scripts/check-schemas.ts'), has('scripts/check-schemas.ts')),
    check('budgets', [process.execPath, ['scripts/check-budgets.mjs']], has('scripts/check-budgets.mjs'), built),
    ...tests,
  ]

  /** A check that counts as one: it passes when the program ends with 0. `before` is what it looks at. */
  function check(name, [command, args], present = true, before = async () => undefined) {
    return {
      name,
      alone: false,
      async run() {
        if (!present) return { passed: 0, failed: 0, skipped: 'not there' }
        await before()
        const { code, output } = await runChild(command, args, { cwd: root, env: environment(), timeout: 10 * MINUTE })
        return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, output }
      },
    }
  }

  async function build() {
    try {
      await built()
      return { passed: 1, failed: 0 }
    } catch (error) {
      return { passed: 0, failed: 1, output: error instanceof Error ? error.message : String(error) }
    }
  }

  async function vitest(project, files = []) {
    const note = project === 'integration' ? await ensureMailServer() : undefined
    const outcome = await runVitest(root, ['--project', project, ...files], {
      timeout: 55 * MINUTE,
      env: walks,
    })
    return note === undefined ? outcome : { ...outcome, note }
  }

  async function browser(files) {
    if (!has('playwright.config.ts')) return { passed: 0, failed: 0, skipped: 'no playwright.config.ts' }
    await built()
    const chromium = await findChromium(root)
    const note = await ensureChineseFont()
    return withReport(async (report) => {
      const [command, args] = bin('@playwright/test/cli.js', 'test', '--reporter=json', ...files)
      const env = {
        ...environment(),
        ...walks,
        PLAYWRIGHT_JSON_OUTPUT_NAME: report,
        CHROMIUM_PATH: chromium,
        CI: '1',
      }
      const { code, output } = await runChild(command, args, { cwd: root, env, timeout: 60 * MINUTE })
      if (!existsSync(report)) return { passed: 0, failed: 1, output }
      const { stats, suites, errors } = JSON.parse(readFileSync(report, 'utf8'))
      const failed = stats.unexpected + errors.length
      const told = [...errors.map(({ message }) => message), ...suites.flatMap((suite) => failedSpecs(suite, []))].join('\n\n')
      const slowest = longest(suites.flatMap((suite) => durations(suite)))
      const again = suites.flatMap((suite) => triedAgain(suite))
      const times = longestFiles(fileTimes(suites))
      return {
        passed: stats.expected + stats.flaky,
        failed: failed || (code === 0 ? 0 : 1),
        output: told || output,
        slowest,
        files: times,
        again,
        note,
      }
    })
  }
}

/** Seconds that the files of the full run take on two cores, those that take longer than others. */
const SECONDS = {
  'e2e/story/routes.spec.ts': 1500,
  'e2e/story/week.spec.ts': 1200,
  'e2e/story/emptyCompany.full.spec.ts': 540,
  'e2e/story/accessibilityAround.spec.ts': 400,
  'e2e/story/accessibility.spec.ts': 250,
  'e2e/story/newField.full.spec.ts': 180,
  'e2e/formily.spec.ts': 180,
  'e2e/admin/fields.spec.ts': 240,
  'e2e/admin/forms.spec.ts': 250,
  'e2e/admin/lists.spec.ts': 220,
  'e2e/admin/people.spec.ts': 190,
  'e2e/admin/releases.spec.ts': 150,
  'integration/gateway/pages/fieldProof.test.ts': 210,
  'integration/gateway/modules/rowScope.test.ts': 130,
  'integration/gateway/modules/fieldRules.test.ts': 130,
  'integration/gateway/start.full.test.ts': 120,
  'integration/gateway/modules/withoutModule.full.test.ts': 110,
  'integration/gateway/modules/mail/brokenServers.full.test.ts': 110,
}
/** Of the others. */
const ABOUT = 60
/** Seconds of tests that a part of the full run takes, unless a single file takes more. */
const PART = 600

/** Files of the full run that a seed chooses, from the root: in its order, as many as fit; the first one always does. */
export function partOfFull(root, seed) {
  const rank = (name) => createHash('sha256').update(`${seed}/${name}`).digest('hex')
  let left = PART
  return fullFiles(root)
    .toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1))
    .filter((name, at) => {
      const seconds = SECONDS[name.replace(/^tests\//, '')] ?? ABOUT
      if (at > 0 && seconds > left) return false
      left -= seconds
      return true
    })
}

/** Support whose tests walk over everything. */
const WALKS = /support\/(?:walkPart|everydayChange)'/

/** The test files that only the full run has (`*.full.test.ts`), or that walk over everything, from the root. */
export function fullFiles(root) {
  const files = readdirSync(join(root, 'tests'), { recursive: true }).map((name) => join('tests', name).replaceAll('\\', '/'))
  return files.filter(
    (name) =>
      /\.(?:test|spec)\.tsx?$/.test(name) &&
      (/\.full\.\w+\.tsx?$/.test(name) || WALKS.test(readFileSync(join(root, name), 'utf8'))),
  )
}

/** What chooses the part of the walks: the commit, or what WALK_SEED says; the day where there is no git. */
export function walkSeed(root) {
  if (process.env.WALK_SEED) return process.env.WALK_SEED
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : new Date().toISOString().slice(0, 10)
}

/** Names and messages of the specs of a Playwright suite that failed. */
function failedSpecs({ title, suites = [], specs = [] }, above) {
  const path = [...above, title]
  const own = specs
    .filter(({ ok }) => !ok)
    .map((spec) => {
      const errors = spec.tests.flatMap(({ results }) => results.flatMap((result) => result.errors.map(({ message }) => message)))
      return `${[...path, spec.title].join(' > ')}\n${errors.join('\n')}`
    })
  return [...own, ...suites.flatMap((suite) => failedSpecs(suite, path))]
}

/** Every spec of a Playwright suite with the time of all its tries, ms. */
function durations({ suites = [], specs = [], file }) {
  const own = specs.map(({ title, tests }) => ({
    name: `${file}: ${title}`,
    duration: tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0),
  }))
  return [...own, ...suites.flatMap((suite) => durations({ ...suite, file }))]
}

/** The files of Playwright's suites with the time of their tests, ms. */
function fileTimes(suites) {
  const times = new Map()
  for (const suite of suites)
    for (const { name, duration } of durations(suite)) {
      const file = name.slice(0, name.indexOf(': '))
      times.set(file, (times.get(file) ?? 0) + duration)
    }
  return [...times].map(([name, duration]) => ({ name, duration }))
}

/** The specs of a Playwright suite that passed at the second try, with the first lines of what failed. */
function triedAgain({ suites = [], specs = [], file }) {
  const own = specs
    .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
    .map(({ title, tests }) => {
      const message = tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors.map((error) => error.message)))[0]
      return `${file}: ${title}\n${(message ?? '').split('\n').slice(0, 12).join('\n')}`
    })
  return [...own, ...suites.flatMap((suite) => triedAgain({ ...suite, file }))]
}
