import '../../designer.css'
import '../process.css'
import { useHost } from '../../../../runtime/hostContext'
import { Denied } from '../../../../runtime/reading/Denied'
import { Loaded } from '../../../../runtime/reading/Loaded'
import { useCall } from '../../../../runtime/reading/useCall'
import { useTokenStyle } from '../../../../runtime/tokens'
import type { WidgetProps } from '../../../../runtime/widget'
import { isObject } from '../../../../schema/overlay'
import { CatalogueContext } from '../panel/catalogue'
import { DESIGN_KEY } from '../ProcessDesigner'
import { processTexts } from '../texts'
import type { Catalogue, FormDetail } from '../types'
import { FormWork } from './FormWork'

const LIST = '/setModule/process/formword'

/** One approval form being designed: `?id=` names it, without it a new one begins. */
const FormDesigner = ({ values }: WidgetProps<object>) => {
  const host = useHost()
  const style = useTokenStyle()
  const id = isObject(values.query) && typeof values.query.id === 'string' && values.query.id !== '' ? values.query.id : null
  const mayDesign = host.can(DESIGN_KEY)
  const catalogue = useCall<Catalogue>(mayDesign ? { method: 'GET', path: '/v2/workflow/process/catalogue' } : null)
  const detail = useCall<FormDetail>(
    mayDesign && id !== null ? { method: 'GET', path: `/v2/workflow/form/update/${encodeURIComponent(id)}` } : null,
  )
  if (!mayDesign) return <Denied title={processTexts[host.locale].deniedForms} permission={DESIGN_KEY} />
  const leave = (): void => host.navigate(LIST)
  return (
    <div className="sb-designer sb-process" style={style}>
      <Loaded call={catalogue}>
        {(known) => (
          <CatalogueContext value={known}>
            {id === null ? (
              <FormWork key="new" detail={null} onLeave={leave} onReload={() => undefined} />
            ) : (
              <Loaded call={detail}>
                {(form) => (
                  <FormWork key={`${form.id} ${form.versionNo}`} detail={form} onLeave={leave} onReload={detail.reload} />
                )}
              </Loaded>
            )}
          </CatalogueContext>
        )}
      </Loaded>
    </div>
  )
}
export default FormDesigner
