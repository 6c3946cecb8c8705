import { useField } from '@formily/react'
import { createContext, use } from 'react'
import type { ComponentType, ReactNode } from 'react'
import type { BlockPlan } from '../../../headless/form/types'

interface Panes {
  panes: ReadonlyMap<string, readonly BlockPlan[]>
  Blocks: ComponentType<{ blocks: readonly BlockPlan[]; live: ReadonlySet<string> }>
}
export const PanesContext = createContext<Panes | null>(null)

const NONE: ReadonlySet<string> = new Set()

/** What stands in one pane of tabs, steps or folds: blocks of the portal; in a row of a list what Formily draws. */
export const Pane = ({ children }: { children?: ReactNode }) => {
  const address = useField().address.toString()
  const here = use(PanesContext)
  const blocks = here?.panes.get(address)
  if (!here || !blocks) return children
  return (
    <div className="sb-formily-pane">
      <here.Blocks blocks={blocks} live={NONE} />
    </div>
  )
}
