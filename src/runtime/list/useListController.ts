import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useWhenOnline } from '../reading/useWhenOnline'
import { createListController, type ListController, type ListOptions, type ListState } from './controller'

/**
 * A headless list for a component: created once, started while the component is shown, and kept in step with the address and
 * with the description of the list. Another Host or record needs another component (`key`), because nothing of the old list would be right. Another `version` of the record around the list
 * reads the rows anew.
 *
 * @example const [list, state] = useListController({ host, body, scope, id: model.id, search, onSearch })
 */
export const useListController = (options: ListOptions, version?: unknown): readonly [ListController, ListState] => {
  const [list] = useState(() => createListController(options))
  const state = useSyncExternalStore(list.subscribe, list.getState)
  useEffect(() => list.start(), [list])
  useEffect(() => list.adopt(options.search), [list, options.search])
  useEffect(() => list.follow(options.body), [list, options.body])
  useWhenOnline(state.failure, list.reload)
  const seen = useRef(version)
  useEffect(() => {
    if (seen.current === version) return
    seen.current = version
    void list.reload()
  }, [version, list])
  return [list, state]
}
