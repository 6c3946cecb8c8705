import { useEffect, useState } from 'react'
import { formatOf, ready } from '../../schema/formats'
import type { FieldKind, PageField } from '../../schema/model'
import type { Host } from '../../headless/host'

/** Kinds whose cells need more than a few lines; phone numbers are shown as they are stored. */
const NEEDED: readonly FieldKind[] = ['country', 'countries']

/** Loads what the shown fields need (names of countries). The number changes when it has come, so that cells draw anew. */
export const useReadyFormats = (host: Host, fields: readonly (PageField | undefined)[]): number => {
  const [version, setVersion] = useState(0)
  const kinds = NEEDED.filter((kind) => fields.some((field) => field?.kind === kind) && formatOf(kind).ready).join(' ')
  useEffect(() => {
    if (!kinds) return
    let left = false
    ready(...(kinds.split(' ') as FieldKind[])).then(
      () => {
        if (!left) setVersion((now) => now + 1)
      },
      (error: unknown) => host.report(error, { formats: kinds }),
    )
    return () => {
      left = true
    }
  }, [host, kinds])
  return version
}
