import { Drawer, Modal, Skeleton } from 'antd'
import { Suspense, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import type { FormModel } from '../../schema/model'
import { toFailure, isAborted } from '../../headless/failure'
import type { FormHandle } from '../form'
import { useHost } from '../hostContext'
import type { LoadedPage } from '../../headless/host'
import { EarlierNotice } from '../page/EarlierNotice'
import { loadCompiled } from '../page/loadCompiled'
import { pageScope } from '../../headless/scope'
import { useTokenStyle } from '../tokens'
import { actionTexts } from './texts'
import { lazyPart } from '../part/lazyPart'

/** Formily comes with the first form that is opened. */
const FormView = lazyPart(async () => ({ default: (await import('../form')).FormView }))

export interface FormContainerProps {
  /** A form page by name or route, or a form that no page describes. */
  form: string | FormModel
  container: 'drawer' | 'modal' | 'inline'
  values: Readonly<Record<string, unknown>>
  title: string
  lead?: string
  onDone(answer: unknown): void
  onCancel(): void
}

type Loaded = { model: FormModel; page?: LoadedPage } | { failed: string } | null

/** A form in a drawer or dialog. It closes after saving, or when unsaved input may go. */
const FormContainer = ({ form, container, values, title, lead, onDone, onCancel }: FormContainerProps) => {
  const host = useHost()
  const texts = actionTexts[host.locale]
  const style = useTokenStyle()
  const [loaded, setLoaded] = useState<Loaded>(() => (typeof form === 'string' ? null : { model: form }))
  const handle = useRef<FormHandle | null>(null)
  // A form in a drawer has no address of its own: the address of the page below is not its record.
  const scope = useMemo(() => ({ ...pageScope(host, ''), query: {} }), [host])

  useEffect(() => {
    if (typeof form !== 'string') return
    const abort = new AbortController()
    const load = async (): Promise<Loaded> => {
      const { page, result } = await loadCompiled(host, form, abort.signal)
      if (!result.ok) return { failed: result.problems[0]?.message[host.locale] ?? '' }
      return result.model.kind === 'form' ? { model: result.model, page } : { failed: texts.noForm }
    }
    load().then(setLoaded, (error: unknown) => {
      if (!isAborted(error)) setLoaded({ failed: toFailure(error, host.locale).message })
    })
    return () => abort.abort()
  }, [form, host, texts])

  const close = (): void => {
    const asked = handle.current?.mayClose() ?? Promise.resolve(true)
    void asked.then((may: boolean) => {
      if (may) onCancel()
    })
  }
  const content = (): ReactNode => {
    if (!loaded) return <Skeleton active title={false} paragraph={{ rows: container === 'inline' ? 1 : 6, width: '100%' }} />
    if ('failed' in loaded) return <p role="alert">{texts.loadFailed(loaded.failed)}</p>
    return (
      <Suspense fallback={<Skeleton active title={false} paragraph={{ rows: 6, width: '100%' }} />}>
        {loaded.page && <EarlierNotice page={loaded.page} />}
        <FormView
          model={loaded.model}
          scope={scope}
          values={values}
          brief={loaded.model.quick?.asked === true}
          handle={handle}
          onDone={({ answer }) => onDone(answer)}
          onCancel={close}
        />
      </Suspense>
    )
  }
  if (container === 'inline') {
    return (
      <div
        className="sb-inline-form"
        role="group"
        aria-label={title}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !event.defaultPrevented) close()
        }}
      >
        {content()}
      </div>
    )
  }
  if (container === 'modal') {
    return (
      <Modal open title={title} footer={null} width={560} onCancel={close} maskClosable={false}>
        {lead && (
          <p className="sb-form-note" style={style}>
            {lead}
          </p>
        )}
        {content()}
      </Modal>
    )
  }
  return (
    <Drawer open title={title} width={Math.min(720, window.innerWidth)} onClose={close}>
      {content()}
    </Drawer>
  )
}
export default FormContainer
