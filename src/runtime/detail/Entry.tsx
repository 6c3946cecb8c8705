import './entry.css'
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Host, LoadedPage } from '../../headless/host'
import { isAborted, toFailure } from '../../headless/failure'
import type { EntryModel, FormModel, Scope } from '../../schema/model'
import { pageScope } from '../../headless/scope'
import { tellChanged } from '../changes'
import { EarlierNotice } from '../page/EarlierNotice'
import { loadCompiled } from '../page/loadCompiled'
import { lazyPart } from '../part/lazyPart'
import { detailTexts } from './texts'

/** Formily comes when somebody goes into the box, not with every record that is looked at. */
const loadForm = () => import('../form')
const FormView = lazyPart(async () => ({ default: (await loadForm()).FormView }))

interface EntryProps {
  host: Host
  entry: EntryModel
  /** Base path of the calls of what is written. */
  path: string
  /** Id of the record that it is written about. */
  about: string
  scope: Scope
  onSaved(): void
}

type Loaded = { model: FormModel; page: LoadedPage } | { failed: string } | null

const KEY = 'n'

/** What is written so far, in the box that is shown. */
const writing = (root: HTMLElement | null): HTMLTextAreaElement | null =>
  root?.querySelector<HTMLTextAreaElement>('textarea:not([hidden] *)') ?? null

const toEnd = (box: HTMLTextAreaElement | null): void => {
  box?.focus()
  box?.setSelectionRange(box.value.length, box.value.length)
}

/**
 * The box in which the next entry of the timeline is written. It is a plain box until somebody goes into it: its form is prepared
 * behind it and takes over what was typed meanwhile. A draft of it opens it at once.
 */
export const Entry = ({ host, entry, path, about, scope, onSaved }: EntryProps) => {
  const texts = detailTexts[host.locale]
  const root = useRef<HTMLDivElement>(null)
  const [text, setText] = useState('')
  const [wanted, setWanted] = useState(false)
  const [loaded, setLoaded] = useState<Loaded>(null)
  /** plain: the form is on its way; from then on each number is a new form. */
  const [round, setRound] = useState<'plain' | number>('plain')
  const composing = useRef(false)
  const isReady = useRef(false)
  const given = useMemo(() => entry.values(scope), [entry, scope])
  // the address names the record that it is written about, not the one that is written
  const own = useMemo(() => ({ ...pageScope(host, ''), query: {} }), [host])
  const hasDraft = host.drafts.get(`${entry.form}:${about}`) !== null

  useEffect(() => {
    if (!wanted && !hasDraft) return
    const abort = new AbortController()
    const load = async (): Promise<Loaded> => {
      const [{ page, result }] = await Promise.all([loadCompiled(host, entry.form, abort.signal), loadForm()])
      if (!result.ok) return { failed: result.problems[0]?.message[host.locale] ?? '' }
      return result.model.kind === 'form' ? { model: result.model, page } : { failed: texts.failed }
    }
    load().then(setLoaded, (error: unknown) => {
      if (!isAborted(error)) setLoaded({ failed: toFailure(error, host.locale).message })
    })
    return () => abort.abort()
  }, [wanted, hasDraft, host, entry.form, texts])

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== KEY || event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return
      if (event.target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return
      const box = writing(root.current)
      // the pages of other bookmarks stay in the document, hidden
      if (!box || box.offsetParent === null || document.querySelector('[role="dialog"]:not([hidden])')) return
      event.preventDefault()
      toEnd(box)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])

  /** The form stands; what is typed goes on in it, except in the middle of a word of an input method. */
  const takeOver = useCallback((): void => {
    isReady.current = true
    if (!composing.current) setRound((now) => (now === 'plain' ? 0 : now))
  }, [])
  const model = loaded && 'model' in loaded ? loaded.model : null
  const name = model && nameOf(model)
  const values = useMemo(() => (name && text !== '' ? { ...given, [name]: text } : given), [given, name, text])
  const isPlain = round === 'plain'
  const settled = useRef<typeof round>('plain')
  const onValues = (): void => {
    if (settled.current === round) return
    settled.current = round
    toEnd(writing(root.current))
  }
  return (
    <div ref={root} className="sb-entry-box" role="group" aria-label={entry.action.label}>
      {isPlain && (
        <textarea
          rows={1}
          className="sb-entry-plain"
          aria-label={entry.action.label}
          placeholder={texts.write(entry.action.label)}
          title={texts.writeKey}
          value={text}
          onFocus={() => setWanted(true)}
          onPointerEnter={() => setWanted(true)}
          onChange={(event) => setText(event.target.value)}
          onCompositionStart={() => (composing.current = true)}
          onCompositionEnd={() => {
            composing.current = false
            if (isReady.current) takeOver()
          }}
        />
      )}
      {loaded && 'failed' in loaded && (
        <p role="alert">
          {texts.failed}: {loaded.failed}{' '}
          <button
            type="button"
            className="sb-link"
            onClick={() => {
              setLoaded(null)
              setWanted(false)
              queueMicrotask(() => setWanted(true))
            }}
          >
            {texts.retry}
          </button>
        </p>
      )}
      {model && loaded && 'page' in loaded && (
        <div hidden={isPlain}>
          <Suspense fallback={null}>
            <EarlierNotice page={loaded.page} />
            {isPlain ? (
              <FormView key="prepared" model={model} scope={own} values={given} onValues={takeOver} onDone={() => undefined} />
            ) : (
              <FormView
                key={round}
                model={model}
                scope={own}
                values={values}
                about={about}
                onValues={onValues}
                onDone={() => {
                  setText('')
                  setRound(round + 1)
                  tellChanged(path)
                  onSaved()
                }}
              />
            )}
          </Suspense>
        </div>
      )}
    </div>
  )
}

/** The field that is written first: the box stands for it. */
const nameOf = (model: FormModel): string | undefined => Object.keys(model.schema.properties ?? {})[0]
