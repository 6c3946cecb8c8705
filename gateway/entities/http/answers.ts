import type { FastifySchema } from 'fastify'
import type { EntityModel } from '../../../src/schema/entity'

export const MIME = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
} as const

export function described(model: EntityModel, action: string, schema: FastifySchema & { consumes?: string[] }): FastifySchema {
  return { summary: `${model.label.en}: ${action}`, ...schema } as FastifySchema
}

/** A file name in a header, in any script (RFC 6266). */
export function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\]/g, '_')
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`
}
