import { PlusOutlined, WarningFilled } from '@ant-design/icons'
import {
  BaseEdge,
  EdgeLabelRenderer,
  getSmoothStepPath,
  Handle,
  Position,
  type Edge,
  type EdgeProps,
  type Node,
  type NodeProps,
} from '@xyflow/react'
import { memo, type ReactNode } from 'react'
import { processTexts } from '../texts'
import type { Box, Line } from '../tree/layout'
import { branchText, nodeName, summaryOf, textIn } from '../words'
import { samePlace, useCanvas } from './context'
import { KindIcon } from './kindIcon'

export type FlowNode = Node<{ box: Box }, Box['kind']>
export type FlowEdge = Edge<{ line: Line; name: string }, 'line'>

/** How far a line that meets others runs down before it turns. */
const BEND = { top: 18, bottom: 12 } as const
const ADD = 25

const Faults = ({ of }: { of: string }) => {
  const { faults, words } = useCanvas()
  const count = faults.get(of)
  return count === undefined ? null : (
    <span
      className="sb-flow-fault"
      role="img"
      aria-label={processTexts[words.locale].problems(count)}
      title={processTexts[words.locale].problems(count)}
    >
      <WarningFilled />
    </span>
  )
}

const Ends = ({ top = true, bottom = true }: { top?: boolean; bottom?: boolean }) => (
  <>
    {top && <Handle type="target" position={Position.Top} isConnectable={false} className="sb-flow-handle" />}
    {bottom && <Handle type="source" position={Position.Bottom} isConnectable={false} className="sb-flow-handle" />}
  </>
)

const lookOf = (id: string, selected: boolean, { trail, found }: Pick<ReturnType<typeof useCanvas>, 'trail' | 'found'>): string =>
  [
    selected ? 'sb-flow-chosen' : '',
    trail ? (trail.get(id)?.taken ? 'sb-flow-taken' : 'sb-flow-passed') : '',
    found ? (found.has(id) ? 'sb-flow-found' : 'sb-flow-passed') : '',
  ].join(' ')

const StepBox = memo(function StepBox({ id, data: { box }, selected }: NodeProps<FlowNode>) {
  const canvas = useCanvas()
  const { words, trail } = canvas
  const texts = processTexts[words.locale]
  const { node } = box
  const branching = node.branches !== undefined
  const name = nodeName(node, words)
  const run = trail?.get(id)
  const line: ReactNode = run?.people ?? summaryOf(node, words)
  return (
    <div
      id={`flow-${id}`}
      role="group"
      aria-current={selected}
      aria-label={name}
      className={`sb-flow-step ${lookOf(id, selected, canvas)}`}
      title={run?.why}
    >
      <Ends top={node.kind !== 'start'} bottom={node.kind !== 'end'} />
      <KindIcon node={node} />
      <span className="sb-flow-text">
        <strong title={name}>{name}</strong>
        <small title={typeof line === 'string' ? line : undefined}>{line || '—'}</small>
      </span>
      <Faults of={id} />
      {branching && (
        <button
          type="button"
          tabIndex={-1}
          className="sb-flow-more nodrag"
          aria-label={`${texts.addBranch}: ${name}`}
          title={texts.addBranch}
          onClick={(event) => {
            event.stopPropagation()
            canvas.onAddBranch(node.id)
          }}
        >
          <PlusOutlined />
        </button>
      )}
    </div>
  )
})

const BranchBox = memo(function BranchBox({ id, data: { box }, selected }: NodeProps<FlowNode>) {
  const canvas = useCanvas()
  const { node, branch } = box
  if (!branch) return null
  const label = textIn(branch.label, canvas.words.locale) || branch.id
  const when = branchText(node, branch, canvas.words)
  return (
    <div
      id={`flow-${id}`}
      role="group"
      aria-current={selected}
      aria-label={label}
      className={`sb-flow-branch ${lookOf(id, selected, canvas)}`}
      title={canvas.trail?.get(id)?.why ?? when}
    >
      <Ends />
      <strong>{label}</strong>
      <small>{when}</small>
      <Faults of={id} />
    </div>
  )
})

const JoinPoint = memo(function JoinPoint() {
  return (
    <span className="sb-flow-join">
      <Ends />
    </span>
  )
})

const LineDrawn = memo(function LineDrawn({ sourceX, sourceY, targetX, targetY, data }: EdgeProps<FlowEdge>) {
  const { words, drop, onAdd, trail } = useCanvas()
  const texts = processTexts[words.locale]
  if (!data) return null
  const { line, name } = data
  const { place } = line
  const centerY = line.bend === 'top' ? sourceY + BEND.top : targetY - BEND.bottom
  const [path] = getSmoothStepPath({
    sourceX,
    sourceY,
    sourcePosition: Position.Bottom,
    targetX,
    targetY,
    targetPosition: Position.Top,
    borderRadius: 8,
    centerY,
  })
  const here = place !== null && samePlace(drop, place)
  const taken = trail !== null && trail.get(line.from)?.taken === true && trail.get(line.to)?.taken !== false
  return (
    <>
      <BaseEdge path={path} className={taken ? 'sb-flow-line sb-flow-line-taken' : 'sb-flow-line'} />
      {place && (
        <EdgeLabelRenderer>
          <button
            type="button"
            tabIndex={-1}
            className={here ? 'sb-flow-add sb-flow-add-here nodrag nopan' : 'sb-flow-add nodrag nopan'}
            style={{ transform: `translate(-50%, -50%) translate(${sourceX}px, ${sourceY + ADD}px)` }}
            aria-label={texts.addAfter(name)}
            title={texts.add}
            onClick={({ currentTarget }) => {
              const { left, bottom } = currentTarget.getBoundingClientRect()
              onAdd(place, { x: left, y: bottom })
            }}
          >
            <PlusOutlined />
          </button>
        </EdgeLabelRenderer>
      )}
    </>
  )
})

export const NODE_TYPES = { step: StepBox, branch: BranchBox, join: JoinPoint }
export const EDGE_TYPES = { line: LineDrawn }
