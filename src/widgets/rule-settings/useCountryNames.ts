import { useEffect, useState } from 'react'
import { useHost } from '../../runtime/hostContext'
import { ready } from '../../schema/formats'

/** Draws anew once the names of countries are here, where some are shown. */
export const useCountryNames = (needed: boolean): void => {
  const host = useHost()
  const [, setHere] = useState(false)
  useEffect(() => {
    if (!needed) return
    ready('country').then(
      () => setHere(true),
      (error: unknown) => host.report(error, { where: 'rule settings' }),
    )
  }, [host, needed])
}
