import { queryPageBody, type EntityRecord, type QueryPageRequest } from '../../../entities'
import { ok, ServiceError } from '../../../platform/http'
import { placeOf } from '../../../staff'
import type { ModuleCall } from '../../module'
import { id, serving, shaped } from '../../serving'
import { CALLS } from '../feedback/calls'

const ENTITY = 'csc.feedback'
const WAITING = [{ field: 'status', operator: 'in', value: ['new', 'seen', 'reopened'] }] as const
const text = (maxLength: number) => ({ type: ['string', 'null'], maxLength })
const files = { type: 'array', maxItems: 9, items: { type: 'object', required: ['id'], properties: { id } } } as const
const is = (field: string, value: string) => ({ field, operator: 'eq', value }) as const

/** Own feedback, and what is done with that of others (R306). */
export const call: ModuleCall = ({ app, engine, database }) => {
  const serve = serving(app, CALLS)

  serve<EntityRecord & { pageUrl?: string | null }>({
    at: 'POST feedback/commitFeedback',
    key: 'own',
    summary: 'Sends feedback; the address says which page it is about',
    takes: shaped({
      ...{ '!kind': text(40), '!title': text(100), '!content': text(20_000), attachments: files },
      ...{ pageUrl: text(300), browser: text(300), contactWanted: { type: 'boolean' } },
    }),
    answer: (context, { pageUrl = null, ...given }) =>
      engine.transaction(context, async (entities, tx) => {
        const place = await placeOf(entities, pageUrl ?? '')
        const saved = await entities.save(ENTITY, { ...given, pageUrl, ...place, staffId: context.user.staffId })
        const answer = { id: saved.id, code: saved.code }
        await context.idempotence?.settle(tx, ok(answer))
        return answer
      }),
  })

  serve<QueryPageRequest>({
    at: 'POST feedback/myFeedbackPage',
    key: 'own',
    summary: 'The own feedback, as the queryPage of its entity',
    takes: queryPageBody,
    answer: (context, { where = [], counts = {}, ...asked }) => {
      const own = is('staffId', context.user.staffId)
      const counted = Object.entries(counts).map(([name, one]) => [name, { ...one, where: [...(one.where ?? []), own] }])
      return engine.queryPage(ENTITY, context, { ...asked, counts: Object.fromEntries(counted), where: [...where, own] })
    },
  })
  serve<QueryPageRequest>({
    at: 'POST feedback/feedbackManagePage',
    key: 'list',
    summary: 'The feedback of everybody, as the queryPage of its entity',
    takes: queryPageBody,
    answer: (context, asked) => engine.queryPage(ENTITY, context, asked),
  })

  serve<{ id: string }>({
    at: 'GET feedback/getFeedbackDetail',
    key: 'own',
    summary: 'Feedback that the caller may see; what was answered to his own counts as read',
    takes: shaped({ '!id': id }),
    answer: async (context, asked) => {
      const { staffId } = context.user
      const found = await engine.view(ENTITY, context, asked.id)
      if (found.record['staffId'] !== staffId) return found
      await engine.transaction(context, async (entities) => {
        const stored = await entities.find(ENTITY, asked.id, { lock: true })
        if (stored?.unreadByOwner) await entities.transition(ENTITY, asked.id, 'read')
        const about = [is('receiverId', staffId), is('subjectEntity', ENTITY), is('subjectId', asked.id), is('status', 'unread')]
        const told = (await entities.list('sys.message', { where: about })).map((one) => one.id)
        // the push of a message that was read is what the badge of the header hears of, too
        if (told.length > 0) await entities.transitions('sys.message', told, 'read')
      })
      return found
    },
  })

  serve({
    at: 'GET feedback/countResponeFeedback',
    key: 'own',
    summary: 'How many answers to the own feedback are unread',
    answer: async ({ user }) => {
      const { rows } = await database.query<{ total: number }>(
        'select coalesce(sum(unread_by_owner), 0)::int as total from csc_feedback where staff_id = $1 and deleted_at is null',
        [user.staffId],
      )
      return rows[0]?.total ?? 0
    },
  })
  serve({
    at: 'GET feedback/countUnReply',
    key: 'list',
    summary: 'How much feedback waits for an answer',
    answer: (context) => engine.count(ENTITY, context, { where: WAITING }),
  })

  serve<{ id: string; content: string; attachments?: object[]; internal?: boolean }>({
    at: 'POST feedback/feedbackReply',
    key: 'manage',
    summary: 'Answers feedback, and tells its sender; internal: a note for those who manage feedback',
    takes: shaped({
      '!id': id,
      '!content': { type: 'string', minLength: 1, maxLength: 20_000 },
      attachments: files,
      internal: { type: 'boolean' },
    }),
    answer: async (context, { id: which, internal, ...values }) => {
      const transition = internal === true ? 'note' : 'reply'
      const { refused } = await engine.stateUpdate(ENTITY, context, { ids: [which], transition, values })
      if (refused[0]) throw new ServiceError('transitionRefused', { message: { zh: refused[0].reason, en: refused[0].reason } })
      return { id: which }
    },
  })
}
