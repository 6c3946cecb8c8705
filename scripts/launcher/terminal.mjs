/** What the launcher says at the terminal. Plain Node: a fresh clone has no packages. */

const OLDEST_NODE = [20, 19]

/** A failure that the person at the terminal can understand: one sentence and an exit code. */
export class LauncherError extends Error {
  constructor(message, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [oldest = 0, oldestMinor = 0] = OLDEST_NODE
  if (major > oldest || (major === oldest && minor >= oldestMinor)) return
  throw new LauncherError(
    `Switchboard needs Node ${OLDEST_NODE.join('.')} or newer, this is ${process.versions.node}; install a newer one from https://nodejs.org.`,
    78,
  )
}

/**
 * Does one step; when it takes longer than a second, a line with the running time shows that it is alive. On a terminal
 * the line is rewritten, in a log there is one line at the start of the wait and one at the end.
 */
export async function step(title, work, out = process.stderr) {
  const started = Date.now()
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`
  let shown = false
  const timer = setInterval(() => {
    if (out.isTTY) out.write(`\r\x1b[2K  ${title} ... ${seconds()}`)
    else if (!shown) out.write(`  ${title} ...\n`)
    shown = true
  }, 1000)
  const finish = (word) => {
    clearInterval(timer)
    if (shown) out.write(`${out.isTTY ? '\r\x1b[2K' : ''}  ${title}: ${word} (${seconds()})\n`)
  }
  try {
    const result = await work()
    finish('done')
    return result
  } catch (error) {
    finish('failed')
    throw error
  }
}

/** Asks a question that only "y" or "yes" affirms. */
export async function confirm(question) {
  const { createInterface } = await import('node:readline/promises')
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await reader.question(`${question} [y/N] `)).trim())
  } finally {
    reader.close()
  }
}

/** Runs the command line `main`; a LauncherError becomes its sentence, anything else keeps its stack. */
export async function run(main) {
  try {
    await main()
  } catch (error) {
    if (error instanceof LauncherError) console.error(`\n${error.message}`)
    else console.error(error)
    process.exit(error instanceof LauncherError ? error.exitCode : 1)
  }
}
