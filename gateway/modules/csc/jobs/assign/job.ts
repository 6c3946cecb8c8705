import { sql } from 'drizzle-orm'
import type { Database } from '../../../../platform/database'
import { systemContext } from '../../../../platform/http'
import type { ModuleJob } from '../../../module'
import { ruleFor } from '../../../../rules'
import { cluesOf, decideAll } from '../../services/assign'

/** Seconds between looks, clues of one run, and minutes after which a clue that found nobody is tried again. */
const [LOOK, MOST, AGAIN] = [15, 200, 60]

/** Hands clues that wait to the people of the assignment rules (CSC rule 9.14). */
export const job: ModuleJob = ({ engine, database }) => ({
  name: 'csc.assign',
  title: { zh: '线索自动分配', en: 'Lead assignment' },
  description: {
    zh: '按分配规则把线索池中的线索分给成员；命中注册黑名单或与在跟线索重复的标记无效。',
    en: 'Hands leads of the pool out by the assignment rules; those on the registration blacklist, and doubles of open leads, become invalid.',
  },
  schedule: { every: 'seconds', seconds: LOOK },
  waiting: async (now) => (await waiting(database, now, 1)).length > 0,
  run: async ({ now, dry }) => {
    const ids = await waiting(database, now, MOST)
    const decided = dry ? await decideAll(database, await cluesOf(database, ids), { now }) : new Map()
    const figures = { assigned: 0, invalid: 0, waiting: 0 }
    if (!dry)
      await engine.transaction(systemContext({ now }), async (entities, tx) => {
        await tx.query(sql`select pg_advisory_xact_lock(hashtext('csc.assign'))`)
        const decisions = await decideAll(tx, await cluesOf(tx, ids), { now })
        const of = (...outcomes: string[]): string[] =>
          [...decisions].filter(([, { outcome }]) => outcomes.includes(outcome)).map(([id]) => id)
        const [barred, merged, none] = [of('black'), of('merged'), of('none')]
        const given = of('owner', 'promoter', 'rule', 'fallback')
        await entities.transitions('csc.clue', barred, 'bar', ({ id }) => ({ blackId: decisions.get(id)?.blackId }))
        await entities.transitions('csc.clue', merged, 'merge', ({ id }) => ({
          mergedCode: decisions.get(id)?.mergedCode,
        }))
        const refused = await entities.transitions('csc.clue', given, 'autoAssign')
        const left = [...none, ...refused.keys()]
        await entities.changeMany('csc.clue', new Map(left.map((id) => [id, { triedAt: now.toISOString() }])))
        Object.assign(figures, {
          assigned: given.length - refused.size,
          invalid: barred.length + merged.length,
          waiting: left.length,
        })
      })
    for (const { outcome } of decided.values())
      figures[outcome === 'none' ? 'waiting' : outcome === 'black' || outcome === 'merged' ? 'invalid' : 'assigned'] += 1
    return {
      figures: [
        { id: 'assigned', title: { zh: '已分配', en: 'Handed out' }, value: figures.assigned },
        { id: 'invalid', title: { zh: '标记无效', en: 'Made invalid' }, value: figures.invalid },
        { id: 'waiting', title: { zh: '无人可分', en: 'Found nobody' }, value: figures.waiting },
      ],
      columns: [],
      rows: [],
      more: 0,
    }
  },
})

/** Clues of the pool that nobody has tried to hand out of late; none while the engine is off. */
async function waiting(database: Database, now: Date, limit: number): Promise<readonly string[]> {
  const { engineOn, maxReassign } = await ruleFor(database, 'csc.assign', now)
  if (!engineOn) return []
  const before = new Date(now.getTime() - AGAIN * 60_000).toISOString()
  const { rows } = await database.query<{ id: string }>(
    sql`select id from csc_clue where status = 'pool' and deleted_at is null and coalesce(missed_count, 0) < ${maxReassign}
      and (tried_at is null or tried_at < ${before}::timestamptz) order by created_at, id limit ${limit}`,
  )
  return rows.map(({ id }) => id)
}
