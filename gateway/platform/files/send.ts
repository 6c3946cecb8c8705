import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { mayShowInline } from './inspect'

/** `attachment; filename="..."; filename*=UTF-8''...` for any name. */
export function contentDisposition(kind: 'attachment' | 'inline', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => '%' + character.charCodeAt(0).toString(16).toUpperCase(),
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** Sends a stored file: never sniffed, never run; shown in place only when asked for and harmless. */
export function sendFile(
  reply: FastifyReply,
  stream: Readable,
  file: { name: string; size: number | null; mimeType: string },
  inline: boolean,
): FastifyReply {
  const shown = inline && mayShowInline(file.mimeType)
  const type = file.mimeType.startsWith('text/') ? `${file.mimeType}; charset=utf-8` : file.mimeType
  reply
    .header('content-disposition', contentDisposition(shown ? 'inline' : 'attachment', file.name))
    .header('cache-control', 'private, no-store')
    .header('x-content-type-options', 'nosniff')
    // A browser's own PDF viewer does not work inside a sandbox.
    .header(
      'content-security-policy',
      `default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; object-src 'self'${file.mimeType === 'application/pdf' ? '' : '; sandbox'}`,
    )
    .type(shown || !file.mimeType.startsWith('text/') ? type : 'application/octet-stream')
  if (file.size !== null) reply.header('content-length', file.size)
  return reply.send(stream)
}
