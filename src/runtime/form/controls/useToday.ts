import { useCallback } from 'react'
import { wallClock } from '../../../schema/formats'
import { useSession } from '../view/session'

/** The day that it is now where the viewer is, YYYY-MM-DD, whenever it is asked for. */
export const useToday = (): (() => string) => {
  const { host } = useSession()
  return useCallback(() => wallClock(host.now().getTime(), host.timeZone).format('YYYY-MM-DD'), [host])
}
