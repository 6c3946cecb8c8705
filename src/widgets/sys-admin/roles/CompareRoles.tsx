import { Button, Flex } from 'antd'
import { SwapOutlined } from '@ant-design/icons'
import { useMemo, useState, type ReactNode } from 'react'
import { SearchSelect } from '../../../runtime/choice/SearchSelect'
import { useHost } from '../../../runtime/hostContext'
import { Loaded } from '../../../runtime/reading/Loaded'
import { useCall } from '../../../runtime/reading/useCall'
import { flatMenus, MENU_TREE, menuName, type ManagedMenu } from '../resources/menus'
import { ROLE, roleName, type Catalogue, type FieldRule, type Role, type RowScope } from './role'
import { roleTexts, type RoleTexts } from './texts'

interface Comparison {
  permissions: { onlyA: readonly string[]; onlyB: readonly string[] }
  scopes: readonly { name: string; a: readonly RowScope[] | null; b: readonly RowScope[] | null }[]
  fieldRules: readonly { name: string; a: FieldRule | null; b: FieldRule | null }[]
}

/** Two roles side by side: only what differs. */
export const CompareRoles = ({ roles }: { roles: readonly Role[] }) => {
  const { locale } = useHost()
  const texts = roleTexts[locale]
  const [a, setA] = useState<string | null>(null)
  const [b, setB] = useState<string | null>(null)
  const menus = useCall<ManagedMenu[]>(MENU_TREE)
  const catalogue = useCall<Catalogue>({ method: 'GET', path: `${ROLE}/catalogue` })
  const query = a !== null && b !== null && a !== b ? { a, b } : null
  const answer = useCall<Comparison>(query && { method: 'GET', path: `${ROLE}/compare`, query })
  const options = roles.map((role) => ({ value: role.id, label: roleName(role, locale) }))
  const nameOf = (id: string | null): string => options.find(({ value }) => value === id)?.label ?? ''
  const pick = (label: string, value: string | null, onChange: (id: string) => void, other: string | null): ReactNode => (
    <SearchSelect
      style={{ width: 220, maxWidth: '100%' }}
      aria-label={label}
      placeholder={texts.comparePick}
      value={value}
      options={options.map((option) => ({ ...option, disabled: option.value === other }))}
      onChange={(id: string | null) => {
        if (id) onChange(id)
      }}
    />
  )
  return (
    <section className="sb-split-detail" aria-label={texts.viewCompare}>
      <p className="sb-admin-note">{texts.compareHelp}</p>
      <Flex gap={8} wrap align="center">
        {pick(texts.compareA, a, setA, b)}
        <Button
          icon={<SwapOutlined />}
          aria-label={texts.swap}
          onClick={() => {
            setA(b)
            setB(a)
          }}
        />
        {pick(texts.compareB, b, setB, a)}
      </Flex>
      {query && (
        <Loaded call={answer}>
          {(found) => (
            <Differences
              found={found}
              a={nameOf(a)}
              b={nameOf(b)}
              menus={menus.data ?? []}
              catalogue={catalogue.data}
              texts={texts}
            />
          )}
        </Loaded>
      )}
    </section>
  )
}

interface DifferencesProps {
  found: Comparison
  a: string
  b: string
  menus: readonly ManagedMenu[]
  catalogue: Catalogue | null
  texts: RoleTexts
}

const Differences = ({ found, a, b, menus, catalogue, texts }: DifferencesProps) => {
  const { locale } = useHost()
  const names = useMemo(
    () =>
      new Map(
        flatMenus(menus).flatMap((menu) => [
          [menu.international, menuName(menu, locale)] as const,
          ...menu.buttons.map((button) => [button.key, `${menuName(menu, locale)} › ${button[locale]}`] as const),
        ]),
      ),
    [menus, locale],
  )
  const entityOf = (name: string): string =>
    catalogue?.entities.find((entity) => entity.name === name)?.title ?? (name === '*' ? texts.everyEntity : name)
  const fieldOf = (path: string): string => {
    const at = path.lastIndexOf('.')
    const entity = catalogue?.entities.find(({ name }) => name === path.slice(0, at))
    const field = entity?.fields.find(({ name }) => name === path.slice(at + 1))
    return entity && field ? `${entity.title} › ${field.title}` : path
  }
  const scopeText = (scopes: readonly RowScope[] | null): string =>
    scopes && scopes.length > 0 ? scopes.map((scope) => texts.scope[scope]).join(locale === 'zh' ? '、' : ', ') : texts.nothing
  const { permissions, scopes, fieldRules } = found
  if (permissions.onlyA.length + permissions.onlyB.length + scopes.length + fieldRules.length === 0)
    return <p role="status">{texts.compareSame}</p>
  const keys = (list: readonly string[]): ReactNode =>
    list.length === 0 ? (
      <p className="sb-admin-note">{texts.nothing}</p>
    ) : (
      <ul>
        {list.map((key) => (
          <li key={key}>
            <span className="sb-node">
              {names.get(key) ?? key} {names.has(key) && <span className="sb-admin-key">{key}</span>}
            </span>
          </li>
        ))}
      </ul>
    )
  return (
    <Flex vertical gap={16}>
      <h2 className="sb-admin-sub">{texts.permissions}</h2>
      <div className="sb-compare">
        <div>
          <h3>
            {texts.only(a)} ({texts.count(permissions.onlyA.length)})
          </h3>
          {keys(permissions.onlyA)}
        </div>
        <div>
          <h3>
            {texts.only(b)} ({texts.count(permissions.onlyB.length)})
          </h3>
          {keys(permissions.onlyB)}
        </div>
      </div>
      {scopes.length > 0 && (
        <SideBySide
          title={texts.tabScopes}
          a={a}
          b={b}
          rows={scopes.map((row) => ({ name: row.name, title: entityOf(row.name), a: scopeText(row.a), b: scopeText(row.b) }))}
        />
      )}
      {fieldRules.length > 0 && (
        <SideBySide
          title={texts.tabRules}
          a={a}
          b={b}
          rows={fieldRules.map((row) => ({
            name: row.name,
            title: fieldOf(row.name),
            a: row.a ? texts.rule[row.a] : texts.nothing,
            b: row.b ? texts.rule[row.b] : texts.nothing,
          }))}
        />
      )}
    </Flex>
  )
}

interface SideBySideProps {
  title: string
  a: string
  b: string
  rows: readonly { name: string; title: string; a: string; b: string }[]
}

const SideBySide = ({ title, a, b, rows }: SideBySideProps) => (
  <>
    <h2 className="sb-admin-sub">{title}</h2>
    <table className="sb-admin-table">
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">{a}</th>
          <th scope="col">{b}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name}>
            <th scope="row">{row.title}</th>
            <td>{row.a}</td>
            <td>{row.b}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </>
)
