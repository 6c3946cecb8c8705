import type { Row } from '../parts/types'

/** The rows of a page; with conversations the newest of each stands for it, unread while one of them is. */
export function conversationsOf(
  list: readonly Row[],
  conversations: boolean,
): { rows: readonly Row[]; together: ReadonlyMap<string, number> } {
  if (!conversations) return { rows: list, together: new Map() }
  const heads = new Map<string, Row>()
  const together = new Map<string, number>()
  for (const row of list) {
    const key = `${row.accountId} ${row.threadId ?? row.id}`
    const head = heads.get(key)
    if (!head) {
      heads.set(key, row)
      continue
    }
    heads.set(key, { ...head, seen: head.seen && row.seen })
    together.set(head.id, (together.get(head.id) ?? 1) + 1)
  }
  return { rows: [...heads.values()], together }
}
