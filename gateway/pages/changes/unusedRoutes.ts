import type { FastifyInstance } from 'fastify'
import { isObject, addressOfChange, type Change } from '../../../src/schema/overlay'
import { newId, type Database } from '../../platform/database'
import { contextOf, ok, ServiceError, type RequestContext } from '../../platform/http'
import type { SchemaChanges } from './changes'
import type { Overlay } from './compose'
import { adviceOf, madePage, problemOf, type LeftOut } from './isolate'
import { notUsed, type LiveSchemas } from './live'
import { writeDraft } from './store'
import { parseTarget } from './target'

const EDIT = 'setModule:pages'
const RELEASE = 'setModule:pages:release'
const TAGS = ['pages']
const TARGET = { type: 'string', minLength: 3, maxLength: 220 } as const

interface UnusedParts {
  database: Database
  live: LiveSchemas
  changes: SchemaChanges
}

/** What is left out of the changes of a target, as the designer shows it. */
export const unusedOf = (live: LiveSchemas, target: string, role: string) =>
  notUsed(live.snapshot(false))
    .filter(({ overlay }) => overlay.target === target && overlay.role === role)
    .map((left) => ({
      addresses: left.changes.map(addressOfChange),
      whole: left.changes.length === left.overlay.changes.length,
      problem: problemOf(left),
      advice: adviceOf(left),
      stands: left.stands === true,
      follows: left.follows ?? null,
      path: madePage(left.changes)?.path ?? null,
    }))

/** Ends what a release collided with: the admins give up what is left out, or give their page another address. */
export function registerUnusedRoutes(app: FastifyInstance, { database, live, changes }: UnusedParts): void {
  app.post<{ Body: { target: string; role?: string | null; reason: string } }>(
    '/v2/sys/schema/unused/drop',
    {
      config: { permission: RELEASE },
      schema: {
        tags: TAGS,
        summary: 'Gives up the changes of a target that are not used, with what follows from them: what the release has stands',
        body: {
          type: 'object',
          required: ['target', 'reason'],
          additionalProperties: false,
          properties: {
            target: TARGET,
            role: { type: ['string', 'null'], maxLength: 60 },
            reason: { type: 'string', minLength: 2, maxLength: 500 },
          },
        },
      },
    },
    async (request) => {
      const { target, role, reason } = request.body
      const gone = concernedBy(live, target, role ?? '')
      const overlays = [...new Set(gone.map(({ overlay }) => overlay))].map((overlay) => rest(overlay, gone))
      return ok(await changes.giveUp(contextOf(request), overlays, reason))
    },
  )

  app.post<{ Body: { target: string; name?: string; path: string } }>(
    '/v2/sys/schema/unused/rename',
    {
      config: { permission: EDIT },
      schema: {
        tags: TAGS,
        summary: 'Drafts a page that is not used under another address (and name), with the menu entries that lead to it',
        body: {
          type: 'object',
          required: ['target', 'path'],
          additionalProperties: false,
          properties: {
            target: TARGET,
            name: { type: 'string', pattern: '^[A-Za-z0-9-]{1,120}$' },
            path: { type: 'string', pattern: '^/[A-Za-z0-9/_-]+$', maxLength: 200 },
          },
        },
      },
    },
    async (request) => ok({ drafts: await draftRenamed({ database, live }, contextOf(request), request.body) }),
  )
}

/** What is left out of a target, and what had to go with it. */
function concernedBy(live: LiveSchemas, target: string, role: string): LeftOut[] {
  const found = notUsed(live.snapshot(false)).filter(
    ({ overlay, follows }) => (overlay.target === target && overlay.role === role) || follows === target,
  )
  if (found.length === 0) throw new ServiceError('notFound')
  return found
}

const rest = (overlay: Overlay, gone: readonly LeftOut[]): Overlay => {
  const dropped = new Set(gone.flatMap(({ changes }) => changes))
  const { target, role } = overlay
  return { target, role, changes: overlay.changes.filter((change) => !dropped.has(change)) }
}

async function draftRenamed(
  { database, live }: Omit<UnusedParts, 'changes'>,
  context: RequestContext,
  { target, name, path }: { target: string; name?: string; path: string },
): Promise<{ target: string; version: number }[]> {
  const found = concernedBy(live, target, '')
  const [own] = found.filter(({ overlay }) => overlay.target === target)
  const page = own && madePage(own.changes)
  const parsed = parseTarget(target)
  if (!page || !parsed) throw new ServiceError('notFound')
  const renamed = name === undefined ? target : `page:${parsed.name.split('/')[0]}/${name}`
  const taken = live.files.some((file) => file.type === 'page' && `page:${file.name}` === renamed)
  if (taken || live.page(path)) throw takenBy(taken ? renamed : path)
  const moved = (change: Change): Change =>
    'add' in change && isObject(change.add) && change.add.path === page.path
      ? { ...change, add: { ...change.add, path } }
      : change
  const overlays = [
    { target: renamed, changes: [{ at: '', set: { ...page, path } }] },
    ...[...new Set(found.flatMap(({ overlay, follows }) => (follows === undefined ? [] : [overlay])))].map((overlay) => ({
      target: overlay.target,
      changes: overlay.changes.map(moved),
    })),
  ]
  const set = newId()
  return database.transaction(async (tx) => {
    const drafts: { target: string; version: number }[] = []
    for (const overlay of overlays) {
      const by = { by: context.user.staffId, at: context.now }
      const version = await writeDraft(tx, { ...overlay, role: '', version: 0, note: null, set, ...by })
      if (version === undefined) throw isDrafted(overlay.target)
      drafts.push({ target: overlay.target, version })
    }
    return drafts
  })
}

const takenBy = (name: string): ServiceError =>
  new ServiceError('validationFailed', {
    message: { zh: `“${name}”已被使用，请换一个。`, en: `"${name}" is taken; choose another one.` },
  })

const isDrafted = (target: string): ServiceError =>
  new ServiceError('validationFailed', {
    message: {
      zh: `“${target}”已有草稿。请先发布或放弃那份草稿。`,
      en: `"${target}" has an open draft. Release or discard it first.`,
    },
  })
