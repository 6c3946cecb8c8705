import type { ActionModel, EntryModel, ListBodyModel, Scope, TabModel } from '../../schema/model'

/** How a row is added to a list of a record. */
export interface Addition {
  tab: TabModel
  list: ListBodyModel
  action: ActionModel
}

const MAKES: ReadonlySet<ActionModel['effect']['type']> = new Set(['form', 'open'])

/**
 * For each list of a record the primary action of its tab, if it opens a form or page and is possible now: what is added most needs no
 * way to the tab. A list whose rows are written in the box of the timeline is left out.
 */
export const additionsOf = (tabs: readonly TabModel[], scope: Scope, written: string | undefined): Addition[] =>
  tabs.flatMap((tab): Addition[] => {
    if (tab.content.type !== 'list' || tab.id === written || !tab.related) return []
    const { list } = tab.content
    const action = list.actions.find(
      ({ primary, effect, visible, disabledBecause }) =>
        primary && MAKES.has(effect.type) && visible(scope) && disabledBecause(scope) === null,
    )
    return action ? [{ tab, list, action }] : []
  })

/** What is written at the head of the timeline of a record, and the path of its calls; null where the person may not. */
export const entryOf = (tabs: readonly TabModel[], scope: Scope): { tab: string; entry: EntryModel; path: string } | null => {
  for (const { id, entry, content } of tabs) {
    if (!entry || content.type !== 'list') continue
    const { action } = entry
    if (action.visible(scope) && action.disabledBecause(scope) === null) return { tab: id, entry, path: content.list.path }
  }
  return null
}
