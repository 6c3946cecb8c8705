import type { EntityRecord } from '../../entities'
import { newId } from '../../platform/database'
import { followRecord } from '../../platform/files'
import { ServiceError, type Text } from '../../platform/http'
import { filesIn, type FieldDiff } from './form'
import { lastLook } from './read'
import type { Standing } from './standing'

/** How something stands in the timeline. */
export interface Logged {
  action: string
  variant?: string | undefined
  taskId?: string | undefined
  nodeId?: string | undefined
  byId: string | null
  forId?: string | null | undefined
  comment?: string | null | undefined
  /** What the engine itself says, in both languages; instead of a comment. */
  said?: Text | undefined
  files?: readonly EntityRecord[] | undefined
  diff?: readonly FieldDiff[] | undefined
  toIds?: readonly string[] | undefined
  admin?: boolean | undefined
  /** Of a return: where to, and whether it comes back; kept at the task, as is a signature. */
  returnTo?: string | undefined
  backToMe?: boolean | undefined
  signature?: EntityRecord | undefined
}

/** What a turn adds to the timeline of an instance. */
export class Timeline {
  /** The person's own action of this turn. */
  acting: Logged | null = null
  private readonly entries: EntityRecord[] = []

  constructor(private readonly standing: Standing) {}

  /** Adds a line to the timeline. */
  note(logged: Logged): void {
    const label = logged.nodeId === undefined ? undefined : this.standing.labelOf(logged.nodeId)
    this.entries.push({
      id: newId(),
      instanceId: this.standing.row.id,
      taskId: logged.taskId ?? null,
      nodeId: logged.nodeId ?? null,
      nodeNameZh: label?.zh.slice(0, 100) ?? null,
      nodeNameEn: label?.en.slice(0, 100) ?? null,
      at: this.standing.context.now.toISOString(),
      byId: logged.byId || null,
      forId: logged.forId ?? null,
      action: logged.action,
      variant: logged.variant ?? null,
      comment: (logged.said?.zh ?? logged.comment ?? null)?.slice(0, LONGEST) ?? null,
      commentEn: logged.said?.en.slice(0, LONGEST) ?? null,
      files: logged.files && logged.files.length > 0 ? logged.files : null,
      fieldDiff: logged.diff && logged.diff.length > 0 ? logged.diff : null,
      ip: this.standing.context.ip || null,
      toIds: logged.toIds && logged.toIds.length > 0 ? logged.toIds : null,
      admin: logged.admin ?? false,
    })
  }

  async write(): Promise<void> {
    const { parts, tx, context, row } = this.standing
    if (this.entries.length === 0) return
    await parts.engine.entities(tx, context).insertMany('wf.actionLog', this.entries)
    const files = [...new Set(this.entries.flatMap(({ files: some }) => filesIn(some)))]
    if (files.length > 0) await followRecord(tx, context, { entity: 'wf.instance', recordId: row.id, before: [], after: files })
  }
}

/** What somebody did to an application meanwhile. */
interface Meanwhile {
  by: string | null
  byEn: string | null
  action: string
  nodeZh: string | null
  nodeEn: string | null
  comment: string | null
  commentEn: string | null
  at: string
}

const MOST_MEANWHILE = 10
/** Letters of a comment, as its field keeps them. */
const LONGEST = 2_000

/** The answer to whoever comes second: who did what, and when; all that happened since he looked last, the newest first. */
export async function stale({ tx, row, parts, context }: Standing): Promise<ServiceError> {
  const { rows } = await tx.query<Meanwhile>(
    `select s.name as by, coalesce(nullif(s.name_en, ''), s.name) as "byEn", l.action, l.node_name_zh as "nodeZh", l.node_name_en as "nodeEn", l.comment, l.comment_en as "commentEn", l.at
     from wf_action_log l left join sys_staff s on s.id = l.by_id
     where l.instance_id = $1 and l.action not in ('read', 'comment', 'urge', 'alarm', 'effect') order by l.at desc, l.id desc limit ${MOST_MEANWHILE}`,
    [row.id],
  )
  // what the engine did by itself comes of what a person did
  const last = rows.find(({ by }) => by !== null) ?? rows[0]
  const seenAt = await lastLook(tx, row.id, context.user.staffId)
  const action = parts.engine.dictionaryLabel('wfAction', last?.action ?? '')
  const [zh, en] = [last?.by ?? '系统', last?.byEn ?? 'The system']
  return new ServiceError('stale', {
    message: {
      zh: `${zh} 已先处理（${action.zh}），请刷新后查看。`,
      en: `${en} was first (${action.en.toLowerCase()}). Please reload to see it.`,
    },
    data: {
      version: row.version,
      by: last?.by ?? null,
      at: last?.at ?? null,
      action: last?.action ?? null,
      status: row.status,
      changes: [],
      meanwhile: rows
        .filter(({ at }, index) => index === 0 || (seenAt !== null && at > seenAt))
        .map(({ by, byEn, nodeZh, nodeEn, comment, commentEn, ...each }) => ({
          ...each,
          comment: context.locale === 'en' ? (commentEn ?? comment) : comment,
          by: context.locale === 'en' ? byEn : by,
          nodeName: nodeZh ? { zh: nodeZh, en: nodeEn ?? nodeZh } : null,
        })),
    },
  })
}
