import { presentTarget } from '../../../src/schema/formerNames'
import type { FastifyInstance } from 'fastify'
import type { Change } from '../../../src/schema/overlay'
import type { BilingualText } from '../../../src/schema/problem'
import type { Database } from '../../platform/database'
import { contextOf, ok, ServiceError } from '../../platform/http'
import type { SchemaChanges, DraftKey } from './changes'
import type { RoleView } from './dryRun'
import { notUsed, type LiveSchemas } from './live'
import { companionsOf, discardSet } from './draftSet'
import { registerExportImport } from './exportImport'
import { listTargets, titleOf } from './listTargets'
import { registerFaultRoutes, type RevisionFor } from './faultRoutes'
import { registerSetRoutes } from './setRoutes'
import { registerUnusedRoutes, unusedOf } from './unusedRoutes'
import { impactOf } from './impact'
import { parseTarget } from './target'
import { draftsOf, draftOf, noteEditor, revisionsOf, type Revision, type Stage } from './store'

/** Reading and drafting; releasing needs its own key. */
const EDIT = 'setModule:pages'
const RELEASE = 'setModule:pages:release'
const TAGS = ['pages']

const TARGET = { type: 'string', minLength: 3, maxLength: 220 } as const
const ROLE = { type: ['string', 'null'], maxLength: 60 } as const
const REASON = { type: 'string', minLength: 2, maxLength: 500 } as const
const CHANGES = { type: 'array', maxItems: 5000, items: { type: 'object', additionalProperties: true } } as const

interface KeyBody {
  target: string
  role?: string | null
}
const nameOf = ({ name, label }: { name: string; label: BilingualText }) => ({ name, label })
const keyOf = ({ target, role }: KeyBody): DraftKey => ({ target, role: role ?? '' })

export interface SchemaRoutesParts {
  database: Database
  live: LiveSchemas
  changes: SchemaChanges
  /** Name of this environment. */
  environment: string
  roles(): Promise<readonly RoleView[]>
  revisionFor: RevisionFor
  /** Rights of one member of staff; null for nobody who may enter. */
  viewer(staffId: string): Promise<{
    permissions: ReadonlySet<string>
    roles: readonly string[]
    fieldRules: Readonly<Record<string, string>>
    label: string
  } | null>
}

/** The calls of the page designer: `/v2/sys/schema/...`. */
export function registerSchemaRoutes(app: FastifyInstance, parts: SchemaRoutesParts): void {
  const { database, live, changes, roles, viewer } = parts
  const body = (properties: object, required: string[]) => ({ type: 'object', properties, required, additionalProperties: false })
  const route = (summary: string, schema: object = {}, permission = EDIT) => ({
    config: { permission },
    schema: { tags: TAGS, summary, ...schema },
  })
  const keyed = { target: TARGET, role: ROLE }

  app.get('/v2/sys/schema/targets', route('Everything that an admin can change, and what is changed'), async (request) =>
    ok({
      targets: await listTargets(database, live, contextOf(request).now),
      roles: (await roles()).map(({ code, name }) => ({ code, name })),
    }),
  )

  app.get<{ Querystring: KeyBody }>(
    '/v2/sys/schema/target',
    route('A document with its changes, its draft and its revisions', { querystring: body(keyed, ['target']) }),
    async (request) => {
      const { now, user } = contextOf(request)
      const asked = keyOf(request.query)
      // an address that was kept may say a name of before
      const key = { ...asked, target: presentTarget(changes.formerNames, asked.target) }
      const base = changes.base(key)
      const [drafts, revisions, others] = [
        await draftsOf(database),
        await revisionsOf(database, key.target),
        await noteEditor(database, { ...key, staffId: user.staffId, now }),
      ]
      const draft = drafts.find(({ target, role }) => target === key.target && role === key.role) ?? null
      if (base === null && !draft && revisions.length === 0) throw new ServiceError('notFound')
      const own = revisions.filter(({ role }) => role === key.role)
      const at = (stages: readonly Stage[]) =>
        own.find(
          ({ stage, cancelledAt, effectiveAt }) =>
            stages.includes(stage) && cancelledAt === null && Date.parse(effectiveAt) <= now.getTime(),
        )
      const [released, newest] = [at(['all']), at(['all', 'gray'])]
      const facts = (revision: typeof released) => (revision ? { number: revision.number, changes: revision.changes } : null)
      return ok({
        target: key.target,
        role: key.role === '' ? null : key.role,
        base,
        baseRevision: changes.baseRevision(key),
        released: facts(released),
        gray: newest?.stage === 'gray' ? facts(newest) : null,
        draft,
        unused: unusedOf(live, key.target, key.role),
        bundle: changes.preview(key, draft?.changes ?? newest?.changes ?? [], await companionsOf(database, key)).bundle,
        // The rules of an entity speak of others, a field of it may take any dictionary and its default is one of the values; a page brings those that it shows.
        ...(parseTarget(key.target)?.kind === 'entity'
          ? { entities: live.entities, dictionaries: live.dictionaries }
          : { entities: live.entities.map(nameOf), dictionaries: live.dictionaries.map(nameOf) }),
        revisions: revisions.map((revision) => ({ ...revision, role: revision.role === '' ? null : revision.role })),
        roles: (await roles()).map(({ code, name }) => ({ code, name })),
        others,
        // What may be released together with it; what was made together is.
        companions: drafts
          .filter((other) => other.target !== key.target || other.role !== key.role)
          .map(({ target, role, version, by, set }) => ({
            target,
            role: role === '' ? null : role,
            version,
            by,
            title: titleOf(live, target, drafts),
            together: set !== null && set === draft?.set,
          })),
      })
    },
  )

  app.post<{ Body: KeyBody & { version: number; changes: Change[]; note?: string } }>(
    '/v2/sys/schema/draft/save',
    route('Saves the draft of a document; a stale version is refused with the newer draft', {
      body: body(
        { ...keyed, version: { type: 'integer', minimum: 0 }, changes: CHANGES, note: { type: 'string', maxLength: 500 } },
        ['target', 'version', 'changes'],
      ),
    }),
    async (request) => {
      const key = keyOf(request.body)
      const { version } = await changes.saveDraft(contextOf(request), key, request.body)
      return ok({ version, ...changes.preview(key, request.body.changes, await companionsOf(database, key)) })
    },
  )

  app.post<{ Body: KeyBody & { version: number } }>(
    '/v2/sys/schema/draft/discard',
    route('Discards the draft', { body: body({ ...keyed, version: { type: 'integer', minimum: 1 } }, ['target', 'version']) }),
    async (request) => {
      await discardSet(database, changes, contextOf(request), keyOf(request.body), request.body.version)
      return ok({})
    },
  )

  app.post<{ Body: KeyBody & { changes: Change[] } }>(
    '/v2/sys/schema/preview',
    route('The document as it would be with these changes; nothing is saved', {
      body: body({ ...keyed, changes: CHANGES }, ['target', 'changes']),
    }),
    async (request) => {
      const key = keyOf(request.body)
      return ok(changes.preview(key, request.body.changes, await companionsOf(database, key)))
    },
  )

  app.get<{ Querystring: { role?: string; staffId?: string; target?: string } }>(
    '/v2/sys/schema/viewer',
    route('What somebody with a role, or a member of staff, may do: to look at a page as that person', {
      querystring: {
        type: 'object',
        properties: {
          role: { type: 'string' },
          staffId: { type: 'string' },
          target: { ...TARGET, description: 'The page that is looked at: for its variants of the roles' },
        },
        additionalProperties: false,
      },
    }),
    async (request) => {
      const { role, staffId, target } = request.query
      const found = staffId === undefined ? (await roles()).find(({ code }) => code === role) : await viewer(staffId)
      if (!found) throw new ServiceError('notFound')
      const label = 'label' in found ? { zh: found.label, en: found.label } : found.name
      const held = 'roles' in found ? found.roles : [found.code]
      const page = parseTarget(target ?? '')
      const variants = (page && live.snapshot(false).composed.variants.get(page.name)) ?? []
      return ok({
        permissions: [...found.permissions],
        fields: found.fieldRules,
        label,
        roles: held,
        variants: variants
          .filter((variant) => held.includes(variant.role))
          .map(({ role: code, changes: made }) => ({ role: code, changes: made })),
      })
    },
  )

  const draftItems = {
    type: 'array',
    minItems: 1,
    maxItems: 100,
    items: { type: 'object', properties: { ...keyed, version: { type: 'integer' } }, required: ['target'] },
  }
  app.post<{ Body: { drafts: KeyBody[] } }>(
    '/v2/sys/schema/check',
    route('What stands against a release of drafts, what it would mean and whom it concerns', {
      body: body({ drafts: draftItems }, ['drafts']),
    }),
    async (request) => {
      const drafts = await Promise.all(
        request.body.drafts.map(async (wanted) => {
          const { target, role } = keyOf(wanted)
          const draft = await draftOf(database, target, role)
          if (!draft) throw new ServiceError('notFound')
          return draft
        }),
      )
      const checked = await changes.check(drafts)
      return ok({
        ...checked,
        impact: await impactOf(
          database,
          live,
          drafts.map(({ target }) => target),
        ),
      })
    },
  )

  app.post<{
    Body: {
      drafts: (KeyBody & { version: number })[]
      stage: Stage
      effectiveAt?: string
      title: string
      reason: string
      accepted: string[]
    }
  }>(
    '/v2/sys/schema/release',
    route(
      'Releases drafts, all or none',
      {
        body: body(
          {
            drafts: draftItems,
            stage: { type: 'string', enum: ['gray', 'all'] },
            effectiveAt: { type: 'string', format: 'date-time' },
            title: { type: 'string', minLength: 1, maxLength: 120 },
            reason: REASON,
            accepted: { type: 'array', items: { type: 'string', maxLength: 600 }, maxItems: 1000 },
          },
          ['drafts', 'stage', 'title', 'reason', 'accepted'],
        ),
      },
      RELEASE,
    ),
    async (request) => {
      const drafts = request.body.drafts.map((draft) => ({ ...keyOf(draft), version: draft.version }))
      return ok(await changes.release(contextOf(request), { ...request.body, drafts }))
    },
  )

  app.post<{ Body: KeyBody & { number: number; reason: string } }>(
    '/v2/sys/schema/rollback',
    route(
      'Brings an earlier revision back (0: the file of the release)',
      { body: body({ ...keyed, number: { type: 'integer', minimum: 0 }, reason: REASON }, ['target', 'number', 'reason']) },
      RELEASE,
    ),
    async (request) =>
      ok(await changes.rollBack(contextOf(request), keyOf(request.body), request.body.number, request.body.reason)),
  )

  app.post<{ Body: { releaseId: string } }>(
    '/v2/sys/schema/cancel',
    route(
      'Cancels a release that has not begun',
      { body: body({ releaseId: { type: 'string', maxLength: 40 } }, ['releaseId']) },
      RELEASE,
    ),
    async (request) => {
      await changes.cancel(contextOf(request), request.body.releaseId)
      return ok({})
    },
  )

  app.get('/v2/sys/schema/releases', route('Every release: who, when, why'), async (request) => {
    const { now } = contextOf(request)
    const revisions = await revisionsOf(database)
    const byRelease = new Map<string, Revision[]>()
    for (const revision of revisions) byRelease.set(revision.releaseId, [...(byRelease.get(revision.releaseId) ?? []), revision])
    const releases = [...byRelease.values()].map((made) => {
      const { releaseId, stage, kind, title, reason, by, at, effectiveAt, cancelledAt } = made[0]!
      const status = cancelledAt !== null ? 'cancelled' : Date.parse(effectiveAt) > now.getTime() ? 'scheduled' : 'live'
      const targets = made.map(({ target, role, number }) => ({ target, role: role === '' ? null : role, number }))
      return { id: releaseId, stage, kind, title, reason, by, at, effectiveAt, status, targets }
    })
    return ok({ releases: releases.sort((a, b) => (a.at < b.at ? 1 : -1)) })
  })

  app.get('/v2/sys/schema/orphans', route('Released changes whose place is gone, or that could not be used'), () => {
    const snapshot = live.snapshot(false)
    const { composed } = snapshot
    const orphans = [...composed.outcomes].flatMap(([{ target, role, changes: made }, outcomes]) =>
      made.flatMap((change, index) => {
        const outcome = outcomes[index]
        return outcome === 'kept' ? [] : [{ target, role: role === '' ? null : role, change, outcome }]
      }),
    )
    const unusable = notUsed(snapshot).map(({ overlay, changes: left, problem }) => ({
      target: overlay.target,
      changes: left,
      role: overlay.role === '' ? null : overlay.role,
      problem,
    }))
    return Promise.resolve(ok({ orphans, unusable }))
  })

  registerExportImport(app, parts)
  registerSetRoutes(app, { database, live, changes })
  registerUnusedRoutes(app, { database, live, changes })
  registerFaultRoutes(app, parts)
}
