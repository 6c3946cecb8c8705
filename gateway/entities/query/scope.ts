import { sql } from 'drizzle-orm'
import type { EntityModel, EntityView } from '../../../src/schema/entity'
import { can, scopesOf, type RequestContext, type Scope } from '../../platform/http'
import { allOf, anyOf, clauseSql, ofRow, textArray, type Clause } from '../clause'
import type { Registry } from '../registry'
import type { ShareSource } from '../types'
import { columnSql, tableSql } from '../tables'
import { opensRows, participantsClause } from './participants'

/** Each scope includes the ones before it: who sees a department also sees what is his own and what is shared with him. */
const RANKS: readonly Scope[] = ['own', 'shared', 'department', 'departmentTree', 'all']

/** The widest scope that the caller has on an entity, or undefined. */
export function widestScope(context: RequestContext, entity: string): Scope | undefined {
  const held = scopesOf(context, entity)
  return RANKS.findLast((scope) => held.includes(scope))
}

/** Row conditions of one caller. Aliases of parents are made from the child's, so that every table is named once. */
export class RowScope {
  constructor(
    private readonly registry: Registry,
    private readonly context: RequestContext,
  ) {}

  /** Rows that the caller may read: outside a view, or inside one (a pool view opens rows of its own). */
  readable(model: EntityModel, alias: string, view?: EntityView): Clause {
    if (view?.scope === 'pool') return columnEmpty(model, alias)
    const base = this.visible(model, alias)
    if (!view) return base
    const { participant } = view
    const named =
      participant === undefined || this.context.kind === 'system' ? true : this.partIn(model, alias, 'read', participant)
    return allOf([base, this.narrowed(model, alias, view.scope), named])
  }

  /** Rows that the caller may change: own ones, the department's with the manage key, shared ones with mode edit; below a parent those that it lets him. */
  writable(model: EntityModel, alias: string): Clause {
    const { context } = this
    if (context.kind === 'system') return true
    const further = this.partIn(model, alias, 'edit')
    if (model.scope.kind === 'parent') return anyOf([this.throughParent(model, alias, this.parentOf(model)), further])
    if (model.scope.kind === 'staff') return this.named(model, alias)
    if (model.scope.kind === 'restricted' && opensRows(model)) return anyOf([this.keyed(model), further])
    if (model.scope.kind !== 'owned') return true
    const scope = widestScope(context, model.name)
    if (!scope) return further
    const manage = model.permissions.manage !== undefined && can(context, model.permissions.manage)
    if (manage && scope === 'all') return true
    const rank = RANKS.indexOf(scope)
    return anyOf([
      this.own(model, alias),
      rank >= RANKS.indexOf('shared') && this.shared(model, alias, true),
      manage && this.department(model, alias, scope),
      further,
    ])
  }

  /** Rows of the parent under which the caller may write: those that he may change, of a keyed child those that he sees. */
  parentOf({ scope }: EntityModel): (parent: EntityModel, alias: string) => Clause {
    return scope.kind === 'parent' && scope.keyed
      ? (parent, alias) => this.visible(parent, alias)
      : (parent, alias) => this.writable(parent, alias)
  }

  /** Whether the caller sees every row, of a child every one whose parent is there. */
  seesAll(model: EntityModel): boolean {
    if (model.scope.kind === 'parent') return this.seesAll(this.registry.model(model.scope.entity))
    return this.visible(model, 't') === true
  }

  private visible(model: EntityModel, alias: string): Clause {
    const { context } = this
    const { scope } = model
    if (context.kind === 'system') return true
    if (scope.kind === 'public') return true
    if (scope.kind === 'staff') return this.named(model, alias)
    const further = this.partIn(model, alias, 'read')
    if (scope.kind === 'restricted') return anyOf([this.keyed(model), further])
    if (scope.kind === 'parent')
      return anyOf([this.throughParent(model, alias, (parent, parentAlias) => this.visible(parent, parentAlias)), further])
    const held = widestScope(context, model.name)
    if (!held) return further
    if (held === 'all') return true
    return anyOf([
      this.own(model, alias),
      RANKS.indexOf(held) >= RANKS.indexOf('shared') && this.shared(model, alias, false),
      this.department(model, alias, held),
      further,
    ])
  }

  /** Whoever has the key of a restricted entity sees all of its rows. */
  private keyed({ permissions }: EntityModel): boolean {
    return permissions.read !== undefined && can(this.context, permissions.read)
  }

  /** Rows in which the caller takes part because they name him. */
  private partIn(model: EntityModel, alias: string, access: 'read' | 'edit', entry?: string): Clause {
    const { registry, context } = this
    const held = (target: EntityModel, inner: string, to: 'read' | 'edit'): Clause =>
      anyOf([this.own(target, inner), this.shared(target, inner, to === 'edit')])
    return participantsClause({ registry, context, held }, model, alias, access, entry)
  }

  private narrowed(model: EntityModel, alias: string, scope: EntityView['scope']): Clause {
    if (scope === 'all' || scope === 'pool' || this.context.kind === 'system') return true
    if (model.scope.kind === 'parent')
      return this.throughParent(model, alias, (parent, parentAlias) => this.narrowed(parent, parentAlias, scope))
    const reach: Scope = widestScope(this.context, model.name) === 'department' ? 'department' : 'departmentTree'
    switch (scope) {
      case 'own':
        return this.own(model, alias)
      case 'shared':
        return this.shared(model, alias, false)
      case 'ownOrShared':
        return anyOf([this.own(model, alias), this.shared(model, alias, false)])
      case 'department':
        return this.department(model, alias, reach)
    }
  }

  private own(model: EntityModel, alias: string): Clause {
    const owner = model.fields.get('ownerId')
    return owner && this.context.user.staffId !== '' ? sql`${columnSql(alias, owner)} = ${this.context.user.staffId}` : false
  }

  /** Rows whose field names the caller. */
  private named(model: EntityModel, alias: string): Clause {
    if (model.scope.kind !== 'staff' || this.context.user.staffId === '') return false
    return sql`${columnSql(alias, model.fields.get(model.scope.field)!)} = ${this.context.user.staffId}`
  }

  private department(model: EntityModel, alias: string, scope: Scope): Clause {
    const field = model.fields.get('ownerDeptId')
    const { scopeDeptIds, scopeTreeIds } = this.context.user
    if (!field || (scope !== 'department' && scope !== 'departmentTree' && scope !== 'all')) return false
    // as values, not as a query: the database plans a small department and the whole company differently
    const ids = scope === 'department' ? scopeDeptIds : scopeTreeIds
    return ids.length > 0 && sql`${columnSql(alias, field)} = any(${textArray(ids)})`
  }

  private shared(model: EntityModel, alias: string, editable: boolean): Clause {
    const source = this.registry.serviceOf(model)?.shares
    if (!source) return false
    return sql`${columnSql(alias, { column: 'id' })} = any(array(${this.sharedIds(source, editable)}))`
  }

  private sharedIds(source: ShareSource, editable: boolean) {
    const { context } = this
    const share = this.registry.model(source.entity)
    const column = (name: string) => columnSql('share', share.fields.get(name)!)
    const today = this.registry.dayOf(context.now)
    const conditions: Clause[] = [
      sql`${column('deletedAt')} is null`,
      ...source.where.map(({ field, value }) => sql`${column(field)} = ${value}`),
      anyOf([
        sql`${column(source.staff)} = ${context.user.staffId}`,
        source.department !== undefined &&
          context.user.deptIds.length > 0 &&
          sql`${column(source.department)} = any(${textArray(context.user.deptIds)})`,
      ]),
      source.until === undefined || sql`(${column(source.until)} is null or ${column(source.until)} >= ${today}::date)`,
      !editable || (source.edit !== undefined && sql`${column(source.edit.field)} = ${source.edit.value}`),
    ]
    return sql`select ${column(source.record)} from ${tableSql(share, 'share')} where ${clauseSql(allOf(conditions))}`
  }

  private throughParent(model: EntityModel, alias: string, condition: (parent: EntityModel, alias: string) => Clause): Clause {
    if (model.scope.kind !== 'parent') return true
    const parent = this.registry.model(model.scope.entity)
    const parentAlias = `${alias}_parent`
    const inside = condition(parent, parentAlias)
    if (inside === false) return false
    const reference = columnSql(alias, model.fields.get(model.scope.field)!)
    const live = sql`${columnSql(parentAlias, { column: 'deleted_at' })} is null`
    const match = sql`${columnSql(parentAlias, { column: 'id' })} = ${reference}`
    const exists = sql`exists (select from ${tableSql(parent, parentAlias)} where ${clauseSql(allOf([match, live, inside]))})`
    return ofRow(`${alias}.${model.scope.field} ${parent.name}`, inside, exists)
  }
}

function columnEmpty(model: EntityModel, alias: string): Clause {
  const owner = model.fields.get('ownerId')
  return owner ? sql`${columnSql(alias, owner)} is null` : false
}
