import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { runChild } from './children.mjs'

/** Tests that take longer are named when they are among the slowest of a step, ms. */
const SLOW = 5_000
/** Files that take longer are named with their seconds, ms. */
const NAMED = 1_000

/**
 * Runs Vitest with these arguments and reads its report; `env` is added to the environment of the tests, `timeout` is in milliseconds.
 * @returns {Promise<import('./testSteps.mjs').Outcome & { failedFiles: string[] }>} `failedFiles` from the root of the project
 */
export function runVitest(root, args, { env = {}, timeout }) {
  return withReport(async (report) => {
    const all = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...args, '--reporter=json', `--outputFile=${report}`]
    const { code, output } = await runChild(process.execPath, all, { cwd: root, env: { ...environment(), ...env }, timeout })
    if (!existsSync(report)) return { passed: 0, failed: 1, output, failedFiles: [] }
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
    const tests = testResults.flatMap(({ name, assertionResults }) => assertionResults.map((test) => ({ ...test, file: name })))
    const broken = testResults.filter(
      ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
    )
    const failures = tests.filter(({ status }) => status === 'failed')
    const failed = failures.length + broken.length
    const told = [
      ...broken.map(({ name, message }) => `${name}\n${message}`),
      ...failures.map(({ file, fullName, failureMessages }) => `${file}\n  ${fullName}\n${failureMessages.join('\n')}`),
    ]
    // Vitest also fails for errors outside of tests; they are in its output only.
    const outside = code !== 0 && failed === 0 ? 1 : 0
    const passed = tests.filter(({ status }) => status === 'passed').length
    const slowest = longest(tests.map(({ fullName, duration = 0 }) => ({ name: fullName, duration })))
    const files = longestFiles(
      testResults.map(({ name, startTime, endTime }) => ({ name: relative(root, name), duration: endTime - startTime })),
    )
    const failedFiles = testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(root, name))
    return {
      passed,
      failed: failed + outside,
      output: [...told, outside ? output : ''].join('\n\n'),
      slowest,
      files,
      failedFiles,
    }
  })
}

/** The tests that take the most of a run, where it is worth to look for time. */
export function longest(tests) {
  const slow = tests.filter(({ duration }) => duration >= SLOW).sort((a, b) => b.duration - a.duration)
  return slow.slice(0, 5).map(({ name, duration }) => `${(duration / 1000).toFixed(1)} s ${name}`)
}

/** The files of a run with their seconds, the longest first, in one line. */
export function longestFiles(files) {
  return files
    .filter(({ duration }) => duration >= NAMED)
    .sort((a, b) => b.duration - a.duration)
    .map(({ name, duration }) => `${basename(name).replace(/\.(?:test|spec)\.tsx?$/, '')} ${Math.round(duration / 1000)}`)
    .join(', ')
}

/** Does the work with a path for a report, which is gone afterwards. */
export async function withReport(work) {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-report-'))
  try {
    return await work(join(folder, 'report.json'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Tests choose their own database and port, whatever the operator's shell says. */
export function environment() {
  const env = { ...process.env, NO_COLOR: '1' }
  for (const name of ['DATABASE_URL', 'DATABASE_ENGINE', 'DATA_DIR', 'PORT', 'HOST', 'NODE_ENV', 'FORCE_COLOR']) delete env[name]
  return env
}
