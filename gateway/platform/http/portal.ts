import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { pathOf } from './server'

/** What the portal reads from its page at run time, so that one build runs in every environment (R318). */
export interface PortalConfiguration {
  /** test, pre or production; prefixes cookie names in upper case (R177). */
  environment: string
  /** Base address of all calls; empty = the origin of the page. */
  gatewayBaseUrl: string
  /** Host of the event streams; empty = the gateway. */
  streamingHost: string
  /** Address of the mobile site (R194); empty = none. */
  h5Url: string
  /** Modules that open in a new tab (R071): name -> address, empty = not configured. */
  externalModules: Readonly<Record<'IMFS' | 'MONITOR' | 'NWP' | 'BIBOARD', string>>
  /** iframeName -> entry address of the sub-application. */
  microApps: Readonly<Record<string, string>>
  oauth: { authorizeUrl: string; clientId: string }
  /** IANA zone in which days begin and end. */
  companyTimeZone: string
}

const BLOCK = /(<script id="switchboard-configuration" type="application\/json">)[\s\S]*?(<\/script>)/
/** Never pages of the portal, whatever a browser asks for. */
const NOT_PAGES = /^\/(?:v2|auth|docs|assets|health|ready|metrics|dcode)(?:\/|$)/
const YEAR = 31_536_000

/** The page with the configuration in its data block; nothing in a value can close the block. */
export function fillPage(html: string, configuration: PortalConfiguration): string {
  const json = JSON.stringify(configuration).replace(
    /[<>&\u2028\u2029]/g,
    (character) => '\\u' + character.charCodeAt(0).toString(16).padStart(4, '0'),
  )
  if (!BLOCK.test(html))
    throw new Error('index.html has no element #switchboard-configuration of type application/json; build the portal again')
  return html.replace(BLOCK, (_whole, open: string, close: string) => open + json + close)
}

/**
 * Serves the built portal: its assets (for ever cacheable, with compressed copies from the disk), its other files, and
 * its page for every address of the portal. Without a build only the calls are served.
 * Returns the fallback that answers page addresses, for the not-found handler.
 */
export async function servePortal(
  app: FastifyInstance,
  options: { root: string; configuration: PortalConfiguration },
): Promise<boolean> {
  const index = join(options.root, 'index.html')
  if (!existsSync(index)) return false
  const page = fillPage(await readFile(index, 'utf8'), options.configuration)

  await app.register(fastifyStatic, { root: options.root, serve: false, index: false, preCompressed: true, cacheControl: false })
  app.get('/assets/*', { schema: { hide: true }, config: { open: true, quiet: true } }, (request, reply) => {
    reply.header('cache-control', `public, max-age=${YEAR}, immutable`)
    return reply.sendFile(pathOf(request.url).slice(1), { acceptRanges: false, lastModified: false })
  })
  for (const entry of await readdir(options.root, { withFileTypes: true })) {
    if (!entry.isFile() || entry.name === 'index.html' || /\.(?:gz|br)$/.test(entry.name)) continue
    app.get(`/${entry.name}`, { schema: { hide: true }, config: { open: true, quiet: true } }, (_request, reply) => {
      reply.header('cache-control', 'no-cache')
      return reply.sendFile(entry.name)
    })
  }
  app.get('/*', { schema: { hide: true }, config: { open: true } }, (request, reply) => {
    if (!isPage(request)) return reply.callNotFound()
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page)
  })
  return true
}

function isPage(request: FastifyRequest): boolean {
  const path = pathOf(request.url)
  if (NOT_PAGES.test(path)) return false
  if (/\.[a-z0-9]{1,8}$/i.test(path)) return false
  const accept = request.headers.accept
  return accept === undefined || /text\/html|\*\/\*/.test(accept)
}
