import type { RecordOf } from '../../../entities'
import { contentDisposition } from '../../../platform/files'
import { contextOf, ServiceError } from '../../../platform/http'
import type { ModuleCall } from '../../module'
import type { KingdeeForm } from '../kingdee/documents'
import { workbookOf } from '../kingdee/file'
import type { KingdeeModel } from '../kingdee/payload'

const FILE_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** GET /v2/fin/kingdeeDoc/file?name=: the workbook of the documents that were exported together, as Kingdee imports it (money 6). */
export const call: ModuleCall = ({ app, engine }) => {
  app.get<{ Querystring: { name: string } }>(
    '/v2/fin/kingdeeDoc/file',
    {
      schema: {
        tags: ['fin'],
        summary: 'The workbook of documents that were exported for Kingdee',
        querystring: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string', minLength: 1, maxLength: 80 } },
        },
      },
    },
    async (request, reply) => {
      const context = contextOf(request)
      const { name } = request.query
      const { records } = await engine.queryPage('fin.kingdeeDoc', context, {
        pageSize: 1,
        where: [{ field: 'exportFile', operator: 'eq', value: name }],
      })
      const [first] = records
      if (!first)
        throw new ServiceError('notFound', {
          message: { zh: `没有名为 ${name} 的导出文件。`, en: `There is no exported file ${name}.` },
        })
      const docs = await engine.transaction(context, (entities) =>
        entities.list('fin.kingdeeDoc', {
          where: [{ field: 'exportFile', operator: 'eq', value: name }],
          sort: [{ field: 'code', order: 'asc' }],
          limit: 5_000,
        }),
      )
      const payloads = docs.flatMap(({ payload }: RecordOf<'fin.kingdeeDoc'>) => (payload ? [payload as KingdeeModel] : []))
      const book = await workbookOf(String(first.formId) as KingdeeForm, payloads)
      return reply.header('content-disposition', contentDisposition('attachment', name)).type(FILE_TYPE).send(book)
    },
  )
}
