/**
 * `npm run test:days`: the tests that stand on the demo world, on days and at hours that are unlike others. Too long for `npm test`.
 *
 *   --moments monday,leap-day   at some moments only
 *   --files crm/bulk,jobs       files whose path contains one of these
 *   --list                      says what would be run
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ensureInstalled } from './launcher/install.mjs'
import { clockAt, demoFiles, findFaketime, MOMENTS } from './launcher/moments.mjs'
import { checkNode, LauncherError, run, step } from './launcher/terminal.mjs'
import { runVitest } from './launcher/vitest.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const MINUTE = 60_000

await run(async () => {
  checkNode()
  const { moments, files, list } = chosen(process.argv.slice(2))
  if (list) {
    for (const { name, at, zone } of moments) console.log(['moment', name, at, zone ?? ''].join('\t'))
    for (const file of files) console.log(['file', file].join('\t'))
    return
  }
  await ensureInstalled(root)
  const library = await findFaketime()
  let failed = 0
  for (const moment of moments) {
    const runs = moment.toTheMinute ? files.map((file) => [file]) : [files]
    for (const some of runs) failed += await runAt(moment, some, library)
  }
  console.log(failed === 0 ? 'All passed.' : `${failed} failed.`)
  process.exit(failed === 0 ? 0 : 1)
})

/** Runs the files at that moment and says what came of it; answers how many tests failed. */
async function runAt(moment, files, library) {
  const title = `${moment.name} (${moment.at})${files.length === 1 ? ` ${files[0]}` : ''}`
  const started = Date.now()
  const { passed, failed, output, failedFiles } = await step(title, () =>
    runVitest(root, ['--project', 'integration', ...files], { env: clockAt(moment, library), timeout: 90 * MINUTE }),
  )
  const time = `${((Date.now() - started) / 1000).toFixed(0)} s`
  console.log(`${failed > 0 ? 'FAIL' : 'ok  '}  ${title}: ${passed} passed, ${failed} failed, ${time}`)
  for (const file of failedFiles) console.log(`      ${file}`)
  if (failed > 0) console.log(output.trim().replace(/^/gm, '      '))
  return failed
}

function chosen(args) {
  const { values } = readArguments(args)
  const wanted = values.moments?.split(',') ?? MOMENTS.map(({ name }) => name)
  const unknown = wanted.find((name) => !MOMENTS.some((moment) => moment.name === name))
  if (unknown !== undefined)
    throw new LauncherError(`There is no moment "${unknown}"; there are ${MOMENTS.map(({ name }) => name).join(', ')}.`, 64)
  const parts = values.files?.split(',') ?? ['']
  const all = demoFiles(root)
  const strange = parts.find((part) => !all.some((file) => file.includes(part)))
  if (strange !== undefined)
    throw new LauncherError(`No test that stands on the demo world has "${strange}" in its path; --list names them.`, 64)
  return {
    moments: MOMENTS.filter(({ name }) => wanted.includes(name)),
    files: all.filter((file) => parts.some((part) => file.includes(part))),
    list: values.list === true,
  }
}

function readArguments(args) {
  const options = { moments: { type: 'string' }, files: { type: 'string' }, list: { type: 'boolean' } }
  try {
    return parseArgs({ args, options })
  } catch (error) {
    throw new LauncherError(`${error.message} Usage: npm run test:days [-- --moments name,name] [--files part,part] [--list]`, 64)
  }
}
