import { useEffect, useState } from 'react'
import { isAborted, toFailure } from '../../../headless/failure'
import { useHost } from '../../../runtime/hostContext'
import { conflictOf, type Conflict } from '../calls/refusal'
import { changesOf, draftOf, ROLE, type Role, type RoleDraft } from './role'

export interface RoleEditor {
  draft: RoleDraft
  dirty: boolean
  saving: boolean
  conflict: Conflict | null
  /** Why the last save was refused. */
  refusal: string | null
  change(part: Partial<RoleDraft>): void
  discard(): void
  /** Saves against the version that was read, or against a newer one. */
  save(version?: number): Promise<void>
}

/** The changes to one role until they are saved; the page is marked as unsaved meanwhile. */
export const useRoleEditor = (role: Role, onSaved: () => void, onUnsaved: (unsaved: boolean) => void): RoleEditor => {
  const host = useHost()
  const [draft, setDraft] = useState(() => draftOf(role))
  const [read, setRead] = useState(role)
  const [saving, setSaving] = useState(false)
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const dirty = Object.keys(changesOf(read, draft)).length > 0

  // A newer version was read: what nobody touched follows it, what is being edited stays until it is saved or dropped.
  if (read !== role && (!dirty || read.id !== role.id)) {
    setRead(role)
    setDraft(draftOf(role))
  }

  useEffect(() => {
    host.setUnsaved(dirty)
    onUnsaved(dirty)
    return () => {
      host.setUnsaved(false)
      onUnsaved(false)
    }
  }, [host, dirty, onUnsaved])

  const discard = (): void => {
    setRead(role)
    setDraft(draftOf(role))
    setConflict(null)
    setRefusal(null)
  }
  const save = async (version = read.version): Promise<void> => {
    if (saving) return
    setSaving(true)
    setConflict(null)
    setRefusal(null)
    try {
      const changes = changesOf(read, draft)
      const { record } = await host.request<{ record: Role }>({
        method: 'POST',
        path: `${ROLE}/save`,
        body: { id: role.id, version, ...changes },
        idempotent: true,
      })
      const saved = { ...role, ...record }
      setRead(saved)
      setDraft(draftOf(saved))
      onSaved()
    } catch (error) {
      const stale = conflictOf(error)
      if (stale) setConflict(stale)
      else if (!isAborted(error)) setRefusal(toFailure(error, host.locale).message)
    } finally {
      setSaving(false)
    }
  }
  const change = (part: Partial<RoleDraft>): void => setDraft((now) => ({ ...now, ...part }))
  return { draft, dirty, saving, conflict, refusal, change, discard, save }
}
