import { dequal } from 'dequal/lite'
import { splitSource } from '../../../../src/schema/entity'
import type { EntityModel, FieldAccess } from '../../../../src/schema/entity'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import type { Difference } from '../../../../src/schema/overlay'
import type { BilingualText } from '../../../../src/schema/problem'
import { flowsOf, widenedActs, widenedFields, type Flow, type Widened } from '../../../../src/schema/proof'
import type { Reach, RowsOf } from '../../../entities'
import type { ContextUser } from '../../../platform/http'
import type { Snapshot } from '../live'
import { grantedKeys, startedBy } from './grants'
import { viewersOf, type RoleHolder, type Viewer } from './holders'
import { tellFlow, tellRows, tellWidened, type Counted } from './tell'

/** A change that lets somebody see or do more, of the document that it concerns. */
export type WideningDifference = Difference & { target: string; role: string }

export interface WideningParts {
  /** Whose rights differ. */
  holders(): Promise<readonly RoleHolder[]>
  /** Which rows are reached as the entities stand, and as they would with these documents. */
  reach(documents: readonly EntityDocument[]): Reach
  /** Who a member of staff is, as row scopes read it; null for nobody. */
  person(staffId: string): Promise<ContextUser | null>
  /** Addresses of pages whose key decides who may start a process. */
  startPages(): Promise<readonly string[]>
}

/** Milliseconds in which rows are counted; what is left then is told without a number. */
const COUNTING = 3_000

/**
 * Everything that a release lets somebody see or do and that he may not now: found by comparing, for all roles and for all that are held
 * together, what the entities give as they stand with what they would give. Pages alone give nothing: the gateway decides by entities,
 * but for the start of processes; menu entries give keys.
 */
export async function describeWidening(
  now: Snapshot,
  then: Snapshot,
  holders: readonly RoleHolder[],
  parts: Omit<WideningParts, 'holders'>,
): Promise<WideningDifference[]> {
  const known = new Map(now.woven.map((entity) => [entity.name, entity]))
  const changed = then.woven.filter((entity) => entity !== known.get(entity.name) && !dequal(entity, known.get(entity.name)))
  const opened = (await parts.startPages()).filter(
    (path) => now.page(path)?.document.permission !== then.page(path)?.document.permission,
  )
  if (changed.length === 0 && opened.length === 0 && dequal(now.modules, then.modules)) return []
  const closing = new Set([...now.woven, ...then.woven].flatMap(sensitiveKeys))
  const viewers = viewersOf(holders, closing)
  const given = [...grantedKeys(now, then, viewers), ...startedBy(now, then, viewers, opened)].map(
    ({ target, id, what, viewers: whom }): WideningDifference => ({
      ...{ id: `widens ${id}`, at: '', kind: 'permissionWidened', risk: true, target, role: '' },
      text: tellWidened('permissionWidened', { entity: titleOf(then, target), what, holders: holdersOf(whom) }),
    }),
  )
  if (changed.length === 0) return given
  const reach = parts.reach(then.woven)
  const names = new Set(changed.map(({ name }) => name))
  const comparison = new Comparison(reach, viewers)
  for (const name of names) comparison.acts(name)
  for (const name of madeOfThem(then.woven, names)) comparison.fields(name)
  for (const name of names) comparison.flows(name)
  const affected = viewers.filter(({ rights }) => [...names].some((name) => reach.isReachedOtherwise(name, rights)))
  for (const name of reach.concerned(
    names,
    affected.map(({ rights }) => rights),
  ))
    comparison.rows(name, affected)
  return [...given, ...comparison.told(), ...(await comparison.counted(parts))]
}

const sensitiveKeys = ({ properties }: EntityDocument): string[] =>
  Object.values(properties).flatMap((field) => field['x-sensitive'] ?? [])

function titleOf(then: Snapshot, target: string): BilingualText {
  const [kind = '', name = ''] = target.split(':')
  const title = kind === 'module' ? then.modules.find((module) => module.name === name)?.title : then.page(name)?.document.title
  return title ?? { zh: target, en: target }
}

/** These entities, and those whose fields are copied from theirs or made of them, however many steps away. */
function madeOfThem(entities: readonly EntityDocument[], changed: ReadonlySet<string>): ReadonlySet<string> {
  const following = entities.flatMap((entity) => {
    const text = JSON.stringify(entity.properties)
    if (!/"x-(?:copyOf|derived|rollup)"/.test(text)) return []
    return [{ name: entity.name, of: new Set([...text.matchAll(NAMED)].map(([, name = '']) => name)) }]
  })
  const found = new Set(changed)
  for (let size = -1; size !== found.size;) {
    size = found.size
    for (const { name, of } of following) if ([...found].some((one) => of.has(one))) found.add(name)
  }
  return found
}

/** An entity, or a field of it. */
const NAMED = /"([a-z][a-z0-9]*\.[a-z][A-Za-z0-9]*)(?=[".])/g

interface Found {
  entity: EntityModel
  id: string
  kind: Widened['kind']
  tell(holders: readonly RoleHolder[]): BilingualText
  viewers: Viewer[]
}

interface FoundRows {
  entity: EntityModel
  rows: RowsOf
  viewers: Viewer[]
}

class Comparison {
  private readonly found = new Map<string, Found>()
  private readonly foundRows: FoundRows[] = []
  private readonly seen = new Map<string, 'nothing' | 'some' | 'all'>()

  constructor(
    private readonly reach: Reach,
    private readonly viewers: readonly Viewer[],
  ) {}

  acts(name: string): void {
    const { before, after } = this.reach.models(name)
    if (!before || !after) return
    for (const viewer of this.viewers) for (const one of widenedActs(before, after, viewer)) this.addWidened(after, one, viewer)
  }

  fields(name: string): void {
    const { before, after } = this.reach.models(name)
    if (!before || !after) return
    const known = new Map<string, Widened[]>()
    for (const viewer of this.viewers) {
      const { add, edit } = after.permissions
      const sets = [add, edit].some((key) => key !== undefined && viewer.has(key))
      const key = `${sets} ${viewer.signature}`
      const widened = known.get(key) ?? widenedFields(before, after, viewer, (model, view) => viewer.access(model, view))
      known.set(key, widened)
      for (const one of widened) {
        // a title is read wherever a record is named
        const everywhere = after.titleFields.some((title) => one.id === `see:${title}`) || one.kind === 'becomesEditable'
        if (everywhere || one.id.includes('@') || this.sees(name, viewer) !== 'nothing') this.addWidened(after, one, viewer)
      }
    }
  }

  flows(name: string): void {
    const { before, after } = this.reach.models(name)
    if (!after) return
    const known = new Set(before ? flowsOf(before).map(({ id }) => id) : [])
    for (const flow of flowsOf(after).filter(({ id }) => !known.has(id)))
      for (const viewer of this.viewers) {
        if (!this.reads(after, flow, viewer) || !this.isClosed(flow, viewer)) continue
        const source = this.labelOf(flow.source)
        const tell = (holders: readonly RoleHolder[]) => tellFlow(after.label, { place: flow.what, source, holders })
        this.add({ entity: after, id: `tells ${flow.id}`, kind: 'becomesVisible', tell, viewer })
      }
  }

  rows(name: string, viewers: readonly Viewer[]): void {
    const entity = this.reach.models(name).after
    if (!entity) return
    const byRows = new Map<RowsOf, Viewer[]>()
    for (const viewer of viewers)
      for (const rows of this.reach.widened(name, viewer.rights)) byRows.set(rows, [...(byRows.get(rows) ?? []), viewer])
    for (const [rows, whom] of byRows) this.foundRows.push({ entity, rows, viewers: whom })
  }

  told(): WideningDifference[] {
    return [...this.found.values()].map(({ entity, id, kind, tell, viewers }) => ({
      ...{ id: `widens ${id}`, at: '', kind, risk: true, target: `entity:${entity.name}`, role: '' },
      text: tell(holdersOf(viewers)),
    }))
  }

  /** More rows, with how many they are for somebody who holds the role. */
  async counted({ person }: Pick<WideningParts, 'person'>): Promise<WideningDifference[]> {
    const until = Date.now() + COUNTING
    const told: WideningDifference[] = []
    for (const { entity, rows, viewers } of this.foundRows) {
      const counted: Counted[] = []
      for (const holder of holdersOf(viewers)) {
        const { rights } = viewers.find((viewer) => viewer.holder === holder)!
        const user = Date.now() > until ? undefined : await userOf(holder, rights.user, person)
        counted.push({ holder, rows: user && (await this.reach.count(entity.name, { ...rights, user }, rows)) })
      }
      const pool = rows === 'seen' || rows === 'changed' ? undefined : rows.slice('pool:'.length)
      const view = pool === undefined ? undefined : (entity.views.get(pool)?.label ?? { zh: pool, en: pool })
      told.push({
        ...{
          id: `widens rows:${rows}`,
          at: '',
          kind: 'permissionWidened',
          risk: true,
          target: `entity:${entity.name}`,
          role: '',
        },
        text: tellRows(entity.label, rows, { view, counted }),
      })
    }
    return told
  }

  private sees(entity: string, viewer: Viewer): 'nothing' | 'some' | 'all' {
    const key = `${entity} ${viewer.holder.roles.map(({ code }) => code).join(' ')}`
    const known = this.seen.get(key) ?? this.reach.sees(entity, viewer.rights)
    this.seen.set(key, known)
    return known
  }

  /** Whether what a flow leads to is there for somebody. */
  private reads(model: EntityModel, { field, sent }: Flow, viewer: Viewer): boolean {
    if (sent) return true
    if (field === undefined)
      return this.sees(model.name, viewer) !== 'nothing' || Object.values(model.permissions).some((key) => viewer.has(key))
    const [entity, name] = splitSource(field)
    const target = this.reach.models(entity).after
    return target !== undefined && isPlain(viewer.access(target)(name)) && this.sees(entity, viewer) !== 'nothing'
  }

  /** Whether where a flow begins is not there for somebody, or not all of it. */
  private isClosed({ source, foreign, follows }: Flow, viewer: Viewer): boolean {
    if (source.startsWith('function:')) return true
    const [entity, name] = splitSource(source)
    const model = this.reach.models(entity).after
    if (!model) return false
    if (foreign && this.sees(entity, viewer) !== 'all') return true
    if (follows) return false
    const access = viewer.access(model)
    const names = name === '*' ? [...model.fields.values()].flatMap((field) => (field.internal ? [] : [field.name])) : [name]
    return names.some((one) => !isPlain(access(one)))
  }

  private labelOf(source: string): BilingualText {
    if (source.startsWith('function:')) return { zh: source, en: source }
    const [entity, name] = splitSource(source)
    const model = this.reach.models(entity).after
    const field = model?.fields.get(name)?.label ?? { zh: '', en: '' }
    const of = model?.label ?? { zh: entity, en: entity }
    return field.zh === '' ? of : { zh: `${of.zh}：${field.zh}`, en: `${of.en}: ${field.en}` }
  }

  private addWidened(entity: EntityModel, { id, kind, what }: Widened, viewer: Viewer): void {
    this.add({ entity, id, kind, tell: (holders) => tellWidened(kind, { entity: entity.label, what, holders }), viewer })
  }

  private add({ viewer, ...one }: Omit<Found, 'viewers'> & { viewer: Viewer }): void {
    const key = `${one.entity.name} ${one.id}`
    const known = this.found.get(key)
    if (known) known.viewers.push(viewer)
    else this.found.set(key, { ...one, viewers: [viewer] })
  }
}

const isPlain = (access: FieldAccess): boolean => access === 'read' || access === 'write'

/** Holders of one role, and of roles none of which alone gives as much; staff without any last. */
function holdersOf(viewers: readonly Viewer[]): RoleHolder[] {
  const found = viewers.map(({ holder }) => holder)
  const isPart = (part: RoleHolder, whole: RoleHolder): boolean =>
    part.roles.length < whole.roles.length && part.roles.every(({ code }) => whole.roles.some((one) => one.code === code))
  const own = found.filter((one) => one.roles.length < 2 || !found.some((other) => isPart(other, one)))
  return own.sort((a, b) => Number(a.roles.length === 0) - Number(b.roles.length === 0) || a.roles.length - b.roles.length)
}

async function userOf(
  { member, roles }: RoleHolder,
  nobody: ContextUser,
  person: WideningParts['person'],
): Promise<ContextUser | undefined> {
  if (member === null) return roles.length === 0 ? nobody : undefined
  const user = await person(member)
  return user ? { ...user, roleCodes: nobody.roleCodes } : undefined
}
