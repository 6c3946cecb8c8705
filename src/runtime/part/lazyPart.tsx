import '../widget/block.css'
import './part.css'
import { Button } from 'antd'
import { Component, lazy, useReducer, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { useTokenStyle } from '../tokens'
import { PartError, loadPart, shownLanguage } from './loadPart'

const TEXTS = {
  zh: { title: '这一部分没有加载成功', retry: '重试', reload: '刷新页面' },
  en: { title: 'This part was not loaded', retry: 'Try again', reload: 'Reload the page' },
}

type Load<P> = () => Promise<{ default: ComponentType<P> }>
/** Where a missing part says so: where it would stand, or in a corner when it would open over the page. */
type Layer = 'here' | 'over'

/** Says what happened in place of a part that did not arrive. */
const Missing = ({ error, layer, onRetry }: { error: PartError; layer: Layer; onRetry: () => void }) => {
  const style = useTokenStyle()
  const texts = TEXTS[shownLanguage()]
  return (
    <section className={layer === 'over' ? 'sb-block-error sb-part-over' : 'sb-block-error'} style={style} role="alert">
      <h2>{texts.title}</h2>
      <p>{error.message}</p>
      <footer>
        <Button size="small" type="primary" onClick={onRetry}>
          {texts.retry}
        </Button>
        <Button size="small" onClick={() => window.location.reload()}>
          {texts.reload}
        </Button>
      </footer>
    </section>
  )
}

interface NetProps {
  layer: Layer
  onRetry: () => void
  children: ReactNode
}

/** Holds what did not arrive; a defect of the part itself is for the boundary around it. */
class Net extends Component<NetProps, { error: unknown; failed: boolean }> {
  override state = { error: null as unknown, failed: false }

  static getDerivedStateFromError(error: unknown) {
    return { error, failed: true }
  }

  override render(): ReactNode {
    const { error, failed } = this.state
    if (!failed) return this.props.children
    if (!(error instanceof PartError)) throw error
    const retry = (): void => {
      this.props.onRetry()
      this.setState({ error: null, failed: false })
    }
    return <Missing error={error} layer={this.props.layer} onRetry={retry} />
  }
}

/** A component that arrives later, unless somebody fetched it before. */
export type LazyPart<P> = ComponentType<P> & {
  /** Fetches it ahead of its first drawing. Settles when it is here or did not arrive; its drawing then says so. */
  fetch(): Promise<void>
  /** True when it is drawn at once. */
  isHere(): boolean
}

/**
 * A component in a chunk of its own, as React's `lazy`; draw it inside a Suspense. When the chunk does not arrive (tried twice),
 * it says so, with another try and a reload: a new release may have removed the old chunks. What was fetched before it is drawn
 * does not suspend: React leaves whatever it showed instead for 300 ms, however soon the part is here.
 *
 * @example const Dialog = lazyPart(() => import('./Dialog'), 'over')
 */
export const lazyPart = <P extends object>(load: Load<P>, layer: Layer = 'here'): LazyPart<P> => {
  let here: ComponentType<P> | null = null
  const arrive = async (): Promise<{ default: ComponentType<P> }> => {
    const part = await loadPart(load)
    here = part.default
    return part
  }
  const make = (): ComponentType<P> => lazy(arrive) as ComponentType<P>
  // React keeps a failure with its component: another try needs another one
  let part = make()
  const Part = (props: P) => {
    const [, again] = useReducer((count: number) => count + 1, 0)
    // one that arrives while this is drawn must not be drawn anew as another component
    const [atOnce] = useState(() => here)
    const Now = atOnce ?? part
    return (
      <Net
        layer={layer}
        onRetry={() => {
          if (part === Now) part = make()
          again()
        }}
      >
        <Now {...props} />
      </Net>
    )
  }
  return Object.assign(Part, {
    fetch: async (): Promise<void> => {
      if (here === null) await arrive().catch(() => undefined)
    },
    isHere: () => here !== null,
  })
}
