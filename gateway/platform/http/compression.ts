import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

const compress = promisify(gzip)
/** Shorter answers fit in a packet or two; compressing them costs more than it saves. */
const MINIMUM = 1400

/**
 * Compresses JSON answers with gzip at its fastest level, off the main thread. Files and streams pass as they are:
 * spreadsheets and images are compressed already, and the portal's assets have their compressed copies on disk.
 */
export function compressJson(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || payload.length < MINIMUM) return payload
    if (reply.getHeader('content-encoding') !== undefined) return payload
    const type = String(reply.getHeader('content-type') ?? '')
    if (!type.startsWith('application/json') && !type.startsWith('text/html')) return payload
    reply.header('vary', [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', '))
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return payload
    const compressed = await compress(payload, { level: constants.Z_BEST_SPEED })
    reply.header('content-encoding', 'gzip')
    reply.header('content-length', compressed.length)
    return compressed
  })
}
