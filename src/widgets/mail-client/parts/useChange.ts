import { useMemo } from 'react'
import { tellChanged } from '../../../runtime/changes'
import { useHost } from '../../../runtime/hostContext'
import { momentText } from '../../../runtime/reading/moment'
import { tellFailure } from '../../../runtime/reading/tell'
import { mailTexts } from './texts'
import type { Row, Target } from './types'
import { MAIL } from './useMailboxes'

type Labelled = Pick<Row, 'id' | 'marks'>

/** All messages of a list, with the count that was seen. */
export interface Everything {
  box: 'receive' | 'junk'
  query: object
  count: number
}

/** What messages are marked as; `snoozedUntil` takes them out of the inbox until that moment, null brings them back. */
export interface Marked {
  seen?: boolean
  starred?: boolean
  snoozedUntil?: string | null
}

/** What is done with messages; each can be taken back. */
export interface Change {
  mark(ids: readonly string[] | Everything, what: Marked, quiet?: boolean): Promise<boolean>
  label(rows: readonly Labelled[], markId: string, on: boolean): Promise<boolean>
  move(ids: readonly string[], to: Target, always?: boolean): Promise<boolean>
  dropDrafts(ids: readonly string[]): Promise<boolean>
}

interface Undo {
  path: string
  token: string
}

const MARK = '/v2/emailbox/receive/mark'
const MOVE = '/v2/emailbox/junk/move'

/** The marks of messages with one more or less, gathered by what they are then: a call for each. */
export function relabelled(rows: readonly Labelled[], markId: string, on: boolean): { markIds: string[]; ids: string[] }[] {
  const groups = new Map<string, { markIds: string[]; ids: string[] }>()
  for (const { id, marks } of rows) {
    const rest = marks.filter((mark) => mark !== markId)
    const markIds = on ? [...rest, markId].sort() : rest
    if (on === marks.includes(markId)) continue
    const key = markIds.join()
    const group = groups.get(key) ?? { markIds, ids: [] }
    group.ids.push(id)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** Marks, moves and deletes, tells lists and counts, and offers to take it back. */
export function useChange(): Change {
  const host = useHost()
  return useMemo(() => {
    const texts = mailTexts[host.locale]
    const said = (count: number, what: Marked): string =>
      what.snoozedUntil === undefined
        ? texts.marked(count, what)
        : what.snoozedUntil === null
          ? texts.woken(count)
          : texts.snoozed(count, momentText(host, what.snoozedUntil))
    const post = <T>(path: string, body: object): Promise<T> => host.request<T>({ method: 'POST', path, body })
    const undo = async (steps: readonly Undo[]): Promise<void> => {
      try {
        for (const { path, token } of [...steps].reverse()) await post(path, { undoToken: token })
        host.notify('success', texts.undone)
      } catch (error) {
        tellFailure(host, error, 'mail.client undo')
      }
      tellChanged(MAIL)
    }
    const attempt = async (
      work: () => Promise<{ steps: Undo[]; said: string; refused?: readonly { reason: string }[] }>,
      quiet = false,
    ): Promise<boolean> => {
      try {
        const { steps, said } = await work()
        tellChanged(MAIL)
        if (!quiet && said !== '')
          host.notify('success', said, steps.length > 0 ? { label: texts.undo, run: () => void undo(steps) } : undefined)
        return true
      } catch (error) {
        tellFailure(host, error, 'mail.client')
        tellChanged(MAIL)
        return false
      }
    }
    return {
      mark: (which, what, quiet) =>
        attempt(async () => {
          const isList = !('box' in which)
          const path = isList ? MARK : `/v2/emailbox/${which.box}/mark`
          const named = isList ? { messageIds: which } : { query: which.query, all: true, count: which.count }
          const { changed, undoToken } = await post<{ changed: number; undoToken: string }>(path, { ...named, ...what })
          return { steps: [{ path: MARK, token: undoToken }], said: said(changed, what) }
        }, quiet),
      label: (rows, markId, on) =>
        attempt(async () => {
          const steps: Undo[] = []
          for (const { markIds, ids } of relabelled(rows, markId, on)) {
            const { undoToken } = await post<{ undoToken: string }>(MARK, { messageIds: ids, markIds })
            steps.push({ path: MARK, token: undoToken })
          }
          return { steps, said: texts.labelled(rows.length) }
        }),
      move: (ids, to, always = false) =>
        attempt(async () => {
          const { moved, undoToken } = await post<{ moved: number; undoToken: string }>(MOVE, { messageIds: ids, to, always })
          return { steps: [{ path: MOVE, token: undoToken }], said: texts.moved(moved, to, always) }
        }),
      dropDrafts: (ids) =>
        attempt(async () => {
          await post('/v2/emailbox/draft/del', { ids })
          return { steps: [], said: texts.draftsGone(ids.length) }
        }),
    } satisfies Change
  }, [host])
}
