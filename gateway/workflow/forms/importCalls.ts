import type { FastifyRequest } from 'fastify'
import type { Form } from '../../../src/schema/generated/process'
import { contentDisposition, Spool, type SpooledFile } from '../../platform/files'
import { contextOf, ok, readParts, ServiceError } from '../../platform/http'
import { ID_PARAMS } from '../paging'
import type { WorkflowParts } from '../parts'
import { DESIGN } from '../processes/access'
import type { CheckProcess } from '../processes/check'
import { saveForm, simplest } from './save'
import { fieldsTemplate, readFields, refused, withFields } from './sheet'
import { requireForm } from './stored'

const tags = ['workflow']
const config = { permission: DESIGN }
const multipart = { consumes: ['multipart/form-data'] }
const TEMPLATE = '/v2/workflow/form/field/import/template'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
/** Bytes of a sheet with fields. */
const LARGEST = 5_000_000
const NOTHING: Form = { fields: {} }

/** Fields of a form out of a sheet: the template, a look at what it would bring with every error by cell, and all of it or nothing. */
export function registerImportCalls({ app, engine, database, folder }: WorkflowParts, check: CheckProcess): void {
  const spool = new Spool(folder)
  /** What is wrong with a form by itself; whether the processes that use it still fit is told when it is saved. */
  const alone = async (form: Form) =>
    (await check(simplest('preview', { zh: '表单', en: 'Form' }, form))).filter(({ severity }) => severity === 'error')

  app.get(
    '/v2/workflow/form/field/import/templateUrl',
    { schema: { tags, summary: 'Where the template for fields is' }, config },
    () => Promise.resolve(ok({ url: TEMPLATE })),
  )

  app.get(
    TEMPLATE,
    { schema: { tags, summary: 'The workbook to fill in with fields' }, config: { ...config, tokenCookie: true } },
    async (request, reply) => {
      const { locale } = contextOf(request)
      const name = locale === 'zh' ? '表单字段模板.xlsx' : 'form-fields.xlsx'
      void reply.header('content-type', XLSX).header('content-disposition', contentDisposition('attachment', name))
      return reply.send(await fieldsTemplate(engine, locale))
    },
  )

  app.post(
    '/v2/workflow/form/field/import/view',
    {
      schema: { tags, summary: 'What a sheet would bring, and every cell that cannot be taken; nothing is saved', ...multipart },
      config,
    },
    async (request) => {
      const { locale } = contextOf(request)
      return withSheet(request, spool, async (path, { formId }) => {
        const form = formId ? (await requireForm(database, formId)).definition : NOTHING
        const { rows, errors } = await readFields(path, { engine, locale, form, check: alone })
        return ok({
          rows: rows.map((row) => ({ ...row, exists: Object.hasOwn(form.fields, row.key) })),
          errors,
        })
      })
    },
  )

  app.post(
    '/v2/workflow/form/field/import/:id',
    {
      schema: { tags, summary: 'Brings the fields of a sheet into a form, all or none', params: ID_PARAMS, ...multipart },
      config,
    },
    async (request: FastifyRequest<{ Params: { id: string } }>) => {
      const context = contextOf(request)
      const { id } = request.params
      return withSheet(request, spool, (path) =>
        engine.transaction(context, async (entities, tx) => {
          const form = await requireForm(tx, id)
          const { rows, errors } = await readFields(path, {
            engine,
            locale: context.locale,
            form: form.definition,
            check: alone,
          })
          if (errors.length > 0)
            throw refused(
              {
                zh: `有 ${errors.length} 个单元格不能导入，未写入任何字段。`,
                en: `${errors.length} cells cannot be taken: nothing was written.`,
              },
              errors,
            )
          const definition = withFields(form.definition, rows)
          const saved = await saveForm(tx, { entities, context }, { ...form, definition, source: 'admin', check })
          const answer = ok({ ...saved, imported: rows.length })
          await context.idempotence?.settle(tx, answer)
          return answer
        }),
      )
    },
  )
}

/** Reads the one file of a multipart body to the disk for as long as it is worked with. */
async function withSheet<Answer>(
  request: FastifyRequest,
  spool: Spool,
  work: (path: string, fields: Readonly<Record<string, string>>) => Promise<Answer>,
): Promise<Answer> {
  if (!request.isMultipart()) throw new ServiceError('unsupportedMedia')
  const received: SpooledFile[] = []
  try {
    const fields = await readParts(request, { fileSize: LARGEST * 2, files: 1 }, async (stream) => {
      received.push(await spool.receive(stream, LARGEST))
    })
    const [file] = received
    if (!file) throw refused({ zh: '请求中没有文件（字段 file）。', en: 'There is no file in the request (field file).' })
    if (file.tooLarge) throw refused({ zh: '文件超过 5 MB。', en: 'The file is larger than 5 MB.' })
    return await work(file.path, fields)
  } finally {
    for (const file of received) await spool.discard(file)
  }
}
