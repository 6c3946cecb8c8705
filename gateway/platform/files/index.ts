import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../database'
import { ServiceError, contextOf, ok, readParts } from '../http'
import type { RequestContext } from '../http'
import type { SessionService } from '../session'
import { inspectFile, safeName } from './inspect'
import { insertFileRow, insertHungFile, readFileRow } from './records'
import type { FileAnswer, StoredFile } from './records'
import { SegmentedUploads, tooLarge } from './segments'
import type { SegmentInput } from './segments'
import { sendFile } from './send'
import { refuseOther, registerStaffUpload, type GivenUpload } from './staffUpload'
import { Spool } from './spool'
import type { SpooledFile } from './spool'
import { newKey } from './store'
import type { FileStore } from './store'

export { HashedBytes } from './hashed'
export { followRecord, hangFiles, releaseFiles } from './records'
export { contentDisposition, sendFile } from './send'
export { Spool } from './spool'
export type { SpooledFile } from './spool'
export { createFileStore, newKey } from './store'
export type { FileStore, FileStoreOptions } from './store'
export { fileTables } from './tables'
export type { FileAnswer, StoredFile } from './records'

export interface FileOptions {
  database: Database
  sessions: SessionService
  store: FileStore
  /** The data folder: what is coming in lies there first. */
  folder: string
  /** Bytes of one file. */
  limit: number
  /** Further addresses of the upload, where the specification names them. */
  uploads?: readonly string[]
  /** Whether the caller may read a record that a file hangs on. */
  mayReadRecord: (context: RequestContext, entity: string, recordId: string) => Promise<boolean>
  now: () => Date
}

export interface FileService {
  /** Takes the one file of a multipart body, at most so large, as an upload of the caller. @throws ServiceError 10010012 for what is not taken */
  take(request: FastifyRequest, limit: number): Promise<FileAnswer>
  /** Keeps bytes that the gateway has already as an upload of the caller. @throws ServiceError 10010012 for what is not taken */
  keep(context: RequestContext, name: string, bytes: Buffer): Promise<FileAnswer>
  /** A file that the caller uploaded, or that hangs on a record he may read. @throws ServiceError 10010004 */
  read(context: RequestContext, id: string): Promise<{ file: StoredFile; content: Readable }>
  /** Keeps bytes that the gateway made for a record, under an id that tells them apart: what has it stays as it is. */
  hang(made: { id: string; name: string; entity: string; recordId: string; bytes: Buffer; by: string }): Promise<void>
  /** The bytes that were kept so; undefined where there are none. */
  hung(id: string): Promise<Readable | undefined>
  /** Removes uploads that hang nowhere after a day, with their bytes. */
  sweep(): Promise<void>
}

const BASE = '/v2/download/downloadCenter/api'
const TICKET_SECONDS = 60
const ORPHAN_SECONDS = 24 * 3600
const SHAPES: Readonly<Record<string, RegExp>> = {
  uploadId: /^[A-Za-z0-9_-]{8,64}$/,
  index: /^\d{1,5}$/,
  total: /^[1-9]\d{0,4}$/,
  name: /^[\s\S]{1,255}$/,
  size: /^[1-9]\d{0,12}$/,
  sha256: /^(?:[0-9a-fA-F]{64})?$/,
  fileSha256: /^(?:[0-9a-fA-F]{64})?$/,
}

/** Upload, segmented upload, download and tickets (R336, R267-R269). */
export function registerFiles(app: FastifyInstance, options: FileOptions): FileService {
  const { database, store, sessions, limit, now } = options
  const spool = new Spool(options.folder)

  const accept = async (file: SpooledFile, givenName: string, context: RequestContext, id?: string): Promise<FileAnswer> => {
    const name = safeName(givenName)
    const mimeType = await inspectFile(file.path, name)
    const storageKey = newKey('file')
    await store.put(storageKey, file.path)
    try {
      return await insertFileRow(database, {
        name,
        size: file.size,
        mimeType,
        sha256: file.sha256,
        storageKey,
        staffId: context.user.staffId || null,
        now: now(),
        ...(id === undefined ? {} : { id }),
      })
    } catch (error) {
      await store.remove(storageKey)
      throw error
    }
  }
  const answerFor = async (id: string): Promise<FileAnswer | undefined> => {
    const row = await readFileRow(database, id)
    return row && { id: row.id, name: row.name, size: Number(row.size), type: row.mimeType }
  }
  const requireFile = async (id: string, context: RequestContext): Promise<StoredFile> => {
    const file = await readFileRow(database, id)
    const own = file !== undefined && file.createdBy !== null && file.createdBy === context.user.staffId
    const hangs = file?.entity && file.recordId ? await options.mayReadRecord(context, file.entity, file.recordId) : false
    if (!file || (!own && !hangs))
      throw new ServiceError('notFound', {
        message: { zh: '文件不存在，或您无权查看。', en: 'This file does not exist, or you may not see it.' },
      })
    return file
  }
  const segments = new SegmentedUploads({ database, store, spool, limit, accept, answerFor })

  const take = async (request: FastifyRequest, most: number, given?: GivenUpload): Promise<FileAnswer> => {
    const context = contextOf(request)
    requireRoom(request, most)
    const { file, name } = await receive(request, spool, most)
    try {
      if (file.tooLarge) throw tooLarge(most)
      if (given) refuseOther(given, file, name)
      return await accept(file, name, context, given?.fileId)
    } finally {
      await spool.discard(file)
    }
  }

  for (const address of [`${BASE}/upload`, ...(options.uploads ?? [])])
    app.post(
      address,
      { schema: { summary: 'Uploads a file (multipart `file`)', consumes: ['multipart/form-data'] } },
      async (request) => ok(await take(request, limit)),
    )

  app.post(
    `${BASE}/segmentUpload`,
    { schema: { summary: 'One segment of a large file', consumes: ['multipart/form-data'] } },
    async (request) => {
      const context = contextOf(request)
      requireRoom(request, limit)
      const { file, fields } = await receive(request, spool, limit)
      try {
        return ok(await segments.take(context, segmentInput(fields), file))
      } finally {
        await spool.discard(file)
      }
    },
  )

  const uploadParameter = {
    type: 'object',
    required: ['uploadId'],
    properties: { uploadId: { type: 'string', pattern: '^[A-Za-z0-9_-]{8,64}$' } },
  } as const
  app.get(
    `${BASE}/segmentUpload/:uploadId`,
    { schema: { summary: 'Segments that came in, to go on', params: uploadParameter } },
    async (request) => {
      const { uploadId } = request.params as { uploadId: string }
      return ok(await segments.received(contextOf(request).user.staffId, uploadId))
    },
  )

  registerDownload(app)
  registerStaffUpload(app, { signer: sessions.signer, take: (request, given) => take(request, limit, given), limit })

  const keep = async (context: RequestContext, name: string, bytes: Buffer): Promise<FileAnswer> => {
    const file = await spool.receive(Readable.from([bytes]), limit)
    try {
      if (file.tooLarge) throw tooLarge(limit)
      return await accept(file, name, context)
    } finally {
      await spool.discard(file)
    }
  }

  return {
    take,
    keep,
    read: async (context, id) => {
      const file = await requireFile(id, context)
      return { file, content: await store.read(file.storageKey) }
    },
    hang: async ({ id, name, entity, recordId, bytes, by }) => {
      const storageKey = newKey('file')
      const file = await spool.receive(Readable.from([bytes]), limit)
      try {
        const { size, sha256 } = file
        const stored = { name: safeName(name), size, sha256, mimeType: await inspectFile(file.path, name), storageKey }
        await store.put(storageKey, file.path)
        if (await insertHungFile(database, { id, ...stored, entity, recordId, staffId: by || null, now: now() })) return
        await store.remove(storageKey)
      } finally {
        await spool.discard(file)
      }
    },
    hung: async (id) => {
      const file = await readFileRow(database, id)
      return file && (await store.read(file.storageKey))
    },
    sweep: async () => {
      const before = new Date(now().getTime() - ORPHAN_SECONDS * 1000)
      await segments.sweep(before)
      await spool.sweep()
      const { rows } = await database.query<{ storageKey: string }>(
        `delete from sys_file where (entity is null and updated_at < $1) returning storage_key as "storageKey"`,
        [before.toISOString()],
      )
      for (const { storageKey } of rows) await store.remove(storageKey)
    },
  }

  function registerDownload(target: FastifyInstance): void {
    const idParameter = {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,40}$' } },
    } as const
    const ticketBody = { type: ['object', 'null'], properties: { inline: { type: 'boolean' } } } as const
    target.post(
      `${BASE}/file/:id/ticket`,
      { schema: { summary: 'A one-minute address for a new window', params: idParameter, body: ticketBody } },
      async (request) => {
        const { id } = request.params as { id: string }
        const file = await requireFile(id, contextOf(request))
        const { inline } = (request.body ?? {}) as { inline?: boolean }
        const ticket = await sessions.signer.sign(
          'file',
          { sub: file.id, ...(inline === undefined ? {} : { inline }) },
          TICKET_SECONDS,
        )
        return ok({ url: `${BASE}/file/${encodeURIComponent(file.id)}?ticket=${ticket}` })
      },
    )

    const fileQuery = {
      type: 'object',
      properties: { ticket: { type: 'string', maxLength: 2000 }, inline: { type: 'boolean' } },
    } as const
    target.get(
      `${BASE}/file/:id`,
      {
        schema: { summary: 'The file; with a token or a ticket', params: idParameter, querystring: fileQuery },
        config: { open: true },
      },
      async (request, reply) => {
        const { id } = request.params as { id: string }
        const { ticket, inline } = request.query as { ticket?: string; inline?: boolean }
        const { file, shown } =
          ticket === undefined ? { file: await requireFile(id, contextOf(request)), shown: inline } : await byTicket(id, ticket)
        const stream = await store.read(file.storageKey)
        return sendFile(
          reply,
          stream,
          { name: file.name, size: Number(file.size), mimeType: file.mimeType },
          shown ?? isNewWindow(request),
        )
      },
    )

    async function byTicket(id: string, ticket: string): Promise<{ file: StoredFile; shown: boolean | undefined }> {
      const claims = await sessions.signer.verify('file', ticket)
      const file = typeof claims === 'string' || claims.sub !== id ? undefined : await readFileRow(database, id)
      if (!file || typeof claims === 'string') {
        throw new ServiceError('notFound', {
          message: { zh: '下载地址已失效，请重新打开。', en: 'This address has expired. Please open the file again.' },
        })
      }
      return { file, shown: typeof claims['inline'] === 'boolean' ? claims['inline'] : undefined }
    }
  }
}

/** A window of its own shows what it can; a hidden frame (and everything else) downloads. */
function isNewWindow(request: FastifyRequest): boolean {
  return request.headers['sec-fetch-dest'] === 'document'
}

/** A body that cannot fit is not even read. */
function requireRoom(request: FastifyRequest, limit: number): void {
  if (!request.isMultipart()) throw new ServiceError('unsupportedMedia')
  if (Number(request.headers['content-length'] ?? 0) > limit * 2 + 1_048_576) throw tooLarge(limit)
}

/** Reads the fields and the one file of a multipart body. */
async function receive(
  request: FastifyRequest,
  spool: Spool,
  limit: number,
): Promise<{ file: SpooledFile; name: string; fields: Record<string, string> }> {
  const held: { file: SpooledFile; name: string }[] = []
  const limits = { fileSize: limit * 2 + 1_048_576, files: 1 }
  const fields = await readParts(request, limits, async (stream, { filename }) => {
    held.push({ file: await spool.receive(stream, limit), name: filename ?? '' })
  }).catch(async (error: unknown) => {
    for (const { file } of held) await spool.discard(file)
    throw error
  })
  const [received] = held
  if (!received)
    throw new ServiceError('badRequest', {
      message: { zh: '请求中没有文件（字段 file）。', en: 'There is no file in the request (field file).' },
      data: { errors: [{ field: 'file', message: 'file' }] },
    })
  return { ...received, fields }
}

function segmentInput(fields: Readonly<Record<string, string>>): SegmentInput {
  const value = (name: string, fallback?: string): string => {
    const text = fields[name] ?? fallback
    if (text !== undefined && SHAPES[name]?.test(text)) return text
    throw new ServiceError('badRequest', {
      message: {
        zh: `分片参数 ${name} 缺失或格式不正确。`,
        en: `The parameter ${name} of the segment is missing or has the wrong format.`,
      },
      data: { errors: [{ field: name, message: 'format' }] },
    })
  }
  return {
    uploadId: value('uploadId'),
    index: Number(value('index')),
    total: Number(value('total')),
    name: value('name'),
    size: Number(value('size')),
    sha256: value('sha256', ''),
    fileSha256: value('fileSha256', ''),
  }
}
