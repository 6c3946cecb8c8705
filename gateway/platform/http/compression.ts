import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const gzipped = promisify(gzip)
const brotlied = promisify(brotliCompress)
/** A third smaller than gzip at its fastest, in a few times its time. */
const KEPT_QUALITY = 6

/** The text at gzip's fastest level, off the main thread. */
const compress = (text: string): Promise<Buffer> => gzipped(text, { level: constants.Z_BEST_SPEED })

/** Whether the caller takes gzip; the answer then depends on it (Vary). */
function takesGzip(request: FastifyRequest, reply: FastifyReply): boolean {
  reply.header('vary', [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', '))
  return /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
}

/** How an answer that is kept goes to many: as brotli where the caller takes it, else as gzip. Null: as it is. */
export function keptEncoding(request: FastifyRequest, reply: FastifyReply): 'br' | 'gzip' | null {
  if (takesGzip(request, reply)) return /\bbr\b/.test(request.headers['accept-encoding'] ?? '') ? 'br' : 'gzip'
  return null
}

/** The text for an answer that is made once and kept, off the main thread. */
export const compressKept = (text: string, encoding: 'br' | 'gzip'): Promise<Buffer> =>
  encoding === 'gzip'
    ? compress(text)
    : brotlied(text, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: KEPT_QUALITY,
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
        },
      })

/** Shorter answers fit in a packet or two; compressing them costs more than it saves. */
const MINIMUM = 1400

/**
 * Compresses JSON answers. Files and streams pass as they are:
 * spreadsheets and images are compressed already, and the portal's assets have their compressed copies on disk.
 */
export function compressJson(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || payload.length < MINIMUM) return payload
    if (reply.getHeader('content-encoding') !== undefined) return payload
    const type = String(reply.getHeader('content-type') ?? '')
    if (!type.startsWith('application/json') && !type.startsWith('text/html')) return payload
    if (!takesGzip(request, reply)) return payload
    const compressed = await compress(payload)
    reply.header('content-encoding', 'gzip')
    reply.header('content-length', compressed.length)
    return compressed
  })
}
