import { useCallback, useMemo } from 'react'
import type { ActionModel, ListBodyModel, Scope } from '../../schema/model'
import { rowScope, type Row } from '../../headless/row'
import type { BesideList } from './besideList'
import type { ListController } from './controller'
import { BESIDE } from '../../headless/list/query'

interface Given {
  list: ListController
  body: ListBodyModel
  scope: Scope
  rows: readonly Row[]
  search: string
  /** Undefined: the list has no address of its own, or no room beside it. */
  onSearch: ((search: string) => void) | undefined
}

/** A row action that shows its page beside the list. */
export const isBeside = ({ effect }: ActionModel): boolean => effect.type === 'open' && effect.beside === true

/** What a list shows beside itself: the row that its address names (`open`), by the row action that opens beside it. */
export const useBesideList = ({ list, body, scope, rows, search, onSearch }: Given) => {
  const action = useMemo(() => (onSearch ? body.rowActions.find(isBeside) : undefined), [body.rowActions, onSearch])
  const shown = action ? new URLSearchParams(search).get(BESIDE) : null
  const show = useCallback(
    (key: string | null): void => {
      const params = new URLSearchParams(search)
      if (key === null) params.delete(BESIDE)
      else params.set(BESIDE, key)
      onSearch?.(params.toString())
    },
    [search, onSearch],
  )
  const look = useCallback((row: Row): void => show(list.keyOf(row)), [list, show])
  const keys = useMemo(() => rows.map(list.keyOf), [rows, list])
  const index = shown === null ? -1 : keys.indexOf(shown)
  const around = useMemo<BesideList>(
    () => ({ previous: keys[index - 1] ?? null, next: index < 0 ? null : (keys[index + 1] ?? null), show }),
    [keys, index, show],
  )
  const row = rows[index] ?? (shown === null ? undefined : { id: shown, [body.rowKey]: shown })
  const address =
    action?.effect.type === 'open' && row && action.visible(rowScope(scope, row))
      ? action.effect.address(rowScope(scope, row))
      : null
  return { action: action?.id, shown: address === null ? null : shown, look: action ? look : undefined, around, address }
}
