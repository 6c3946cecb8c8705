import type { EntityModel, FieldModel } from '../../../src/schema/entity'
import type { DescribedCalls } from '../../platform/http'
import type { EntityEngine } from '../types'
import { fieldSchema, saveBody, type JsonSchema } from './schemas'

const text = { type: 'string' } as const
const whole = { type: 'integer' } as const
const yes = { type: 'boolean' } as const
const anything = {} as const
const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
const mapOf = (values: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties: values })
const shared = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** Members that are always there; `maybe` names those that are not. */
function object(properties: Readonly<Record<string, JsonSchema>>, maybe: readonly string[] = []): JsonSchema {
  const required = Object.keys(properties).filter((name) => !maybe.includes(name))
  return { type: 'object', required, properties, additionalProperties: false }
}

const figures = { measures: mapOf(anything), unconverted: mapOf(whole) }
const row = { key: mapOf(anything), where: list({ type: 'object' }), ...figures }
const progress = object({ taskId: text })
const importResult = object(
  {
    created: whole,
    refused: list(object({ row: whole, message: text })),
    refusedTotal: whole,
    warned: list(object({ row: whole, message: text })),
    warnedTotal: whole,
    finished: yes,
  },
  ['finished'],
)

/** Shapes that the calls of all entities share. */
const SHARED: Readonly<Record<string, JsonSchema>> = {
  References: {
    description: 'Titles, and asked fields, of everything that records refer to: entity, id.',
    ...mapOf(mapOf(object({ title: text, fields: { type: 'object' } }, ['fields']))),
  },
  BulkAnswer: object({ done: list(text), refused: list(object({ id: text, title: text, reason: text })) }),
  AggregateAnswer: object(
    {
      dimensions: list(object({ id: text, label: text, kind: text, bucket: text }, ['bucket'])),
      measures: list(object({ id: text, kind: text, currency: text }, ['currency'])),
      rows: list(
        object({ ...row, before: orNull(object({ ...figures, where: list({ type: 'object' }) }, ['unconverted'])) }, [
          'unconverted',
          'before',
        ]),
      ),
      more: yes,
      refs: shared('References'),
      labels: mapOf(mapOf(text)),
      totals: object(figures, ['unconverted']),
      compare: object(
        {
          field: text,
          from: text,
          to: text,
          where: list({ type: 'object' }),
          totals: object(figures, ['unconverted']),
          gone: list(object(row, ['unconverted'])),
        },
        ['totals', 'gone'],
      ),
    },
    ['totals', 'compare'],
  ),
  LogAnswer: object({
    records: list({
      type: 'object',
      required: ['id', 'at', 'byId', 'byName', 'action', 'changes'],
      properties: {
        id: text,
        at: { type: 'string', format: 'date-time' },
        byId: orNull(text),
        byName: orNull(text),
        action: text,
        reason: text,
        causes: list(object({ record: object({ entity: text, title: text, open: text }, ['open']), text }, ['record'])),
        changes: list({
          type: 'object',
          required: ['field'],
          properties: { field: text, before: anything, after: anything, lines: { type: 'object' } },
        }),
        viewed: object({ of: orNull(text), fields: list(text) }),
      },
    }),
    refs: shared('References'),
    more: yes,
    viewed: yes,
  }),
  MergePreview: object({
    records: list({ type: 'object' }),
    refs: shared('References'),
    writable: list(yes),
    fields: list(text),
    joinable: list(text),
    children: list(object({ entity: text, label: text, counts: list(whole) })),
  }),
  ImportPreview: {
    description: 'More than 500 rows are checked in the background: the task alone is answered.',
    anyOf: [
      progress,
      {
        type: 'object',
        required: ['importId', 'total', 'valid', 'columns', 'errors', 'warnings', 'sample'],
        properties: {
          importId: text,
          total: whole,
          valid: whole,
          columns: list({ type: 'object' }),
          errors: list(
            object({ row: whole, field: text, column: text, value: anything, message: text }, ['field', 'column', 'value']),
          ),
          warnings: list(object({ row: whole, message: text })),
          sample: list({ type: 'object' }),
          fileName: text,
          result: orNull(importResult),
        },
      },
    ],
  },
  ImportAnswer: { anyOf: [progress, importResult] },
}

/** What the calls of entities take and answer now, for the description of the API: administrators add fields while the gateway runs. */
export function describedCalls(engine: EntityEngine): DescribedCalls {
  const models = engine.names().map((name) => engine.model(name))
  return {
    schemas: { ...SHARED, ...Object.fromEntries(models.map((model) => [model.name, record(model)])) },
    bodies: Object.fromEntries(models.map((model) => [`${model.path}/save`, saveBody(model)])),
    answers: Object.fromEntries(
      models.flatMap((model) => Object.entries(answers(model)).map(([call, data]) => [`${model.path}/${call}`, data])),
    ),
  }
}

/** A record as calls answer it. */
function record(model: EntityModel): JsonSchema {
  const fields = [...model.fields.values()].filter(({ internal, name }) => !internal && name !== 'deletedAt')
  return {
    type: 'object',
    title: model.label.en,
    description: `${model.label.en} / ${model.label.zh}. Fields that the caller may not see are left out, masked ones are masked text.`,
    required: ['id'],
    properties: {
      ...Object.fromEntries(fields.map((field) => [field.name, value(model, field)])),
      $write: { type: 'boolean', description: 'The caller may change this record.' },
      $refused: { type: 'object', description: 'Why it may not be edited or deleted.', properties: { edit: text, delete: text } },
    },
  }
}

function value({ lines }: EntityModel, field: FieldModel): JsonSchema {
  const { description, ...schema } = fieldSchema(field.field)
  const rows = lines.find(({ name }) => name === field.name)?.rows.entity
  const several = rows === undefined ? schema : { type: 'array', items: shared(rows) }
  return { description, ...(field.name === 'id' ? several : orNull(several)) }
}

/** What is in `data` when the code is 0, by the call below the entity's address. */
function answers({ name }: EntityModel): Record<string, JsonSchema> {
  const [one, refs] = [shared(name), shared('References')]
  const id = object({ id: text })
  return {
    queryPage: object(
      {
        records: list(one),
        total: whole,
        totalAtLeast: yes,
        pageNo: whole,
        pageSize: whole,
        refs,
        summary: mapOf(anything),
        counts: mapOf(whole),
        next: orNull(text),
      },
      ['totalAtLeast', 'summary', 'counts', 'next'],
    ),
    aggregate: shared('AggregateAnswer'),
    'view/{id}': object(
      { record: one, title: text, refs, can: object({ edit: yes, delete: yes, transitions: mapOf(orNull(text)) }) },
      ['title'],
    ),
    select: list({ type: 'object', required: ['id', 'title'], properties: { id: text, title: text } }),
    'log/{id}': shared('LogAnswer'),
    exportTask: progress,
    save: object({ id: text, version: whole, record: one, refs }),
    stateUpdate: shared('BulkAnswer'),
    'delete/{id}': id,
    deleteBatch: shared('BulkAnswer'),
    'restore/{id}': id,
    'import/preview': shared('ImportPreview'),
    'import/{importId}': shared('ImportPreview'),
    'import/commit': shared('ImportAnswer'),
    duplicates: orNull(object({ decision: text, message: text, hits: list(mapOf(anything)) })),
    'merge/preview': shared('MergePreview'),
    merge: object({ id: text, moved: mapOf(whole) }),
  }
}
