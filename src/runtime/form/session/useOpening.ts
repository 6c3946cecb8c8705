import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Host } from '../../../headless/host'
import { isAborted, toFailure } from '../../../headless/failure'
import type { Failure } from '../../../headless/failure'
import type { Refs } from '../../../headless/row'
import type { FormModel, Scope } from '../../../schema/model'
import { areLoaded, loadControls, resolveControl } from '../controls/registry'
import { fieldsOf } from '../table/columnIn'
import { planForm } from '../../../headless/form/plan'
import { formilyPart, loadFormilyPart, mayNeedFormily } from '../formily/load'
import { loadOptionsPart, needsOptions, optionsPart } from '../options/load'
import type { FormPlan } from '../../../headless/form/types'
import type { Opening } from '../view/open'
import { pathOf } from './body'

/** What the view call answers. */
interface ViewAnswer {
  record: Readonly<Record<string, unknown>>
  refs?: Refs
  can?: { edit?: boolean }
}

type Loaded = { status: 'loading' } | { status: 'failed'; failure: Failure } | { status: 'ready'; opening: Opening }

const NO_NAMES: Refs = {}
const LOADING: Loaded = { status: 'loading' }

/** Fields that may stand on the first screen, with some to spare; the controls of the others load when they are approached. */
const FIRST = 24

/** A field that the document gives to read needs its text alone; a linkage that opens it loads its control then. */
const isTyped = ({ node }: FormPlan['items'][number]): boolean => node['x-pattern'] !== 'readPretty'

const controlsOf = (plan: FormPlan): readonly string[] => [
  ...new Set([
    ...plan.items
      .slice(0, FIRST)
      .filter(isTyped)
      .map(({ control, field }) => resolveControl(control, field)),
    ...plan.tables
      .flatMap(({ columns }) =>
        columns.flatMap((column) => [
          column,
          ...Object.values(fieldsOf(column)).map((field) => ({ control: field.control, field })),
        ]),
      )
      .map(({ control, field }) => resolveControl(control, field)),
  ]),
]

/**
 * Brings together what a form needs before it is drawn: its controls and, for a record that a call reads, the record. Where there is
 * nothing to wait for, the form is ready in the first render.
 */
export const useOpening = (
  host: Host,
  model: FormModel,
  scope: Scope,
  given: Readonly<Record<string, unknown>>,
  names: Refs = NO_NAMES,
): { loaded: Loaded; reload: () => void; plan: FormPlan } => {
  const [formily, setFormily] = useState(formilyPart)
  const [asking, setAsking] = useState(() => optionsPart() !== undefined)
  const lacks = useMemo(
    () => ({ formily: !formily && mayNeedFormily(model.schema), options: !asking && needsOptions(model) }),
    [asking, formily, model],
  )
  const waits = lacks.formily || lacks.options
  // without Formily's part the plan is made, and thrown away when the part is there
  const plan = useMemo(() => planForm(model.schema, formily), [model, formily])
  const [attempt, setAttempt] = useState(0)
  const [first] = useState((): { scope: Scope; given: Readonly<Record<string, unknown>> } => ({
    scope: { ...scope, values: given },
    given,
  }))
  // what was known when the form was opened; what is lacking is asked for
  const [known] = useState(names)
  const id = useMemo(() => model.record(first.scope), [model, first])

  const [loaded, setLoaded] = useState<Loaded>(() =>
    !(id && model.viewCall) && !waits && areLoaded(controlsOf(plan))
      ? { status: 'ready', opening: { model, plan, record: id ? { id } : null, refs: known, canEdit: true, ...first } }
      : LOADING,
  )
  const isReady = loaded.status === 'ready' && !waits

  useEffect(() => {
    if (isReady) return
    const abort = new AbortController()
    const load = async (): Promise<Opening> => {
      const [answer] = await Promise.all([
        id && model.viewCall
          ? host.request<ViewAnswer>({
              method: model.viewCall.method,
              path: pathOf(model.viewCall.path, { ...(first.scope.query as Readonly<Record<string, unknown>> | undefined), id }),
              signal: abort.signal,
            })
          : null,
        loadControls(controlsOf(plan)),
        lacks.formily ? loadFormilyPart() : null,
        lacks.options ? loadOptionsPart() : null,
      ])
      // a page may name a record without a call that reads it: its submission needs the id alone
      const record = answer?.record ?? (id ? { id } : null)
      const canEdit = answer?.can?.edit !== false && answer?.record.$write !== false
      return { model, plan, record, refs: answer?.refs ?? known, canEdit, ...first }
    }
    load().then(
      (opening) => {
        setFormily(formilyPart())
        setAsking(optionsPart() !== undefined)
        setLoaded({ status: 'ready', opening })
      },
      (error: unknown) => {
        if (isAborted(error) || abort.signal.aborted) return
        const failure = toFailure(error, host.locale)
        if (id && failure.kind === 'missing') host.drafts.forget([id])
        setLoaded({ status: 'failed', failure })
      },
    )
    return () => abort.abort()
  }, [attempt, first, host, id, isReady, known, lacks, model, plan])

  const reload = useCallback(() => {
    setLoaded(LOADING)
    setAttempt((count) => count + 1)
  }, [])
  return { loaded: waits ? LOADING : loaded, reload, plan }
}
