import type { FastifyInstance } from 'fastify'
import type { Database } from '../database'
import { ok } from './answer'
import { ServiceError } from './serviceError'

/** /health says that the process lives, /ready that it can work: the database answers. */
export function answerProbes(app: FastifyInstance, database: Database, startedAt: Date): void {
  app.get('/health', { schema: { summary: 'The process lives', tags: ['operation'] }, config: { open: true, quiet: true } }, () =>
    ok({ status: 'live', uptime: Math.round((Date.now() - startedAt.getTime()) / 1000) }),
  )
  app.get(
    '/ready',
    { schema: { summary: 'The database answers', tags: ['operation'] }, config: { open: true, quiet: true } },
    async () => {
      try {
        const milliseconds = await database.ping(2000)
        return ok({ status: 'ready', database: database.kind, milliseconds })
      } catch (error) {
        throw new ServiceError('unavailable', {
          message: {
            zh: '数据库没有响应，网关暂时无法工作。',
            en: 'The database does not answer; the gateway cannot work right now.',
          },
          cause: error,
        })
      }
    },
  )
}
