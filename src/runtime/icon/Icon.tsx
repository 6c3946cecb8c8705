import { Suspense } from 'react'
import { ICONS } from './iconSet'

/** The icon that a document names, beside a text that says the same. An unknown name draws nothing: the text stands. */
export const Icon = ({ name }: { name: string }) => {
  const Drawn = ICONS[name]
  if (!Drawn) return null
  return (
    // Room for the icon while it loads, or the button would grow under the pointer.
    <Suspense fallback={<span className="anticon" style={{ width: '1em', height: '1em' }} aria-hidden="true" />}>
      <Drawn aria-hidden />
    </Suspense>
  )
}
