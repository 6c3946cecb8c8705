import { Button, Flex } from 'antd'
import { PlusOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { Authorize } from '../../../runtime/Authorize'
import { useActions } from '../../../runtime/action'
import { useHost } from '../../../runtime/hostContext'
import { FailureState } from '../../../runtime/reading/FailureState'
import { Loaded } from '../../../runtime/reading/Loaded'
import { tellFailure } from '../../../runtime/reading/tell'
import { useCall, type Call } from '../../../runtime/reading/useCall'
import { MENU_TREE, type ManagedMenu } from '../resources/menus'
import { Split } from '../split/Split'
import { EDIT_ROLES, ROLE, roleName, type Catalogue, type Role } from './role'
import { RoleDetail, type RoleAction } from './RoleDetail'
import { RoleList } from './RoleList'
import { roleTexts } from './texts'
import { useRoleEditor } from './useRoleEditor'

interface RolesViewProps {
  roles: readonly Role[]
  onChanged(): void
}

/** Roles at the left, the chosen one at the right. */
export const RolesView = ({ roles, onChanged }: RolesViewProps) => {
  const host = useHost()
  const texts = roleTexts[host.locale]
  const { openForm, outlet } = useActions()
  const [chosen, setChosen] = useState<string | null>(null)
  const [opened, setOpened] = useState(false)
  const [unsaved, setUnsaved] = useState(false)
  const menus = useCall<ManagedMenu[]>(MENU_TREE)
  const catalogue = useCall<Catalogue>({ method: 'GET', path: `${ROLE}/catalogue` })
  const role = roles.find(({ id }) => id === chosen) ?? (chosen === null ? roles[0] : undefined)

  const mayLeave = async (): Promise<boolean> =>
    !unsaved ||
    !role ||
    host.confirm({
      title: texts.discardTitle,
      content: texts.discardText(roleName(role, host.locale)),
      danger: true,
      okText: texts.discard,
    })
  const choose = async (id: string): Promise<void> => {
    if (id !== role?.id && !(await mayLeave())) return
    setChosen(id)
    setOpened(true)
  }
  const form = async (title: string, values: Readonly<Record<string, unknown>>): Promise<void> => {
    const answer = await openForm({ form: 'sys/role', container: 'drawer', title, values })
    if (!answer) return
    onChanged()
    const { id } = answer as { id?: string }
    if (id && values.id === undefined) {
      setChosen(id)
      setOpened(true)
    }
  }
  const create = async (): Promise<void> => {
    if (await mayLeave()) await form(texts.create, {})
  }
  const act = async (action: RoleAction, on: Role): Promise<void> => {
    const name = roleName(on, host.locale)
    try {
      switch (action) {
        case 'edit':
          return await form(texts.edit, { id: on.id })
        case 'copy': {
          if (!(await mayLeave())) return
          const { resourceIds, buttonKeys, scopes, fieldRules, remark } = on
          const copied = { resourceIds, buttonKeys, scopes, fieldRules, remark }
          return await form(texts.copyTitle(name), { ...copied, name: texts.copyOf(on.name), enabled: true })
        }
        case 'toggle': {
          const enabled = on.enabled === false
          const content = texts.disableText(on.memberCount)
          if (
            !enabled &&
            !(await host.confirm({ title: texts.disableTitle(name), content, danger: true, okText: texts.disable }))
          )
            return
          await host.request({
            method: 'POST',
            path: `${ROLE}/save`,
            body: { id: on.id, version: on.version, enabled },
            idempotent: true,
          })
          return onChanged()
        }
        case 'remove': {
          const title = texts.removeTitle(name)
          if (!(await host.confirm({ title, content: texts.removeText, danger: true, okText: texts.remove }))) return
          await host.request({
            method: 'GET',
            path: `${ROLE}/delete/${encodeURIComponent(on.id)}`,
            query: { version: on.version },
          })
          host.notify('success', texts.removed(name))
          setChosen(null)
          setOpened(false)
          return onChanged()
        }
      }
    } catch (error) {
      const what = {
        edit: texts.edit,
        copy: texts.copy,
        toggle: on.enabled === false ? texts.enable : texts.disable,
        remove: texts.remove,
      }
      tellFailure(host, error, 'management of access', (reason) => texts.failed(what[action], reason))
    }
  }

  return (
    <>
      <Split
        listLabel={texts.roles}
        detailLabel={texts.role}
        open={opened}
        backLabel={texts.back}
        onBack={() => void mayLeave().then((may) => may && setOpened(false))}
        list={
          <>
            <Authorize permission={EDIT_ROLES}>
              <Flex>
                <Button block icon={<PlusOutlined />} onClick={() => void create()}>
                  {texts.create}
                </Button>
              </Flex>
            </Authorize>
            <RoleList
              roles={roles}
              chosen={role?.id ?? null}
              onChoose={(id) => void choose(id)}
              onCreate={host.can(EDIT_ROLES) ? () => void create() : null}
            />
          </>
        }
        detail={
          role ? (
            <ChosenRole
              key={role.id}
              role={role}
              menus={menus}
              catalogue={catalogue}
              onUnsaved={setUnsaved}
              onChanged={onChanged}
              onAction={(action) => void act(action, role)}
            />
          ) : (
            <p className="sb-admin-note">{roles.length === 0 ? texts.noRoles : texts.choose}</p>
          )
        }
      />
      {outlet}
    </>
  )
}

interface ChosenRoleProps {
  role: Role
  menus: Call<ManagedMenu[]>
  catalogue: Call<Catalogue>
  onUnsaved(unsaved: boolean): void
  onChanged(): void
  onAction(action: RoleAction): void
}

const ChosenRole = ({ role, menus, catalogue, onUnsaved, onChanged, onAction }: ChosenRoleProps) => {
  const host = useHost()
  const texts = roleTexts[host.locale]
  const [tab, setTab] = useState('grants')
  const editor = useRoleEditor(
    role,
    () => {
      host.notify('success', texts.saved)
      onChanged()
    },
    onUnsaved,
  )
  if (catalogue.failure) return <FailureState failure={catalogue.failure} onRetry={catalogue.reload} />
  return (
    <Loaded call={menus} rows={12}>
      {(tree) => (
        <Loaded call={catalogue} rows={12}>
          {(known) => (
            <RoleDetail
              role={role}
              editor={editor}
              menus={tree}
              catalogue={known}
              tab={tab}
              onTab={setTab}
              onAction={onAction}
              onTake={() => {
                editor.discard()
                onChanged()
              }}
            />
          )}
        </Loaded>
      )}
    </Loaded>
  )
}
