import { useEffect } from 'react'
import { loadPart } from '../../runtime/part/loadPart'
import { grayFlag } from '../http/gray'
import { usePortal } from '../portal/portal'
import type { TokenKeeper } from '../token/tokenKeeper'

/** After the shell stands: the stream of pushes, in a chunk of its own. A release of pages is heard of by it at once. */
export function useStream(tokens: TokenKeeper): void {
  const portal = usePortal()
  useEffect(() => {
    const { configuration, routes, schemas, session } = portal
    const log = (error: unknown) => console.warn('Switchboard: stream', error)
    let end = (): void => undefined
    let left = false
    const reload = () => {
      const before = routes.table.data.revision
      // Another table of routes may come with new entries of the menu.
      void routes.load().then(() => (routes.table.data.revision === before ? undefined : session.loadRights()), log)
    }
    const stopListening = schemas.listen(reload)
    loadPart(() => import('./stream')).then(({ openStream }) => {
      if (left) return
      end = openStream({
        gateway: configuration.gateway,
        tokens,
        headers: () => {
          const gray = grayFlag()
          return gray === null ? {} : { [configuration.headers.gray]: gray }
        },
        onEvent: (told) => {
          if (told.event !== 'schema') return
          const revision = told[grayFlag() === null ? 'revision' : 'gray']
          // Open pages and the routes look at the same time. Who is not told which schemas are served now learns it with the routes.
          if (typeof revision === 'string') schemas.note(revision)
          else reload()
        },
        onState: (state) => {
          document.documentElement.dataset['stream'] = state
        },
        log,
      })
    }, log)
    return () => {
      left = true
      stopListening()
      end()
    }
  }, [portal, tokens])
}
