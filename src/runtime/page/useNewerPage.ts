import { useEffect, useState } from 'react'
import { isAborted } from '../../headless/failure'
import type { Host, LoadedPage } from '../../headless/host'

/**
 * The page as the gateway serves it now, when that is another revision than the one that stands; else null. What stands is
 * never exchanged by itself: somebody may be typing in it.
 */
export const useNewerPage = (host: Host, path: string, page: LoadedPage): LoadedPage | null => {
  const [newer, setNewer] = useState<LoadedPage | null>(null)
  const [checked] = useState<{ revision: string | null }>(() => ({ revision: host.schemaChanges?.revision ?? null }))
  useEffect(() => {
    const changes = host.schemaChanges
    if (!changes) return
    const abort = new AbortController()
    const look = (): void => {
      if (changes.revision === checked.revision) return
      const { revision } = changes
      host.loadPage(path, abort.signal).then(
        (fresh) => {
          checked.revision = revision
          setNewer(fresh.from === 'gateway' && fresh.bundle.revision !== page.bundle.revision ? fresh : null)
        },
        (error: unknown) => {
          if (!isAborted(error)) host.report(error, { page: path })
        },
      )
    }
    // A tab that slept while the pages changed looks when it is shown again.
    look()
    const stop = changes.listen(look)
    return () => {
      stop()
      abort.abort()
    }
  }, [host, path, page, checked])
  return newer
}
