import ReportCards from '../../runtime/report/ReportCards'
import type { WidgetProps } from '../../runtime/widget'

/** The blocks of the report that the page names. */
const ReportCardsWidget = ({ props }: WidgetProps<{ report: string }>) => <ReportCards report={props.report} />
export default ReportCardsWidget
