import { createEntityEngine, type EngineOptions, type EntityEngine, type EntityService } from '../../../../gateway/entities'
import { migrate, newId, type Database } from '../../../../gateway/platform/database'
import { systemContext, type RequestContext } from '../../../../gateway/platform/http'
import type { DictionaryDocument } from '../../../../src/schema/generated/dictionary'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import { dictionaries, documents } from '../../../fixtures/entities/documents'
import { testDatabase } from '../../testDatabase'

/** People of the fixture world: id, job number, department. 1 leads everything, 2 and 3 sit in sales, 4 in its south. */
export const PEOPLE = { boss: 'staff1', wang: 'staff2', li: 'staff3', zhao: 'staff4', other: 'staff5' } as const
const DEPARTMENTS = [
  { id: 'd1', code: 'HQ', name: '总部', path: '/d1/' },
  { id: 'd2', code: 'SALES', name: '销售部', path: '/d1/d2/' },
  { id: 'd3', code: 'SOUTH', name: '华南组', path: '/d1/d2/d3/' },
  { id: 'd4', code: 'OPS', name: '运营部', path: '/d1/d4/' },
]
const STAFF = [
  { id: 'staff1', name: '陈总', jobNumber: 'S0001', mainDeptId: 'd1' },
  { id: 'staff2', name: '王伟', jobNumber: 'S0002', mainDeptId: 'd2' },
  { id: 'staff3', name: '李娜', jobNumber: 'S0003', mainDeptId: 'd2' },
  { id: 'staff4', name: '赵敏', jobNumber: 'S0004', mainDeptId: 'd3' },
  { id: 'staff5', name: '周杰', jobNumber: 'S0005', mainDeptId: 'd4' },
]

export interface World {
  database: Database
  engine: EntityEngine
  close(): Promise<void>
}

/** A fault that a test orders: the save of this name breaks once, as if the process had died. */
export const fault: { name: string | null } = { name: null }

export const clientService: EntityService = {
  inputs: ['approval'],
  shares: {
    entity: 'test.share',
    record: 'clientId',
    staff: 'toStaffId',
    department: 'toDeptId',
    until: 'until',
    where: [{ field: 'status', value: 'accepted' }],
    edit: { field: 'mode', value: 'edit' },
  },
  beforeSave({ record, fail, warn, origin }) {
    if (origin === 'import' && fault.name !== null && record.name === fault.name) {
      fault.name = null
      throw new Error('the process died')
    }
    if (record.name === '被拒绝的公司')
      fail({ field: 'name', message: { zh: '服务拒绝了这个名称', en: 'The service refuses this name' } })
    if (record.name === '要留意的公司') warn({ zh: '请留意这个名称。', en: 'Look at this name.' })
    record.nameKey = typeof record.name === 'string' ? record.name.toLowerCase().replaceAll(/\s/g, '') : null
  },
  async computeFields(records, { db }) {
    const { rows } = await db.query<{ id: string; count: number }>(
      'select client_id as id, count(*) as count from test_note where client_id = any($1) and deleted_at is null group by 1',
      [records.map((record) => record.id)],
    )
    const counts = new Map(rows.map((row) => [row.id, Number(row.count)]))
    for (const record of records) record.noteCount = counts.get(record.id as string) ?? 0
  },
}

/** A database of its own with the fixture entities, people and departments. */
export async function openWorld(
  entityDocuments: readonly EntityDocument[] = documents,
  moreDictionaries: readonly DictionaryDocument[] = [],
): Promise<World> {
  const { database, drop } = await testDatabase()
  const engine = await startEngine(database, entityDocuments, undefined, moreDictionaries)
  await engine.transaction(systemContext(), async (entities) => {
    await entities.insertMany('sys.department', DEPARTMENTS)
    await entities.insertMany('sys.staff', STAFF)
  })
  return { database, engine, close: drop }
}

export async function startEngine(
  database: Database,
  entityDocuments: readonly EntityDocument[],
  importLimits?: EngineOptions['importLimits'],
  moreDictionaries: readonly DictionaryDocument[] = [],
): Promise<EntityEngine> {
  const byName = new Map([...dictionaries, ...moreDictionaries].map((dictionary) => [dictionary.name, dictionary]))
  const engine = createEntityEngine({ database, entities: entityDocuments, dictionary: (name) => byName.get(name), importLimits })
  engine.registerEntityService('test.client', clientService)
  engine.registerEntityService('test.client.release', {
    effect: ({ record }) => void Object.assign(record, { ownerId: null }),
  })
  engine.registerEntityService('test.client.claim', {
    guard: ({ before, context }) =>
      before.nameEn === `not for ${context.user.staffId}` ? { zh: '冷却期内', en: 'Cool-down' } : null,
    effect: ({ record, context }) => void Object.assign(record, { ownerId: context.user.staffId }),
  })
  const trigram = (await database.query(`select 1 from pg_available_extensions where name = 'pg_trgm'`)).rowCount > 0
  await migrate(database, engine.tables({ trigram }), [], { extensions: trigram ? ['pg_trgm'] : [] })
  return engine
}

const KEYS = ['add', 'edit', 'delete', 'import', 'export', 'release', 'viewSensitive'].map((key) => `test:client:${key}`)

/** A member of staff of the fixture world as the caller. */
export function as(
  staffId: string,
  options: {
    scope?: RequestContext['scopes'][string]
    keys?: readonly string[]
    without?: readonly string[]
    locale?: 'zh' | 'en'
    fieldRules?: RequestContext['fieldRules']
    now?: Date
  } = {},
): RequestContext {
  const person = STAFF.find(({ id }) => id === staffId)!
  const department = DEPARTMENTS.find(({ id }) => id === person.mainDeptId)!
  const permissions = new Set([...KEYS, ...(options.keys ?? [])].filter((key) => !options.without?.includes(key)))
  return {
    ...systemContext({ locale: options.locale ?? 'en', now: options.now ?? new Date() }),
    kind: 'staff',
    user: {
      userId: staffId,
      staffId,
      name: person.name,
      nameEn: null,
      jobNumber: person.jobNumber,
      deptIds: [person.mainDeptId],
      mainDeptId: person.mainDeptId,
      ledDeptIds: [],
      scopeDeptIds: [person.mainDeptId],
      scopeTreeIds: DEPARTMENTS.filter(({ path }) => path.startsWith(department.path)).map(({ id }) => id),
      roleCodes: [],
    },
    permissions,
    scopes: { 'test.client': options.scope ?? ['own'] },
    fieldRules: options.fieldRules ?? {},
  }
}

/** A row as the database holds it, for tests that need many. */
export function clientRow(values: Record<string, unknown>): Record<string, unknown> {
  return { id: newId(), name: '某客户', level: 'd', holding: 'private', stage: 'open', vip: false, currency: 'USD', ...values }
}
