import '../../designer.css'
import '../process.css'
import { Fragment, type ReactNode } from 'react'
import { useHost } from '../../../../runtime/hostContext'
import { Denied } from '../../../../runtime/reading/Denied'
import { Loaded } from '../../../../runtime/reading/Loaded'
import { useCall } from '../../../../runtime/reading/useCall'
import { useTokenStyle } from '../../../../runtime/tokens'
import { isObject } from '../../../../schema/overlay'
import { CatalogueContext } from '../panel/catalogue'
import type { Catalogue } from '../types'

const DESIGN_KEY = 'wf:design'

interface Props<Detail> {
  /** Values of the page; `query.id` names what is designed (id or code), without it a new one begins. */
  values: Readonly<Record<string, unknown>>
  /** What is told who may not design. */
  denied: string
  /** Call that answers what is designed, without its id. */
  path: string
  /** Page that the designer is left to. */
  list: string
  children(work: { detail: Detail | null; leave(): void; reload(): void }): ReactNode
}

/** What stands around a designer: permission, what can be chosen from, and what is designed, anew for each of its versions. */
export const DesignerFrame = <Detail extends { id: string; versionNo: number }>(props: Props<Detail>) => {
  const { values, denied, path, list, children } = props
  const host = useHost()
  const style = useTokenStyle()
  const id = isObject(values.query) && typeof values.query.id === 'string' && values.query.id !== '' ? values.query.id : null
  const mayDesign = host.can(DESIGN_KEY)
  const catalogue = useCall<Catalogue>(mayDesign ? { method: 'GET', path: '/v2/workflow/process/catalogue' } : null)
  const detail = useCall<Detail>(mayDesign && id !== null ? { method: 'GET', path: `${path}/${encodeURIComponent(id)}` } : null)
  if (!mayDesign) return <Denied title={denied} permission={DESIGN_KEY} />
  const leave = (): void => host.navigate(list)
  return (
    <div className="sb-designer sb-process" style={style}>
      <Loaded call={catalogue}>
        {(known) => (
          <CatalogueContext value={known}>
            {id === null ? (
              <Fragment key="new">{children({ detail: null, leave, reload: () => undefined })}</Fragment>
            ) : (
              <Loaded call={detail}>
                {(found) => (
                  <Fragment key={`${found.id} ${found.versionNo}`}>
                    {children({ detail: found, leave, reload: detail.reload })}
                  </Fragment>
                )}
              </Loaded>
            )}
          </CatalogueContext>
        )}
      </Loaded>
    </div>
  )
}
