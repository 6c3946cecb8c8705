import type { Text } from '../../platform/http'
import { notify, push, send, type Notice } from '../../todos'
import { isNoticeEvent, type NoticeEvent, type NoticeFacts } from '../notices'
import type { Standing } from './standing'
import type { Timeline } from './timeline'
import { namesOf } from './people'
import { WORDS, type FlowEvent } from './words'

type Facts = Partial<Parameters<(typeof WORDS)[FlowEvent]>[0]>

const SYSTEM: Text = { zh: '系统', en: 'The system' }

/** Messages, to-dos and lines in chat groups that a turn sends, all at its end. */
export class Messages {
  private readonly told: Notice[] = []
  private readonly chats: { event: NoticeEvent; facts: NoticeFacts }[] = []

  constructor(
    private readonly standing: Standing,
    private readonly timeline: Timeline,
  ) {}

  /** A message of this instance to some people; a to-do too where it says so. */
  tell(
    event: FlowEvent,
    staffIds: readonly string[],
    facts: Facts,
    key: string,
    more: { todo?: boolean; link?: string; dueAt?: string | null; subject?: Notice['subject']; text?: string | null } = {},
  ): void {
    const { row, process, applicant } = this.standing
    const known = {
      code: row.code ?? '',
      process: process.document.label,
      applicant: applicant ? namesOf(applicant) : { zh: '', en: '' },
      amount: row.amount === null ? null : `${row.amount} ${row.currency ?? ''}`.trim(),
    }
    const said = WORDS[event]({ ...known, ...facts })
    // what went wrong may name the records that it went wrong with
    const { error: _error, ...unnamed } = facts
    const { label } = process.document
    const alias = row.customerAlias
    const about: Text = alias === null ? label : { zh: `${label.zh} · ${alias}`, en: `${label.en} · ${alias}` }
    if (isNoticeEvent(event))
      this.chats.push({
        event,
        facts: {
          receiverIds: [...new Set(staffIds)],
          ...plainFacts(facts),
          ...(more.subject?.entity === 'wf.task' ? { taskId: more.subject.id } : {}),
          ...(more.dueAt ? { due: more.dueAt } : {}),
        },
      })
    const link = more.link ?? `/general/process/my-handle/profile?instanceId=${row.id}`
    for (const staffId of new Set(staffIds))
      this.told.push({
        staffId,
        todo: more.todo ?? false,
        type: '1',
        kind: event === 'wfTodo' || event === 'wfTransmit' ? 'decide' : 'notice',
        title: said,
        ...(row.titleZh ? { text: { zh: row.titleZh, en: row.titleEn ?? row.titleZh } } : {}),
        plain: { title: WORDS[event]({ ...known, ...unnamed }), text: about },
        subject: more.subject ?? { entity: 'wf.instance', id: row.id },
        link,
        ...(more.dueAt ? { dueAt: more.dueAt } : {}),
        key: `${event}/${row.id}/${key}/${staffId}`.slice(0, 160),
      })
  }

  /** Whoever acts in this turn, by name. */
  get by(): Text | undefined {
    const { acting } = this.timeline
    return acting?.byId ? this.standing.names.get(acting.byId) : undefined
  }

  /** Tells the applicant what became of his application. */
  toApplicant(event: FlowEvent, key: string): void {
    this.tell(
      event,
      [this.standing.row.applicantId],
      { by: this.by ?? SYSTEM, comment: this.timeline.acting?.said ?? this.timeline.acting?.comment ?? null },
      key,
      {
        link: `/general/process/my-initiate/profile?instanceId=${this.standing.row.id}`,
      },
    )
  }

  /** The browsers of everybody who had or has a task of this application count anew: who decided gets no message about it. */
  private async tellHolders(): Promise<void> {
    const { tx, row } = this.standing
    const { rows } = await tx.query<{ id: string }>(
      'select distinct assignee_id as id from wf_task where instance_id = $1 and deleted_at is null',
      [row.id],
    )
    await push(
      tx,
      rows.map(({ id }) => ({ staffId: id, event: 'approvals' })),
    )
  }

  async send(): Promise<void> {
    const { tx, context, parts, row } = this.standing
    const notices = this.told.map((notice) => ({
      ...notice,
      ...(notice.todo ? {} : context.user.staffId ? { senderId: context.user.staffId } : {}),
    }))
    await notify(
      tx,
      notices.filter(({ todo }) => todo),
      context.now,
    )
    await send(
      tx,
      notices.filter(({ todo }) => !todo),
      context.now,
    )
    await this.tellHolders()
    for (const { event, facts } of this.chats) await parts.notices?.tell(tx, event, { ...row }, facts)
  }
}

/** What chat groups are told: words and numbers alone. */
const plainFacts = ({ by, comment, text, error, hours }: Facts): NoticeFacts => ({
  ...(by === undefined ? {} : { by }),
  ...(comment ? { comment } : {}),
  ...(text === undefined ? {} : { text }),
  ...(error === undefined ? {} : { error }),
  ...(hours === undefined ? {} : { hours }),
})
