import { Suspense, useCallback, useRef, useState, type ReactNode } from 'react'
import type { ActionModel } from '../../schema/model'
import type { Failure } from '../../headless/failure'
import { useHost } from '../hostContext'
import type { Row } from '../../headless/row'
import { type BulkOutcome, outcomeLines } from './outcome'
import { runAction } from './run'
import type { ActionScreen, ActionTarget, FormRequest } from './target'
import type { OutcomeDialogProps } from './OutcomeDialog'
import { actionTexts } from './texts'
import { lazyPart } from '../part/lazyPart'

const FormContainer = lazyPart(() => import('./FormContainer'), 'over')
const OutcomeDialog = lazyPart(() => import('./OutcomeDialog'), 'over')

/** A dialog that an action opened and that waits for an answer. */
type Dialog =
  | { type: 'form'; request: FormRequest; settle: (answer: unknown) => void }
  | ({ type: 'outcome' } & Omit<OutcomeDialogProps, 'onClose'>)

/** What stands next to the actions: why one failed. */
interface Notice {
  label: string
  failure: Failure
}

/** What a page gives; the screen is added here. */
export type ActionBase = Omit<ActionTarget, 'screen' | 'host'> & Pick<ActionScreen, 'startExport' | 'startImport' | 'inRows'>

export interface Actions {
  /** Runs an action; a second call while it runs does nothing. */
  run(action: ActionModel, base: ActionBase): Promise<void>
  /** Opens a form page in a drawer or modal; resolves with its answer, undefined when cancelled. */
  openForm: ActionScreen['openForm']
  /** Id of the action that runs now. */
  running: string | null
  /** Why an action failed, to be placed above what the actions act on. */
  notice: ReactNode
  /** The open dialogs, to be placed anywhere. */
  outlet: ReactNode
  /** A form that is to stand below the row with this key. */
  inline: { rowKey: string; content: ReactNode } | null
}

/** Runs the actions of one page or block and draws what they open. */
export const useActions = (): Actions => {
  const host = useHost()
  const texts = actionTexts[host.locale]
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const [notice, setNotice] = useState<Notice | null>(null)
  const [running, setRunning] = useState<string | null>(null)
  const busy = useRef(false)

  const openForm = useCallback<ActionScreen['openForm']>(
    (request) =>
      new Promise((resolve) => {
        const settle = (answer: unknown): void => {
          setDialog(null)
          resolve(answer)
        }
        setDialog({ type: 'form', request, settle })
      }),
    [],
  )

  const screenFor = useCallback(
    (base: ActionBase): ActionScreen => ({
      openForm,
      showOutcome: (label: string, outcome: BulkOutcome, rows: readonly Row[]) =>
        setDialog({ type: 'outcome', label, lines: outcomeLines(outcome, rows, base.titleOf) }),
      showFailure: (label, failure) => setNotice({ label, failure }),
      ...(base.startExport ? { startExport: base.startExport } : {}),
      ...(base.startImport ? { startImport: base.startImport } : {}),
      ...(base.inRows ? { inRows: true } : {}),
    }),
    [openForm],
  )

  const run = useCallback(
    async (action: ActionModel, base: ActionBase): Promise<void> => {
      if (busy.current) return
      busy.current = true
      setNotice(null)
      setRunning(action.id)
      try {
        await runAction(action, { ...base, host, screen: screenFor(base) })
      } finally {
        busy.current = false
        setRunning(null)
      }
    },
    [host, screenFor],
  )

  const form = dialog?.type === 'form' && (
    <FormContainer
      {...dialog.request}
      onDone={(answer) => dialog.settle(answer ?? {})}
      onCancel={() => dialog.settle(undefined)}
    />
  )
  const rowKey = dialog?.type === 'form' && dialog.request.container === 'inline' ? dialog.request.rowKey : undefined
  const inline = rowKey === undefined ? null : { rowKey, content: <Suspense fallback={null}>{form}</Suspense> }
  const outlet = dialog && !inline && (
    <Suspense fallback={null}>
      {form}
      {dialog.type === 'outcome' && <OutcomeDialog label={dialog.label} lines={dialog.lines} onClose={() => setDialog(null)} />}
    </Suspense>
  )
  const shown = notice && (
    <div className="sb-notice" role="alert">
      <span>{texts.failed(notice.label, notice.failure.message)}</span>
      <button type="button" className="sb-link" onClick={() => setNotice(null)}>
        {texts.dismiss}
      </button>
    </div>
  )
  // while a person fills in what an action opened, nothing runs
  return { run, openForm, running: dialog ? null : running, notice: shown, outlet, inline }
}
