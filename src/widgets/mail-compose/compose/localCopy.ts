import type { Host } from '../../../headless/host'
import type { Letter } from './calls'

/** What this browser keeps of a letter between two saves of its draft. */
export interface LocalCopy {
  letter: Letter
  draft: { id: string; revision: number } | null
  at: string
}

const keyOf = (key: string): string => `mail:${key}`

/** The copy of what was written at an address; null without one. */
export function localCopy(host: Host, key: string): LocalCopy | null {
  const text = host.drafts.get(keyOf(key))
  if (text === null) return null
  try {
    return JSON.parse(text) as LocalCopy
  } catch (error) {
    host.report(error, { where: 'the copy of a letter' })
    return null
  }
}

export const keepLocally = (host: Host, key: string, copy: LocalCopy): Promise<boolean> =>
  host.drafts.set(keyOf(key), JSON.stringify(copy))

export const dropLocally = (host: Host, key: string): void => host.drafts.remove(keyOf(key))
