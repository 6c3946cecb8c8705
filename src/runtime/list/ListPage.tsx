import { useCallback, useMemo } from 'react'
import type { ListModel } from '../../schema/model'
import { useHost } from '../hostContext'
import { pageScope, searchOf } from '../../headless/scope'
import { ListView } from './ListView'
import { foreignSearch } from '../../headless/list/query'

/** A list page: the query in its address is the list's, everything else is what the page was opened with. */
const ListPage = ({ model, address, path }: { model: ListModel; address: string; path: string }) => {
  const host = useHost()
  const search = searchOf(address)
  const given = foreignSearch(model.body, search)
  // The list writes its own parameters into the address; expressions must not be evaluated anew for that.
  const scope = useMemo(() => pageScope(host, given ? `?${given}` : ''), [host, given])
  const onSearch = useCallback((next: string) => host.navigate(next ? `${path}?${next}` : path, { replace: true }), [host, path])
  return (
    <ListView
      key={given}
      id={model.id}
      body={model.body}
      scope={scope}
      title={model.title}
      description={model.description}
      search={search}
      onSearch={onSearch}
      page={path}
    />
  )
}
export default ListPage
