import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'

/**
 * Compiles the schemas of routes. A body is taken as it is (a number is not a text); parameters of the address are
 * texts by nature and are converted. Unknown properties stay: whoever forbids them says so in the schema. The calls of entities take
 * the same of each: what reads the same is compiled once.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<object> {
  const common = { allErrors: false, strict: false, useDefaults: true, removeAdditional: false } as const
  const body = addFormats.default(new Ajv({ ...common, coerceTypes: false }))
  const address = addFormats.default(new Ajv({ ...common, coerceTypes: 'array' }))
  const compiled = new Map<string, ValidateFunction>()
  return ({ schema, httpPart }) => {
    const ajv = httpPart === 'body' ? body : address
    const key = `${httpPart === 'body'} ${JSON.stringify(schema)}`
    const validate = compiled.get(key) ?? ajv.compile(bounded(schema) as object)
    compiled.set(key, validate)
    return validate
  }
}

/** What an integer column holds; a number beyond it would be refused by the database only. */
const INTEGER = { minimum: -2_147_483_648, maximum: 2_147_483_647 }

/** The schema with bounds for every integer that has none of its own. */
function bounded(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(bounded)
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, bounded(part)]))
  return parts['type'] === 'integer' ? { ...INTEGER, ...parts } : parts
}
