import { Tabs } from 'antd'
import { useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { PageTitle } from '../../../runtime/part/PageTitle'
import type { WidgetProps } from '../../../runtime/widget'
import { EmbeddedList } from '../../sys-admin/embedded/EmbeddedList'
import { Notices } from './Notices'

interface SettingsProps {
  tabs: readonly { id: string; title: { zh: string; en: string }; page?: string }[]
}

/** The settings of mail, a tab each: lists of records, and what one is told of new mail. */
const Settings = ({ props, values }: WidgetProps<SettingsProps>) => {
  const { locale, local } = useHost()
  const [first] = props.tabs
  const kept = local.get('mail.settings')
  const [active, setActive] = useState(props.tabs.find(({ id }) => id === kept)?.id ?? first?.id ?? '')
  return (
    <section>
      <PageTitle title={values.title} />
      <Tabs
        activeKey={active}
        destroyOnHidden
        onChange={(id) => {
          local.set('mail.settings', id)
          setActive(id)
        }}
        items={props.tabs.map(({ id, title, page }) => ({
          key: id,
          label: title[locale],
          children: page === undefined ? <Notices /> : <EmbeddedList page={page} query={{}} />,
        }))}
      />
    </section>
  )
}
export default Settings
