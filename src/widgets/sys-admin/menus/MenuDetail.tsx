import { Alert, Button, Dropdown, TreeSelect } from 'antd'
import { useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { tellFailure } from '../../../runtime/reading/tell'
import { menuName, type ManagedMenu } from '../resources/menus'
import { Buttons } from './Buttons'
import { MENU, MenuForm } from './MenuForm'
import { stepOf, type MenuPosition } from './move'
import { menuTexts } from './texts'
import { Dialog } from '../../../runtime/dialog/Dialog'

interface MenuDetailProps {
  menu: ManagedMenu
  menus: readonly ManagedMenu[]
  editable: boolean
  onUnsaved(unsaved: boolean): void
  onChanged(): void
  onMove(position: MenuPosition): void
  onCreate(): void
  onRemoved(): void
}

const STEPS = ['up', 'down', 'out'] as const

/** One menu entry: its fields, its permission keys, and how it moves without a mouse. */
export const MenuDetail = ({ menu, menus, editable, onUnsaved, onChanged, onMove, onCreate, onRemoved }: MenuDetailProps) => {
  const host = useHost()
  const texts = menuTexts[host.locale]
  const [choosing, setChoosing] = useState(false)
  const name = menuName(menu, host.locale)
  const remove = async (): Promise<void> => {
    const title = texts.removeTitle(name)
    if (!(await host.confirm({ title, content: texts.removeText, danger: true, okText: texts.remove }))) return
    try {
      await host.request({
        method: 'GET',
        path: `${MENU}/delete/${encodeURIComponent(menu.id)}`,
        query: { version: menu.version },
      })
      host.notify('success', texts.removed(name))
      onRemoved()
    } catch (error) {
      tellFailure(host, error, 'management of access', (reason) => texts.failed(texts.remove, reason))
    }
  }
  return (
    <>
      <header className="sb-split-head">
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <span className="sb-choice-more">{texts.grantedBy(menu.grantedBy)}</span>
        {editable && (
          <div className="sb-split-head-end">
            <Button onClick={onCreate}>{texts.addBelow}</Button>
            <Dropdown
              trigger={['click']}
              menu={{
                items: [
                  ...STEPS.map((step) => ({ key: step, label: texts[step], disabled: stepOf(menus, menu.id, step) === null })),
                  { key: 'into', label: texts.into },
                ],
                onClick: ({ key }) => {
                  const step = STEPS.find((item) => item === key)
                  const position = step && stepOf(menus, menu.id, step)
                  if (position) onMove(position)
                  else setChoosing(true)
                },
              }}
            >
              <Button>{texts.move}</Button>
            </Dropdown>
            <Button danger onClick={() => void remove()}>
              {texts.remove}
            </Button>
          </div>
        )}
      </header>
      {!editable && <Alert type="info" showIcon message={texts.readOnly} />}
      {menu.warnings.length > 0 && (
        <Alert type="warning" showIcon message={menu.warnings.map(({ message }) => message).join(' ')} />
      )}
      <MenuForm menu={menu} parent={null} editable={editable} onUnsaved={onUnsaved} onSaved={onChanged} onTake={onChanged} />
      <Buttons menu={menu} editable={editable} onChanged={onChanged} />
      {choosing && (
        <MoveInto
          menu={menu}
          menus={menus}
          onClose={() => setChoosing(false)}
          onPick={(id) => {
            setChoosing(false)
            onMove({ at: 'into', id })
          }}
        />
      )}
    </>
  )
}

interface MoveIntoProps {
  menu: ManagedMenu
  menus: readonly ManagedMenu[]
  onPick(id: string): void
  onClose(): void
}

interface Option {
  value: string
  title: string
  children: Option[]
}

/** Chooses the entry below which another one goes; itself and what is below it are left out. */
const MoveInto = ({ menu, menus, onPick, onClose }: MoveIntoProps) => {
  const { locale } = useHost()
  const texts = menuTexts[locale]
  const [target, setTarget] = useState<string | null>(null)
  const toOptions = (entries: readonly ManagedMenu[]): Option[] =>
    entries
      .filter(({ id }) => id !== menu.id)
      .map((entry) => ({ value: entry.id, title: menuName(entry, locale), children: toOptions(entry.children) }))
  return (
    <Dialog
      open
      title={texts.intoTitle(menuName(menu, locale))}
      okText={texts.move}
      okButtonProps={{ disabled: target === null }}
      onOk={() => target !== null && onPick(target)}
      onCancel={onClose}
    >
      <TreeSelect<string | null>
        autoFocus
        showSearch
        treeNodeFilterProp="title"
        style={{ width: '100%' }}
        aria-label={texts.intoPlaceholder}
        placeholder={texts.intoPlaceholder}
        value={target}
        treeData={toOptions(menus)}
        onChange={setTarget}
      />
    </Dialog>
  )
}
