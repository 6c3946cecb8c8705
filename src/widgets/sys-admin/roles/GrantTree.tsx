import { SearchOutlined } from '@ant-design/icons'
import { Button, Empty, Flex, Input, Tag, Tree } from 'antd'
import { useMemo, useState, type ReactNode } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { flatMenus, menuName, searchMenus, type ManagedMenu } from '../resources/menus'
import { cycle, grantBelow, grantStates, indexMenus, nodeKey, nodeOfKey, revoke, type Grants, type GrantState } from './grants'
import { roleTexts } from './texts'

interface GrantTreeProps {
  menus: readonly ManagedMenu[]
  grants: Grants
  editable: boolean
  onChange(grants: Grants): void
}

interface TreeNode {
  key: string
  title: ReactNode
  children?: TreeNode[]
}

const keysWith = (states: ReadonlyMap<string, GrantState>, wanted: GrantState): string[] =>
  [...states].flatMap(([key, state]) => (state === wanted ? [key] : []))

/** Menus with their buttons, checkable on every level; half-checked where a part is granted. */
export const GrantTree = ({ menus, grants, editable, onChange }: GrantTreeProps) => {
  const { locale } = useHost()
  const texts = roleTexts[locale]
  const [search, setSearch] = useState('')
  // Open at first where only a part is granted: that is what people come to look at.
  const [expanded, setExpanded] = useState<readonly string[]>(() => keysWith(grantStates(menus, grants), 'some'))
  const index = useMemo(() => indexMenus(menus), [menus])
  const states = useMemo(() => grantStates(menus, grants), [menus, grants])
  const shown = useMemo(() => searchMenus(menus, search), [menus, search])
  const searching = search.trim() !== ''
  const allKeys = useMemo(() => flatMenus(shown).map(({ id }) => nodeKey({ type: 'menu', id })), [shown])

  const toNode = (menu: ManagedMenu): TreeNode => {
    const key = nodeKey({ type: 'menu', id: menu.id })
    const name = menuName(menu, locale)
    const hasBelow = menu.children.length + menu.buttons.length > 0
    const state = states.get(key)
    return {
      key,
      title: (
        <span className="sb-node">
          <span title={locale === 'zh' ? (menu.nameEn ?? undefined) : menu.nameZh}>{name}</span>
          {editable && hasBelow && (
            <Button
              type="link"
              size="small"
              className="sb-node-tool"
              aria-label={`${state === 'all' ? texts.none : texts.all}: ${name}`}
              onClick={(event) => {
                event.stopPropagation()
                onChange(
                  state === 'all' ? revoke(index, grants, { type: 'menu', id: menu.id }) : grantBelow(index, grants, menu.id),
                )
              }}
            >
              {state === 'all' ? texts.none : texts.all}
            </Button>
          )}
        </span>
      ),
      children: [
        ...menu.buttons.map((button) => ({
          key: nodeKey({ type: 'button', key: button.key }),
          title: (
            <span className="sb-node">
              <span title={locale === 'zh' ? button.en : button.zh}>{locale === 'zh' ? button.zh : button.en}</span>
              <span className="sb-admin-key">{button.key}</span>
            </span>
          ),
        })),
        ...menu.children.map(toNode),
      ],
    }
  }

  return (
    <Flex vertical gap={12}>
      <p className="sb-admin-note">{texts.grantsHelp}</p>
      <Flex gap={8} wrap align="center">
        <Input
          prefix={<SearchOutlined aria-hidden />}
          allowClear
          style={{ width: 280, maxWidth: '100%' }}
          placeholder={texts.searchMenus}
          aria-label={texts.searchMenus}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <Button onClick={() => setExpanded(expanded.length > 0 ? [] : allKeys)}>
          {expanded.length > 0 ? texts.collapseAll : texts.expandAll}
        </Button>
        <span className="sb-admin-note" role="status">
          {texts.grantsCount(grants.resourceIds.size, grants.buttonKeys.size)}
        </span>
      </Flex>
      {shown.length === 0 ? (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={texts.nothingFound}>
          <Button onClick={() => setSearch('')}>{texts.clear}</Button>
        </Empty>
      ) : (
        <Tree
          checkable
          checkStrictly
          blockNode
          motion={false}
          selectable={false}
          disabled={!editable}
          aria-label={texts.tabGrants}
          treeData={shown.map(toNode)}
          checkedKeys={{ checked: keysWith(states, 'all'), halfChecked: keysWith(states, 'some') }}
          expandedKeys={searching ? allKeys : [...expanded]}
          onExpand={(keys) => setExpanded(keys.map(String))}
          onCheck={(_, { node }) => {
            const key = String(node.key)
            onChange(cycle(index, grants, nodeOfKey(key), states.get(key) ?? 'none'))
          }}
        />
      )}
      <Orphans index={index} grants={grants} editable={editable} onChange={onChange} />
    </Flex>
  )
}

/** Granted things that the menu tree does not have any more. */
const Orphans = ({
  index,
  grants,
  editable,
  onChange,
}: Pick<GrantTreeProps, 'grants' | 'editable' | 'onChange'> & { index: ReturnType<typeof indexMenus> }) => {
  const texts = roleTexts[useHost().locale]
  const ids = [...grants.resourceIds].filter((id) => !index.menus.has(id))
  const keys = [...grants.buttonKeys].filter((key) => !index.menuOfKey.has(key))
  if (ids.length + keys.length === 0) return null
  const without = (id: string): Grants => ({
    resourceIds: new Set([...grants.resourceIds].filter((item) => item !== id)),
    buttonKeys: new Set([...grants.buttonKeys].filter((item) => item !== id)),
  })
  return (
    <section aria-label={texts.orphan}>
      <strong>{texts.orphan}</strong>
      <p className="sb-admin-note">{texts.orphanHelp}</p>
      <Flex gap={8} wrap>
        {[...ids, ...keys].map((id) => (
          <Tag key={id} closable={editable} onClose={() => onChange(without(id))}>
            {id}
          </Tag>
        ))}
      </Flex>
    </section>
  )
}
