import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { EntityModel } from '../../../src/schema/entity'
import { contextOf, ok, readParts, ServiceError, type RequestContext } from '../../platform/http'
import { MoreRowsError } from '../transfer/importTypes'
import type { EntityEngine } from '../types'
import { attachment, described, MIME } from './answers'
import * as schemas from './schemas'

/** Runs what takes longer than a call may; the task has the id of the import. */
export interface ImportTasks {
  /** `page`: route of the list where it was begun. */
  check(context: RequestContext, entity: string, file: { name: string; path: string; page?: string }): Promise<{ taskId: string }>
  commit(
    context: RequestContext,
    entity: string,
    request: { importId: string; fileName: string; skipFaulty: boolean },
  ): Promise<{ taskId: string }>
}
export interface ImportRouteOptions {
  /** Without it every import is checked and saved in its call. */
  importTasks?: ImportTasks
  /** Bytes of an import file; default 20 MiB. */
  importFileSize?: number
}

/** Rows of an import that is checked and saved in its call; more go through the download centre. */
const MOST_IMPORTED_AT_ONCE = 500
/** A larger file is not even counted in its call. */
const MOST_BYTES_AT_ONCE = 1_048_576

export function registerImport(
  app: FastifyInstance,
  engine: EntityEngine,
  model: EntityModel,
  options: ImportRouteOptions,
): void {
  const { name, path } = model
  app.get(`${path}/import/template`, { schema: described(model, 'Import template', {}) }, async (request, reply) => {
    const context = contextOf(request)
    const file = await engine.importTemplate(name, context)
    const title = context.locale === 'zh' ? `${model.label.zh}导入模板.xlsx` : `${model.label.en} import template.xlsx`
    return reply.type(MIME.xlsx).header('content-disposition', attachment(title)).send(file)
  })
  app.post<{ Querystring: { page?: string } }>(
    `${path}/import/preview`,
    {
      schema: described(model, 'Check an import file', {
        consumes: ['multipart/form-data'],
        querystring: schemas.importPreviewQuery,
      }),
    },
    async (request) => {
      const context = contextOf(request)
      const { page } = request.query
      const { importTasks: tasks } = options
      return ok(
        await withUpload(request, options.importFileSize ?? 20 * 1_048_576, async (file) => {
          if (!tasks) return engine.importPreview(name, context, file)
          if (file.size > MOST_BYTES_AT_ONCE) return tasks.check(context, name, { ...file, page })
          try {
            return await engine.importPreview(name, context, file, { mostRows: MOST_IMPORTED_AT_ONCE })
          } catch (error) {
            if (error instanceof MoreRowsError) return tasks.check(context, name, { ...file, page })
            throw error
          }
        }),
      )
    },
  )
  app.get<{ Params: { importId: string } }>(
    `${path}/import/:importId`,
    { schema: described(model, 'A checked import and how far it came', { params: schemas.importParams }) },
    async (request) => ok(await engine.importState(name, contextOf(request), request.params.importId)),
  )
  app.get<{ Params: { importId: string } }>(
    `${path}/import/:importId/errors`,
    { schema: described(model, 'Faulty rows of an import', { params: schemas.importParams }) },
    async (request, reply) => {
      const context = contextOf(request)
      const file = await engine.importErrors(name, context, request.params.importId)
      const title = context.locale === 'zh' ? `${model.label.zh}导入错误.xlsx` : `${model.label.en} import errors.xlsx`
      return reply.type(MIME.xlsx).header('content-disposition', attachment(title)).send(file)
    },
  )
  app.post<{ Body: { importId: string; skipFaulty?: boolean } }>(
    `${path}/import/commit`,
    { schema: described(model, 'Import', { body: schemas.commitBody }) },
    async (request) => {
      const context = contextOf(request)
      const { importId, skipFaulty = false } = request.body
      const { fileName, total, valid, result } = await engine.importState(name, context, importId)
      const large = total > MOST_IMPORTED_AT_ONCE && !result?.finished && (skipFaulty || valid === total)
      if (large && options.importTasks)
        return ok(await options.importTasks.commit(context, name, { importId, fileName, skipFaulty }))
      return ok(await engine.importCommit(name, context, { importId, skipFaulty }))
    },
  )
}

/** The uploaded file in a folder of its own that is gone afterwards. */
async function withUpload<Result>(
  request: FastifyRequest,
  limit: number,
  work: (file: { name: string; path: string; size: number }) => Promise<Result>,
): Promise<Result> {
  if (!request.isMultipart()) throw new ServiceError('unsupportedMedia')
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-import-'))
  try {
    const path = join(folder, 'upload')
    const names: string[] = []
    await readParts(request, { fileSize: limit, files: 1, fields: 10 }, async (stream, { file, filename }) => {
      await pipeline(stream, createWriteStream(path))
      if (file.truncated) {
        const size = Math.floor(limit / 1_048_576)
        throw new ServiceError('fileRefused', {
          message: { zh: `文件超过 ${size} MB，请拆分后导入。`, en: `The file is larger than ${size} MB. Please split it.` },
        })
      }
      names.push(filename)
    })
    const [name] = names
    if (name === undefined)
      throw new ServiceError('badRequest', { message: { zh: '请求中没有文件。', en: 'There is no file in the request.' } })
    const { size } = await stat(path)
    return await work({ name, path, size })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
