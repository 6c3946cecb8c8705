import { lazy, type ComponentType } from 'react'
import { loadPart } from './loadPart'

const Nothing = (): null => null

/** An icon in a chunk of its own. One that does not arrive is left out: what it stands beside says the same in words. */
export const lazyIcon = <P extends object>(load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> =>
  lazy(() => loadPart(load).catch((): { default: ComponentType<P> } => ({ default: Nothing }))) as ComponentType<P>
