import type { EntityModel } from '../../../src/schema/entity'

export type JsonSchema = Record<string, unknown>

const id = { type: 'string', minLength: 1, maxLength: 40 } as const
const ids = { type: 'array', items: id, minItems: 1, maxItems: 500 } as const
const condition = {
  type: 'object',
  required: ['field'],
  properties: {
    field: { type: 'string', maxLength: 120 },
    operator: {
      type: 'string',
      description:
        'eq, ne, contains, startsWith, in, notIn, gte, lte, between, empty, notEmpty, overlaps; default: the first of the field kind',
    },
    value: { description: 'between takes [from, to]; in, notIn and overlaps take lists' },
  },
  additionalProperties: false,
} as const
const terms = {
  type: 'array',
  items: { type: 'object' },
  minItems: 1,
  maxItems: 50,
  description: 'Conditions and groups, at most four groups inside one another.',
} as const
const where = {
  type: 'array',
  items: {
    type: 'object',
    description: 'A condition (field, operator, value), or a group: or, of which any holds, and, of which all hold.',
    properties: { ...condition.properties, or: terms, and: terms },
    additionalProperties: false,
  },
  maxItems: 50,
} as const
/** The body of a report: its conditions alone. */
export const reportBody = {
  type: 'object',
  properties: { where: { type: 'array', items: condition, maxItems: 50 } },
  additionalProperties: false,
} as const
const sort = {
  type: 'array',
  maxItems: 5,
  items: {
    type: 'object',
    required: ['field', 'order'],
    properties: {
      field: { type: 'string' },
      order: { type: 'string', enum: ['asc', 'desc'] },
      nulls: { type: 'string', enum: ['first', 'last'] },
    },
    additionalProperties: false,
  },
} as const
const summary = {
  type: 'array',
  maxItems: 20,
  items: {
    type: 'object',
    required: ['field', 'function'],
    properties: { field: { type: 'string' }, function: { type: 'string', enum: ['sum', 'avg', 'min', 'max', 'count'] } },
    additionalProperties: false,
  },
} as const
const selection = {
  keyword: { type: 'string', maxLength: 100 },
  view: { type: 'string', maxLength: 60 },
  where,
  sort,
  ids: { type: 'array', items: id, maxItems: 500, description: 'Only these records.' },
  asOf: { type: 'string', maxLength: 10, description: 'Only what holds on this day, YYYY-MM-DD.' },
} as const

export const idParams = { type: 'object', required: ['id'], properties: { id } } as const
export const importParams = { type: 'object', required: ['importId'], properties: { importId: id } } as const
export const importPreviewQuery = {
  type: 'object',
  properties: {
    page: { type: 'string', pattern: '^/[A-Za-z0-9/_-]{0,200}$', description: 'Route of the list where it was begun.' },
  },
} as const
export const queryPageBody = {
  type: 'object',
  properties: {
    pageNo: { type: 'integer', minimum: 1, default: 1 },
    pageSize: { type: 'integer', minimum: 0, maximum: 1000, default: 20, description: '0 = only the total' },
    cursor: {
      type: 'string',
      maxLength: 2000,
      description:
        'Instead of pageNo: "next" of the page before; empty for the first one. Nothing is skipped or doubled meanwhile.',
    },
    countUpTo: { type: 'integer', minimum: 1, maximum: 1_000_000, description: 'Absent = all rows are counted.' },
    ...selection,
    summary,
    expand: {
      type: 'array',
      items: { type: 'string', maxLength: 120 },
      maxItems: 50,
      description: 'Fields one step away, e.g. customerId.code',
    },
    counts: {
      type: 'object',
      maxProperties: 30,
      description: 'Rows of other selections that are only counted, by a name of the caller.',
      additionalProperties: {
        type: 'object',
        properties: { keyword: selection.keyword, view: selection.view, where },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
} as const
/** Which rows are meant, of an entity that the body names. */
const rowsOf = { entity: { type: 'string', maxLength: 120 }, view: selection.view, where } as const
export const timelineBody = {
  type: 'object',
  required: ['sources'],
  properties: {
    sources: {
      type: 'array',
      minItems: 1,
      maxItems: 30,
      items: {
        type: 'object',
        required: ['entity'],
        properties: { ...rowsOf, cursor: queryPageBody.properties.cursor },
        additionalProperties: false,
      },
    },
    pageSize: { type: 'integer', minimum: 1, maximum: 50, default: 10, description: 'Of each source.' },
  },
  additionalProperties: false,
} as const
export const relatedBody = {
  type: 'object',
  required: ['sources'],
  properties: {
    sources: {
      type: 'array',
      minItems: 1,
      maxItems: 40,
      items: {
        type: 'object',
        required: ['entity'],
        properties: {
          ...rowsOf,
          keyword: selection.keyword,
          sum: { type: 'string', maxLength: 120, description: 'A field that is added up over all rows.' },
          rows: {
            type: 'object',
            properties: { where, sort },
            additionalProperties: false,
            description: 'The first rows are wanted, of those that also meet these conditions.',
          },
        },
        additionalProperties: false,
      },
    },
    rows: { type: 'integer', minimum: 0, maximum: 5, default: 3, description: 'Of each source.' },
  },
  additionalProperties: false,
} as const
const path = { type: 'string', minLength: 1, maxLength: 120 } as const
const name = { type: 'string', minLength: 1, maxLength: 60 } as const
export const aggregateBody = {
  type: 'object',
  required: ['measures'],
  properties: {
    keyword: selection.keyword,
    view: selection.view,
    where,
    dimensions: {
      type: 'array',
      maxItems: 4,
      items: {
        type: 'object',
        properties: {
          id: name,
          field: path,
          path: { ...path, description: 'Through references, e.g. customerId.ownerId.departmentId' },
          bucket: {
            type: 'string',
            enum: ['day', 'week', 'month', 'quarter', 'year'],
            description: 'In the zone of the company.',
          },
        },
        additionalProperties: false,
      },
    },
    measures: {
      type: 'array',
      minItems: 1,
      maxItems: 24,
      items: {
        type: 'object',
        required: ['id'],
        description: 'Exactly one of count, distinct, sum, avg, min, max, median, ratio and difference.',
        properties: {
          id: name,
          count: { type: 'boolean', const: true },
          distinct: path,
          sum: path,
          avg: path,
          min: path,
          max: path,
          median: path,
          since: path,
          ratio: {
            type: 'array',
            items: name,
            minItems: 2,
            maxItems: 2,
            description: 'Two other measures: the first by the second.',
          },
          difference: {
            type: 'array',
            items: name,
            minItems: 2,
            maxItems: 2,
            description: 'Two other measures: the first less the second.',
          },
          where,
          currency: {
            type: 'string',
            pattern: '^convert:[A-Z]{3}$',
            description: 'Amounts in one currency; without it one amount for each currency.',
          },
          day: { ...path, description: 'The field whose day chooses the rate.' },
        },
        additionalProperties: false,
      },
    },
    sort: {
      type: 'array',
      maxItems: 5,
      items: {
        type: 'object',
        required: ['by'],
        properties: { by: path, order: { type: 'string', enum: ['asc', 'desc'] } },
        additionalProperties: false,
      },
    },
    limit: { type: 'integer', minimum: 1, maximum: 10_000, default: 1_000, description: 'Groups of the answer.' },
    totals: { type: 'boolean', default: false, description: 'Also the figures of all rows.' },
    compare: { type: 'string', enum: ['previousPeriod', 'previousYear'] },
    compareBy: { ...path, description: 'The field of days that the period is about; default: the first one in buckets.' },
  },
  additionalProperties: false,
} as const
export const viewQuery = { type: 'object', properties: { view: { type: 'string', maxLength: 60 } } } as const
export const stateUpdateBody = {
  type: 'object',
  required: ['ids', 'transition'],
  properties: { ids, transition: { type: 'string' }, field: { type: 'string' }, version: { type: 'integer' } },
  additionalProperties: true,
} as const
export const linesPartBody = {
  type: 'object',
  required: ['id', 'version', 'rows'],
  properties: {
    id,
    version: { type: 'integer', minimum: 1, description: 'Of the record; each part answers the next one.' },
    rows: {
      type: 'array',
      maxItems: 2000,
      items: { type: 'object' },
      description: 'With an id changed, without one added at the end.',
    },
    removed: { type: 'array', maxItems: 2000, items: id },
    total: { type: 'integer', minimum: 0, description: 'With the last part: how many lines there have to be.' },
  },
  additionalProperties: false,
} as const
export const versionQuery = { type: 'object', properties: { version: { type: 'integer', minimum: 1 } } } as const
export const idsBody = { type: 'object', required: ['ids'], properties: { ids }, additionalProperties: false } as const
export const selectBody = {
  type: 'object',
  properties: {
    keyword: selection.keyword,
    ids: selection.ids,
    asOf: selection.asOf,
    where,
    pageSize: { type: 'integer', minimum: 1, maximum: 500 },
  },
  additionalProperties: false,
} as const
export const exportBody = {
  type: 'object',
  required: ['columns', 'format'],
  properties: {
    ...queryPageBody.properties,
    columns: {
      type: 'array',
      minItems: 1,
      maxItems: 200,
      items: {
        type: 'object',
        required: ['field', 'title'],
        properties: { field: { type: 'string', maxLength: 120 }, title: { type: 'string', maxLength: 200 } },
        additionalProperties: false,
      },
    },
    format: { type: 'string', enum: ['xlsx', 'csv'] },
  },
  additionalProperties: false,
} as const
export const commitBody = {
  type: 'object',
  required: ['importId'],
  properties: { importId: id, skipFaulty: { type: 'boolean', default: false } },
  additionalProperties: false,
} as const
export const logQuery = {
  type: 'object',
  properties: {
    before: id,
    limit: { type: 'integer', minimum: 1, maximum: 200 },
    views: { type: 'boolean', description: 'Who read sensitive fields, instead of what was done.' },
  },
} as const

/** The body of a save. Described for readers only: the engine checks it and names what was probably meant. */
export function saveBody(model: EntityModel): JsonSchema {
  const fields = [...model.fields.values()].filter(
    (field) => field.origin !== 'base' && !field.internal && field.storage === 'stored' && !field.field.readOnly,
  )
  return {
    type: 'object',
    description: 'Without id a new record; with id only the given fields change.',
    properties: {
      id: { type: 'string' },
      version: { type: 'integer', description: 'As it was read; a stale one is refused with 10010006.' },
      ...Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field.field)])),
    },
  }
}

/** A field's value, with its names. */
export function fieldSchema(field: EntityModel['document']['properties'][string]): JsonSchema {
  const notes = [
    `${field['x-label'].en} / ${field['x-label'].zh}`,
    field['x-dictionary'] && `a code of ${field['x-dictionary']}`,
    field['x-ref'] && `id of ${field['x-ref']}`,
    field.format,
  ]
  return {
    type: field.type,
    description: notes.filter(Boolean).join('; '),
    ...(field.items ? { items: { type: field.items.type } } : {}),
    ...(field.maxLength === undefined ? {} : { maxLength: field.maxLength }),
  }
}
