import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { runChild } from './children.mjs'
import { LauncherError, step } from './terminal.mjs'

/** What each half of the build is made of. Schemas are not among it: the gateway reads them when it starts. */
const HALVES = {
  portal: {
    inputs: [
      ...[
        'src',
        'public',
        'index.html',
        'vite.config.ts',
        'scripts/antdCss.ts',
        'scripts/portalChunks.ts',
        'scripts/slimVendors.ts',
      ],
      ...['tsconfig.json', 'package.json', 'package-lock.json'],
    ],
    result: 'dist/portal/index.html',
    config: 'vite.config.ts',
    title: 'building the portal',
  },
  gateway: {
    inputs: ['gateway', 'src/schema', 'vite.gateway.config.ts', 'tsconfig.json', 'package.json', 'package-lock.json'],
    result: 'dist/gateway/main.js',
    config: 'vite.gateway.config.ts',
    title: 'building the gateway',
  },
}

/** Renews the generated files where modules came or went: they import what lies in their folders. */
async function ensureGenerated(root) {
  const folders = (parent) => readdirSync(join(root, parent), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const wanted = ['schemas', 'gateway/modules']
    .map((parent) =>
      folders(parent)
        .map(({ name }) => name)
        .sort()
        .join(),
    )
    .join('\n')
  const mark = join(root, 'dist/modules')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return
  await step('generating types and lists', async () => {
    const { code, output } = await runChild(
      process.execPath,
      [join(root, 'node_modules/tsx/dist/cli.mjs'), join(root, 'scripts/generate.ts')],
      { cwd: root, env: process.env },
    )
    if (code !== 0) throw new LauncherError(`What follows from the schemas cannot be generated:\n${output.trim()}`, 70)
  })
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(mark, wanted)
}

/** Builds what is missing or older than its sources, by content. Returns the names of the halves that were built. */
export async function ensureBuilt(root, { force = false } = {}) {
  await ensureGenerated(root)
  const built = []
  for (const [name, half] of Object.entries(HALVES)) {
    const wanted = hashOf(root, half.inputs)
    const mark = join(root, 'dist', `${name}.sources`)
    if (!force && existsSync(join(root, half.result)) && existsSync(mark) && readFileSync(mark, 'utf8') === wanted) continue
    rmSync(mark, { force: true })
    await step(half.title, () => buildHalf(root, name, half))
    mkdirSync(join(root, 'dist'), { recursive: true })
    writeFileSync(mark, wanted)
    built.push(name)
  }
  return built
}

async function buildHalf(root, name, { config }) {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const { code, output } = await runChild(process.execPath, [vite, 'build', '--config', config, '--logLevel', 'warn'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (code !== 0) {
    const what = /ENOSPC/.test(output) ? 'The disk is full: free some space and start again.' : output.trim()
    throw new LauncherError(`The ${name} cannot be built:\n${what}`, 70)
  }
  if (name === 'portal') await compress(join(root, 'dist/portal'))
}

const COMPRESSED = new Set(['.js', '.css', '.svg', '.json', '.html', '.map', '.txt', '.wasm'])
/** What everybody loads before anything is seen: compressed as far as it goes, which takes long. */
const FIRST = /\/(?:start|portal|list|antd)-[^/]*$/
/** Smaller files do not get smaller on the way. */
const WORTHWHILE = 1024

/** Puts a .gz and a .br beside every text asset, so that the gateway sends them without work. */
async function compress(folder) {
  // index.html is filled in by the gateway at every start.
  const files = listFiles(folder).filter(
    (file) => COMPRESSED.has(extname(file)) && !file.endsWith('index.html') && statSync(file).size >= WORTHWHILE,
  )
  const zip = promisify(gzip)
  const brotli = promisify(brotliCompress)
  await Promise.all(
    files.map(async (file) => {
      const content = readFileSync(file)
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: FIRST.test(file) ? 11 : 9,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      }
      const [gz, br] = await Promise.all([zip(content, { level: 9 }), brotli(content, { params })])
      writeFileSync(`${file}.gz`, gz)
      writeFileSync(`${file}.br`, br)
    }),
  )
}

function hashOf(root, inputs) {
  const hash = createHash('sha256')
  for (const input of inputs) {
    const path = join(root, input)
    if (!existsSync(path)) continue
    for (const file of statSync(path).isDirectory() ? listFiles(path) : [path]) {
      hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
    }
  }
  return hash.digest('hex')
}

function listFiles(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((first, second) => (first.name < second.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? listFiles(path) : [path]
    })
}
