/**
 * `npm test`: every check and test, with what they need installed first. `--only unit,e2e` runs some of them; `--full` (`npm run test:full`)
 * walks the whole of what the tests otherwise walk a part of; with `--part` some of these files, which the commit chooses. With `--and-part`
 * every check is run, and these files among them whole.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from './launcher/install.mjs'
import { checkNode, LauncherError, run, step } from './launcher/terminal.mjs'
import { fullFiles, partOfFull, testSteps, walkSeed } from './launcher/testSteps.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Checks that run beside each other on the two cores that we count on. */
const SIDE_BY_SIDE = 2
const OUTPUT_LIMIT = 20_000
/** Ticks of a second in which Linux counts what a program used. */
const TICKS = 100

await run(async () => {
  checkNode()
  const args = process.argv.slice(2)
  const isFull = args.includes('--full')
  const isPart = args.includes('--part') || args.includes('--and-part')
  if (args.includes('--part') && !isFull) throw new LauncherError('--part is of the full run: npm run test:full -- --part', 64)
  const seed = walkSeed(root)
  const whole = isPart ? partOfFull(root, seed) : isFull ? fullFiles(root) : []
  const steps = select(
    testSteps(root, isFull ? null : seed, whole),
    args.filter((one) => !['--full', '--part', '--and-part'].includes(one)),
  )
  if (isPart) console.log(`The part of the full run that ${seed} chooses; npm run test:full runs all of it.`)
  if (isPart) for (const file of whole) console.log(`      ${file}`)
  if (!isFull) console.log(`Walks take the part of ${seed}: WALK_SEED=${seed} walks it again, npm run test:full walks all.`)
  await ensureInstalled(root)
  let passed = 0
  let failed = 0
  const runOne = async (one) => {
    const started = Date.now()
    const outcome = await one.run().catch((error) => ({ passed: 0, failed: 1, output: String(error?.message ?? error) }))
    passed += outcome.passed
    failed += outcome.failed
    console.log(describe(one.name, outcome, Date.now() - started))
    if (outcome.note) console.log(`      ${outcome.note}`)
    for (const line of outcome.slowest ?? []) console.log(`      ${line}`)
    if (outcome.files) console.log(`      seconds of files: ${outcome.files}`)
    for (const line of outcome.again ?? []) console.log(indent(`passed at the second try: ${line}`))
    if (outcome.failed > 0 && outcome.output) console.log(indent(outcome.output))
  }
  for (let next = 0; next < steps.length;) {
    const together = takeTogether(steps.slice(next))
    const names = together.map(({ name }) => name).join(', ')
    await step(names, () => inParallel(together, runOne))
    next += together.length
  }
  const cpu = cpuSeconds()
  if (cpu !== null) console.log(`${cpu} CPU seconds`)
  console.log(`${passed} passed, ${failed} failed`)
  process.exit(failed === 0 ? 0 : 1)
})

/** What this program's children used of the processor, with their own children; null where the system does not tell. */
function cpuSeconds() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return Math.round((Number(fields[13]) + Number(fields[14])) / TICKS)
  } catch {
    return null
  }
}

function select(steps, args) {
  if (args.length === 0) return steps
  const [flag, list] = args[0]?.includes('=') ? args[0].split('=') : args
  if (flag !== '--only' || !list) throw new LauncherError('Usage: npm test [-- --only name,name] [--full [--part]]', 64)
  const names = list.split(',')
  const unknown = names.find((name) => !steps.some((one) => one.name === name))
  if (unknown)
    throw new LauncherError(`There is no step "${unknown}"; there are ${steps.map(({ name }) => name).join(', ')}.`, 64)
  return steps.filter(({ name }) => names.includes(name))
}

/** The first step, with those after it that may run beside it. */
function takeTogether(steps) {
  const end = steps.findIndex(({ alone }) => alone)
  if (end === 0) return steps.slice(0, 1)
  return end < 0 ? steps : steps.slice(0, end)
}

async function inParallel(steps, work) {
  const waiting = [...steps]
  const lane = async () => {
    for (let one = waiting.shift(); one; one = waiting.shift()) await work(one)
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, lane))
}

function describe(name, { passed, failed, skipped }, milliseconds) {
  const time = `${(milliseconds / 1000).toFixed(1)} s`
  if (skipped) return `-     ${name}: ${skipped}`
  const counts = passed + failed === 1 ? '' : `${passed} passed${failed > 0 ? `, ${failed} failed` : ''}, `
  return `${failed > 0 ? 'FAIL ' : 'ok   '} ${name} (${counts}${time})`
}

function indent(output) {
  const text =
    output.length > OUTPUT_LIMIT
      ? `${output.slice(0, OUTPUT_LIMIT)}\n... (${output.length - OUTPUT_LIMIT} more characters)`
      : output
  return text.trim().replace(/^/gm, '      ')
}
