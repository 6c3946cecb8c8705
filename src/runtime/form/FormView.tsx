import { Alert, Button, Skeleton } from 'antd'
import { useCallback, useImperativeHandle, useState } from 'react'
import { useHost } from '../hostContext'
import { Missing } from '../reading/Denied'
import './controls'
import './form.css'
import type { Refs } from '../../headless/row'
import { useOpening } from './session/useOpening'
import type { Saved } from './session/useSubmission'
import { lazyPart } from '../part/lazyPart'
import { useTokenStyle } from '../tokens'
import { text } from '../../headless/form/texts'
import { FormBody } from './view/FormBody'
import type { BodyHandle } from './view/FormBody'
import type { FormSnapshot } from './view/open'
import { Creation, type CreationProps, type FormHandle, type NestedFormProps } from './view/session'

const CreateInPlace = lazyPart(() => import('./controls/CreateInPlace'), 'over')

export interface FormViewProps extends NestedFormProps {
  /** What the records are called that the values name, where that is known. */
  refs?: Refs | undefined
  /** Id of the record that a new one is about: what is typed is kept as a draft of it. */
  about?: string
  /** A new record is begun with the fields that matter, the rest on demand. */
  brief?: boolean
  /** Its list or calendar opens with it. */
  opened?: boolean
  /** What comes of it is seen in its place: no message says so. */
  quiet?: boolean
  /** The page around it has the buttons, and this is what Ctrl and Enter ask for: the form shows none of its own. */
  onSubmit?(): void
  /** Hears that something in the form is another than before, also when it opens; `read` gives what is in it now. */
  onValues?(read: () => Readonly<Record<string, unknown>>): void
  onDone(saved: Saved): void
}

const NONE: Readonly<Record<string, unknown>> = {}
const CLOSED: FormHandle = {
  isDirty: () => false,
  mayClose: () => Promise.resolve(true),
  collect: () => Promise.resolve(null),
  tell: () => undefined,
  settle: () => undefined,
}

/** Asks whichever handle there is at that moment. */
const handleOf = (now: () => FormHandle): FormHandle => ({
  isDirty: () => now().isDirty(),
  mayClose: () => now().mayClose(),
  collect: () => now().collect(),
  tell: (outcome) => now().tell(outcome),
  settle: () => now().settle(),
})

/**
 * A form: loads what it needs, plants its fields, shows them. The model that it was opened with stays until it is closed, also
 * when a newer revision of the page arrives meanwhile: nobody loses a half-filled form.
 */
export const FormView = ({
  model: current,
  scope,
  values = NONE,
  refs,
  about,
  brief = false,
  opened = false,
  quiet = false,
  onDone,
  onCancel,
  onSubmit,
  onValues,
  handle,
}: FormViewProps) => {
  const host = useHost()
  const [model, setModel] = useState(current)
  const [kept, setKept] = useState<FormSnapshot | null>(null)
  const style = useTokenStyle()
  // who shows the form asks for it when it is needed: nothing is drawn anew because it is there
  const [body] = useState<{ current: BodyHandle | null }>(() => ({ current: null }))
  const onHandle = useCallback((next: BodyHandle) => void (body.current = next), [body])
  const { loaded, reload, plan } = useOpening(host, model, scope, values, refs)
  useImperativeHandle(handle, () => handleOf(() => body.current ?? CLOSED), [body])

  // the other language of the same page: the form is drawn anew with what was typed
  if (current !== model && current.revision === model.revision && current.locale !== model.locale) {
    setKept(body.current?.snapshot() ?? null)
    setModel(current)
  }

  if (loaded.status === 'loading') {
    return (
      <div className="sb-form" style={style} role="status" aria-busy="true" aria-label={text(host.locale, 'loading')}>
        <Skeleton active title={false} paragraph={{ rows: 8, width: '100%' }} />
      </div>
    )
  }
  if (loaded.status === 'failed') {
    const { kind, message, permission } = loaded.failure
    const title = kind === 'denied' ? 'denied' : kind === 'missing' ? 'missing' : 'failedToLoad'
    return (
      <div className="sb-form" style={style}>
        <Alert
          type={kind === 'failed' ? 'error' : 'warning'}
          showIcon
          message={text(host.locale, title)}
          description={kind === 'missing' ? undefined : kind === 'denied' ? <Missing permission={permission} /> : message}
          action={kind === 'failed' ? <Button onClick={reload}>{text(host.locale, 'retry')}</Button> : undefined}
        />
        {onCancel ? (
          <p>
            <Button onClick={onCancel}>{text(host.locale, 'back')}</Button>
          </p>
        ) : null}
      </div>
    )
  }
  return (
    <Creation value={Over}>
      <FormBody
        key={`${model.locale} ${model.revision}`}
        opening={{ ...loaded.opening, model, plan, kept, about, opened }}
        style={style}
        quiet={quiet}
        brief={brief}
        onDone={onDone}
        onHandle={onHandle}
        onRenew={(next) => {
          setKept(body.current?.snapshot() ?? null)
          setModel(next)
        }}
        {...(onCancel ? { onCancel } : {})}
        {...(onSubmit ? { onSubmit } : {})}
        {...(onValues ? { onValues } : {})}
      />
    </Creation>
  )
}

const Over = (props: CreationProps) => <CreateInPlace {...props} Form={FormView} />
