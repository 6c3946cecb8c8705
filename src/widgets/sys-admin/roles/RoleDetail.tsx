import { Alert, Badge, Button, Dropdown, Select, Tabs, Tag } from 'antd'
import { MoreOutlined } from '@ant-design/icons'
import { useHost } from '../../../runtime/hostContext'
import { usePhone } from '../../../runtime/media'
import { ConflictNotice } from '../calls/ConflictNotice'
import { EmbeddedList } from '../../../runtime/page/EmbeddedList'
import type { ManagedMenu } from '../resources/menus'
import { FieldRules } from './FieldRules'
import { GrantTree } from './GrantTree'
import { EDIT_ROLES, roleName, type Catalogue, type Role } from './role'
import { ScopeTable } from './ScopeTable'
import { roleTexts } from './texts'
import type { RoleEditor } from './useRoleEditor'

/** What can be done with a whole role. */
export type RoleAction = 'edit' | 'copy' | 'toggle' | 'remove'

interface RoleDetailProps {
  role: Role
  editor: RoleEditor
  menus: readonly ManagedMenu[]
  catalogue: Catalogue
  tab: string
  onTab(tab: string): void
  onAction(action: RoleAction): void
  /** Reads the role again and drops the changes. */
  onTake(): void
}

/** One role: what it grants, whom it is given to. */
export const RoleDetail = ({ role, editor, menus, catalogue, tab, onTab, onAction, onTake }: RoleDetailProps) => {
  const host = useHost()
  const texts = roleTexts[host.locale]
  const editable = host.can(EDIT_ROLES)
  const phone = usePhone()
  const { draft, dirty, saving, conflict, refusal, change } = editor
  const name = roleName(role, host.locale)
  const tabs = [
    {
      key: 'grants',
      label: texts.tabGrants,
      children: <GrantTree menus={menus} grants={draft} editable={editable} onChange={(grants) => change(grants)} />,
    },
    {
      key: 'scopes',
      label: texts.tabScopes,
      children: (
        <ScopeTable
          entities={catalogue.entities}
          scopes={draft.scopes}
          editable={editable}
          onChange={(scopes) => change({ scopes })}
        />
      ),
    },
    {
      key: 'rules',
      label: texts.tabRules,
      children: (
        <FieldRules
          entities={catalogue.entities}
          rules={draft.fieldRules}
          editable={editable}
          onChange={(fieldRules) => change({ fieldRules })}
        />
      ),
    },
    {
      key: 'members',
      label: texts.tabMembers,
      children: <EmbeddedList page="sys/role-members" query={{ roleId: role.id }} />,
    },
  ]
  return (
    <>
      <header className="sb-split-head">
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <span className="sb-admin-key">{role.code}</span>
        {role.enabled === false && <Tag>{texts.disabledTag}</Tag>}
        {editable && (
          <div className="sb-split-head-end">
            {dirty && <Badge status="warning" text={texts.unsaved} />}
            {dirty && <Button onClick={editor.discard}>{texts.discard}</Button>}
            <Button type="primary" disabled={!dirty} loading={saving} onClick={() => void editor.save()}>
              {texts.save}
            </Button>
            <Dropdown
              trigger={['click']}
              menu={{
                items: [
                  { key: 'edit', label: texts.edit },
                  { key: 'copy', label: texts.copy },
                  { key: 'toggle', label: role.enabled === false ? texts.enable : texts.disable },
                  { type: 'divider' },
                  { key: 'remove', label: texts.remove, danger: true },
                ],
                onClick: ({ key }) => onAction(key as RoleAction),
              }}
            >
              <Button icon={<MoreOutlined />} aria-label={texts.more} />
            </Dropdown>
          </div>
        )}
      </header>
      {role.remark && <p className="sb-admin-note">{role.remark}</p>}
      {!editable && <Alert type="info" showIcon message={texts.readOnly} />}
      {refusal && <Alert type="error" showIcon message={texts.failed(texts.save, refusal)} />}
      {conflict && (
        <ConflictNotice
          conflict={conflict}
          labels={texts.fields}
          onTake={onTake}
          onKeep={() => void editor.save(conflict.version)}
        />
      )}
      {phone ? (
        <>
          <Select
            aria-label={texts.parts}
            value={tab}
            onChange={onTab}
            options={tabs.map(({ key, label }) => ({ value: key, label }))}
          />
          {tabs.find(({ key }) => key === tab)?.children}
        </>
      ) : (
        <Tabs activeKey={tab} onChange={onTab} items={tabs} />
      )}
    </>
  )
}
