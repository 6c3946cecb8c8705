import { useCallback, useEffect, useRef, useState } from 'react'
import { isAborted, toFailure } from '../../../headless/failure'
import { useHost } from '../../../runtime/hostContext'
import type { Forecast, Values } from '../parts/types'

const PAUSE = 600

interface ForecastState {
  forecast: Forecast | null
  failure: string | null
  busy: boolean
}

/** Asks the gateway, a moment after the last key, which way the application would go and what is still wrong with it. */
export const useForecast = (request: (values: Values) => Readonly<Record<string, unknown>>) => {
  const host = useHost()
  const [state, setState] = useState<ForecastState>({ forecast: null, failure: null, busy: false })
  const pending = useRef<{ timer?: ReturnType<typeof setTimeout>; abort?: AbortController }>({})
  const asked = useRef('')
  const ask = useCallback(
    (read: () => Values): void => {
      clearTimeout(pending.current.timer)
      pending.current.timer = setTimeout(() => {
        const body = request(read())
        const text = JSON.stringify(body)
        if (text === asked.current) return
        asked.current = text
        pending.current.abort?.abort()
        const abort = new AbortController()
        pending.current.abort = abort
        setState((now) => ({ ...now, busy: true }))
        host
          .request<Forecast>({
            method: 'POST',
            path: '/v2/workflow/operate/start',
            body: { ...body, dryRun: true },
            signal: abort.signal,
          })
          .then(
            (forecast) => setState({ forecast, failure: null, busy: false }),
            (error: unknown) => {
              if (isAborted(error) || abort.signal.aborted) return
              // what was known before stands; the next key asks again
              asked.current = ''
              setState((now) => ({ ...now, failure: toFailure(error, host.locale).message, busy: false }))
            },
          )
      }, PAUSE)
    },
    [host, request],
  )
  useEffect(() => {
    const { current } = pending
    return () => {
      clearTimeout(current.timer)
      current.abort?.abort()
    }
  }, [])
  return { ...state, ask }
}
