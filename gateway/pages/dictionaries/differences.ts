import type { DictionaryDocument } from '../../../src/schema/generated/dictionary'
import { mergeItems, type DictionaryChanges } from './merge'

/** What the audit log says: by code and word; the order as a whole. */
export function differences(document: DictionaryDocument, before: DictionaryChanges, after: DictionaryChanges) {
  const [old, now] = [mergeItems(document.items, before), mergeItems(document.items, after)]
  const codes = new Set([...old, ...now].map((item) => item.code))
  const order = (items: readonly { code: string }[]): string =>
    items.flatMap((item) => (codes.has(item.code) ? [item.code] : [])).join(', ')
  const changes = [...codes].flatMap((one) => {
    const [a, b] = [old, now].map((items) => items.find((item) => item.code === one))
    const facts = [
      ['zh', a?.label.zh, b?.label.zh],
      ['en', a?.label.en, b?.label.en],
      ['color', a?.color, b?.color],
      ['retired', a && a.retired === true, b && b.retired === true],
    ] as const
    return facts.flatMap(([fact, from, to]) =>
      (from ?? null) === (to ?? null) ? [] : [{ field: `${one}.${fact}`, before: from ?? null, after: to ?? null }],
    )
  })
  const moved = old.length === now.length && order(old) !== order(now)
  return moved ? [...changes, { field: 'order', before: order(old), after: order(now) }] : changes
}
