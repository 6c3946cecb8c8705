import {
  ApartmentOutlined,
  AuditOutlined,
  BellOutlined,
  BranchesOutlined,
  CheckCircleOutlined,
  ClockCircleOutlined,
  ForkOutlined,
  PlayCircleOutlined,
  SendOutlined,
  StopOutlined,
  ThunderboltOutlined,
  ToolOutlined,
} from '@ant-design/icons'
import type { ComponentType } from 'react'
import type { Node } from '../../../../schema/generated/process'
import type { NodeKind } from '../tree/tree'

const ICONS: Readonly<Record<NodeKind, ComponentType>> = {
  start: PlayCircleOutlined,
  approve: AuditOutlined,
  handle: ToolOutlined,
  condition: BranchesOutlined,
  inclusive: ForkOutlined,
  parallel: ApartmentOutlined,
  cc: SendOutlined,
  service: ThunderboltOutlined,
  delay: ClockCircleOutlined,
  notify: BellOutlined,
  subProcess: ApartmentOutlined,
  end: CheckCircleOutlined,
}

/** Colours of the palette (`--sb-…-text`), by what a step does: people, ways, the portal itself, ends. */
const COLOURS: Readonly<Record<NodeKind, string>> = {
  start: 'green',
  approve: 'blue',
  handle: 'cyan',
  condition: 'orange',
  inclusive: 'orange',
  parallel: 'orange',
  cc: 'purple',
  service: 'geekblue',
  delay: 'gold',
  notify: 'magenta',
  subProcess: 'geekblue',
  end: 'green',
}

/** The sign of a kind of step. */
export const KindIcon = ({ node }: { node: Pick<Node, 'kind' | 'result'> }) => {
  const rejected = node.kind === 'end' && node.result === 'rejected'
  const Sign = rejected ? StopOutlined : ICONS[node.kind]
  return (
    <span className={`sb-flow-sign sb-flow-${rejected ? 'red' : COLOURS[node.kind]}`} aria-hidden>
      <Sign />
    </span>
  )
}
