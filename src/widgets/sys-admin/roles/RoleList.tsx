import { SearchOutlined } from '@ant-design/icons'
import { Button, Empty, Input, Tag } from 'antd'
import { useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { roleName, type Role } from './role'
import { roleTexts } from './texts'

interface RoleListProps {
  roles: readonly Role[]
  chosen: string | null
  onChoose(id: string): void
  onCreate: (() => void) | null
}

/** All roles with their members; searched by name and code. */
export const RoleList = ({ roles, chosen, onChoose, onCreate }: RoleListProps) => {
  const { locale } = useHost()
  const texts = roleTexts[locale]
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLocaleLowerCase()
  const shown = roles.filter(({ name, nameEn, code }) => `${name} ${nameEn ?? ''} ${code}`.toLocaleLowerCase().includes(wanted))
  return (
    <>
      <Input
        prefix={<SearchOutlined aria-hidden />}
        allowClear
        placeholder={texts.searchRoles}
        aria-label={texts.searchRoles}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      {shown.length === 0 ? (
        <Empty
          image={Empty.PRESENTED_IMAGE_SIMPLE}
          description={roles.length === 0 ? texts.noRoles : texts.noneFound(search.trim())}
        >
          {roles.length === 0 ? (
            onCreate && <Button onClick={onCreate}>{texts.create}</Button>
          ) : (
            <Button onClick={() => setSearch('')}>{texts.clear}</Button>
          )}
        </Empty>
      ) : (
        <div className="sb-split-scroll">
          <ul className="sb-choices" aria-label={texts.roles}>
            {shown.map((role) => (
              <li key={role.id}>
                <button
                  type="button"
                  className="sb-choice"
                  aria-current={role.id === chosen || undefined}
                  onClick={() => onChoose(role.id)}
                >
                  <span className="sb-choice-line">
                    <span className="sb-choice-name">
                      <bdi>{roleName(role, locale)}</bdi>
                    </span>
                    <span className="sb-choice-count">{texts.members(role.memberCount)}</span>
                  </span>
                  <span className="sb-choice-more">
                    {role.code} {role.enabled === false && <Tag>{texts.disabledTag}</Tag>}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}
