import type { FormerNames } from '../../../src/schema/formerNames'
import type { EntityDocument } from '../../../src/schema/generated/entity'
import { applyChanges, describeChanges, type Change, type Difference, type Outcome } from '../../../src/schema/overlay'
import { requireChanges } from './checkChanges'
import { describeDeadlines, type DeadlinesMeet } from './describeDeadlines'
import { describeExposure } from './describeExposure'
import { failedExamples, type RunExamples } from './failedExamples'
import { compileForAll, type RoleView } from './dryRun'
import type { Problem } from '../../../src/schema/problem'
import { MigrationRefusedError, newId, type Database, type Transaction } from '../../platform/database'
import { ok, ServiceError, type RequestContext } from '../../platform/http'
import type { PageBundle } from '../bundle'
import { hashOf } from '../registry'
import { baseOf, type Overlay } from './compose'
import { checkEntityChange } from './entityChange'
import { LiveSchemas, type Snapshot } from './live'
import {
  notReadable,
  refused,
  requireAccepted,
  requireEffects,
  requireRights,
  type DraftKey,
  type NamedDifference,
} from './required'
import {
  cancelRelease,
  draftOf,
  dropDraft,
  insertRelease,
  insertRevision,
  noteEditor,
  type Origin,
  revisionsOf,
  writeDraft,
  type Draft,
  type ReleaseKind,
  type Revision,
  type Stage,
} from './store'
import { formerNamesIn, parseTarget, targetOf } from './target'
import type { WideningParts } from './widening/describe'
import { Widenings } from './widening/widenings'

export type { DraftKey }

export interface ChangesOptions {
  database: Database
  live: LiveSchemas
  roles(): Promise<readonly RoleView[]>
  /** Makes room for what entities need (additive); before a release is committed. */
  prepareEntities(entities: readonly EntityDocument[]): Promise<void>
  /** What the deadlines of an entity would meet at once. */
  deadlinesMeet: DeadlinesMeet
  /** Runs the examples of entities as they are in these documents. */
  runExamples: RunExamples
  /** What a release lets somebody see or do is found with these. */
  widening: WideningParts
  companyTimeZone: string
}

export interface Checked {
  problems: readonly Problem[]
  differences: readonly NamedDifference[]
}

export interface ReleaseRequest {
  drafts: readonly (DraftKey & { version: number })[]
  stage: Stage
  title: string
  reason: string
  effectiveAt?: string
  /** Ids of the risky differences that somebody had a second look at. */
  accepted: readonly string[]
}

/** Id of a difference within a release of several drafts. */
export const differenceId = (key: DraftKey, difference: Difference): string => `${key.target} ${key.role} ${difference.id}`

/** What admins do with documents: draft, check, release, roll back. Everything that is not allowed is a ServiceError that says why. */
export class SchemaChanges {
  private readonly dryRuns = new WeakMap<Snapshot, { roles: string; problems: readonly Problem[] }>()

  private readonly widenings: Widenings

  constructor(private readonly options: ChangesOptions) {
    this.widenings = new Widenings(options.widening)
  }

  /** What documents were called before this release. */
  get formerNames(): FormerNames {
    return formerNamesIn(this.options.live.files)
  }

  /** The document that the changes of this target (and role) are laid over, as it stands for all browsers. */
  base(key: DraftKey): unknown {
    const { live } = this.options
    const snapshot = live.snapshot(false)
    const entities = new Map(snapshot.entities.map((entity) => [entity.name, entity]))
    const { bases, documents } = snapshot.composed
    if (key.role === '') return baseOf(bases.get(key.target), entities)
    return baseOf(
      documents.find((source) => targetOf(source) === key.target),
      entities,
    )
  }

  baseRevision(key: DraftKey): string {
    return hashOf(this.base(key))
  }

  /** Saves the draft; who was slower is refused with the newer one. */
  async saveDraft(
    context: RequestContext,
    key: DraftKey,
    body: { version: number; changes: readonly Change[]; note?: string },
  ): Promise<{ version: number }> {
    this.requireTarget(key)
    requireChanges(body.changes)
    const { database, live } = this.options
    const unreadable = live.tryOut([{ ...key, changes: body.changes }]).refused.filter((left) => left.unreadable)
    if (unreadable.length > 0) throw notReadable(unreadable.map(({ problem }) => problem))
    const version = await writeDraft(database, {
      ...key,
      changes: body.changes,
      version: body.version,
      note: body.note ?? null,
      by: context.user.staffId,
      at: context.now,
    })
    if (version === undefined) throw await this.stale(key)
    await noteEditor(database, { ...key, staffId: context.user.staffId, now: context.now })
    return { version }
  }

  async discardDraft(key: DraftKey, version: number): Promise<void> {
    if (!(await dropDraft(this.options.database, key.target, key.role, version))) throw await this.stale(key)
  }

  /** The documents as they would be with these changes (and what was drafted together with them), and what is wrong then. Nothing is saved. */
  preview(
    key: DraftKey,
    changes: readonly Change[],
    companions: readonly Overlay[] = [],
  ): { problems: readonly Problem[]; outcomes: readonly Outcome[]; bundle: PageBundle | null } {
    requireChanges(changes)
    const overlay: Overlay = { ...key, changes }
    const snapshot = this.options.live.tryOut([overlay, ...companions])
    const outcomes = applyChanges(this.base(key), changes).outcomes
    const name = parseTarget(key.target)
    const page = name?.kind === 'page' ? snapshot.page(name.name) : undefined
    return {
      problems: this.refusals(snapshot, [overlay]),
      outcomes,
      bundle: page ? snapshot.bundle(page, new Set(key.role === '' ? [] : [key.role])) : null,
    }
  }

  /** The faults of the pages of a snapshot; those of the snapshot that was checked a moment before are known. */
  private dryRun(snapshot: Snapshot, views: readonly RoleView[]): readonly Problem[] {
    const { live, companyTimeZone } = this.options
    const roles = JSON.stringify(views.map(({ permissions, ...view }) => ({ ...view, permissions: [...permissions] })))
    const known = this.dryRuns.get(snapshot)
    if (known?.roles === roles) return known.problems
    const problems = compileForAll(snapshot, live, views, companyTimeZone)
    this.dryRuns.set(snapshot, { roles, problems })
    return problems
  }

  /** Everything that stands against a release of the drafts, and what it would mean. */
  async check(drafts: readonly Overlay[]): Promise<Checked> {
    const { live, roles, companyTimeZone } = this.options
    const snapshot = live.tryOut(drafts)
    const problems = [...this.refusals(snapshot, drafts)]
    const views = await roles()
    if (problems.length === 0) problems.push(...this.dryRun(snapshot, views))
    const entities = Object.fromEntries(snapshot.entities.map((entity) => [entity.name, entity]))
    const named = (draft: Overlay, difference: Difference) => ({
      ...difference,
      id: differenceId(draft, difference),
      target: draft.target,
      role: draft.role,
    })
    const differences = drafts.flatMap((draft) => {
      // what cannot be read says nothing that could be told in words
      if (snapshot.refused.some(({ overlay, unreadable }) => unreadable && overlay === draft)) return []
      const base = this.base(draft)
      const released = this.releasedChanges(draft)
      const before = applyChanges(base, released).document
      const after = applyChanges(base, draft.changes).document
      const exposed =
        problems.length === 0 ? describeExposure(live.snapshot(false), snapshot, draft, { roles: views, companyTimeZone }) : []
      return [...describeChanges(before, after, entities, (dictionary) => snapshot.dictionary(dictionary)), ...exposed].map(
        (difference) => named(draft, difference),
      )
    })
    for (const draft of problems.length === 0 ? drafts : []) {
      const target = parseTarget(draft.target)
      if (target?.kind !== 'entity') continue
      const met = await describeDeadlines(live.entity(target.name), snapshot.entity(target.name), this.options.deadlinesMeet)
      differences.push(...met.map((difference) => named(draft, difference)))
    }
    if (problems.length === 0) {
      differences.push(...(await this.widened(snapshot)).map((one) => ({ ...one, id: differenceId(one, one) })))
      differences.push(...(await this.broken(snapshot, drafts, 'before')))
    }
    return { problems, differences }
  }

  /** Releases drafts: revisions of all of them, or of none. @returns the numbers of the revisions */
  async release(
    context: RequestContext,
    request: ReleaseRequest,
  ): Promise<{ releaseId: string; revisions: (DraftKey & { number: number })[] }> {
    const effectiveAt = request.effectiveAt === undefined ? context.now : new Date(request.effectiveAt)
    return this.publish(context, { ...request, kind: 'release', effectiveAt }, async (tx) => {
      const drafts: Draft[] = []
      for (const { target, role, version } of request.drafts) {
        const draft = await draftOf(tx, target, role)
        if (!draft || draft.version !== version) throw await this.stale({ target, role })
        drafts.push(draft)
      }
      const { problems, differences } = await this.check(drafts)
      if (problems.length > 0) throw refused(problems)
      requireAccepted(differences, request.accepted)
      for (const { target, role, version } of drafts) await dropDraft(tx, target, role, version)
      return drafts
    })
  }

  /** Brings an earlier revision back (0: the file of the release), for all, as a revision of its own. */
  async rollBack(context: RequestContext, key: DraftKey, number: number, reason: string): Promise<{ number: number }> {
    const known = await this.revisions(key)
    const wanted = known.find((revision) => revision.number === number)
    if (number !== 0 && !wanted) throw new ServiceError('notFound')
    const title = number === 0 ? '0' : String(number)
    const { revisions } = await this.publish(
      context,
      { kind: number === 0 ? 'reset' : 'rollback', stage: 'all', title, reason, effectiveAt: context.now },
      () => {
        const overlay: Overlay = { ...key, changes: wanted?.changes ?? [] }
        const problems = this.refusals(this.options.live.tryOut([overlay]), [overlay])
        if (problems.length > 0) throw refused(problems)
        return Promise.resolve([overlay])
      },
    )
    return { number: revisions[0]!.number }
  }

  /** Puts overlays in force without the changes that could not be used anyway. */
  async giveUp(context: RequestContext, overlays: readonly Overlay[], reason: string): Promise<{ number: number | undefined }> {
    const release = { kind: 'reset', stage: 'all', title: reason.slice(0, 120), reason, effectiveAt: context.now } as const
    try {
      const { revisions } = await this.publish(context, release, () => {
        const problems = this.options.live.tryOut(overlays).refused.map(({ problem }) => problem)
        if (problems.length > 0) throw refused(problems)
        return Promise.resolve(overlays)
      })
      return { number: revisions[0]?.number }
    } catch (error) {
      // a field of the release takes the place of one that was made here: a column without values takes any type
      if (!(error instanceof MigrationRefusedError)) throw error
      throw new ServiceError('validationFailed', {
        message: {
          zh: '已有记录填了这里的字段，不能换成此版本的类型。请保留这里的字段。',
          en: 'Records hold values of the field that was made here, which cannot become those of the release. Keep the field.',
        },
      })
    }
  }

  async cancel(context: RequestContext, releaseId: string): Promise<void> {
    const { database, live } = this.options
    const cancelled = await database.transaction(async (tx) => {
      const done = await cancelRelease(tx, releaseId, context.now)
      await LiveSchemas.tell(tx)
      return done
    })
    if (!cancelled) throw new ServiceError('notFound')
    await live.reload()
  }

  async revisions(key: DraftKey): Promise<Revision[]> {
    return (await revisionsOf(this.options.database, key.target)).filter(({ role }) => role === key.role)
  }

  /** Changes of the target (and role) that are in force for all browsers. */
  releasedChanges(key: DraftKey): readonly Change[] {
    const overlays = [...this.options.live.snapshot(false).composed.outcomes.keys()]
    return overlays.find(({ target, role }) => target === key.target && role === key.role)?.changes ?? []
  }

  private async publish(
    context: RequestContext,
    release: { kind: ReleaseKind; stage: Stage; title: string; reason: string; effectiveAt: Date; accepted?: readonly string[] },
    overlaysOf: (tx: Transaction) => Promise<readonly (Overlay & { origin?: Origin | null })[]>,
  ): Promise<{ releaseId: string; revisions: (DraftKey & { number: number })[] }> {
    const { database, live, prepareEntities } = this.options
    const releaseId = newId()
    const revisions = await database.transaction(async (tx) => {
      await tx.query(`select pg_advisory_xact_lock(hashtext('schema release'))`)
      const overlays = await overlaysOf(tx)
      await this.requireNothingScheduled(tx, overlays, context.now)
      this.requireStage(overlays, release.stage)
      const entities = overlays.filter(({ target }) => target.startsWith('entity:'))
      const snapshot = live.tryOut(overlays)
      await requireRights(context, () => this.widened(snapshot))
      if (entities.length > 0) {
        requireEffects(context, live, snapshot, entities)
        await prepareEntities(entities.flatMap(({ target }) => snapshot.entity(target.slice('entity:'.length)) ?? []))
        if (release.accepted) requireAccepted(await this.broken(snapshot, entities, 'prepared'), release.accepted)
      }
      await insertRelease(tx, { ...release, id: releaseId, by: context.user.staffId, at: context.now })
      const made: (DraftKey & { number: number })[] = []
      for (const { target, role, changes, origin = null } of overlays) {
        const base = this.baseRevision({ target, role })
        const number = await insertRevision(tx, { target, role, changes, releaseId, base, origin })
        made.push({ target, role, number })
      }
      await LiveSchemas.tell(tx)
      // a repetition with the same key gets this answer, even when the gateway dies before it was sent
      await context.idempotence?.settle(
        tx,
        ok(release.kind === 'release' ? { releaseId, revisions: made } : { number: made[0]?.number }),
      )
      return made
    })
    await live.reload()
    return { releaseId, revisions }
  }

  /** What a snapshot lets somebody see or do that he may not now. */
  private widened(snapshot: Snapshot): ReturnType<Widenings['of']> {
    return this.widenings.of(this.options.live.snapshot(false), snapshot)
  }

  /** The examples that do not hold any more, as what somebody has to have a second look at. */
  private async broken(snapshot: Snapshot, drafts: readonly Overlay[], when: 'before' | 'prepared'): Promise<NamedDifference[]> {
    const failed = await failedExamples(snapshot, drafts, this.options.runExamples, when)
    return failed.map((one) => ({ ...one, id: differenceId(one, one) }))
  }

  /** Errors of documents with these overlays, and what an entity must not do. */
  private refusals(snapshot: Snapshot, overlays: readonly Overlay[]): readonly Problem[] {
    const ofEntities = overlays.flatMap(({ target }) => {
      const [kind, name] = [parseTarget(target)?.kind, parseTarget(target)?.name ?? '']
      const before = kind === 'entity' ? this.options.live.entity(name) : undefined
      const after = kind === 'entity' ? snapshot.entity(name) : undefined
      return before && after ? checkEntityChange(before, after, target) : []
    })
    return [...new Set(snapshot.refused.map(({ problem }) => problem)), ...ofEntities]
  }

  /** @throws ServiceError for what cannot be changed, or not for one role */
  requireTarget({ target, role }: DraftKey): void {
    const parsed = parseTarget(target)
    if (!parsed || (role !== '' && parsed.kind !== 'page')) {
      throw new ServiceError('badRequest', {
        message: {
          zh: `“${target}”不是可以修改的对象，或不能按角色修改。`,
          en: `"${target}" cannot be changed, or not for one role.`,
        },
      })
    }
  }

  /** Gray is for pages: the data of all browsers is one. */
  private requireStage(overlays: readonly Overlay[], stage: Stage): void {
    const shared = overlays.find(({ target }) => !target.startsWith('page:'))
    if (stage === 'all' || !shared) return
    throw new ServiceError('validationFailed', {
      message: {
        zh: `“${shared.target}”对所有人只有一份，不能只发布给灰度浏览器；请直接发布给所有人。`,
        en: `"${shared.target}" is one for everybody and cannot be released to gray browsers only; release it to all.`,
      },
    })
  }

  private async requireNothingScheduled(tx: Transaction, overlays: readonly Overlay[], now: Date): Promise<void> {
    for (const { target, role } of overlays) {
      const waiting = (await revisionsOf(tx, target)).find(
        (revision) => revision.role === role && revision.cancelledAt === null && Date.parse(revision.effectiveAt) > now.getTime(),
      )
      if (!waiting) continue
      throw new ServiceError('validationFailed', {
        message: {
          zh: `“${target}”已有定时发布“${waiting.title}”（${waiting.by.name.zh}）。请先取消它，否则到时它会盖掉这次发布。`,
          en: `A release of "${target}" is scheduled already: "${waiting.title}" by ${waiting.by.name.en}. Cancel it first, or it would replace this one.`,
        },
        data: { releaseId: waiting.releaseId },
      })
    }
  }

  private async stale(key: DraftKey): Promise<ServiceError> {
    const draft = await draftOf(this.options.database, key.target, key.role)
    return new ServiceError('stale', {
      message: draft
        ? {
            zh: `${draft.by.name.zh} 在此期间修改了这份草稿。您的修改没有丢，合并后可再次保存。`,
            en: `${draft.by.name.en} has changed this draft in the meantime. Your changes are not lost: merge them and save again.`,
          }
        : { zh: '这份草稿已被发布或放弃。', en: 'This draft has been released or discarded.' },
      data: { draft: draft ?? null },
    })
  }
}
