import { Tabs } from 'antd'
import { useState } from 'react'
import { useHost } from '../../runtime/hostContext'
import { PageTitle } from '../../runtime/part/PageTitle'
import { WidgetOutlet, type WidgetProps } from '../../runtime/widget'
import { EmbeddedList } from '../../runtime/page/EmbeddedList'

interface TabsProps {
  tabs: readonly { id: string; title: { zh: string; en: string }; page?: string; widget?: string; permission?: string }[]
}

const NO_QUERY = {}

/** Lists and widgets, a tab each; the tab that one looked at last is kept. */
const PageTabs = ({ props, values }: WidgetProps<TabsProps>) => {
  const { locale, local, can } = useHost()
  const tabs = props.tabs.filter(({ permission }) => permission === undefined || can(permission))
  const key = `page.tabs.${tabs.map(({ id }) => id).join()}`
  const kept = local.get(key)
  const [active, setActive] = useState(tabs.find(({ id }) => id === kept)?.id ?? tabs[0]?.id ?? '')
  return (
    <section>
      <PageTitle title={values.title} />
      <Tabs
        activeKey={active}
        destroyOnHidden
        onChange={(id) => {
          local.set(key, id)
          setActive(id)
        }}
        items={tabs.map(({ id, title, page, widget }) => ({
          key: id,
          label: title[locale],
          children:
            page === undefined ? (
              <WidgetOutlet name={widget ?? ''} props={NO_QUERY} values={NO_QUERY} source={{ where: id, at: '' }} />
            ) : (
              <EmbeddedList page={page} query={(values.query ?? NO_QUERY) as Readonly<Record<string, string>>} />
            ),
        }))}
      />
    </section>
  )
}
export default PageTabs
