import { Tabs } from 'antd'
import { useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { PageTitle } from '../../../runtime/part/PageTitle'
import type { WidgetProps } from '../../../runtime/widget'
import { EmbeddedList } from '../../../runtime/page/EmbeddedList'
import { Notices } from './Notices'

interface TabsProps {
  tabs: readonly { id: string; title: { zh: string; en: string }; page?: string; permission?: string }[]
}

/** Lists of mail, a tab each; the tab that one looked at last is kept. */
const MailTabs = ({ props, values }: WidgetProps<TabsProps>) => {
  const { locale, local, can } = useHost()
  const tabs = props.tabs.filter(({ permission }) => permission === undefined || can(permission))
  const key = `mail.tabs.${tabs.map(({ id }) => id).join()}`
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
        items={tabs.map(({ id, title, page }) => ({
          key: id,
          label: title[locale],
          children: page === undefined ? <Notices /> : <EmbeddedList page={page} query={{}} />,
        }))}
      />
    </section>
  )
}
export default MailTabs
