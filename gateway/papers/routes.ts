import type { FastifyInstance } from 'fastify'
import { contentDisposition } from '../platform/files'
import { contextOf } from '../platform/http'
import { PAPER_LANGUAGES, type PaperLanguage } from './content'
import type { Papers } from './papers'

/** GET /v2/sys/paper/{name}/{id}?language=: the paper of a record; whoever may see the record may have it. */
export function registerPaperRoutes(app: FastifyInstance, papers: Papers): void {
  app.get<{ Params: { name: string; id: string }; Querystring: { language: PaperLanguage; inline: boolean } }>(
    '/v2/sys/paper/:name/:id',
    {
      schema: {
        tags: ['pages'],
        summary: 'A record as PDF',
        params: {
          type: 'object',
          required: ['name', 'id'],
          properties: {
            name: { type: 'string', pattern: '^[a-z][a-z0-9]*\\.[a-z][A-Za-z0-9]*$', maxLength: 60 },
            id: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,40}$' },
          },
        },
        querystring: {
          type: 'object',
          properties: {
            language: { type: 'string', enum: PAPER_LANGUAGES, default: 'both' },
            inline: { type: 'boolean', default: false, description: 'Shown instead of saved' },
          },
        },
      },
    },
    async (request, reply) => {
      const { name, id } = request.params
      const { language, inline } = request.query
      const file = await papers.make(contextOf(request), { paper: name, recordId: id, language })
      return reply
        .header('content-disposition', contentDisposition(inline ? 'inline' : 'attachment', file.name))
        .header('cache-control', 'private, no-store')
        .header('x-content-type-options', 'nosniff')
        .type(file.type)
        .send(file.content)
    },
  )
}
