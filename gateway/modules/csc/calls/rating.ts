import type { Entities, EntityRecord } from '../../../entities'
import { ok, ServiceError, type RequestContext } from '../../../platform/http'
import { placeOf } from '../../../staff'
import type { ModuleCall } from '../../module'
import { popupsFor, type Popup } from '../feedback/popups'
import { asked, LEVELS, questionsOf, reckon } from '../feedback/score'
import { id, serving, shaped } from '../../serving'
import { CALLS } from '../feedback/calls'

const word = { type: 'string', maxLength: 40 } as const
const idOrNone = { ...id, type: ['string', 'null'] } as const
const DAY = 86_400_000

/** Ratings, the popups that ask for them, and what became of these (R260). */
export const call: ModuleCall = ({ app, engine, database, configuration: { companyTimeZone } }) => {
  const serve = serving(app, CALLS)
  const popups = async (context: RequestContext, fits: (popup: Popup) => boolean = () => true): Promise<Popup[]> =>
    (await popupsFor(database, context, companyTimeZone)).filter(fits)
  /** Changes what is kept of the caller and one popup or hint; parallel windows take turns. */
  const note = (
    context: RequestContext,
    of: EntityRecord,
    change: (count: (field: string) => number) => EntityRecord,
  ): Promise<unknown> =>
    engine.transaction(
      context,
      async (entities) => {
        const key = { staffId: context.user.staffId, ...of }
        const where = Object.entries(key).map(([field, value]) => ({ field, operator: 'eq', value }) as const)
        const [stat] = await entities.list('csc.popupStat', { where, lock: true })
        const count = (field: string): number => Number((stat as EntityRecord | undefined)?.[field] ?? 0) + 1
        await entities.save('csc.popupStat', { ...(stat ? { id: stat.id } : key), ...change(count) })
      },
      { retries: 3 },
    )

  serve<{ resourceId?: string; evaluateType?: string }>({
    at: 'GET feedback/checkUserHasFeedback',
    key: 'own',
    summary: 'Whether the caller is asked for a rating now, with its questions, and which pages may ask',
    takes: shaped({ resourceId: id, evaluateType: word }),
    answer: async (context, { resourceId = null, evaluateType = null }) => {
      const those = await popups(context, (one) => resourceId === null || one.resourceId === resourceId)
      const due = those.find((one) => one.kind === 'score' && one.due && [null, one.evaluateType].includes(evaluateType))
      const questions = due
        ? await engine.transaction(context, async (entities) => (await questionsOf(entities, due.evaluateType)).map(asked))
        : []
      const watched = those.map(({ resourceId: menu, path, kind }) => ({ resourceId: menu, path, kind }))
      return { pending: questions.length > 0, evaluateType: due?.evaluateType ?? null, questions, watched }
    },
  })

  interface Trigger {
    resourceId?: string
    popupConfigId?: string
    tipId?: string
    version?: number
    action?: 'shown' | 'dismissed' | 'submitted'
  }
  for (const kind of ['feedback', 'score'] as const)
    serve<Trigger>({
      at: `POST feedbackPopupStat/triggerPopup${kind === 'score' ? 'Score' : 'Feedback'}Window`,
      key: 'own',
      summary: 'The caller enters a page: what asks him there now. With an action: what became of a popup, or of the hint',
      takes: shaped({
        ...{ resourceId: id, popupConfigId: id, tipId: id, version: { type: 'integer' } },
        action: { enum: ['shown', 'dismissed', 'submitted'] },
      }),
      answer: async (context, { resourceId, popupConfigId, tipId, version = 1, action }) => {
        const at = context.now.toISOString()
        if (tipId !== undefined) {
          await note(context, { tipId }, (count) => ({ revision: version, dismissed: count('dismissed'), dismissedAt: at }))
          return { id: tipId, evaluateType: null }
        }
        const here = (): Promise<Popup[]> => popups(context, (one) => one.kind === kind && one.resourceId === resourceId)
        if (action === undefined) {
          for (const one of await here()) await note(context, { popupConfigId: one.id }, (count) => ({ visits: count('visits') }))
          const due = (await here()).find((one) => one.due)
          return { id: due?.id ?? null, evaluateType: due?.evaluateType ?? null }
        }
        const known = (await here()).find((one) => one.id === popupConfigId)
        if (!known) throw new ServiceError('notFound')
        await note(context, { popupConfigId: known.id }, (count) => ({
          [action]: count(action),
          ...(action === 'shown' ? { shownIn: context.sessionId } : { [`${action}At`]: at }),
        }))
        return { id: known.id, evaluateType: known.evaluateType }
      },
    })

  /** The rating of the same kind that the caller gave within the period: a new one takes its place. */
  const before = (entities: Entities, { user, now }: RequestContext, evaluateType: string, days: number) =>
    entities.list('csc.score', {
      where: [
        { field: 'staffId', operator: 'eq', value: user.staffId },
        { field: 'evaluateType', operator: 'eq', value: evaluateType },
        { field: 'at', operator: 'gte', value: new Date(now.getTime() - days * DAY).toISOString() },
      ],
      ...{ sort: [{ field: 'at', order: 'desc' }], limit: 1, lock: true },
    })
  serve<{ evaluateType: string; answers: EntityRecord; resourceId?: string; popupConfigId?: string; trial?: boolean }>({
    at: 'POST feedback/commitScore',
    key: 'own',
    summary: 'Gives a rating, one a person, kind and period; a missing answer names its question; a trial keeps nothing',
    takes: shaped({
      ...{ '!evaluateType': word, '!answers': { type: 'object' }, resourceId: idOrNone, popupConfigId: idOrNone },
      trial: { type: 'boolean' },
    }),
    answer: async (context, { evaluateType, answers, resourceId, popupConfigId, trial }) => {
      const [popup] = await popups(context, (one) => one.id === popupConfigId)
      return engine.transaction(context, async (entities, tx) => {
        const questions = await questionsOf(entities, evaluateType)
        if (questions.length === 0) throw new ServiceError('notFound')
        const reckoned = reckon(questions, answers, context.locale)
        if (trial) return { id: null, code: null }
        const menu = !resourceId ? null : await entities.find('sys.menuResource', resourceId)
        const [known] = await before(entities, context, evaluateType, popup?.everyDays ?? 90)
        const { id: saved } = await entities.save('csc.score', {
          ...{ ...(known ? { id: known.id } : { staffId: context.user.staffId, evaluateType }), at: context.now.toISOString() },
          ...{ ...(await placeOf(entities, menu?.router ?? '')), ...reckoned },
        })
        const answer = { id: saved, code: saved }
        await context.idempotence?.settle(tx, ok(answer))
        return answer
      })
    },
  })

  serve({
    at: 'GET sysDict/listAllScoreLevel',
    key: 'own',
    summary: 'Levels of satisfaction: their colour, and the stars and recommendations that belong to them',
    answer: ({ locale }) =>
      LEVELS.map(({ code, color, stars, nps }, index) => ({
        ...{ code, color, label: engine.dictionaryLabel('scoreLevel', code)[locale] },
        ...{ stars: [1 + (LEVELS[index - 1]?.stars ?? 0), stars], nps: [1 + (LEVELS[index - 1]?.nps ?? -1), nps] },
      })),
  })
}
