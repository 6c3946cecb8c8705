import { createHash, type Hash } from 'node:crypto'
import { pipeline, Transform, type Readable } from 'node:stream'
import type { Multipart, MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { requireUsable } from './plainInput'
import { ServiceError } from './serviceError'

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
  for await (const part of partsOf(request, limits)) {
    if (part.type === 'field') {
      const value = String(part.value)
      requireUsable([part.fieldname, value])
      digest.update(JSON.stringify([part.fieldname, value]))
      fields[part.fieldname] = value
    } else {
      requireUsable([part.fieldname, part.filename])
      const bytes = createHash('sha256')
      await take(watched(part.file, bytes), part).catch(tellMalformed)
      digest.update(JSON.stringify([part.fieldname, part.filename, part.mimetype, bytes.digest('hex')]))
    }
  }
  request.partsDigest = digest.digest('base64url')
  return fields
}

/** The parts as they come; what the parser cannot read is the sender's fault. */
async function* partsOf(request: FastifyRequest, limits: Limits): AsyncGenerator<Multipart> {
  try {
    const parts = request.parts(limits && { limits })
    for (;;) {
      const next = await parts.next()
      if (next.done) return
      yield next.value
    }
  } catch (error) {
    tellMalformed(error)
  }
}

/** The same stream, whose bytes go through a digest while somebody reads them. */
function watched(stream: Readable, bytes: Hash): Readable {
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

/** The parser's own errors have no code, and a file may just end; those of the framework, the disk and of ours speak for themselves. */
function tellMalformed(error: unknown): never {
  if (!(error instanceof Error) || ('code' in error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE')) throw error
  throw new ServiceError('badRequest', {
    message: { zh: '请求内容不是完整的 multipart 数据。', en: 'The body of the request is not complete multipart data.' },
    data: { errors: [{ message: 'multipart' }] },
    cause: error,
  })
}
