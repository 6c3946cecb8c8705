import { tableOf, type EntityRecord } from '../../../entities'
import { dayOf } from '../../../platform/calendar'
import type { ModuleCall } from '../../module'
import { asked, questionsOf } from '../feedback/score'
import { serving, shaped } from '../../serving'
import { CALLS } from '../feedback/calls'

const word = { type: 'string', maxLength: 40 } as const
const several = (maxItems: number) => ({ type: 'array', maxItems, items: { type: 'object' } })

/** What is asked of whom: the questions of ratings, the popups of pages, the hint. */
export const call: ModuleCall = ({ app, engine, database, configuration: { companyTimeZone } }) => {
  const serve = serving(app, CALLS)

  serve<{ evaluateType?: string }>({
    at: 'GET feedbackScoreQuestion/getQuestionList',
    key: 'look',
    summary: 'The questions of ratings, with those that are not asked any more',
    takes: shaped({ evaluateType: word }),
    answer: (context, { evaluateType }) =>
      engine.transaction(context, async (entities) => {
        const where = evaluateType ? [{ field: 'evaluateType', operator: 'eq', value: evaluateType } as const] : []
        const questions = await entities.list('csc.scoreQuestion', { where, sort: [{ field: 'sortNo', order: 'asc' }] })
        return questions.map((question) => ({ ...asked(question), enabled: question.enabled }))
      }),
  })
  serve<{ evaluateType: string; questions: EntityRecord[] }>({
    at: 'POST feedbackScoreQuestion/updateQuestionList',
    key: 'configure',
    summary:
      'Saves the questions of a kind of rating; those left out are not asked any more, and gone where nobody answered them',
    takes: shaped({ '!evaluateType': word, '!questions': several(30) }),
    answer: (context, { evaluateType, questions }) =>
      engine.transaction(context, async (entities, tx) => {
        const left = (await questionsOf(entities, evaluateType)).filter((one) => !questions.some(({ id }) => id === one.id))
        const { rows } = await tx.query<{ id: string }>(
          'select distinct jsonb_object_keys(answers) as id from csc_score where evaluate_type = $1 and deleted_at is null',
          [evaluateType],
        )
        for (const { id } of left)
          if (rows.some((one) => one.id === id)) await entities.save('csc.scoreQuestion', { id, enabled: false })
          else await entities.remove('csc.scoreQuestion', id)
        for (const [index, question] of questions.entries())
          await entities.save('csc.scoreQuestion', { ...question, evaluateType, sortNo: index + 1, enabled: true })
        return (await questionsOf(entities, evaluateType)).map(asked)
      }),
  })

  serve({
    at: 'GET feedbackPopupConfig/getPopupConfigList',
    key: 'look',
    summary: 'Popups by menu entry, each with how many people would see it today',
    answer: async (context) => {
      const { records, refs } = await engine.queryPage('csc.popupConfig', context, { pageSize: 1000 })
      const menus = [...new Set(records.map(({ resourceId }) => String(resourceId)))]
      const of = (menu: string): EntityRecord[] => records.filter(({ resourceId }) => resourceId === menu)
      return menus.map((menu) => ({ resourceId: menu, name: refs['sys.menuResource']?.[menu]?.title ?? null, popups: of(menu) }))
    },
  })
  serve<{ list: EntityRecord[] }>({
    at: 'POST feedbackPopupConfig/patchSaveOrUpdatePopupConfig',
    key: 'configure',
    summary: 'Saves several popups, all or none',
    takes: shaped({ '!list': several(200) }),
    answer: (context, { list }) =>
      engine.transaction(context, async (entities) => {
        const ids: string[] = []
        for (const one of list) ids.push((await entities.save('csc.popupConfig', one)).id)
        return { ids }
      }),
  })

  serve({
    at: 'GET feedbackConfig/getFeedbackTips',
    key: 'own',
    summary: 'The hint for the caller: enabled while he has not read its present version (R216)',
    answer: async ({ user, now, locale }) => {
      const { rows } = await database.query<{ id: string; text: string; version: number }>(
        `select t.id, case when $3 = 'en' then t.text_en else t.text_zh end as text, t.revision as version from csc_feedback_tip t
         where t.deleted_at is null and t.enabled and (t."from" is null or t."from" <= $2::date) and (t."to" is null or t."to" >= $2::date)
           and (jsonb_array_length(coalesce(t.role_ids, '[]'::jsonb)) = 0 or exists (
             select from ${tableOf('sys.role')} r where r.code = any($4::text[]) and r.deleted_at is null and jsonb_exists(t.role_ids, r.id)))
           and not exists (select from csc_popup_stat s where s.tip_id = t.id and s.staff_id = $1 and s.revision >= t.revision and s.deleted_at is null)
         order by t.created_at desc limit 1`,
        [user.staffId, dayOf(now, companyTimeZone), locale, user.roleCodes],
      )
      return { enabled: rows.length > 0, ...(rows[0] ?? { id: null, text: null, version: null }) }
    },
  })
  serve<EntityRecord>({
    at: 'POST feedbackConfig/updateFeedbackTips',
    key: 'configure',
    summary: 'Saves a hint; a changed text is a new version',
    takes: { type: 'object' },
    answer: (context, given) => engine.save('csc.feedbackTip', context, given),
  })
}
