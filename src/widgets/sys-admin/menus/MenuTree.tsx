import './menus.css'
import { PlusOutlined, WarningOutlined } from '@ant-design/icons'
import { Button, Tooltip, Tree } from 'antd'
import { useMemo, useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { Loaded } from '../../../runtime/reading/Loaded'
import { tellFailure } from '../../../runtime/reading/tell'
import { useCall } from '../../../runtime/reading/useCall'
import { flatMenus, MENU_TREE, menuName, searchMenus, type ManagedMenu } from '../resources/menus'
import { AdminPage } from '../split/AdminPage'
import { SearchedList } from '../split/SearchedList'
import { Split } from '../split/Split'
import { MenuDetail } from './MenuDetail'
import { EDIT_MENUS, MENU, MenuForm } from './MenuForm'
import { findMenu, movesTo, positionOfDrop, type MenuPosition } from './move'
import { menuTexts } from './texts'

/** What stands at the right: an entry, or a new one below another. */
type Shown = { type: 'entry'; id: string } | { type: 'new'; parentId: string | null } | null

interface TreeNode {
  key: string
  title: React.ReactNode
  children: TreeNode[]
}

/** The management of menus: tree with drag and keyboard moves, details, permission keys. */
const MenuTree = () => {
  const host = useHost()
  const texts = menuTexts[host.locale]
  const call = useCall<ManagedMenu[]>(MENU_TREE)
  return (
    <AdminPage title={texts.title} help={texts.help}>
      <Loaded call={call} rows={12}>
        {(menus) => <MenuManagement menus={menus} onChanged={call.reload} />}
      </Loaded>
    </AdminPage>
  )
}
export default MenuTree

const MenuManagement = ({ menus, onChanged }: { menus: readonly ManagedMenu[]; onChanged(): void }) => {
  const host = useHost()
  const texts = menuTexts[host.locale]
  const editable = host.can(EDIT_MENUS)
  const [shown, setShown] = useState<Shown>(null)
  const [unsaved, setUnsaved] = useState(false)
  const chosen = shown?.type === 'entry' ? findMenu(menus, shown.id) : null
  const parent = shown?.type === 'new' && shown.parentId !== null ? findMenu(menus, shown.parentId) : null

  const show = async (next: Shown): Promise<void> => {
    if (unsaved) {
      const name = chosen ? menuName(chosen, host.locale) : texts.newEntry
      const options = { title: texts.discardTitle, content: texts.discardText(name), danger: true, okText: texts.discard }
      if (!(await host.confirm(options))) return
    }
    setShown(next)
  }
  const move = async (id: string, position: MenuPosition): Promise<void> => {
    const moves = movesTo(menus, id, position)
    const moving = findMenu(menus, id)
    const first = moves.find((item) => item.id === id)
    if (!moving || !first) return
    if (first.parentId !== moving.parentId) {
      const target = first.parentId === null ? null : findMenu(menus, first.parentId)
      const title = texts.moveTitle(menuName(moving, host.locale), target ? menuName(target, host.locale) : texts.top)
      if (!(await host.confirm({ title, content: texts.moveText, okText: texts.move }))) return
    }
    try {
      await host.request({ method: 'POST', path: `${MENU}/reorder`, body: { moves }, idempotent: true })
      host.notify('success', texts.moved)
      onChanged()
    } catch (error) {
      tellFailure(host, error, 'management of access', (reason) => texts.failed(texts.move, reason))
    }
  }

  return (
    <Split
      listLabel={texts.tree}
      detailLabel={texts.entry}
      open={shown !== null}
      backLabel={texts.back}
      onBack={() => void show(null)}
      list={
        <MenuList
          menus={menus}
          chosen={chosen?.id ?? null}
          editable={editable}
          onChoose={(id) => void show({ type: 'entry', id })}
          onCreate={() => void show({ type: 'new', parentId: null })}
          onMove={(id, position) => void move(id, position)}
        />
      }
      detail={
        chosen ? (
          <MenuDetail
            key={chosen.id}
            menu={chosen}
            menus={menus}
            editable={editable}
            onUnsaved={setUnsaved}
            onChanged={onChanged}
            onMove={(position) => void move(chosen.id, position)}
            onCreate={() => void show({ type: 'new', parentId: chosen.id })}
            onRemoved={() => {
              setShown(null)
              onChanged()
            }}
          />
        ) : shown?.type === 'new' ? (
          <>
            <header className="sb-split-head">
              <h2>{parent ? `${texts.newEntry}: ${menuName(parent, host.locale)} ›` : texts.addRoot}</h2>
            </header>
            <MenuForm
              key={`new ${shown.parentId ?? ''}`}
              menu={null}
              parent={parent}
              editable={editable}
              onUnsaved={setUnsaved}
              onTake={onChanged}
              onSaved={(id) => {
                setShown({ type: 'entry', id })
                onChanged()
              }}
            />
          </>
        ) : (
          <p className="sb-admin-note">{texts.choose}</p>
        )
      }
    />
  )
}

interface MenuListProps {
  menus: readonly ManagedMenu[]
  chosen: string | null
  editable: boolean
  onChoose(id: string): void
  onCreate(): void
  onMove(id: string, position: MenuPosition): void
}

const MenuList = ({ menus, chosen, editable, onChoose, onCreate, onMove }: MenuListProps) => {
  const { locale } = useHost()
  const texts = menuTexts[locale]
  const [search, setSearch] = useState('')
  const [expanded, setExpanded] = useState<readonly string[]>([])
  const searching = search.trim() !== ''
  const shown = useMemo(() => searchMenus(menus, search), [menus, search])
  const all = useMemo(() => flatMenus(shown).map(({ id }) => id), [shown])
  const toNode = (menu: ManagedMenu): TreeNode => ({
    key: menu.id,
    title: (
      <span className="sb-node" data-hidden={!menu.webShowFlag || undefined}>
        <span>{menuName(menu, locale)}</span>
        {!menu.webShowFlag && <span className="sb-choice-more">{texts.hidden}</span>}
        {menu.warnings.length > 0 && (
          <Tooltip title={menu.warnings.map(({ message }) => message).join(' ')}>
            <WarningOutlined className="sb-node-warning" aria-label={menu.warnings.map(({ message }) => message).join(' ')} />
          </Tooltip>
        )}
      </span>
    ),
    children: menu.children.map(toNode),
  })
  return (
    <>
      {editable && (
        <Button icon={<PlusOutlined />} onClick={onCreate}>
          {texts.addRoot}
        </Button>
      )}
      <SearchedList
        search={search}
        onSearch={setSearch}
        label={texts.search}
        nothing={shown.length === 0 ? texts.nothingFound : null}
        clearLabel={texts.clear}
      >
        <div className="sb-split-scroll">
          <Tree
            blockNode
            motion={false}
            aria-label={texts.tree}
            treeData={shown.map(toNode)}
            selectedKeys={chosen ? [chosen] : []}
            expandedKeys={searching ? all : [...expanded]}
            onExpand={(keys) => setExpanded(keys.map(String))}
            onSelect={(_, { node }) => onChoose(node.key)}
            draggable={editable && !searching ? { icon: false } : false}
            onDrop={({ node, dragNode, dropPosition }) => {
              // antd counts the gap from the start of the siblings; what matters is which side of the target it is.
              const index = Number(node.pos.split('-').at(-1))
              const gap = Math.sign(dropPosition - index) as -1 | 0 | 1
              onMove(dragNode.key, positionOfDrop(node.key, gap))
            }}
          />
        </div>
      </SearchedList>
    </>
  )
}
