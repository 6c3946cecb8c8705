import { tableOf, type EntityService } from '../../../entities'
import { dayOf } from '../../../platform/calendar'
import type { Executor } from '../../../platform/database'
import type { RequestContext } from '../../../platform/http'

/** A dialog that was closed without an answer stays away so long, days. */
const REST_DAYS = 7

/** A popup as it concerns the caller. */
export interface Popup {
  id: string
  kind: 'score' | 'feedback'
  evaluateType: string
  everyDays: number
  resourceId: string
  path: string
  /** It asks now: it has something to ask, visits and days are reached, nothing of its kind was shown in this session or closed in the last days. */
  due: boolean
}

/** Popups in force with everybody who may open their page and holds one of their roles, and what each did with them. */
const AUDIENCE = `from csc_popup_config c
  join ${tableOf('sys.menuResource')} m on m.id = c.resource_id and m.deleted_at is null
  join lateral (select g.staff_id, array_agg(r.id) as roles, bool_or(jsonb_exists(r.resource_ids, c.resource_id)) as opens
    from ${tableOf('sys.roleMember')} g
    join ${tableOf('sys.role')} r on r.id = g.role_id and r.deleted_at is null and coalesce(r.enabled, true)
    join ${tableOf('sys.staff')} s on s.id = g.staff_id and s.deleted_at is null and s.status <> 'left'
    where g.deleted_at is null and g.waiting is not true and (g."from" is null or g."from" <= $1) and (g.until is null or g.until > $1)
    group by g.staff_id) p on p.opens and (jsonb_array_length(coalesce(c.role_ids, '[]'::jsonb)) = 0
      or exists (select from unnest(p.roles) held where jsonb_exists(c.role_ids, held)))
  left join csc_popup_stat t on t.staff_id = p.staff_id and t.popup_config_id = c.id and t.deleted_at is null
  where c.deleted_at is null and c.enabled and (c."from" is null or c."from" <= $2::date) and (c."to" is null or c."to" >= $2::date)`

const due = (ahead: number): string => `(coalesce(t.visits, 0) + ${ahead} >= c.after_visits
  and (c.kind <> 'score' or exists (select from csc_score_question q
    where q.evaluate_type = c.evaluate_type and q.enabled and q.deleted_at is null))
  and (t.submitted_at is null or t.submitted_at <= $1::timestamptz - c.every_days * interval '1 day')
  and (t.dismissed_at is null or t.dismissed_at <= $1::timestamptz - interval '${REST_DAYS} days'))`

/** The popups that are meant for the caller; `timeZone` decides on which day they are. */
export async function popupsFor(db: Executor, { user, now, sessionId }: RequestContext, timeZone: string): Promise<Popup[]> {
  const { rows } = await db.query<Popup>(
    `select c.id, c.kind, c.evaluate_type as "evaluateType", c.every_days as "everyDays", c.resource_id as "resourceId", m.router as path,
       ${due(0)} and not exists (select from csc_popup_stat o join csc_popup_config oc on oc.id = o.popup_config_id
         where o.staff_id = $3 and o.shown_in = $4 and o.deleted_at is null and oc.kind = c.kind and oc.evaluate_type = c.evaluate_type) as due
     ${AUDIENCE} and p.staff_id = $3 order by c.created_at, c.id`,
    [now.toISOString(), dayOf(now, timeZone), user.staffId, sessionId],
  )
  return rows
}

/** Says of each popup how many people would see it today, when they next open its page. */
export const popupConfigService = (timeZone: string): EntityService<'csc.popupConfig'> => ({
  computeFields: async (records, { db, context }) => {
    const ids = records.map(({ id }) => String(id))
    const { rows } = await db.query<{ id: string; people: number }>(
      `select c.id, count(*)::int as people ${AUDIENCE} and c.id = any($3::text[]) and ${due(1)} group by c.id`,
      [context.now.toISOString(), dayOf(context.now, timeZone), ids],
    )
    const people = new Map(rows.map((row) => [row.id, row.people]))
    for (const record of records) record['reach'] = people.get(String(record.id)) ?? 0
  },
})
