import { Select } from 'antd'
import { useMemo } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { flatMenus, menuName, type ManagedMenu } from '../resources/menus'
import { roleTexts } from './texts'

interface PermissionSelectProps {
  menus: readonly ManagedMenu[]
  value: string | null
  onChange(key: string): void
}

/** Finds a menu or button by its name in either language, or by its key. */
export const PermissionSelect = ({ menus, value, onChange }: PermissionSelectProps) => {
  const { locale } = useHost()
  const texts = roleTexts[locale]
  const options = useMemo(
    () =>
      flatMenus(menus).flatMap((menu) => [
        { value: menu.international, label: menuName(menu, locale), search: `${menu.nameZh} ${menu.nameEn ?? ''}` },
        ...menu.buttons.map(({ key, zh, en }) => ({
          value: key,
          label: `${menuName(menu, locale)} › ${locale === 'zh' ? zh : en}`,
          search: `${zh} ${en}`,
        })),
      ]),
    [menus, locale],
  )
  return (
    <Select
      showSearch
      style={{ width: 420, maxWidth: '100%' }}
      aria-label={texts.whoLabel}
      placeholder={texts.whoPlaceholder}
      value={value}
      options={options}
      onChange={(key: string | null) => {
        if (key) onChange(key)
      }}
      filterOption={(search, option) =>
        `${option?.value ?? ''} ${option?.label ?? ''} ${option?.search ?? ''}`
          .toLocaleLowerCase()
          .includes(search.trim().toLocaleLowerCase())
      }
      optionRender={({ data }) => (
        <span className="sb-node">
          {data.label} <span className="sb-admin-key">{data.value}</span>
        </span>
      )}
    />
  )
}
