import type { Executor } from '../../../platform/database'
import { ok, contextOf, ServiceError, type RequestContext } from '../../../platform/http'
import type { ModuleCall } from '../../module'
import {
  addressesSchema,
  BASE,
  bodySchema,
  described,
  idSchema,
  idsSchema,
  likely,
  listSchema,
  textSchema,
  type ListRequest,
} from '../api'
import { mailParts } from '../parts'
import { SENDING_LINE } from '../send/outgoing'
import { requireDue, writeMail, type WrittenMail } from '../send/write'
import { cleanWords } from '../view'

type DraftRequest = Partial<WrittenMail> & { id?: string | null; revision?: number }

/** A draft as its writer reads it, with everything of it; one that waits for its time is `timed`. */
type ShownDraft = Record<string, unknown> & { id: string; revision: number; timed: boolean }

const ORNULL = (schema: { type: string }) => ({ ...schema, type: [schema.type, 'null'] })
const DRAFT = {
  id: ORNULL(idSchema),
  revision: { type: 'integer', minimum: 1 },
  accountId: ORNULL(idSchema),
  ...{ to: addressesSchema, cc: addressesSchema, bcc: addressesSchema },
  subject: textSchema(998),
  content: textSchema(2_000_000),
  attachments: { type: 'array', maxItems: 50, items: idSchema },
  signatureId: ORNULL(idSchema),
  kind: { enum: ['new', 'reply', 'replyAll', 'forward', 'forwardAsAttachment', 'editAgain'] },
  sourceMessageId: ORNULL(idSchema),
  wantsReceipt: { type: 'boolean' },
} as const
const TIME = { type: 'string', format: 'date-time' } as const

const COLUMNS = `id, account_id as "accountId", coalesce("to", '[]') as "to", coalesce(cc, '[]') as cc, coalesce(bcc, '[]') as bcc, subject, body_html as content,
  coalesce(attachments, '[]') as attachments, signature_id as "signatureId", kind, source_message_id as "sourceMessageId", coalesce(wants_receipt, false) as "wantsReceipt", updated_at as "updatedAt"`
/** Drafts and timed mails of a person, as one. */
const BOTH = `(select ${COLUMNS}, coalesce(revision, 1)::int as revision, null::timestamptz as "timingTime", false as timed from mail_draft where staff_id = $1 and deleted_at is null
  union all select ${COLUMNS}, 1, due_at, true from mail_outgoing where staff_id = $1 and state = 'scheduled' and deleted_at is null) d`

/** Drafts, also those that wait for a time. */
export const call: ModuleCall = (moduleParts) => {
  const parts = mailParts(moduleParts)
  const { app, engine, database, queue } = moduleParts

  app.post<{ Body: DraftRequest }>(
    `${BASE}/draft/save`,
    described('Saves a draft: a new one, or the revision that one began with', bodySchema(DRAFT)),
    async (request) => ok(await save(contextOf(request), request.body)),
  )
  app.post<{ Body: DraftRequest & { timingTime: string } }>(
    `${BASE}/draft/timing/save`,
    described(
      'Has a mail sent at a time; until then it is a draft',
      bodySchema({ ...DRAFT, timingTime: TIME }, ['accountId', 'to', 'timingTime']),
    ),
    async (request) => {
      const { id, revision: _revision, accountId, ...given } = request.body
      const empty = { to: [], cc: [], bcc: [], subject: '', content: '', attachments: [], kind: 'new' }
      const letter = { ...empty, ...given, accountId: accountId ?? '', draftId: id ?? null }
      const { outgoingId } = await writeMail(parts, contextOf(request), letter)
      return ok({ id: outgoingId, revision: 1 })
    },
  )
  app.post<{ Body: { id: string; timingTime: string } }>(
    `${BASE}/draft/update/timingTime`,
    described('Another time for a mail that waits', bodySchema({ id: idSchema, timingTime: TIME }, ['id', 'timingTime'])),
    async (request) => {
      const context = contextOf(request)
      const { id, timingTime } = request.body
      const due = requireDue(context, timingTime)
      await engine.transaction(context, async (_entities, tx) => {
        const { rowCount } = await tx.query(
          `update mail_outgoing set due_at = $3, updated_at = $4 where id = $1 and staff_id = $2 and state = 'scheduled' and deleted_at is null`,
          [id, context.user.staffId, due.toISOString(), context.now.toISOString()],
        )
        if (rowCount === 0) throw new ServiceError('notFound')
        await queue.send(tx, SENDING_LINE, [{ key: `${id}/${due.getTime()}`, at: due }])
      })
      return ok({ id, revision: 1 })
    },
  )
  app.post<{ Body: ListRequest & { timed?: boolean } }>(
    `${BASE}/draft/query`,
    described('Drafts and mails that wait for their time', listSchema({ timed: { type: 'boolean' } })),
    async (request) => {
      const { page, size, keyword = '', timed = null } = request.body
      const params = [contextOf(request).user.staffId, likely(keyword), timed]
      const where = `where ($2 = '%%' or subject ilike $2 or "to"::text ilike $2) and ($3::boolean is null or timed = $3)`
      const { rows } = await database.query<ShownDraft>(
        `select * from ${BOTH} ${where} order by "updatedAt" desc, id limit ${size} offset ${(page - 1) * size}`,
        params,
      )
      const total = `select count(*)::int as total from ${BOTH} ${where}`
      const { rows: counted } = await database.query<{ total: number }>(total, params)
      return ok({ list: rows, total: counted[0]?.total ?? 0, page, size })
    },
  )
  app.post<{ Body: { ids: string[] } }>(
    `${BASE}/draft/del`,
    described('Deletes drafts; a mail that waits is not sent then', bodySchema({ ids: idsSchema }, ['ids'])),
    async (request) => {
      const context = contextOf(request)
      const [{ staffId }, at] = [context.user, context.now.toISOString()]
      const done = await engine.transaction(context, async (entities, tx) => {
        const { rows } = await tx.query<{ id: string; timed: boolean }>(
          `select id, timed from ${BOTH} where id = any($2::text[])`,
          [staffId, request.body.ids],
        )
        for (const { id, timed } of rows) {
          if (!timed) await entities.remove('mail.draft', id)
          else await tx.query(`update mail_outgoing set deleted_at = $2 where id = $1 and state = 'scheduled'`, [id, at])
        }
        return rows.map(({ id }) => id)
      })
      return ok({ done, refused: [] })
    },
  )
  app.get<{ Params: { id: string } }>(
    `${BASE}/draft/view/:id`,
    { ...described('One draft'), schema: { ...described('One draft').schema, params: bodySchema({ id: idSchema }, ['id']) } },
    async (request) => {
      const found = await find(database, contextOf(request).user.staffId, request.params.id)
      if (!found) throw new ServiceError('notFound')
      return ok(found)
    },
  )

  async function find(db: Executor, staffId: string, id: string): Promise<ShownDraft | null> {
    const { rows } = await db.query<ShownDraft>(`select * from ${BOTH} where id = $2`, [staffId, id])
    return rows[0] ?? null
  }

  /** A save names the revision that it began with: a newer one of another device is answered and nothing is overwritten. */
  async function save(context: RequestContext, body: DraftRequest): Promise<{ id: string; revision: number }> {
    const { user } = context
    const { id, revision, content, attachments, ...given } = body
    const files = attachments && (await Promise.all(attachments.map((fileId) => parts.files.read(context, fileId))))
    const values = {
      ...given,
      ...(content === undefined ? {} : { bodyHtml: cleanWords(content) }),
      ...(files && {
        attachments: files.map(({ file: f }) => ({ id: f.id, name: f.name, size: Number(f.size), type: f.mimeType })),
      }),
    }
    for (const { content: bytes } of files ?? []) bytes.destroy()
    return engine.transaction(context, async (entities, tx) => {
      if (!id) {
        const first = { ...values, staffId: user.staffId, kind: given.kind ?? 'new', revision: 1 }
        const made = await entities.save('mail.draft', first)
        return { id: made.id, revision: 1 }
      }
      const { rows } = await tx.query<{ revision: number }>(
        'select coalesce(revision, 1)::int as revision from mail_draft where id = $1 and staff_id = $2 and deleted_at is null for update',
        [id, user.staffId],
      )
      const [stored] = rows
      if (!stored) throw new ServiceError('notFound')
      if (stored.revision !== revision)
        throw new ServiceError('stale', {
          message: {
            zh: '另一台设备上有更新的草稿，请对照后选择。',
            en: 'There is a newer draft of another device: look at both and choose.',
          },
          data: { draft: await find(tx, user.staffId, id) },
        })
      await entities.save('mail.draft', { ...values, id, revision: revision + 1 })
      return { id, revision: revision + 1 }
    })
  }
}
