import type { FastifyInstance } from 'fastify'
import { presentTarget, type FormerNames } from '../../../src/schema/formerNames'
import { migrateChanges, migrateTarget } from '../../../src/schema/migrate'
import type { Change } from '../../../src/schema/overlay'
import type { BilingualText } from '../../../src/schema/problem'
import { newId, type Database } from '../../platform/database'
import { contextOf, ok, ServiceError, type RequestContext } from '../../platform/http'
import { requireChanges } from './checkChanges'
import type { SchemaChanges } from './changes'
import { draftOf, draftsOf, revisionsOf, writeDraft, type Origin } from './store'

const EDIT = 'setModule:pages'
const TAGS = ['pages']
const SCHEMA = '/v2/sys/schema'
const FORMAT = 'switchboard-changes'

interface ExportImportParts {
  database: Database
  changes: SchemaChanges
  /** Name of this environment. */
  environment: string
}

interface ExportedOverlay {
  target: string
  role: string
  changes: Change[]
}

/** A change set as a file. `origin` is missing in files of before it was written. */
interface ChangeFile {
  format: typeof FORMAT
  formatVersion: 1 | 2
  origin?: Origin
  overlays: ExportedOverlay[]
}

const NAME = { type: 'string', maxLength: 200 } as const
const ORIGIN = {
  type: 'object',
  properties: {
    environment: { type: 'string', maxLength: 60 },
    title: { type: ['string', 'null'], maxLength: 200 },
    by: { type: 'object', properties: { zh: NAME, en: NAME }, required: ['zh', 'en'], additionalProperties: false },
    at: { type: 'string', format: 'date-time' },
  },
  required: ['environment', 'title', 'by', 'at'],
  additionalProperties: false,
} as const

/** Change sets between environments: out as a file, in as drafts. */
export function registerExportImport(app: FastifyInstance, { database, changes, environment }: ExportImportParts): void {
  app.get<{ Querystring: { releaseId?: string } }>(
    `${SCHEMA}/export`,
    {
      config: { permission: EDIT },
      schema: {
        tags: TAGS,
        summary: 'A change set as a file: of a release, or of all drafts',
        querystring: {
          type: 'object',
          properties: { releaseId: { type: 'string', maxLength: 40 } },
          additionalProperties: false,
        },
      },
    },
    async (request) => {
      const { releaseId } = request.query
      const { user, now } = contextOf(request)
      const released =
        releaseId === undefined ? [] : (await revisionsOf(database)).filter((revision) => revision.releaseId === releaseId)
      const [first] = released
      const origin: Origin = first
        ? { environment, title: first.title, by: first.by.name, at: first.at }
        : { environment, title: null, by: nameOf(user), at: now.toISOString() }
      const overlays = (releaseId === undefined ? await draftsOf(database) : released).map(({ target, role, changes: made }) => ({
        target,
        role,
        base: changes.baseRevision({ target, role }),
        changes: made,
      }))
      return ok({ format: FORMAT, formatVersion: 2, origin, overlays })
    },
  )

  app.post<{ Body: { file: ChangeFile } }>(
    `${SCHEMA}/import`,
    {
      config: { permission: EDIT },
      schema: {
        tags: TAGS,
        summary: 'Makes drafts of a change set that came as a file, all or none',
        body: {
          type: 'object',
          required: ['file'],
          additionalProperties: false,
          properties: {
            file: {
              type: 'object',
              required: ['format', 'formatVersion', 'overlays'],
              additionalProperties: false,
              properties: {
                format: { type: 'string', const: FORMAT },
                formatVersion: { type: 'integer', enum: [1, 2] },
                origin: ORIGIN,
                overlays: {
                  type: 'array',
                  maxItems: 500,
                  items: {
                    type: 'object',
                    properties: {
                      target: { type: 'string', minLength: 3, maxLength: 220 },
                      role: { type: 'string' },
                      changes: { type: 'array', maxItems: 5000, items: { type: 'object', additionalProperties: true } },
                      base: { type: 'string' },
                    },
                    required: ['target', 'role', 'changes'],
                  },
                },
              },
            },
          },
        },
      },
    },
    async (request) => {
      const file = inPresentWords(request.body.file, changes.formerNames)
      await importChanges(database, changes, contextOf(request), file)
      return ok({
        drafts: file.overlays.map(({ target, role, changes: made }) => {
          const { outcomes, problems } = changes.preview({ target, role }, made)
          return { target, role: role === '' ? null : role, outcomes, problems }
        }),
      })
    },
  )
}

const nameOf = ({ name, nameEn, jobNumber }: RequestContext['user']): BilingualText => ({
  zh: `${name} (${jobNumber})`,
  en: `${nameEn ?? name} (${jobNumber})`,
})

/** A file may come from a release before this one. */
const inPresentWords = ({ overlays, ...file }: ChangeFile, former: FormerNames): ChangeFile => ({
  ...file,
  overlays: overlays.map((overlay) => ({
    ...overlay,
    target: presentTarget(former, migrateTarget(overlay.target)),
    changes: migrateChanges(overlay.target, overlay.changes),
  })),
})

/** What came together is released together. An open draft is nobody's to overwrite. */
async function importChanges(
  database: Database,
  changes: SchemaChanges,
  context: RequestContext,
  { overlays, origin }: ChangeFile,
): Promise<void> {
  for (const overlay of overlays) {
    changes.requireTarget(overlay)
    requireChanges(overlay.changes)
  }
  const set = overlays.length > 1 ? newId() : undefined
  await database.transaction(async (tx) => {
    for (const { target, role, changes: made } of overlays) {
      const version = await writeDraft(tx, {
        target,
        role,
        changes: made,
        version: 0,
        note: null,
        by: context.user.staffId,
        at: context.now,
        ...(set === undefined ? {} : { set }),
        ...(origin === undefined ? {} : { origin }),
      })
      if (version !== undefined) continue
      const draft = await draftOf(tx, target, role)
      throw new ServiceError('validationFailed', {
        message: {
          zh: `“${target}”已有${draft?.by.name.zh ?? ''}的草稿，没有导入任何内容。请先发布或放弃那份草稿，再导入一次。`,
          en: `"${target}" has an open draft${draft ? ` by ${draft.by.name.en}` : ''}, so nothing was imported. Release or discard that draft first, then import again.`,
        },
      })
    }
  })
}
