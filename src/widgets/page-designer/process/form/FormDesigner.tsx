import { useHost } from '../../../../runtime/hostContext'
import type { WidgetProps } from '../../../../runtime/widget'
import { processTexts } from '../texts'
import type { FormDetail } from '../types'
import { DesignerFrame } from '../work/DesignerFrame'
import { FormWork } from './FormWork'

/** One approval form being designed: `?id=` names it, without it a new one begins. */
const FormDesigner = ({ values }: WidgetProps<object>) => (
  <DesignerFrame<FormDetail>
    values={values}
    denied={processTexts[useHost().locale].deniedForms}
    path="/v2/workflow/form/update"
    list="/setModule/process/formword"
  >
    {({ detail, leave, reload }) => <FormWork detail={detail} onLeave={leave} onReload={reload} />}
  </DesignerFrame>
)
export default FormDesigner
