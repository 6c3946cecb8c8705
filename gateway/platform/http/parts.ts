import { createHash } from 'node:crypto'
import { pipeline, Transform, type Readable } from 'node:stream'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { requireUsable } from './plainInput'

declare module 'fastify' {
  interface FastifyRequest {
    /** Digest of the parts of a multipart body, once they were read: names, fields and the bytes of files, whatever the boundary. */
    partsDigest: string | null
  }
}

type Limits = NonNullable<Parameters<FastifyRequest['parts']>[0]>['limits']

/** Reads a multipart body to its end. `take` has to read the stream of each file to its end; the fields are answered. */
export async function readParts(
  request: FastifyRequest,
  limits: Limits,
  take: (stream: Readable, file: MultipartFile) => Promise<void>,
): Promise<Record<string, string>> {
  const digest = createHash('sha256')
  const fields: Record<string, string> = {}
  for await (const part of request.parts(limits && { limits })) {
    if (part.type === 'field') {
      const value = String(part.value)
      requireUsable([part.fieldname, value])
      digest.update(JSON.stringify([part.fieldname, value]))
      fields[part.fieldname] = value
    } else {
      requireUsable([part.fieldname, part.filename])
      const bytes = createHash('sha256')
      await take(watched(part.file, bytes), part)
      digest.update(JSON.stringify([part.fieldname, part.filename, part.mimetype, bytes.digest('hex')]))
    }
  }
  request.partsDigest = digest.digest('base64url')
  return fields
}

/** The same stream, whose bytes go through a digest while somebody reads them. */
function watched(stream: Readable, bytes: ReturnType<typeof createHash>): Readable {
  const watch = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes.update(chunk)
      done(null, chunk)
    },
  })
  // An error of either stream ends the other one; whoever reads hears of it.
  pipeline(stream, watch, () => undefined)
  return watch
}
