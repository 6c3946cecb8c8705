import ReportCards from '../../runtime/report/ReportCards'
import type { WidgetProps } from '../../runtime/widget'

/** The blocks of the report that the page names; its expressions read the values of the place as `query`. */
const ReportCardsWidget = ({ props, values }: WidgetProps<{ report: string }>) => (
  <ReportCards report={props.report} query={values} />
)
export default ReportCardsWidget
