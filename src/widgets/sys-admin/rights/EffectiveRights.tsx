import '../split/split.css'
import { SearchOutlined } from '@ant-design/icons'
import { Alert, Button, Empty, Flex, Input, Segmented, Table, Tag } from 'antd'
import { useMemo, useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { usePhone } from '../../../runtime/media'
import type { WidgetProps } from '../../../runtime/widget'
import { Loaded } from '../../../runtime/reading/Loaded'
import { momentText } from '../../../runtime/reading/moment'
import { useCall } from '../../../runtime/reading/useCall'
import { flatMenus, MENU_TREE, menuName, type ManagedMenu } from '../resources/menus'
import { rightsTexts } from './texts'

/** GET /v2/sys/staff/user/effective/{id}; `roles` of a right are codes of roles. */
interface Effective {
  mayEnter: boolean
  roles: readonly { id: string; code: string; name: string; enabled: boolean; until: string | null }[]
  permissions: readonly { key: string; roles: readonly string[] }[]
  scopes: readonly { entity: string; scopes: readonly string[]; roles: readonly string[] }[]
  fieldRules: readonly { field: string; rule: string; roles: readonly string[] }[]
}
interface Catalogue {
  entities: readonly { name: string; title: string; fields: readonly { name: string; title: string }[] }[]
}

type View = 'keys' | 'scopes' | 'rules'

/** One line of what a person may do. */
interface Right {
  id: string
  name: string
  /** The scope or rule; '' for keys. */
  what: string
  from: string
}

/** What a person may do now, and from which roles. */
const EffectiveRights = ({ values }: WidgetProps<object>) => {
  const host = useHost()
  const staffId = typeof values.staffId === 'string' ? values.staffId : null
  const call = useCall<Effective>(
    staffId === null ? null : { method: 'GET', path: `/v2/sys/staff/user/effective/${encodeURIComponent(staffId)}` },
  )
  if (staffId === null) return <p className="sb-admin-note">{rightsTexts[host.locale].noStaff}</p>
  return <Loaded call={call}>{(effective) => <Rights effective={effective} />}</Loaded>
}
export default EffectiveRights

const Rights = ({ effective }: { effective: Effective }) => {
  const host = useHost()
  const texts = rightsTexts[host.locale]
  const phone = usePhone()
  const [view, setView] = useState<View>('keys')
  const [search, setSearch] = useState('')
  const rights = useRights(effective)
  const wanted = search.trim().toLocaleLowerCase()
  const shown = rights[view].filter(({ id, name, from }) => `${id} ${name} ${from}`.toLocaleLowerCase().includes(wanted))
  const option = (value: View) => ({ value, label: `${texts[value]} (${rights[value].length})` })
  return (
    <Flex vertical gap={12}>
      <p className="sb-admin-note">{texts.help}</p>
      {!effective.mayEnter && <Alert type="warning" showIcon message={texts.cannotEnter} />}
      <Flex gap={8} wrap align="center">
        <span>{texts.roles}</span>
        {effective.roles.length === 0 && <span className="sb-admin-note">{texts.noRoles}</span>}
        {effective.roles.map(({ id, name, enabled, until }) => (
          <Tag key={id} color={enabled ? 'blue' : undefined}>
            {name} {until && texts.until(momentText(host, until))} {!enabled && `(${texts.disabledTag})`}
          </Tag>
        ))}
      </Flex>
      <Flex gap={8} wrap>
        <Segmented<View>
          style={{ maxWidth: '100%', overflowX: 'auto' }}
          aria-label={texts.views}
          value={view}
          onChange={setView}
          options={[option('keys'), option('scopes'), option('rules')]}
        />
        <Input
          prefix={<SearchOutlined aria-hidden />}
          allowClear
          style={{ width: 260, maxWidth: '100%' }}
          placeholder={texts.search}
          aria-label={texts.search}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </Flex>
      {shown.length === 0 ? (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={wanted === '' ? texts.nothing : texts.nothingFound}>
          {wanted !== '' && <Button onClick={() => setSearch('')}>{texts.clear}</Button>}
        </Empty>
      ) : (
        <Table<Right>
          size="small"
          rowKey="id"
          dataSource={shown}
          pagination={{ pageSize: 50, hideOnSinglePage: true, showSizeChanger: false }}
          scroll={phone ? {} : { x: 560 }}
          columns={[
            {
              title: view === 'keys' ? texts.name : view === 'scopes' ? texts.entity : texts.field,
              key: 'name',
              render: (_, { id, name }) => (
                <span className="sb-node">
                  {name} {name !== id && <span className="sb-admin-key">{id}</span>}
                </span>
              ),
            },
            ...(view === 'keys'
              ? []
              : [
                  {
                    title: view === 'scopes' ? texts.whatScope : texts.whatRule,
                    dataIndex: 'what',
                    ...(phone ? {} : { width: 220 }),
                  },
                ]),
            { title: texts.from, dataIndex: 'from', ...(phone ? {} : { width: 260 }) },
          ]}
        />
      )}
    </Flex>
  )
}

/** The rights with the names that people know: of menus, buttons, entities, fields and roles. */
const useRights = (effective: Effective): Readonly<Record<View, readonly Right[]>> => {
  const { locale } = useHost()
  const texts = rightsTexts[locale]
  const menus = useCall<ManagedMenu[]>(MENU_TREE).data
  const catalogue = useCall<Catalogue>({ method: 'GET', path: '/v2/sys/role/catalogue' }).data
  return useMemo(() => {
    const comma = locale === 'zh' ? '、' : ', '
    const roleNames = new Map(effective.roles.map(({ code, name }) => [code, name]))
    const fromRoles = (codes: readonly string[]): string => codes.map((code) => roleNames.get(code) ?? code).join(comma)
    const names = new Map(
      flatMenus(menus ?? []).flatMap((menu) => [
        [menu.international, menuName(menu, locale)] as const,
        ...menu.buttons.map((button) => [button.key, `${menuName(menu, locale)} › ${button[locale]}`] as const),
      ]),
    )
    const entityOf = (name: string) => catalogue?.entities.find((entity) => entity.name === name)
    const fieldName = (path: string): string => {
      const at = path.lastIndexOf('.')
      const entity = entityOf(path.slice(0, at))
      const field = entity?.fields.find(({ name }) => name === path.slice(at + 1))
      return entity && field ? `${entity.title} › ${field.title}` : path
    }
    return {
      keys: effective.permissions.map(({ key, roles }) => ({
        id: key,
        name: names.get(key) ?? key,
        what: '',
        from: fromRoles(roles),
      })),
      scopes: effective.scopes.map(({ entity, scopes, roles }) => ({
        id: entity,
        name: entity === '*' ? texts.everyEntity : (entityOf(entity)?.title ?? entity),
        what: scopes.map((scope) => texts.scope[scope] ?? scope).join(comma),
        from: fromRoles(roles),
      })),
      rules: effective.fieldRules.map(({ field, rule, roles }) => ({
        id: field,
        name: fieldName(field),
        what: texts.rule[rule] ?? rule,
        from: fromRoles(roles),
      })),
    }
  }, [effective, menus, catalogue, locale, texts])
}
