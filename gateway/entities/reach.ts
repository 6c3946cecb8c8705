import { sql } from 'drizzle-orm'
import { referenceOf, type EntityModel, type FieldModel } from '../../src/schema/entity'
import type { Participant } from '../../src/schema/generated/entity'
import { bind, type Executor } from '../platform/database'
import { can, ServiceError, systemContext, type ContextUser, type RequestContext } from '../platform/http'
import { allOf, clauseSql, type Clause } from './clause'
import { ALIAS, lacksToRead } from './query/queriedTable'
import { planQuery } from './query/plan'
import { countRows } from './query/queryPage'
import { RowScope } from './query/scope'
import { isWider } from './query/ways'
import type { Reach, Rights, RowsOf } from './reached'
import type { Registry } from './registry'

/** Rows are not counted any further. */
const MOST_COUNTED = 100_000

/**
 * Who stands for all people with the same rights where rows are not counted but compared: in a department, with one below it, leading
 * both, so that no part of a row scope falls away.
 */
const ANYBODY: Omit<ContextUser, 'roleCodes'> = {
  userId: 'person',
  staffId: 'person',
  name: '',
  nameEn: null,
  jobNumber: '',
  deptIds: ['department'],
  mainDeptId: 'department',
  ledDeptIds: ['department'],
  scopeDeptIds: ['department'],
  scopeTreeIds: ['department', 'below'],
}

/** Which rows people reach as the entities stand, and as they would stand with other documents. */
export class ComparedReach implements Reach {
  constructor(
    private readonly db: Executor,
    private readonly before: Registry,
    private readonly after: Registry,
    private readonly now: Date,
  ) {}

  models(entity: string): { before: EntityModel | undefined; after: EntityModel | undefined } {
    return { before: this.before.find(entity), after: this.after.find(entity) }
  }

  concerned(changed: ReadonlySet<string>, people: readonly Rights[]): string[] {
    const found = new Set([...changed].filter((name) => people.some((rights) => this.isReachedOtherwise(name, rights))))
    if (found.size === 0) return []
    const through = this.after.all().map((model) => ({ name: model.name, leads: reachedThrough(model, this.after) }))
    for (let size = -1; size !== found.size;) {
      size = found.size
      for (const { name, leads } of through) if ([...leads].some((entity) => found.has(entity))) found.add(name)
    }
    return [...found].filter((name) => this.before.find(name) && this.after.find(name))
  }

  widened(entity: string, rights: Rights): RowsOf[] {
    const { before, after } = this.models(entity)
    if (!before || !after) return []
    const person = standIn(rights)
    const views = [...after.views.values()].filter(({ scope }) => scope === 'pool')
    const kinds: readonly RowsOf[] = ['seen', 'changed', ...views.map(({ id }) => `pool:${id}` as const)]
    return kinds.filter((rows) =>
      isWider(this.clause(this.before, before, person, rows), this.clause(this.after, after, person, rows)),
    )
  }

  sees(entity: string, rights: Rights): 'nothing' | 'some' | 'all' {
    const model = this.after.find(entity)
    const clause = model ? this.clause(this.after, model, standIn(rights), 'seen') : false
    if (!model || clause === false) return 'nothing'
    const everything = { permissions: new EveryKey(), scopes: { '*': ['all'] as const }, fieldRules: {}, user: rights.user }
    return isWider(clause, this.clause(this.after, model, standIn(everything), 'seen')) ? 'some' : 'all'
  }

  async count(entity: string, rights: Rights, rows: RowsOf): Promise<{ before: number; after: number } | undefined> {
    const { before, after } = this.models(entity)
    if (!before || !after) return undefined
    const [now, then] = [this.clause(this.before, before, rights, rows), this.clause(this.after, after, rights, rows)]
    if (this.readsNewColumns(then)) return undefined
    return { before: await this.counted(before, now), after: await this.counted(before, then) }
  }

  isReachedOtherwise(name: string, rights: Rights): boolean {
    const { before, after } = this.models(name)
    if (!before || !after) return false
    const said = (registry: Registry, model: EntityModel, held: Rights): string => {
      const scope = new RowScope(registry, this.contextOf(standIn(held)))
      const own: Clause[] = [scope.readable(model, ALIAS), scope.writable(model, ALIAS)]
      const views = [...model.views.values()].filter((view) => view.scope === 'pool').map(({ id }) => `pool:${id}` as const)
      const kinds: readonly RowsOf[] = ['seen', 'changed', ...views]
      const all = [...own, ...kinds.map((rows) => this.clause(registry, model, standIn(held), rows))]
      return JSON.stringify([views, all.map((clause) => bind(clauseSql(clause)))])
    }
    // who sees all rows takes part in them by name as well, which is what others are reached through
    return [rights, { ...rights, scopes: {} }].some((held) => said(this.before, before, held) !== said(this.after, after, held))
  }

  private contextOf(rights: Rights): RequestContext {
    return { ...systemContext({ now: this.now }), ...rights, kind: 'staff' }
  }

  private readonly counts = new Map<string, Promise<number>>()

  /** Equal conditions are counted once. */
  private counted(model: EntityModel, clause: Clause): Promise<number> {
    const where = allOf([sql`${sql.identifier(ALIAS)}."deleted_at" is null`, clause])
    const { text, values } = bind(clauseSql(where))
    const key = JSON.stringify([model.name, text, values])
    const known = this.counts.get(key) ?? countRows(this.db, { model, where }, MOST_COUNTED)
    this.counts.set(key, known)
    return known
  }

  private clause(registry: Registry, model: EntityModel, rights: Rights, rows: RowsOf): Clause {
    const context = this.contextOf(rights)
    const scope = new RowScope(registry, context)
    const seen = rows.startsWith('pool:') || lacksToRead(context, model) ? false : scope.readable(model, ALIAS)
    if (rows === 'seen') return seen
    if (rows === 'changed') return mayChange(context, model) && allOf([seen, scope.writable(model, ALIAS)])
    const view = rows.slice('pool:'.length)
    if (!model.views.has(view)) return false
    try {
      return planQuery(registry, context, model, { view }).where
    } catch (error) {
      if (error instanceof ServiceError) return false
      throw error
    }
  }

  /** Whether a condition reads what has no column before the release. */
  private readsNewColumns(clause: Clause): boolean {
    this.fresh ??= newColumns(this.before, this.after)
    const { text } = bind(clauseSql(clause))
    return this.fresh.some((name) => text.includes(`"${name}"`))
  }

  private fresh: readonly string[] | undefined
}

/** What somebody holds who may do everything. */
class EveryKey extends Set<string> {
  override has(): boolean {
    return true
  }
}

const standIn = (rights: Rights): Rights => ({ ...rights, user: { ...ANYBODY, roleCodes: rights.user.roleCodes } })

/** Whether there is anything that the caller may do with rows that he may change. */
function mayChange(context: RequestContext, { permissions, machines, scope }: EntityModel): boolean {
  const keys = [permissions.edit, permissions.delete, permissions.restore]
  const moves = machines.flatMap(({ transitions }) => transitions.map(({ permission }) => permission))
  return scope.kind === 'staff' || [...keys, ...moves].some((key) => key !== undefined && can(context, key))
}

/** Names of the tables and columns that come with the release. */
function newColumns(before: Registry, after: Registry): readonly string[] {
  return after.all().flatMap((model) => {
    const known = before.find(model.name)
    if (known === model) return []
    if (!known) return [model.table]
    return model.columns.filter(({ name }) => !known.fields.has(name)).map(({ column }) => column)
  })
}

/** The entities whose records decide who reaches rows of an entity. */
function reachedThrough(model: EntityModel, registry: Registry): ReadonlySet<string> {
  const found = new Set<string>(model.scope.kind === 'parent' ? [model.scope.entity] : [])
  const walk = (path: string): void => {
    let at: EntityModel | undefined = model
    for (const name of path.split('.')) {
      const field: FieldModel | undefined = at?.fields.get(name)
      const target: string | undefined = field && referenceOf(field)
      if (target !== undefined) found.add(target)
      at = target === undefined ? undefined : registry.find(target)
    }
  }
  for (const entry of model.document['x-participants'] ?? []) {
    if (typeof entry.through === 'object') found.add(entry.through.rows)
    for (const path of pathsOf(entry)) walk(path)
  }
  return found
}

const pathsOf = ({ people = [], through, where = [] }: Participant): string[] => [
  ...(typeof through === 'string' ? [through] : []),
  ...where.map(({ field }) => field),
  ...people.flatMap((person) =>
    typeof person !== 'object' ? [] : 'path' in person ? [person.path] : 'field' in person ? [person.field] : [],
  ),
]
