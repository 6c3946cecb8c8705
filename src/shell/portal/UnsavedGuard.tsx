import { observer } from 'mobx-react-lite'
import { useEffect } from 'react'
import { usePortal } from './portal'

/** Warns before unsaved input is lost when the browser leaves. */
export const UnsavedGuard = observer(function UnsavedGuard() {
  const { bookmarks } = usePortal()
  const some = bookmarks.unsaved.size > 0

  useEffect(() => {
    if (!some) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [some])

  return null
})
