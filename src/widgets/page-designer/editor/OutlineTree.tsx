import { EyeInvisibleOutlined } from '@ant-design/icons'
import { Tree, type TreeDataNode } from 'antd'
import {
  memo,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ComponentRef,
  type DragEvent,
  type Key,
  type KeyboardEvent,
} from 'react'
import { useHost } from '../../../runtime/hostContext'
import { splitAddress, joinAddress } from '../../../schema/overlay'
import { parentOf } from '../document/address'
import { flatOutline, type OutlineNode } from '../document/outline'
import { DRAGGED } from '../form/Palette'
import { wordName } from '../../../schema/overlay/words'
import { designerTexts } from '../texts'
import { useSurroundings } from './design'
import type { ItemActions } from './itemActions'

interface Entry extends TreeDataNode {
  key: string
  node: OutlineNode
  children?: Entry[]
}

const ROOT = '/'
const keyOf = (at: string): string => (at === '' ? ROOT : at)
const atOf = (key: Key): string => (key === ROOT ? '' : String(key))

type TreeHandle = ComponentRef<typeof Tree>

/** Sides as the tree names them. */
const SIDES = { [-1]: 'before', 0: 'inside', 1: 'behind' } as const

const isComponent = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes(DRAGGED)
/** The part of the document whose entry something is dragged over. */
const onto = ({ target }: DragEvent): string | undefined =>
  target instanceof Element
    ? target.closest('.ant-tree-treenode')?.querySelector<HTMLElement>('[data-at]')?.dataset.at
    : undefined

interface Props {
  outline: OutlineNode
  chosen: string
  /** Addresses with problems. */
  faulty: ReadonlySet<string>
  height: number
  actions: ItemActions
}

/** The parts of the document as a tree: choose, drag to order; Alt+arrows order, Delete removes, H hides. */
export const OutlineTree = memo(function OutlineTree({ outline, chosen, faulty, height, actions }: Props) {
  const { locale } = useHost()
  const texts = designerTexts[locale]
  const { language } = useSurroundings()
  const tree = useRef<TreeHandle>(null)
  const [open, setOpen] = useState<readonly string[]>([ROOT])
  const data = useMemo(() => {
    const entry = (node: OutlineNode): Entry => ({
      key: keyOf(node.address),
      node,
      title: (
        <span data-at={node.address} className={faulty.has(node.address) ? 'sb-design-faulty' : undefined}>
          <span>{node.label ?? (node.address === '' ? texts.root[language.kind] : wordName(node.word, locale))}</span>
          {node.kind === 'list' && <span className="sb-design-count"> {node.children.length}</span>}
          {node.hidden && <EyeInvisibleOutlined className="sb-design-off" />}
        </span>
      ),
      children: node.children.map(entry),
    })
    return [entry(outline)]
  }, [outline, faulty, locale, texts, language])
  const ways = splitAddress(chosen).map((_, index, steps) => keyOf(joinAddress('', ...steps.slice(0, index))))
  const [shown, setShown] = useState(chosen)
  if (shown !== chosen) {
    setShown(chosen)
    setOpen([...new Set([...open, ...ways])])
  }
  // What was added or named elsewhere is seen in the tree as well.
  const there = useMemo(() => flatOutline(outline).some(({ address }) => address === chosen), [outline, chosen])
  useEffect(() => {
    if (there) tree.current?.scrollTo({ key: keyOf(chosen), align: 'auto' })
  }, [chosen, there])
  const press = (event: KeyboardEvent): void => {
    const item = chosen !== '' && parentOf(chosen).parent !== ''
    if (!item || event.ctrlKey || event.metaKey) return
    if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown'))
      actions.move(chosen, event.key === 'ArrowUp' ? -1 : 1)
    else if (event.key === 'Delete') actions.remove(chosen)
    else if (event.key === 'h') actions.toggleHidden(chosen)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      className="sb-design-tree"
      onKeyDownCapture={press}
      // the tree itself knows only of its own entries
      onDragOverCapture={(event) => isComponent(event) && onto(event) !== undefined && event.preventDefault()}
      onDropCapture={(event) => {
        const at = isComponent(event) ? onto(event) : undefined
        if (at === undefined) return
        event.preventDefault()
        event.stopPropagation()
        actions.putComponent(event.dataTransfer.getData(DRAGGED), at)
      }}
    >
      <Tree<Entry>
        ref={tree}
        aria-label={texts.outline}
        blockNode
        virtual
        // While it unfolds slowly nothing in it can be brought into view.
        motion={false}
        height={height}
        treeData={data}
        selectedKeys={[keyOf(chosen)]}
        expandedKeys={[...open]}
        onExpand={(keys) => setOpen(keys.map(String))}
        onSelect={(_, { node }) => actions.choose(atOf(node.key))}
        draggable={{ icon: false, nodeDraggable: (entry) => (entry as Entry).node.kind === 'item' }}
        allowDrop={({ dragNode, dropNode, dropPosition }) =>
          actions.fits(atOf(dragNode.key), atOf(dropNode.key), SIDES[dropPosition])
        }
        onDrop={({ dragNode, node, dropPosition, dropToGap }) => {
          const own = Number(node.pos.split('-').at(-1))
          actions.put(atOf(dragNode.key), atOf(node.key), !dropToGap ? 'inside' : dropPosition > own ? 'behind' : 'before')
        }}
      />
    </div>
  )
})
