import { Suspense, type ReactNode } from 'react'
import { lazyPart } from '../part/lazyPart'
import { State } from '../state'

const NeededRight = lazyPart(() => import('./NeededRight'))

/** Which right is missing and whom to ask; loaded only where somebody meets a closed door. */
export const Missing = (props: { permission?: string; router?: string }) => (
  <Suspense fallback={null}>
    <NeededRight {...props} />
  </Suspense>
)

/** A closed door: what may not be seen, which right that needs, whom to ask. */
export const Denied = ({ title, permission, children }: { title: string; permission?: string; children?: ReactNode }) => (
  <State role="alert" title={title} text={<Missing permission={permission} />}>
    {children}
  </State>
)
