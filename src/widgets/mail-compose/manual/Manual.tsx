import './manual.css'
import staff from '../../../../docs/staff.md?raw'
import chinese from './manual.zh.md?raw'
import { useHost } from '../../../runtime/hostContext'
import { PageTitle } from '../../../runtime/part/PageTitle'
import { useTokenStyle } from '../../../runtime/tokens'
import type { WidgetProps } from '../../../runtime/widget'
import { chaptersOf, Markdown } from './markdown'

/** How mail is used: what docs/staff.md says of it, and the same in Chinese. */
const Manual = ({ values }: WidgetProps<Record<string, never>>) => {
  const { locale } = useHost()
  const style = useTokenStyle()
  return (
    <article className="sb-mail-manual" style={style}>
      <PageTitle title={values.title} />
      <div>
        <Markdown text={locale === 'zh' ? chinese : chaptersOf(staff, 'Mail')} />
      </div>
    </article>
  )
}
export default Manual
