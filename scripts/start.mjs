/** `npm start`: from a fresh clone to a running Switchboard. Plain Node until the packages are there. */
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ensureBuilt } from './launcher/build.mjs'
import { ensureInstalled } from './launcher/install.mjs'
import { checkNode, confirm, LauncherError, run } from './launcher/terminal.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const FLAGS = {
  '--empty': 'start without demo data (decided at the first start)',
  '--reset': 'delete all data after asking, then start afresh',
  '--yes': 'answer the question of --reset with yes',
  '--reconcile': 'compare stored derived values with what they are made of, and end',
  '--fix': 'with --reconcile: mend what differs',
  '--help': 'show this and all settings',
}

await run(async () => {
  checkNode()
  const flags = process.argv.slice(2)
  const unknown = flags.find((flag) => !(flag in FLAGS))
  if (unknown) throw new LauncherError(`"${unknown}" is unknown; "npm start -- --help" lists what there is.`, 64)
  if (flags.includes('--help')) showUsage()
  else {
    if (flags.includes('--reset') && !flags.includes('--yes')) await askForReset()
    if (!flags.includes('--reconcile')) await checkPort()
  }
  await ensureInstalled(root)
  await ensureBuilt(root)
  process.chdir(root)
  process.env.NODE_ENV ??= 'production'
  // The gateway goes on in this process: it has its own handlers for signals and its own way to say why it cannot start.
  await import(pathToFileURL(join(root, 'dist/gateway/main.js')).href)
})

function showUsage() {
  const lines = Object.entries(FLAGS).map(([flag, meaning]) => `  ${flag.padEnd(11)} ${meaning}`)
  console.log(`npm start [-- flags]\n\nFlags:\n${lines.join('\n')}\n`)
}

async function askForReset() {
  if (process.env.DATABASE_URL) return
  const folder = resolve(root, process.env.DATA_DIR?.trim() || './data')
  if (!existsSync(folder)) return
  if (!process.stdin.isTTY) {
    throw new LauncherError(`--reset would delete all data in ${folder} and cannot ask here; add --yes when that is meant.`, 64)
  }
  if (!(await confirm(`All data in ${folder} (database and files) will be deleted. Continue?`))) {
    throw new LauncherError('Nothing was deleted.', 1)
  }
}

/** Said now rather than after minutes of installing and building. */
async function checkPort() {
  const port = Number(process.env.PORT?.trim() || 4600)
  const host = process.env.HOST?.trim() || '127.0.0.1'
  if (!Number.isInteger(port) || port <= 0 || port > 65535) return
  const error = await new Promise((done) => {
    const probe = createServer().once('error', done)
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => done(undefined)))
  })
  if (error?.code !== 'EADDRINUSE') return
  throw new LauncherError(
    `Switchboard cannot start: port ${port} is taken by another program; stop it, or choose another port with PORT=<number>.`,
    69,
  )
}
