import { sql } from 'drizzle-orm'
import type { QueryWhere, QuerySort } from '../../src/schema/model'
import type { EntityModel } from '../../src/schema/entity'
import type { Transaction } from '../platform/database'
import { ServiceError, type RequestContext } from '../platform/http'
import { clauseSql } from './clause'
import type { Core, WriteContext } from './core'
import { OwnValues } from './derive/own'
import { duplicatesAmong } from './duplicates/check'
import { deriveKeys } from './duplicates/word'
import { trusted } from './effects/cause'
import { forbiddenError, forbiddenTo } from './effects/forbids'
import { ALIAS } from './query/queriedTable'
import { orderSql } from './query/order'
import { planQuery } from './query/plan'
import { storedColumns } from './read/record'
import type { EntityRecord } from './calls'
import type { ChangeManyOptions, Entities } from './entitiesApi'
import type { GivenOf, RecordOf } from './recordTypes'
import { columnSql, tableSql } from './tables'
import { changeMany } from './write/changeMany'
import { consequences } from './write/consequences'
import { nextNumbers } from './write/numbers'
import { removeRecord } from './write/remove'
import { insertRows } from './write/row'
import { FOR_CHANGE, lockRow } from './write/existing'
import { saveRecord } from './write/save'
import { moveRecord } from './write/transition'
import { moveRecords } from './write/moveRecords'
import { createRecords } from './write/createRecords'

/** Rows that one call reads when it does not say how many it wants. */
const MOST_AT_ONCE = 100_000

const tooMany = ({ label }: EntityModel): ServiceError =>
  new ServiceError('limitRefused', {
    message: {
      zh: `涉及的${label.zh}超过 ${MOST_AT_ONCE.toLocaleString('en')} 条，无法一次处理，请分批进行。`,
      en: `More than ${MOST_AT_ONCE.toLocaleString('en')} rows of "${label.en}" are concerned, which is too many at once. Please go in parts.`,
    },
    data: { reason: 'tooMany' },
  })

/** `Entities` over the engine: the caller's name, the system's rights. */
export class EntitiesInTransaction implements Entities {
  private readonly system: RequestContext

  constructor(
    private readonly core: Core,
    private readonly tx: Transaction,
    caller: RequestContext,
  ) {
    this.system = trusted(caller)
  }

  private writeOf(entity: string): WriteContext {
    return { core: this.core, tx: this.tx, context: this.system, model: this.core.registry.model(entity) }
  }

  has(entity: string): boolean {
    return this.core.registry.find(entity) !== undefined
  }

  async find<Entity extends string>(
    entity: Entity,
    id: string,
    options: { lock?: boolean } = {},
  ): Promise<RecordOf<Entity> | null> {
    const [row] = await this.list(entity, { where: [{ field: 'id', operator: 'eq', value: id }], limit: 1, lock: options.lock })
    return row ?? null
  }

  async list<Entity extends string>(
    entity: Entity,
    options: { where?: readonly QueryWhere[]; sort?: readonly QuerySort[]; limit?: number; lock?: boolean } = {},
  ): Promise<RecordOf<Entity>[]> {
    const plan = planQuery(this.core.registry, this.system, this.core.registry.model(entity), {
      where: options.where,
      sort: options.sort,
    })
    const { rows } = await this.tx.query<RecordOf<Entity>>(
      sql`select ${storedColumns(plan.model, ALIAS)} from ${plan.from} where ${clauseSql(plan.where)} order by ${orderSql(plan, ALIAS)} limit ${options.limit ?? MOST_AT_ONCE + 1}${options.lock ? sql` ${FOR_CHANGE}` : sql``}`,
    )
    if (options.limit === undefined && rows.length > MOST_AT_ONCE) throw tooMany(plan.model)
    return rows
  }

  async count(entity: string, where: readonly QueryWhere[] = []): Promise<number> {
    const plan = planQuery(this.core.registry, this.system, this.core.registry.model(entity), { where })
    const { rows } = await this.tx.query<{ total: number }>(
      sql`select count(*) as "total" from ${tableSql(plan.model, ALIAS)} where ${clauseSql(plan.where)}`,
    )
    return Number(rows[0]?.total ?? 0)
  }

  save<Entity extends string>(
    entity: Entity,
    values: GivenOf<Entity>,
    options?: { reason?: string; checked?: boolean },
  ): Promise<RecordOf<Entity>>
  save(entity: string, values: EntityRecord, options: { reason?: string; checked?: boolean } = {}): Promise<EntityRecord> {
    return saveRecord(this.writeOf(entity), values, {
      origin: 'service',
      ...options,
    })
  }

  duplicates(entity: string, record: EntityRecord) {
    const { core, tx, system: context } = this
    return duplicatesAmong({ core, tx, context, model: core.registry.model(entity) }, record)
  }

  keysOf(entity: string, record: EntityRecord): EntityRecord {
    const keyed = { ...record }
    deriveKeys(this.core.registry, this.core.registry.model(entity), keyed)
    return keyed
  }

  async insertMany(entity: string, records: readonly EntityRecord[]): Promise<void> {
    const model = this.core.registry.model(entity)
    const at = this.system.now.toISOString()
    const rows = records.map((record): EntityRecord => ({
      createdAt: at,
      updatedAt: record.createdAt ?? at,
      version: 1,
      ...record,
    }))
    const write = this.writeOf(entity)
    const own = new OwnValues(write)
    await own.load(rows)
    for (const row of rows) await own.follow(null, row)
    await insertRows(this.tx, this.system.locale, model, rows)
    await consequences(
      write,
      rows.map((after) => ({ before: null, after })),
      { automatic: false },
    )
  }

  createMany<Entity extends string>(entity: Entity, records: readonly GivenOf<Entity>[]): Promise<readonly RecordOf<Entity>[]>
  createMany(entity: string, records: readonly EntityRecord[]): Promise<readonly EntityRecord[]> {
    return createRecords(this.writeOf(entity), records)
  }

  changeMany(entity: string, changes: ReadonlyMap<string, EntityRecord>, options: ChangeManyOptions = {}): Promise<number> {
    return changeMany(this.writeOf(entity), changes, options)
  }

  transition<Entity extends string>(
    entity: Entity,
    id: string,
    transition: string,
    values?: EntityRecord,
    options?: { field?: string; reason?: string },
  ): Promise<RecordOf<Entity>>
  async transition(
    entity: string,
    id: string,
    transition: string,
    values: EntityRecord = {},
    options: { field?: string; reason?: string } = {},
  ): Promise<EntityRecord> {
    const write = this.writeOf(entity)
    const row = await lockRow(write, id)
    return moveRecord(write, row, {
      transition,
      values,
      field: options.field,
      reason: options.reason,
    })
  }

  transitions<Entity extends string>(
    entity: Entity,
    ids: readonly string[],
    transition: string,
    values?: (record: RecordOf<Entity>) => EntityRecord,
    options?: { field?: string; reason?: string },
  ): Promise<ReadonlyMap<string, ServiceError>>
  async transitions(
    entity: string,
    ids: readonly string[],
    transition: string,
    values: (record: EntityRecord) => EntityRecord = () => ({}),
    options: { field?: string; reason?: string } = {},
  ): Promise<ReadonlyMap<string, ServiceError>> {
    if (ids.length === 0) return new Map()
    const write = this.writeOf(entity)
    const rows = await this.list(entity, { where: [{ field: 'id', operator: 'in', value: [...ids] }], lock: true })
    const { refused } = await moveRecords(write, rows, { ...options, transition, values })
    return new Map([...refused].map(([row, { error }]) => [String(row.id), error]))
  }

  async remove(entity: string, id: string, options: { reason?: string } = {}): Promise<void> {
    await removeRecord(this.writeOf(entity), id, options)
  }

  async forbidden(entity: string, ids: readonly string[]): Promise<ReadonlyMap<string, ServiceError>> {
    const write = { core: this.core, tx: this.tx, context: this.system, model: this.core.registry.model(entity) }
    const found = await forbiddenTo(
      write,
      'any',
      ids.map((id) => ({ id })),
    )
    return new Map([...found].map(([{ id }, refused]) => [String(id), forbiddenError(refused)]))
  }

  async followDepartment(staffId: string, departmentId: string | null): Promise<number> {
    let rows = 0
    for (const model of this.core.registry.all()) {
      if (model.scope.kind !== 'owned') continue
      const owner = columnSql('t', model.fields.get('ownerId')!)
      const department = model.fields.get('ownerDeptId')!
      const { rowCount } = await this.tx.query(
        sql`update ${tableSql(model, 't')} set ${sql.identifier(department.column)} = ${departmentId} where ${owner} = ${staffId} and ${columnSql('t', department)} is distinct from ${departmentId}`,
      )
      rows += rowCount
    }
    return rows
  }

  async numbers(entity: string, field: string, count = 1): Promise<string[]> {
    const model = this.core.registry.model(entity)
    return nextNumbers(this.tx, model, model.fields.get(field)!, this.core.registry.dayOf(this.system.now), count)
  }
}
