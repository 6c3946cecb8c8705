import { useMemo } from 'react'
import { ActionBar, type Actions } from '../action'
import type { ActionModel, ListBodyModel, Scope } from '../../schema/model'
import { isAborted, toFailure } from '../../headless/failure'
import { RequestError } from '../../headless/host'
import { useHost } from '../hostContext'
import type { Row } from '../../headless/row'
import type { ListController, ListState } from './controller'
import { shownTotal } from './counting'
import { selectedCount } from './selection'
import type { ListTexts } from '../../headless/list/texts'
import type { ListActionBase } from './useListActions'

/** More records than this are not handled in one call. */
const MOST_AT_ONCE = 5000

interface BulkBarProps {
  list: ListController
  state: ListState
  body: ListBodyModel
  base: ListActionBase
  actions: Actions
  scope: Scope
  texts: ListTexts
  number(value: number): string
}

/** What can be done with the selected rows; "all matching" reaches over the pages. */
export const BulkBar = ({ list, state, body, base, actions, scope, texts, number }: BulkBarProps) => {
  const host = useHost()
  const { selection, total, rows } = state
  const count = selectedCount(selection, total)
  const chosen = useMemo<readonly Row[]>(() => [...selection.keys.values()], [selection])
  const bulkScope = useMemo(() => ({ ...scope, rows: chosen }), [scope, chosen])
  const wholePage = rows.length > 0 && rows.every((row) => selection.keys.has(list.keyOf(row)))

  /** Expressions over `rows` have to see every record that the action reaches, also those that were never loaded. */
  const reach = async (): Promise<readonly Row[]> => {
    if (count > MOST_AT_ONCE) throw new RequestError('business', texts.tooMany(number(MOST_AT_ONCE)))
    if (!selection.all) return chosen
    const keys = await list.selectedKeys(MOST_AT_ONCE)
    return keys.map((key) => selection.keys.get(key) ?? { id: key, [body.rowKey]: key })
  }
  const onRun = async (action: ActionModel): Promise<void> => {
    let reached: readonly Row[]
    try {
      reached = await reach()
    } catch (error) {
      if (!isAborted(error)) host.notify('error', toFailure(error, host.locale).message)
      return
    }
    await actions.run(action, {
      ...base,
      scope: { ...scope, rows: reached },
      rows: reached,
      amount: 'many',
      ids: () => Promise.resolve(reached.map(list.keyOf)),
      reload: async () => {
        list.clearSelection()
        await base.reload()
      },
    })
  }
  return (
    <div className="sb-selection" role="region" aria-label={texts.selected(number(count))}>
      <strong aria-live="polite">{texts.selected(number(count))}</strong>
      {!selection.all && wholePage && total > selection.keys.size && (
        <button type="button" className="sb-link" onClick={list.selectAllMatching}>
          {texts.selectAll(shownTotal(state, number))}
        </button>
      )}
      <button type="button" className="sb-link" onClick={list.clearSelection}>
        {texts.clearSelection}
      </button>
      <span className="sb-bar sb-bar-end">
        <ActionBar
          actions={body.bulkActions}
          scope={bulkScope}
          running={actions.running}
          size="small"
          shown={4}
          onRun={(action) => void onRun(action)}
        />
      </span>
    </div>
  )
}
