import '@xyflow/react/dist/base.css'
import './canvas.css'
import {
  AimOutlined,
  CompressOutlined,
  CopyOutlined,
  DeleteOutlined,
  RedoOutlined,
  ScissorOutlined,
  UndoOutlined,
  ZoomInOutlined,
  ZoomOutOutlined,
} from '@ant-design/icons'
import { Background, MiniMap, ReactFlow, ReactFlowProvider, useReactFlow, type NodeChange } from '@xyflow/react'
import { Button, Dropdown, Input } from 'antd'
import { dequal } from 'dequal/lite'
import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useHost } from '../../../../runtime/hostContext'
import { usePhone } from '../../../../runtime/media'
import type { Node } from '../../../../schema/generated/process'
import { processTexts } from '../texts'
import { layOut, nearestPlace, type Box, type Line, type Size } from '../tree/layout'
import {
  ADDABLE,
  branchKey,
  canRemove,
  canStand,
  copyOf,
  everyNode,
  findNode,
  newNode,
  takenIds,
  withBranch,
  withMovedNode,
  withNode,
  withoutBranch,
  withoutNode,
  withShiftedBranch,
  withShiftedNode,
  type NodeKind,
  type Place,
} from '../tree/tree'
import { choicesOf, nodeName, textIn, type Words } from '../words'
import { CanvasContext, samePlace, type CanvasParts, type Trail } from './context'
import { KindIcon } from './kindIcon'
import { EDGE_TYPES, NODE_TYPES, type FlowEdge, type FlowNode } from './parts'
import { isEnter, onEnter } from '../../../../runtime/typing'

interface Props {
  nodes: readonly Node[]
  words: Words
  /** The chosen step or branch (`step/branch`). */
  chosen: string | null
  faults: ReadonlyMap<string, number>
  trail: ReadonlyMap<string, Trail> | null
  /** A version that is over is only looked at. */
  readOnly?: boolean
  onChoose(key: string | null): void
  onEdit(nodes: readonly Node[]): void
  history?: { undoes: boolean; redoes: boolean; undo(): void; redo(): void }
}

const SLOW = { duration: 160 }
const FIT = { padding: 0.12, maxZoom: 1 }
const PLAIN = { hideAttribution: true }
/** Of a flow with more boxes only those in sight stand in the page: each other one listens to every gesture. */
const WHOLE = 60

/** A step that is being dragged, and where it would stand. */
interface Drag {
  id: string
  at: { x: number; y: number }
  drop: Place | null
}

/** The flow as a picture that is edited: see `canvasHelp` for its keys. */
export const Canvas = (props: Props) => (
  <ReactFlowProvider>
    <Flow {...props} />
  </ReactFlowProvider>
)

/** The same object as long as nothing about it changes: what stands still is not drawn anew. */
const drawn = new WeakMap<object, FlowNode>()
/** The points where the branches of a step meet, by that step. */
const drawnJoins = new WeakMap<object, FlowNode>()
const flowNodeOf = (
  box: Box,
  size: Size | undefined,
  selected: boolean,
  draggable: boolean,
  at: { x: number; y: number } | null,
): FlowNode => {
  const key = box.branch ?? box.node
  const kept = box.kind === 'join' ? drawnJoins : drawn
  const before = kept.get(key)
  const { x, y } = at ?? box
  if (
    before &&
    before.id === box.id &&
    before.position.x === x &&
    before.position.y === y &&
    before.selected === selected &&
    before.draggable === draggable &&
    before.measured?.width === size?.width &&
    before.measured?.height === size?.height
  )
    return before
  const made: FlowNode = {
    id: box.id,
    type: box.kind,
    position: { x, y },
    data: { box },
    selected,
    draggable,
    selectable: box.kind !== 'join',
    ...(at ? { zIndex: 10 } : {}),
    ...(size ? { measured: size } : {}),
  }
  kept.set(key, made)
  return made
}

/** The same for lines: `before` holds those of last time by their ids. */
const flowEdgeOf = (before: Map<string, FlowEdge>, line: Line, name: string): FlowEdge => {
  const known = before.get(line.id)
  if (known?.data?.name === name && dequal(known.data.line, line)) return known
  const made: FlowEdge = {
    id: line.id,
    source: line.from,
    target: line.to,
    type: 'line',
    focusable: false,
    selectable: false,
    data: { line, name },
  }
  before.set(line.id, made)
  return made
}

const Flow = ({ nodes, words, chosen, faults, trail, readOnly = false, onChoose, onEdit, history }: Props) => {
  const host = useHost()
  const texts = processTexts[words.locale]
  const flow = useReactFlow<FlowNode, FlowEdge>()
  const phone = usePhone()
  const root = useRef<HTMLDivElement>(null)
  const [sizes, setSizes] = useState<ReadonlyMap<string, Size>>(new Map())
  const [drag, setDrag] = useState<Drag | null>(null)
  const [adding, setAdding] = useState<{ place: Place; x: number; y: number } | null>(null)
  const [held, setHeld] = useState<Node | null>(null)
  const [search, setSearch] = useState('')
  const [edges] = useState(() => new Map<string, FlowEdge>())

  const drawing = useMemo(() => layOut(nodes, (id) => sizes.get(id)), [nodes, sizes])
  const named = useMemo(() => {
    const names = new Map<string, string>()
    for (const { node } of everyNode(nodes)) {
      names.set(node.id, nodeName(node, words))
      for (const branch of node.branches ?? [])
        names.set(branchKey(node.id, branch.id), textIn(branch.label, words.locale) || branch.id)
    }
    return names
  }, [nodes, words])
  const found = useMemo(() => {
    const wanted = search.trim().toLowerCase()
    return wanted === '' ? null : new Set([...named].filter(([, name]) => name.toLowerCase().includes(wanted)).map(([id]) => id))
  }, [search, named])

  const flowNodes = useMemo(
    () =>
      drawing.boxes.map((box) =>
        flowNodeOf(
          box,
          sizes.get(box.id),
          box.id === chosen,
          !readOnly && box.kind === 'step' && canRemove(nodes, box.id),
          drag?.id === box.id ? drag.at : null,
        ),
      ),
    [drawing, sizes, chosen, drag, nodes, readOnly],
  )
  const flowEdges = useMemo(
    () =>
      drawing.lines.map((line) =>
        flowEdgeOf(
          edges,
          readOnly ? { ...line, place: null } : line,
          named.get(line.from) ?? named.get(line.from.slice(0, -1)) ?? '',
        ),
      ),
    [drawing, named, readOnly, edges],
  )

  const onNodesChange = useCallback((changes: NodeChange<FlowNode>[]) => {
    const measured = changes.flatMap((change) =>
      change.type === 'dimensions' && change.dimensions ? [{ id: change.id, ...change.dimensions }] : [],
    )
    if (measured.length === 0) return
    setSizes((known) => {
      const changed = measured.filter(
        ({ id, width, height }) => known.get(id)?.width !== width || known.get(id)?.height !== height,
      )
      return changed.length === 0
        ? known
        : new Map([...known, ...changed.map(({ id, width, height }) => [id, { width, height }] as const)])
    })
  }, [])

  const place = (kind: NodeKind, where: Place): void => {
    const node = newNode(kind, takenIds(nodes))
    onEdit(withNode(nodes, where, node))
    onChoose(node.id)
  }
  const paste = (where: Place): void => {
    if (!held || !canStand(nodes, where)) return
    const taken = takenIds(nodes)
    const node = copyOf(held, taken)
    onEdit(withNode(nodes, where, node))
    onChoose(node.id)
  }
  /** Where something that is added without saying where would stand: behind what is chosen, else at the end. */
  const placeBehind = (): Place => {
    const box = drawing.boxes.find(({ id }) => id === chosen)
    if (box?.kind === 'branch') return { owner: box.owner, index: 0 }
    const place = box && { owner: box.owner, index: box.index + 1 }
    return place && canStand(nodes, place) ? place : { owner: null, index: nodes.length - 1 }
  }
  const remove = async (key: string): Promise<void> => {
    const box = drawing.boxes.find(({ id }) => id === key)
    if (!box) return
    const inside = everyNode(box.branch ? box.branch.nodes : (box.node.branches ?? []).flatMap((branch) => branch.nodes)).length
    const name = named.get(key) ?? ''
    const okay =
      inside === 0 ||
      (await host.confirm({
        title: texts.removeAsk(name),
        content: texts.removeText(inside),
        danger: true,
        okText: texts.remove,
      }))
    if (!okay) return
    const next = box.branch ? withoutBranch(nodes, box.node.id, box.branch.id) : withoutNode(nodes, key)
    if (next === nodes) return
    onEdit(next)
    onChoose(box.branch ? box.node.id : null)
    root.current?.focus()
  }
  const shift = (by: 1 | -1): void => {
    const box = drawing.boxes.find(({ id }) => id === chosen)
    if (!box || readOnly) return
    onEdit(box.branch ? withShiftedBranch(nodes, box.node.id, box.branch.id, by) : withShiftedNode(nodes, box.node.id, by))
  }
  const copy = (): void => {
    const node = chosen === null ? undefined : findNode(nodes, chosen)?.node
    if (node && canRemove(nodes, node.id)) setHeld(node)
  }
  const cut = (): void => {
    const node = chosen === null ? undefined : findNode(nodes, chosen)?.node
    if (!node || !canRemove(nodes, node.id)) return
    setHeld(node)
    onEdit(withoutNode(nodes, node.id))
    onChoose(null)
  }
  /** Shows a step that is out of sight. */
  const show = useCallback(
    (key: string): void => {
      const box = drawing.boxes.find(({ id }) => id === key)
      const room = root.current?.getBoundingClientRect()
      if (!box || !room) return
      const { x, y, zoom } = flow.getViewport()
      const [left, top] = [box.x * zoom + x, box.y * zoom + y]
      const seen = left >= 0 && top >= 0 && left + box.width * zoom <= room.width && top + box.height * zoom <= room.height - 40
      if (!seen) void flow.setCenter(box.x + box.width / 2, box.y + box.height / 2, { zoom, ...SLOW })
    },
    [drawing, flow],
  )
  const go = (key: string): void => {
    onChoose(key)
    show(key)
  }
  const step = (towards: 'up' | 'down' | 'left' | 'right'): void => {
    const boxes = drawing.boxes.filter(({ kind }) => kind !== 'join')
    const from = boxes.find(({ id }) => id === chosen)
    if (!from) {
      const first = boxes.find(({ node }) => node.kind === 'start')
      if (first) go(first.id)
      return
    }
    const middle = (box: Box) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 })
    const [a, sideways] = [middle(from), towards === 'left' || towards === 'right']
    const nearest = boxes
      .map((box) => ({ box, x: middle(box).x - a.x, y: middle(box).y - a.y }))
      .filter(({ x, y }) => (towards === 'up' ? y < -4 : towards === 'down' ? y > 4 : towards === 'left' ? x < -4 : x > 4))
      .map(({ box, x, y }) => ({ box, distance: sideways ? Math.abs(x) + 3 * Math.abs(y) : Math.abs(y) + 2 * Math.abs(x) }))
      .sort((one, other) => one.distance - other.distance)[0]
    if (nearest) go(nearest.box.id)
  }
  const openMenu = (): void => {
    const room = root.current?.getBoundingClientRect()
    const box = drawing.boxes.find(({ id }) => id === chosen)
    if (!room) return
    const { x, y, zoom } = flow.getViewport()
    const at = box
      ? { x: room.x + (box.x + box.width / 2) * zoom + x, y: room.y + (box.y + box.height) * zoom + y }
      : { x: room.x + 40, y: room.y + 80 }
    setAdding({ place: placeBehind(), ...at })
  }

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.target !== event.currentTarget) return
    const word = event.ctrlKey || event.metaKey
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const arrows = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' } as const
    const act = (): boolean => {
      if (key in arrows) {
        const towards = arrows[key as keyof typeof arrows]
        if (event.altKey) shift(towards === 'up' || towards === 'left' ? -1 : 1)
        else step(towards)
        return true
      }
      if (key === 'Escape') {
        onChoose(null)
        setSearch('')
        return true
      }
      if (isEnter(event)) {
        document.querySelector<HTMLElement>('.sb-flow-panel input, .sb-flow-panel textarea')?.focus()
        return true
      }
      if (readOnly) return false
      if (word && key === 'c') copy()
      else if (word && key === 'x') cut()
      else if (word && key === 'v') paste(placeBehind())
      else if (word && key === 'd') {
        const node = chosen === null ? undefined : findNode(nodes, chosen)?.node
        if (node && canRemove(nodes, node.id)) {
          const twin = copyOf(node, takenIds(nodes))
          onEdit(withNode(nodes, placeBehind(), twin))
          onChoose(twin.id)
        }
      } else if ((key === 'Delete' || key === 'Backspace') && chosen !== null) void remove(chosen)
      else if (key === '+' || key === 'Insert') openMenu()
      else return false
      return true
    }
    if (act()) event.preventDefault()
  }

  const drop = drag?.drop ?? null
  // what stands still is not drawn anew because another step changed
  const latest = useRef({ nodes, drawing })
  useEffect(() => {
    latest.current = { nodes, drawing }
  }, [nodes, drawing])
  const parts = useMemo(
    (): CanvasParts => ({
      words,
      faults,
      trail,
      drop,
      found,
      onAdd: (at, point) => setAdding({ place: at, ...point }),
      onAddBranch: (id) => {
        const node = findNode(latest.current.nodes, id)?.node
        const number = node?.branches?.length ?? 0
        const label = (language: 'zh' | 'en'): string =>
          node?.kind === 'condition'
            ? processTexts[language].conditionLabel(number)
            : processTexts[language].branchLabel(number + 1)
        onEdit(withBranch(latest.current.nodes, id, { zh: label('zh'), en: label('en') }))
      },
    }),
    [words, faults, trail, drop, found, onEdit],
  )

  // the same functions for as long as the picture stands: with others every step and line of it would be drawn anew
  const onNodeClick = useCallback(
    (_: unknown, node: FlowNode): void => {
      if (node.type !== 'join') onChoose(node.id)
      root.current?.focus({ preventScroll: true })
    },
    [onChoose],
  )
  const onPaneClick = useCallback((): void => {
    onChoose(null)
    root.current?.focus({ preventScroll: true })
  }, [onChoose])
  const dragged = useRef<Drag | null>(null)
  const onNodeDrag = useCallback((_: unknown, node: FlowNode): void => {
    const { nodes: all, drawing: picture } = latest.current
    const point = { x: node.position.x + (node.measured?.width ?? 0) / 2, y: node.position.y }
    const next = nearestPlace(picture, point, (at) => withMovedNode(all, node.id, at) !== all)
    const before = dragged.current?.drop ?? null
    dragged.current = { id: node.id, at: node.position, drop: samePlace(before, next) ? before : next }
    setDrag(dragged.current)
  }, [])
  const onNodeDragStop = useCallback(
    (_: unknown, node: FlowNode): void => {
      const to = dragged.current?.drop
      dragged.current = null
      if (to) onEdit(withMovedNode(latest.current.nodes, node.id, to))
      setDrag(null)
    },
    [onEdit],
  )

  const begun = useRef(false)
  useEffect(() => {
    // The picture is fitted once its parts have been measured, and not again while somebody works.
    if (begun.current || sizes.size === 0) return
    begun.current = true
    void flow.fitView(FIT).then(() => {
      // a long flow begins at its top, in a size that can be read
      const { zoom } = flow.getViewport()
      const room = root.current?.getBoundingClientRect()
      const start = drawing.boxes.find(({ node }) => node.kind === 'start')
      if (zoom < 0.6 && start && room)
        void flow.setViewport({ x: room.width / 2 - (start.x + start.width / 2) * 0.75, y: 24, zoom: 0.75 })
    })
  }, [sizes, flow, drawing])

  const kinds = choicesOf(words.catalogue, 'nodeKind', words.locale, ADDABLE)
  const current = chosen === null ? undefined : findNode(nodes, chosen)?.node
  const movable = current !== undefined && canRemove(nodes, current.id)
  return (
    <CanvasContext value={parts}>
      <div className="sb-flow">
        <div className="sb-flow-bar" role="toolbar" aria-label={texts.canvas}>
          {history && (
            <>
              <Button
                size="small"
                type="text"
                icon={<UndoOutlined />}
                aria-label={texts.undo}
                title={`${texts.undo} (Ctrl+Z)`}
                disabled={!history.undoes}
                onClick={history.undo}
              />
              <Button
                size="small"
                type="text"
                icon={<RedoOutlined />}
                aria-label={texts.redo}
                title={`${texts.redo} (Ctrl+Shift+Z)`}
                disabled={!history.redoes}
                onClick={history.redo}
              />
            </>
          )}
          {!readOnly && (
            <>
              <Button
                size="small"
                type="text"
                icon={<CopyOutlined />}
                aria-label={texts.copy}
                title={`${texts.copy} (Ctrl+C)`}
                disabled={!movable}
                onClick={copy}
              />
              <Button
                size="small"
                type="text"
                icon={<ScissorOutlined />}
                aria-label={texts.cut}
                title={`${texts.cut} (Ctrl+X)`}
                disabled={!movable}
                onClick={cut}
              />
              <Button
                size="small"
                type="text"
                icon={<DeleteOutlined />}
                aria-label={texts.remove}
                title={`${texts.remove} (Delete)`}
                disabled={chosen === null || (current !== undefined && !movable)}
                onClick={() => chosen !== null && void remove(chosen)}
              />
            </>
          )}
          <Button
            size="small"
            type="text"
            icon={<ZoomOutOutlined />}
            aria-label={texts.zoomOut}
            title={texts.zoomOut}
            onClick={() => void flow.zoomOut(SLOW)}
          />
          <Button
            size="small"
            type="text"
            icon={<ZoomInOutlined />}
            aria-label={texts.zoomIn}
            title={texts.zoomIn}
            onClick={() => void flow.zoomIn(SLOW)}
          />
          <Button
            size="small"
            type="text"
            icon={<CompressOutlined />}
            aria-label={texts.fit}
            title={texts.fit}
            onClick={() => void flow.fitView({ ...FIT, ...SLOW })}
          />
          <Button
            size="small"
            type="text"
            icon={<AimOutlined />}
            aria-label={texts.tidy}
            title={texts.tidy}
            onClick={() => {
              setSizes(new Map())
              begun.current = false
            }}
          />
          <Input
            size="small"
            type="search"
            allowClear
            className="sb-flow-search"
            aria-label={texts.find}
            placeholder={texts.find}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            onKeyDown={onEnter(() => {
              const [first] = found ?? []
              if (first !== undefined) go(first)
            })}
          />
        </div>
        <div
          ref={root}
          className="sb-flow-stage"
          role="application"
          tabIndex={0}
          aria-label={texts.canvas}
          aria-description={texts.canvasHelp}
          aria-activedescendant={flowNodes.some(({ id }) => id === chosen) ? `flow-${chosen}` : undefined}
          onKeyDown={onKeyDown}
        >
          <ReactFlow<FlowNode, FlowEdge>
            nodes={flowNodes}
            edges={flowEdges}
            nodeTypes={NODE_TYPES}
            edgeTypes={EDGE_TYPES}
            onNodesChange={onNodesChange}
            onNodeClick={onNodeClick}
            onPaneClick={onPaneClick}
            onNodeDrag={onNodeDrag}
            onNodeDragStop={onNodeDragStop}
            nodeDragThreshold={4}
            nodesFocusable={false}
            edgesFocusable={false}
            nodesConnectable={false}
            elementsSelectable={false}
            disableKeyboardA11y
            deleteKeyCode={null}
            selectionKeyCode={null}
            multiSelectionKeyCode={null}
            zoomOnDoubleClick={false}
            panOnScroll
            minZoom={0.15}
            maxZoom={1.75}
            onlyRenderVisibleElements={drawing.boxes.length > WHOLE}
            proOptions={PLAIN}
          >
            <Background gap={20} />
            {!phone && <MiniMap pannable zoomable ariaLabel={null} className="sb-flow-map" />}
          </ReactFlow>
        </div>
        {adding && (
          <Dropdown
            open
            autoFocus
            trigger={['click']}
            onOpenChange={(open) => !open && setAdding(null)}
            menu={{
              items: [
                ...(held ? [{ key: 'paste', label: texts.pasteHere, icon: <CopyOutlined /> }, { type: 'divider' as const }] : []),
                ...kinds.map(({ value, label }) => ({
                  key: value,
                  label,
                  icon: <KindIcon node={{ kind: value as NodeKind }} />,
                })),
              ],
              onClick: ({ key }) => {
                if (key === 'paste') paste(adding.place)
                else place(key as NodeKind, adding.place)
                setAdding(null)
                root.current?.focus({ preventScroll: true })
              },
            }}
          >
            <span className="sb-flow-anchor" style={{ left: adding.x, top: adding.y }} />
          </Dropdown>
        )}
      </div>
    </CanvasContext>
  )
}
