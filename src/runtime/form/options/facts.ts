import type { Form } from '@formily/core'
import { autorun, batch, observable, toJS } from '@formily/reactive'
import type { FormModel } from '../../../schema/model'
import { isAborted, toFailure } from '../../../headless/failure'
import type { Host } from '../../../headless/host'

/** Milliseconds without a change before the gateway is asked: whoever types is not followed letter by letter. */
const PAUSE = 250

/** What the gateway answers: a look-up by its name, what stands behind references by path and the id of the record. */
interface Answer {
  facts: Readonly<Record<string, unknown>>
}

/** What the expressions of a form read as `$facts`. */
export interface Facts {
  /** Follows itself: expressions that read it run again when an answer comes. */
  readonly known: Record<string, unknown>
  /** Asks now, and whenever a field changes that it depends on. @returns the end of it */
  follow(form: Form): () => void
}

/** Facts of one form; what was told of a record stays, so that a reference that is chosen again is known at once. */
export const createFacts = (host: Host, { call, params, of, reads }: NonNullable<FormModel['facts']>): Facts => {
  const known = observable<Record<string, unknown>>({})

  const take = ({ facts }: Answer): void =>
    batch(() => {
      for (const [name, value] of Object.entries(facts))
        known[name] = name.includes('.') ? { ...(toJS(known[name]) as object | undefined), ...(value as object) } : value
    })

  return {
    known,
    follow: (form) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      let abort: AbortController | undefined
      let asked: string | undefined
      const ask = (values: Readonly<Record<string, unknown>>): void => {
        abort?.abort()
        abort = new AbortController()
        const { signal } = abort
        host.request<Answer>({ method: call.method, path: call.path, body: { ...params, of, values }, signal }).then(
          (answer) => {
            if (!signal.aborted) take(answer)
          },
          (error: unknown) => {
            if (isAborted(error) || signal.aborted) return
            // the same values are asked for again at the next change
            asked = undefined
            host.notify('warning', toFailure(error, host.locale).message)
          },
        )
      }
      const end = autorun(() => {
        const values = toJS(Object.fromEntries(reads.map((name) => [name, form.values[name] as unknown])))
        const key = JSON.stringify(values)
        clearTimeout(timer)
        if (key === asked) return
        timer = setTimeout(
          () => {
            asked = key
            ask(JSON.parse(key) as Record<string, unknown>)
          },
          asked === undefined ? 0 : PAUSE,
        )
      })
      return () => {
        end()
        clearTimeout(timer)
        abort?.abort()
      }
    },
  }
}
