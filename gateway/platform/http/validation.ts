import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'

const common = { allErrors: false, strict: false, useDefaults: true, removeAdditional: false } as const
const body = addFormats.default(new Ajv({ ...common, coerceTypes: false }))
const address = addFormats.default(new Ajv({ ...common, coerceTypes: 'array' }))
/** By what is read and how it reads: the calls of entities take the same of each. */
const validators = new Map<string, LateValidator>()

interface LateValidator {
  (data: unknown): boolean
  errors?: ValidateFunction['errors']
}

/**
 * Compiles the schemas of routes. A body is taken as it is (a number is not a text); parameters of the address are
 * texts by nature and are converted. Unknown properties stay: whoever forbids them says so in the schema. A schema is compiled when
 * its route is called first: a start waits for none of the thousands.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<object> {
  return ({ schema, httpPart }) => {
    const ajv = httpPart === 'body' ? body : address
    const key = `${httpPart === 'body'} ${JSON.stringify(schema)}`
    const validate = validators.get(key) ?? compiledLater(ajv, schema)
    validators.set(key, validate)
    return validate
  }
}

function compiledLater(ajv: Ajv, schema: object): LateValidator {
  let ready: ValidateFunction | undefined
  const validate: LateValidator = (data) => {
    ready ??= ajv.compile(bounded(schema) as object)
    const isRight = ready(data)
    validate.errors = ready.errors
    return isRight
  }
  return validate
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
