import { useCallback, useMemo } from 'react'
import type { ActionModel, ListBodyModel, Scope } from '../../schema/model'
import type { ActionBase, Actions } from '../action'
import { rowScope, type Row } from '../../headless/row'
import type { ListController } from './controller'

/** What every action of a list is run with; which rows it is about comes with the click. */
export type ListActionBase = Omit<ActionBase, 'amount' | 'rows' | 'ids' | 'scope'>

interface Given {
  actions: Actions
  body: ListBodyModel
  list: ListController
  scope: Scope
  titleOf(row: Row): string
  onChanged: (() => void) | undefined
  onDialog(dialog: 'export' | 'import'): void
}

/** The actions of a list: those over all of it, and those of a row. */
export const useListActions = ({ actions, body, list, scope, titleOf, onChanged, onDialog }: Given) => {
  const { run } = actions
  const base = useMemo<ListActionBase>(
    () => ({
      path: body.path,
      entityLabel: body.entityLabel,
      titleOf,
      restorable: body.operations.restore === true,
      reload: async () => {
        await list.reload()
        onChanged?.()
      },
      startExport: () => onDialog('export'),
      startImport: () => onDialog('import'),
      inRows: true,
    }),
    [body, titleOf, list, onChanged, onDialog],
  )
  const onPageAction = (action: ActionModel): void =>
    void run(action, { ...base, scope, amount: 'none', rows: [], ids: () => Promise.resolve([]) })
  const onRowAction = useCallback(
    (actionId: string, shown: Row): void => {
      const action = body.rowActions.find((entry) => entry.id === actionId)
      if (!action) return
      // The menu may have been opened while the rows were loaded anew.
      const key = list.keyOf(shown)
      void list.current(key).then((row = shown) =>
        run(action, {
          ...base,
          scope: rowScope(scope, row),
          amount: 'one',
          rows: [row],
          ids: () => Promise.resolve([key]),
        }),
      )
    },
    [body.rowActions, run, base, scope, list],
  )
  return { base, onPageAction, onRowAction }
}
