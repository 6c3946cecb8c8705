import { Flex, Table } from 'antd'
import { useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { PortalLink } from '../../../runtime/page/PortalLink'
import { Loaded } from '../../../runtime/reading/Loaded'
import { dayText } from '../../../runtime/reading/moment'
import { useCall } from '../../../runtime/reading/useCall'
import { MENU_TREE, type ManagedMenu } from '../resources/menus'
import { PermissionSelect } from './PermissionSelect'
import { ROLE } from './role'
import { roleTexts } from './texts'

interface Holder {
  staffId: string
  name: string
  jobNumber: string
  roles: readonly { roleId: string; name: string; from: string | null; until: string | null }[]
}
interface WhoHasAnswer {
  roles: readonly { id: string; name: string }[]
  holders: readonly Holder[]
}

/** Who holds a permission now, and through which roles. */
export const WhoHas = () => {
  const host = useHost()
  const texts = roleTexts[host.locale]
  const [key, setKey] = useState<string | null>(null)
  const menus = useCall<ManagedMenu[]>(MENU_TREE)
  const answer = useCall<WhoHasAnswer>(key === null ? null : { method: 'GET', path: `${ROLE}/whoHas`, query: { key } })
  const address = ({ staffId, name }: Holder): string =>
    `/setModule/authManage/user/details?${new URLSearchParams({ id: staffId, tagTitle: name, tab: 'rights' }).toString()}`
  const periods = ({ roles }: Holder): string =>
    roles
      .map(({ name, from, until }) => {
        const dates = [...(from ? [texts.since(dayText(host, from))] : []), ...(until ? [texts.until(dayText(host, until))] : [])]
        return dates.length === 0 ? name : `${name} (${dates.join(', ')})`
      })
      .join('; ')
  return (
    <section className="sb-split-detail" aria-label={texts.viewWho}>
      <p className="sb-admin-note">{texts.whoHelp}</p>
      <Loaded call={menus} rows={1}>
        {(tree) => <PermissionSelect menus={tree} value={key} onChange={setKey} />}
      </Loaded>
      {key !== null && (
        <Loaded call={answer}>
          {({ holders, roles }) => (
            <Flex vertical gap={12}>
              <p role="status" className="sb-admin-note">
                {holders.length === 0 ? texts.whoNobody : texts.whoSummary(holders.length, roles.length)}
                {roles.length > 0 && ` (${roles.map(({ name }) => name).join(host.locale === 'zh' ? '、' : ', ')})`}
              </p>
              {holders.length > 0 && (
                <Table<Holder>
                  size="small"
                  rowKey="staffId"
                  dataSource={[...holders]}
                  pagination={{ pageSize: 20, hideOnSinglePage: true, showSizeChanger: false }}
                  scroll={{ x: 480 }}
                  columns={[
                    {
                      title: texts.person,
                      key: 'person',
                      width: 220,
                      render: (_, holder) => (
                        <PortalLink address={address(holder)}>{`${holder.name} (${holder.jobNumber})`}</PortalLink>
                      ),
                    },
                    { title: texts.through, key: 'through', render: (_, holder) => periods(holder) },
                  ]}
                />
              )}
            </Flex>
          )}
        </Loaded>
      )}
    </section>
  )
}
