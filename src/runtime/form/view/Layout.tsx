import { isVoidField } from '@formily/core'
import { Skeleton } from 'antd'
import { memo, Suspense } from 'react'
import type { ReactNode } from 'react'
import type { BlockPlan, FormilyPlan, FormPlan, GroupPlan, TablePlan } from '../../../headless/form/types'
import { componentProps, pageField } from '../../../headless/form/node'
import { useTracked } from './track'
import { lazyPart } from '../../part/lazyPart'
import { Table } from '../table/Table'
import { useHidden } from './brief'
import { Item } from './Item'
import { useSession, useText } from './session'

const FormilyPart = lazyPart(() => import('../formily/FormilyBlock'))
const FormilyBlock = ({ plan }: { plan: FormilyPlan }) => (
  <Suspense fallback={<Skeleton active title={false} className="sb-form-wide" />}>
    <FormilyPart plan={plan} Blocks={Blocks} />
  </Suspense>
)

/** Height of a field with its label and the line for help or error, in pixels. */
const FIELD = 86
/** Forms longer than this, in at least three parts, get a list of their parts. */
const LONG = 20

/** Addresses of the fields that will stand on the first screen: an observer cannot know before the first paint. */
export const firstScreen = (
  plan: FormPlan,
  columns: number,
  isShown: (address: string) => boolean,
  height: number,
): ReadonlySet<string> => {
  const count = Math.ceil(height / FIELD) * columns
  const first = new Set<string>()
  for (const { address } of plan.items) {
    if (first.size >= count) break
    if (isShown(address)) first.add(address)
  }
  return first
}

/** Groups, fields and tables in reading order, in a grid that becomes one column where it is narrow. */
export const Blocks = memo(function Blocks({ blocks, live }: { blocks: readonly BlockPlan[]; live: ReadonlySet<string> }) {
  return (
    <div className="sb-form-grid">
      {blocks.map((block) => {
        if (block.type === 'group') return <Group key={block.address} plan={block} live={live} />
        if (block.type === 'formily') return <FormilyBlock key={block.address} plan={block} />
        if (block.type === 'table') return <TableBlock key={block.address} plan={block} />
        return <Item key={block.address} plan={block} startLive={live.has(block.address)} />
      })}
    </div>
  )
})

const TableBlock = ({ plan }: { plan: TablePlan }) =>
  useHidden(plan.path, plan.node.required === true || pageField(plan.node)?.required === true) ? null : <Table plan={plan} />

const Group = ({ plan, live }: { plan: GroupPlan; live: ReadonlySet<string> }) => {
  const session = useSession()
  const field = session.engine.field(plan.address)
  const [visible, title, description] = useTracked(
    field ?? plan,
    () =>
      [
        field ? (isVoidField(field) ? field.display === 'visible' : field.visible) : false,
        (field?.title ?? field?.componentProps.title ?? componentProps(plan.node).title) as ReactNode,
        field?.description as ReactNode,
      ] as const,
  )
  if (!visible) return null
  const id = `${session.prefix}${plan.address}-group`
  return (
    <section className="sb-form-wide sb-form-group" aria-labelledby={title ? id : undefined} id={`${id}-part`}>
      {title ? (
        <h3 className="sb-form-title" id={id}>
          {title}
        </h3>
      ) : null}
      {description ? <p className="sb-form-help">{description}</p> : null}
      <Blocks blocks={plan.blocks} live={live} />
    </section>
  )
}

const groupsOf = (plan: FormPlan): GroupPlan[] => plan.blocks.filter((block): block is GroupPlan => block.type === 'group')

/** True when a form gets a list of its parts. */
export const hasAnchors = (plan: FormPlan, wanted: boolean): boolean =>
  groupsOf(plan).length > 1 && (wanted || (plan.items.length > LONG && groupsOf(plan).length > 2))

export const Anchors = ({ plan }: { plan: FormPlan }) => {
  const t = useText()
  return (
    <nav className="sb-form-anchors" aria-label={t('anchors')}>
      {groupsOf(plan).map((group) => (
        <Anchor key={group.address} plan={group} />
      ))}
    </nav>
  )
}

const Anchor = ({ plan }: { plan: GroupPlan }) => {
  const { engine, prefix } = useSession()
  const field = engine.field(plan.address)
  const [visible, title] = useTracked(field ?? plan, () => [field?.visible, field?.title as ReactNode] as const)
  if (!visible || !title) return null
  return (
    <button
      type="button"
      className="sb-form-anchor"
      onClick={() => document.getElementById(`${prefix}${plan.address}-group-part`)?.scrollIntoView({ block: 'start' })}
    >
      {title}
    </button>
  )
}
