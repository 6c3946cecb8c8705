import './designer.css'
import { useCallback } from 'react'
import { useHost } from '../../runtime/hostContext'
import { Denied } from '../../runtime/reading/Denied'
import { useTokenStyle } from '../../runtime/tokens'
import type { WidgetProps } from '../../runtime/widget'
import { isObject } from '../../schema/overlay'
import { Editor } from './editor/Editor'
import { TargetList } from './targets/TargetList'
import { designerTexts } from './texts'
import { TABS, type Chosen } from './types'

const PATH = '/setModule/pages'
const KEY = 'setModule:pages'

const addressTo = (chosen: Chosen | null): string => {
  if (!chosen) return PATH
  const query = new URLSearchParams({ target: chosen.target })
  if (chosen.role !== null) query.set('role', chosen.role)
  if (chosen.tab !== 'outline') query.set('tab', chosen.tab)
  return `${PATH}?${query}`
}

const chosenOf = (query: unknown): Chosen | null => {
  if (!isObject(query) || typeof query.target !== 'string' || query.target === '') return null
  const role = typeof query.role === 'string' && query.role !== '' ? query.role : null
  return { target: query.target, role, tab: TABS.find((tab) => tab === query.tab) ?? 'outline' }
}

/** The list of what can be changed, or one of it being changed; the address says which. */
const PageDesigner = ({ values }: WidgetProps<object>) => {
  const host = useHost()
  const style = useTokenStyle()
  const texts = designerTexts[host.locale]
  const chosen = chosenOf(values.query)
  const go = useCallback((next: Chosen | null) => host.navigate(addressTo(next), { replace: true }), [host])
  if (!host.can(KEY)) return <Denied title={texts.denied} permission={KEY} />
  return (
    <div className="sb-designer" style={style}>
      {chosen ? (
        <Editor key={`${chosen.target} ${chosen.role ?? ''}`} chosen={chosen} onGo={go} />
      ) : (
        <TargetList onOpen={(target) => go({ target, role: null, tab: 'outline' })} />
      )}
    </div>
  )
}
export default PageDesigner
