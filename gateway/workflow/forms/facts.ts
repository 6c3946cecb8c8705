import { readValue, referenceOf, type EntityModel } from '../../../src/schema/entity'
import { Amount } from '../../../src/schema/expression'
import type { ProcessDocument } from '../../../src/schema/generated/process'
import type { FieldKind } from '../../../src/schema/model'
import { factsOf, formEntity, rowEntities } from '../../../src/schema/process'
import type { DetachedRecords, EntityEngine, EntityRecord } from '../../entities'
import type { Executor } from '../../platform/database'
import { can, contextOf, ok, ServiceError, type RequestContext } from '../../platform/http'
import { currentProcess, processOf, type StoredProcess } from '../definitions'
import { processForm } from '../flow/form'
import type { WorkflowParts } from '../parts'
import { perEngine } from '../perEngine'
import { DESIGN } from '../processes/access'
import { mayStart } from '../processes/mayStart'

/** Records behind one reference, and steps of one path. */
const [MOST_RECORDS, MOST_STEPS] = [500, 4]

/** What a form asks while it is filled in. */
export interface FactsRequest {
  /** Look-ups and paths through references; what the form does not read is not answered. */
  of: readonly string[]
  /** Values of the fields that they depend on. */
  values: Readonly<Record<string, unknown>>
}

/** Of which form: that which new applications take, or that which an application was made with. */
interface FactsBody extends FactsRequest {
  code?: string
  versionId?: string
}

const NAME = { type: 'string', maxLength: 200 } as const

/** Serves what forms of processes ask while they are filled in. */
export function registerFactsCall(parts: WorkflowParts): void {
  const { app, engine } = parts
  app.post<{ Body: FactsBody }>(
    '/v2/workflow/form/facts',
    {
      schema: {
        tags: ['workflow'],
        summary: 'What the expressions of a form read of the records that it names, in the rights of the caller',
        body: {
          type: 'object',
          properties: {
            code: NAME,
            versionId: NAME,
            of: { type: 'array', items: NAME, maxItems: 200 },
            values: { type: 'object', additionalProperties: true },
          },
          required: ['of', 'values'],
          additionalProperties: false,
        },
      },
    },
    async (request) => {
      const context = contextOf(request)
      const { code, versionId, ...asked } = request.body
      const process = await askedAbout(parts, context, { code, versionId })
      return ok({ facts: await readFacts(engine, context, process.document, asked) })
    },
  )
}

/** @throws ServiceError 10010004 for a process that is not there, or not for the caller */
async function askedAbout(
  { database, schemas }: WorkflowParts,
  context: RequestContext,
  { code, versionId }: Pick<FactsBody, 'code' | 'versionId'>,
): Promise<StoredProcess> {
  if (versionId !== undefined && (await takesPart(database, context, versionId))) return processOf(database, versionId)
  const found = code === undefined ? null : await currentProcess(database, { code })
  if (found && (can(context, DESIGN) || (await mayStart({ db: database, schemas }, context, found.document)))) return found
  throw new ServiceError('notFound')
}

/** Whether the caller applied with a version of a process, or has a task of such an application. */
async function takesPart(db: Executor, { user: { staffId } }: RequestContext, versionId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select 1 from wf_instance i where i.version_id = $1 and i.deleted_at is null
      and (i.applicant_id = $2 or exists (select 1 from wf_task t where t.instance_id = i.id and t.assignee_id = $2)) limit 1`,
    [versionId, staffId],
  )
  return rowCount > 0
}

/** By look-up; by path and the id of the record that it starts from. Amounts are numbers: expressions of a form reckon with them. */
export type Facts = Record<string, unknown>

const EXACT: ReadonlySet<FieldKind> = new Set(['decimal', 'money', 'percent'])

/**
 * What expressions of a form read of the records that it names, in the rights of whoever fills it in: records out of his reach and fields that he does not
 * read in clear are empty, for look-ups too.
 */
export async function readFacts(
  engine: EntityEngine,
  context: RequestContext,
  process: ProcessDocument,
  { of, values }: FactsRequest,
): Promise<Facts> {
  const known = factsOf(process)
  const asked = [...new Set(of)].filter((name) => known.of.includes(name))
  const given = new Given(engine, context, formOf(engine, process), values)
  const facts: Facts = {}
  for (const path of asked.filter((name) => name.includes('.'))) facts[path] = await given.behind(path.split('.'))
  const lookups = asked.filter((name) => !name.includes('.'))
  if (lookups.length === 0) return facts
  const record = await given.seen()
  const answers = await lookUp(engine, context, process, record, lookups)
  for (const [index, name] of lookups.entries()) facts[name] = told(answers[index], known.parts.get(name) ?? new Set())
  return facts
}

interface FormModels {
  records: DetachedRecords
  model: EntityModel
  rows(entity: string): EntityModel | undefined
}

const formOf = perEngine((engine, process): FormModels => {
  const records = engine.detached(formEntity(process), rowEntities(process))
  const byEntity = new Map(records.model.lines.map(({ name, rows }) => [rows.entity, records.rowsOf(name)]))
  return { records, model: records.model, rows: (entity) => byEntity.get(entity) }
})

function found(engine: EntityEngine, name: string): EntityModel | undefined {
  return engine.names().includes(name) ? engine.model(name) : undefined
}

/** Look-ups over what is filled in, and who fills it in. */
async function lookUp(
  engine: EntityEngine,
  context: RequestContext,
  process: ProcessDocument,
  record: EntityRecord,
  names: readonly string[],
): Promise<unknown[]> {
  const { records } = formOf(engine, process)
  const { user } = context
  const deptId = user.mainDeptId
  const titles =
    deptId !== null && names.includes('applicant') ? await engine.titles(context, { 'sys.department': [deptId] }) : {}
  const departmentName = titles['sys.department']?.[deptId ?? '']?.title ?? ''
  const named = {
    applicant: { id: user.staffId, name: user.name, deptId, departmentName },
    instance: { applicantId: user.staffId, urgency: record.urgency ?? 'normal', round: 1 },
  }
  return engine.transaction(context, async (_, tx) => {
    const call = { tx, context }
    const worth = names.includes('amountCny') ? await processForm(engine, process).worth(call, record, named) : undefined
    const told = { ...named, amountCny: worth?.amountCny ?? null }
    return records.evaluate(
      call,
      record,
      told,
      names.map((name) => `{{ ${name} }}`),
    )
  })
}

/** Of a record only what the form reads. */
function told(value: unknown, parts: ReadonlySet<string>): unknown {
  if (value instanceof Amount) return Number(value.text)
  if (Array.isArray(value)) return parts.has('') ? value : null
  if (typeof value !== 'object' || value === null) return value ?? null
  return Object.fromEntries(Object.entries(value).flatMap(([key, item]) => (parts.has(key) ? [[key, plain(item)]] : [])))
}

const plain = (value: unknown): unknown => (value instanceof Amount ? Number(value.text) : value)

/** The values of a form as they came, and the records behind them. */
class Given {
  private readonly visible = new Map<string, Promise<ReadonlyMap<string, EntityRecord>>>()

  constructor(
    private readonly engine: EntityEngine,
    private readonly context: RequestContext,
    private readonly form: FormModels,
    private readonly values: Readonly<Record<string, unknown>>,
  ) {}

  /** What a path leads to, by the ids of the records that it starts from; null for what the caller may not read. */
  async behind(steps: readonly string[]): Promise<Record<string, unknown>> {
    const [first = '', ...rest] = steps
    const field = this.form.model.fields.get(first)
    if (!field || steps.length > MOST_STEPS + 1) return {}
    const rowsOf = field.field['x-lines']?.entity
    if (rowsOf === undefined) return this.follow(referenceOf(field), idsIn(this.values[first]), rest)
    const [cell = '', ...further] = rest
    const entity = this.form.rows(rowsOf)?.fields.get(cell)
    const list = Array.isArray(this.values[first]) ? (this.values[first] as unknown[]) : []
    return this.follow(
      entity && referenceOf(entity),
      list.flatMap((row) => idsIn(member(row, cell))),
      further,
    )
  }

  private async follow(
    entity: string | undefined,
    ids: readonly string[],
    [step, ...rest]: readonly string[],
  ): Promise<Record<string, unknown>> {
    const model = entity === undefined ? undefined : found(this.engine, entity)
    const field = model?.fields.get(step ?? '')
    if (!model || !field || field.internal) return {}
    const records = await this.records(model.name, ids)
    const readable = this.engine.readable(this.context, `${model.name}.${field.name}`)
    const values = [...records].map(([id, record]) => [id, readable ? (record[field.name] ?? null) : null] as const)
    const none = [...new Set(ids)].map((id) => [id, null] as const)
    if (rest.length === 0)
      return Object.fromEntries([...none, ...values.map(([id, value]) => [id, shown(field.kind, value)] as const)])
    const next = await this.follow(
      referenceOf(field),
      values.flatMap(([, value]) => idsIn(value)),
      rest,
    )
    return Object.fromEntries([...none, ...values.map(([id, value]) => [id, next[String(value)] ?? null] as const)])
  }

  /** Those of some records that the caller sees. */
  private records(entity: string, ids: readonly string[]): Promise<ReadonlyMap<string, EntityRecord>> {
    const wanted = [...new Set(ids)].slice(0, MOST_RECORDS).sort()
    const key = `${entity} ${wanted.join(' ')}`
    const known = this.visible.get(key)
    if (known) return known
    const made = this.read(entity, wanted)
    this.visible.set(key, made)
    return made
  }

  private async read(entity: string, ids: readonly string[]): Promise<ReadonlyMap<string, EntityRecord>> {
    if (ids.length === 0) return new Map()
    const { records } = await this.engine
      .queryPage(entity, this.context, { where: [{ field: 'id', operator: 'in', value: ids }], pageSize: ids.length })
      .catch((error: unknown): { records: EntityRecord[] } => {
        // who sees no record of it at all sees none of these
        if (error instanceof ServiceError && error.reason === 'noPermission') return { records: [] }
        throw error
      })
    return new Map(records.map((record) => [String(record.id), record]))
  }

  /** What is filled in, as fields keep it; records that the caller does not see are not there. */
  async seen(): Promise<EntityRecord> {
    const record = await this.readable(this.form.model, this.values)
    for (const field of this.form.model.lines) {
      const row = this.form.rows(field.rows.entity)
      const list = this.values[field.name]
      record[field.name] =
        row && Array.isArray(list)
          ? await Promise.all(list.slice(0, MOST_RECORDS).map((one) => this.readable(row, isRecord(one) ? one : {})))
          : []
    }
    return record
  }

  private async readable(model: EntityModel, values: Readonly<Record<string, unknown>>): Promise<EntityRecord> {
    const record: EntityRecord = {}
    for (const field of model.stored) {
      const read = readValue(field, values[field.name])
      const value = 'value' in read ? read.value : null
      const entity = referenceOf(field)
      if (entity === undefined || value === null) {
        record[field.name] = value
        continue
      }
      const ids = idsIn(value)
      const visible = await this.records(entity, ids)
      record[field.name] = Array.isArray(value) ? ids.filter((id) => visible.has(id)) : visible.has(String(value)) ? value : null
    }
    return record
  }
}

const isRecord = (value: unknown): value is EntityRecord => typeof value === 'object' && value !== null && !Array.isArray(value)

const member = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined

const idsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? (value as unknown[]) : [value]).filter((id): id is string => typeof id === 'string' && id !== '')

const shown = (kind: FieldKind, value: unknown): unknown => (EXACT.has(kind) && typeof value === 'string' ? Number(value) : value)
