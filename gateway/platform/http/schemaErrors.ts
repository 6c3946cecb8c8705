import type { ErrorObject } from 'ajv'
import type { Locale, Text } from './text'

/** One fault of an input: where it is and what is wrong, in the caller's language. */
interface FieldFault {
  field?: string
  message: string
}

type Describe = (parameters: Record<string, unknown>) => Text

const describe: Record<string, Describe> = {
  required: () => ({ zh: '必填', en: 'is required' }),
  type: ({ type }) => ({ zh: `类型应为 ${String(type)}`, en: `must be of type ${String(type)}` }),
  enum: ({ allowedValues }) => ({ zh: `只能是 ${list(allowedValues)}`, en: `must be one of ${list(allowedValues)}` }),
  const: ({ allowedValue }) => ({ zh: `只能是 ${String(allowedValue)}`, en: `must be ${String(allowedValue)}` }),
  minLength: ({ limit }) => ({ zh: `至少 ${String(limit)} 个字符`, en: `must have at least ${String(limit)} characters` }),
  maxLength: ({ limit }) => ({ zh: `最多 ${String(limit)} 个字符`, en: `must have at most ${String(limit)} characters` }),
  minItems: ({ limit }) => ({ zh: `至少 ${String(limit)} 项`, en: `must have at least ${String(limit)} items` }),
  maxItems: ({ limit }) => ({ zh: `最多 ${String(limit)} 项`, en: `must have at most ${String(limit)} items` }),
  minimum: ({ limit }) => ({ zh: `不能小于 ${String(limit)}`, en: `must be at least ${String(limit)}` }),
  maximum: ({ limit }) => ({ zh: `不能大于 ${String(limit)}`, en: `must be at most ${String(limit)}` }),
  pattern: () => ({ zh: '格式不正确', en: 'has the wrong format' }),
  format: ({ format }) => ({ zh: `不是有效的 ${String(format)}`, en: `is not a valid ${String(format)}` }),
  additionalProperties: () => ({ zh: '未知的字段', en: 'is not a known field' }),
}

/** Ajv's errors as faults of fields, e.g. `{ field: 'items.0.name', message: '必填' }`. */
export function describeSchemaErrors(errors: readonly ErrorObject[], locale: Locale): FieldFault[] {
  return errors.map((error) => {
    const parts = error.instancePath
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    if (error.keyword === 'required') parts.push(String(error.params['missingProperty']))
    if (error.keyword === 'additionalProperties') parts.push(String(error.params['additionalProperty']))
    const text = describe[error.keyword]?.(error.params)
    const message = text ? text[locale] : (error.message ?? error.keyword)
    return parts.length > 0 ? { field: parts.join('.'), message } : { message }
  })
}

function list(values: unknown): string {
  return Array.isArray(values) ? values.join(', ') : String(values)
}
