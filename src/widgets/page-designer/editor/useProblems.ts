import { useEffect, useState } from 'react'
import type { PageBundle } from '../../../headless/host'
import { loadPart } from '../../../runtime/part/loadPart'
import type { JsonObject } from '../../../schema/overlay'
import type { Problem } from '../../../schema/problem'
import type { TargetKind } from '../types'

const PAUSE = 250
const NONE: readonly Problem[] = []

/** What the validator of the language finds wrong with the document while it is being changed; it comes in a chunk of its own. */
export const useProblems = (
  kind: TargetKind,
  target: string,
  document: JsonObject,
  bundle: PageBundle | null,
): readonly Problem[] => {
  const [problems, setProblems] = useState(NONE)
  useEffect(() => {
    let left = false
    const check = async (): Promise<void> => {
      const { checkDocument } = await loadPart(() => import('./checkDocument'))
      if (!left) setProblems(checkDocument(kind, target, document, bundle))
    }
    // Without the validator the gateway still checks each save.
    const timer = setTimeout(() => void check().catch(() => undefined), PAUSE)
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [kind, target, document, bundle])
  return problems
}
