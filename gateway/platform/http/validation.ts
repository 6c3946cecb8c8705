import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'

/**
 * Compiles the schemas of routes. A body is taken as it is (a number is not a text); parameters of the address are
 * texts by nature and are converted. Unknown properties stay: whoever forbids them says so in the schema.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<object> {
  const common = { allErrors: false, strict: false, useDefaults: true, removeAdditional: false } as const
  const body = addFormats.default(new Ajv({ ...common, coerceTypes: false }))
  const address = addFormats.default(new Ajv({ ...common, coerceTypes: 'array' }))
  return ({ schema, httpPart }) => (httpPart === 'body' ? body : address).compile(schema)
}
