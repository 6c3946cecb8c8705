import { observer } from 'mobx-react-lite'
import { Suspense, useEffect, useState } from 'react'
import { lazyPart } from '../../runtime/part/lazyPart'
import { usePortal } from '../portal/portal'
import { fetchVersion, readVersion, type VersionDetail } from './versionCalls'

const VersionDialog = lazyPart(() => import('./VersionDialog'), 'over')

/** Where all notices stand. */
const AXIS = '/message/publicnotice/timeaxis'

/** Asks once whether there is a new version that the person has not read of, and opens its dialog (R221, R222, R259). */
export const NewVersion = observer(function NewVersion() {
  const { http, language, navigation, layout } = usePortal()
  const [detail, setDetail] = useState<VersionDetail | null>(null)
  useEffect(() => {
    let gone = false
    void fetchVersion(http).then((found) => {
      if (!gone) setDetail(found)
    })
    return () => {
      gone = true
    }
  }, [http])
  if (detail === null) return null
  const close = (): void => {
    void readVersion(http, detail.id)
    setDetail(null)
  }
  const showAll = (): void => {
    close()
    navigation.go(AXIS)
  }
  return (
    <Suspense fallback={null}>
      <VersionDialog
        detail={detail}
        locale={language.locale}
        width={Math.min(560, layout.width)}
        onClose={close}
        onShowAll={showAll}
      />
    </Suspense>
  )
})
