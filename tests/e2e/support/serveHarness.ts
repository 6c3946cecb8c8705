import { createReadStream, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { copyData } from '../../support/preparedData'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

/** Builds the page like the portal is built. */
async function buildHarness(name: string, outDir: string): Promise<void> {
  await build({
    configFile: false,
    root: join(import.meta.dirname, name),
    logLevel: 'error',
    publicDir: false,
    plugins: [react()],
    build: { outDir, emptyOutDir: true, target: 'es2022', minify: false },
  })
}

/**
 * Builds a page of its own (tests/e2e/support/<name>) once for all workers and serves it under the portal's
 * Content-Security-Policy, so that what needs eval fails here as well. Answers the address and the way to stop it.
 */
export const serveHarness = async (name: string): Promise<{ address: string; stop(): Promise<void> }> => {
  const outDir = mkdtempSync(join(tmpdir(), 'switchboard-harness-'))
  await copyData(name, outDir, (to) => buildHarness(name, to))
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname)
    const asked = join(outDir, path)
    const file = asked.startsWith(outDir) && existsSync(asked) && statSync(asked).isFile() ? asked : join(outDir, 'index.html')
    if (file.includes('/assets/')) response.setHeader('cache-control', 'public, max-age=3600, immutable')
    response.setHeader('content-type', `${TYPES[extname(file)] ?? 'application/octet-stream'}; charset=utf-8`)
    response.setHeader(
      'content-security-policy',
      "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'",
    )
    createReadStream(file).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://localhost:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(outDir, { recursive: true, force: true })
    },
  }
}
