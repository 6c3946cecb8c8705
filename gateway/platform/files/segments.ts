import type { Database } from '../database'
import { ServiceError } from '../http'
import type { RequestContext } from '../http'
import { safeName } from './inspect'
import type { FileAnswer } from './records'
import type { Spool, SpooledFile } from './spool'
import { joinStreams, newKey } from './store'
import type { FileStore } from './store'

/** One segment of a large file as it comes in. */
export interface SegmentInput {
  uploadId: string
  index: number
  total: number
  name: string
  /** Of the whole file, bytes. */
  size: number
  /** Hex digest of the segment; empty where the browser cannot make one. */
  sha256: string
  /** Hex digest of the whole file, when the sender knows it. */
  fileSha256: string
}

export interface SegmentAnswer {
  received: number[]
  file?: FileAnswer
}

export interface SegmentParts {
  database: Database
  store: FileStore
  spool: Spool
  limit: number
  /** Checks and stores the joined file. */
  accept: (file: SpooledFile, name: string, context: RequestContext) => Promise<FileAnswer>
  answerFor: (fileId: string) => Promise<FileAnswer | undefined>
}

/** Uploads in segments: each is kept as it comes, in any order and as often as it is sent; the last one joins them. */
export class SegmentedUploads {
  constructor(private readonly parts: SegmentParts) {}

  async received(staffId: string, uploadId: string): Promise<SegmentAnswer> {
    const { rows } = await this.parts.database.query<{ fileId: string | null }>(
      'select file_id as "fileId" from upload_session where staff_id = $1 and upload_id = $2',
      [staffId, uploadId],
    )
    if (!rows[0]) throw new ServiceError('notFound')
    const received = await this.indexes(staffId, uploadId)
    const file = rows[0].fileId === null ? undefined : await this.parts.answerFor(rows[0].fileId)
    return file ? { received, file } : { received }
  }

  async take(context: RequestContext, input: SegmentInput, segment: SpooledFile): Promise<SegmentAnswer> {
    const { database, store, limit } = this.parts
    const { staffId } = context.user
    if (input.size > limit || segment.tooLarge) throw tooLarge(limit)
    if (input.sha256 !== '' && input.sha256.toLowerCase() !== segment.sha256) {
      throw new ServiceError('fileRefused', {
        message: { zh: '分片校验不符，请重新发送该分片。', en: 'The segment does not match its checksum. Please send it again.' },
      })
    }
    const name = safeName(input.name)
    await database.query(
      `insert into upload_session (staff_id, upload_id, name, size, total, created_at) values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
      [staffId, input.uploadId, name, input.size, input.total, context.now.toISOString()],
    )
    const { rows } = await database.query<{ name: string; size: number; total: number; fileId: string | null }>(
      'select name, size, total, file_id as "fileId" from upload_session where staff_id = $1 and upload_id = $2',
      [staffId, input.uploadId],
    )
    const session = rows[0]
    if (
      !session ||
      session.name !== name ||
      session.size !== input.size ||
      session.total !== input.total ||
      input.index >= session.total
    ) {
      throw new ServiceError('fileRefused', {
        message: {
          zh: '分片与先前的不属于同一个文件，请重新上传。',
          en: 'This segment belongs to another file than the earlier ones. Please upload afresh.',
        },
      })
    }
    if (session.fileId === null) await this.keep(staffId, input, segment, store)
    const received = await this.indexes(staffId, input.uploadId)
    if (session.fileId === null && received.length < session.total) return { received }
    return { received, file: await this.join(context, input) }
  }

  /** Forgets what was not finished in a day. */
  async sweep(before: Date): Promise<void> {
    const { database, store } = this.parts
    const { rows } = await database.query<{ storageKey: string }>(
      `delete from upload_segment s using upload_session u where u.staff_id = s.staff_id and u.upload_id = s.upload_id and u.created_at < $1
       returning s.storage_key as "storageKey"`,
      [before.toISOString()],
    )
    await database.query('delete from upload_session where created_at < $1', [before.toISOString()])
    for (const { storageKey } of rows) await store.remove(storageKey)
  }

  private async keep(staffId: string, input: SegmentInput, segment: SpooledFile, store: FileStore): Promise<void> {
    const key = newKey('segment')
    await store.put(key, segment.path)
    const { rowCount } = await this.parts.database.query(
      `insert into upload_segment (staff_id, upload_id, index, size, storage_key) values ($1, $2, $3, $4, $5) on conflict do nothing`,
      [staffId, input.uploadId, input.index, segment.size, key],
    )
    if (rowCount === 0) await store.remove(key)
  }

  /** Joins the segments once, whoever asks: the session's row is held meanwhile. */
  private async join(context: RequestContext, input: SegmentInput): Promise<FileAnswer> {
    const { database, store, spool } = this.parts
    const key = [context.user.staffId, input.uploadId]
    const joined = await database
      .transaction(async (tx) => {
        const { rows } = await tx.query<{ name: string; size: number; fileId: string | null }>(
          'select name, size, file_id as "fileId" from upload_session where staff_id = $1 and upload_id = $2 for update',
          key,
        )
        const session = rows[0]
        if (!session) throw new ServiceError('notFound')
        if (session.fileId !== null) return { fileId: session.fileId, segments: [] }
        const { rows: segments } = await tx.query<{ size: number; storageKey: string }>(
          'select size, storage_key as "storageKey" from upload_segment where staff_id = $1 and upload_id = $2 order by index',
          key,
        )
        const file = await this.assemble(segments.map(({ storageKey }) => storageKey))
        try {
          const wrong = file.size !== session.size || (input.fileSha256 !== '' && input.fileSha256.toLowerCase() !== file.sha256)
          if (wrong)
            throw new ServiceError('fileRefused', {
              message: {
                zh: '文件校验不符，请重新上传。',
                en: 'The file does not match its size or checksum. Please upload it afresh.',
              },
            })
          const answer = await this.parts.accept(file, session.name, context)
          await tx.query('update upload_session set file_id = $3 where staff_id = $1 and upload_id = $2', [...key, answer.id])
          return { fileId: answer.id, segments }
        } finally {
          await spool.discard(file)
        }
      })
      .catch(async (error: unknown) => {
        // A file that is refused as a whole is refused for good: the next attempt starts afresh.
        if (error instanceof ServiceError && error.reason === 'fileRefused')
          await this.forget(context.user.staffId, input.uploadId)
        throw error
      })
    for (const { storageKey } of joined.segments) await store.remove(storageKey)
    const answer = await this.parts.answerFor(joined.fileId)
    if (!answer) throw new ServiceError('notFound')
    return answer
  }

  private async assemble(keys: readonly string[]): Promise<SpooledFile> {
    const { store, spool, limit } = this.parts
    const path = await spool.newPath()
    const streams = async function* () {
      for (const key of keys) yield await store.read(key)
    }
    try {
      await joinStreams(streams(), path)
      return await spool.measure(path, limit)
    } catch (error) {
      await spool.discard({ path })
      throw error
    }
  }

  private async forget(staffId: string, uploadId: string): Promise<void> {
    const { database, store } = this.parts
    const { rows } = await database.query<{ storageKey: string }>(
      'delete from upload_segment where staff_id = $1 and upload_id = $2 returning storage_key as "storageKey"',
      [staffId, uploadId],
    )
    await database.query('delete from upload_session where staff_id = $1 and upload_id = $2', [staffId, uploadId])
    for (const { storageKey } of rows) await store.remove(storageKey)
  }

  private async indexes(staffId: string, uploadId: string): Promise<number[]> {
    const { rows } = await this.parts.database.query<{ index: number }>(
      'select index from upload_segment where staff_id = $1 and upload_id = $2 order by index',
      [staffId, uploadId],
    )
    return rows.map((row) => row.index)
  }
}

export function tooLarge(limit: number): ServiceError {
  const megabytes = Math.round(limit / 1_048_576)
  return new ServiceError('fileRefused', {
    message: {
      zh: `文件超过 ${megabytes} MB 的上限，未接受。`,
      en: `The file is larger than ${megabytes} MB, so it was refused.`,
    },
    data: { limit },
  })
}
