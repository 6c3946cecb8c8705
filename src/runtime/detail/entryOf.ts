import type { EntryModel, Scope, TabModel } from '../../schema/model'

/** What is written at the head of the timeline of a record, and the path of its calls; null where the person may not. */
export const entryOf = (tabs: readonly TabModel[], scope: Scope): { tab: string; entry: EntryModel; path: string } | null => {
  for (const { id, entry, content } of tabs) {
    if (!entry || content.type !== 'list') continue
    const { action } = entry
    if (action.visible(scope) && action.disabledBecause(scope) === null) return { tab: id, entry, path: content.list.path }
  }
  return null
}
