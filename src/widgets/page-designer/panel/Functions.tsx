import { Suspense, useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { lazyPart } from '../../../runtime/part/lazyPart'
import { designerTexts } from '../texts'

const FunctionList = lazyPart(() => import('./FunctionList'))

/** A call of the function: around the expression that stands there alone, else behind the text. */
const withFunction = (text: string, name: string): string => {
  const [, inner] = /^\s*\{\{((?:(?!\}\})[\s\S])*)\}\}\s*$/.exec(text) ?? []
  return inner === undefined ? `${text}{{ ${name}() }}` : `{{ ${name}(${inner.trim()}) }}`
}

/** Below an expression: what it can call, on demand. */
export const Functions = ({ value, onChange }: { value: string; onChange(value: string): void }) => {
  const texts = designerTexts[useHost().locale]
  const [open, setOpen] = useState(false)
  return (
    <details className="sb-design-help" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{texts.functions}</summary>
      {open && (
        <Suspense>
          <FunctionList onTake={(name) => onChange(withFunction(value, name))} />
        </Suspense>
      )}
    </details>
  )
}
