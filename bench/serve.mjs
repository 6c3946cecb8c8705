/**
 * `npm run bench:serve`: builds the bench pages when sources changed and serves them on PORT (4700). Needs no gateway.
 * The Content-Security-Policy is as strict as the portal's, so that what is measured is what may run.
 */
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const out = join(root, 'dist/bench')
const SOURCES = ['src', 'bench', 'tests/support', 'package-lock.json', 'vite.bench.config.ts', 'scripts/antdCss.ts']
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
}
const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; object-src 'none'"

/** Time of the newest file at a path. */
const newest = (path) => {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return 0
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}

export const ensureBuilt = async () => {
  const built = newest(join(out, 'index.html'))
  if (built > Math.max(...SOURCES.map((source) => newest(join(root, source))))) return false
  await build({ configFile: join(root, 'vite.bench.config.ts'), logLevel: 'error' })
  return true
}

/** Serves dist/bench; an address without a file is a page. Resolves with the server. */
export const serve = (port) => {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname))
    const asked = join(out, path)
    const isFile = asked.startsWith(out) && existsSync(asked) && statSync(asked).isFile()
    const file = isFile ? asked : join(out, 'index.html')
    response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream')
    response.setHeader('content-security-policy', POLICY)
    response.setHeader(
      'cache-control',
      isFile && path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    )
    createReadStream(file).pipe(response)
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, () => resolve(server))
  })
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const port = Number(process.env.PORT ?? 4700)
  if (await ensureBuilt()) console.log('Built the bench pages.')
  try {
    await serve(port)
    console.log(`Bench pages: http://localhost:${port}/bench/w1 (also w2?size=50, w3 and /bench/antd/...)`)
  } catch (error) {
    console.error(
      error.code === 'EADDRINUSE' ? `Port ${port} is taken. Choose another one: PORT=4710 npm run bench:serve` : error.message,
    )
    process.exitCode = 1
  }
}
