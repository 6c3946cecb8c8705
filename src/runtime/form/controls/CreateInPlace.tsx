import { Alert, Modal, Skeleton } from 'antd'
import { useEffect, useMemo, useRef, useState, type ComponentType, type ReactNode, type SyntheticEvent } from 'react'
import { isAborted, toFailure } from '../../../headless/failure'
import type { LoadedPage } from '../../../headless/host'
import { EarlierNotice } from '../../page/EarlierNotice'
import { loadCompiled } from '../../page/loadCompiled'
import { Missing } from '../../reading/Denied'
import { pageScope } from '../../../headless/scope'
import type { FormModel } from '../../../schema/model'
import { useSession, useText, type CreationProps, type FormHandle, type NestedFormProps } from '../view/session'

interface CreateInPlaceProps extends CreationProps {
  Form: ComponentType<NestedFormProps>
}

const idOf = (answer: unknown): string | undefined => {
  const id = answer !== null && typeof answer === 'object' ? (answer as Readonly<Record<string, unknown>>).id : undefined
  return typeof id === 'string' ? id : undefined
}

/** What happens in this form is nothing of the form around it. */
const keep = (event: SyntheticEvent): void => event.stopPropagation()

/** The form of another entity in a dialog, with the fields that it is begun with. The gateway says whether it may be opened: its page is loaded only then. */
const CreateInPlace = ({ Form, page, title, name, onClose, onCreated }: CreateInPlaceProps) => {
  const { host } = useSession()
  const t = useText()
  const [loaded, setLoaded] = useState<{ model: FormModel; page: LoadedPage } | null>(null)
  const [failure, setFailure] = useState<ReactNode>('')
  const handle = useRef<FormHandle>(null)
  const scope = useMemo(() => pageScope(host, ''), [host])
  const called = loaded?.model.quick?.called
  const values = useMemo(() => (called !== undefined && name.trim() ? { [called]: name.trim() } : {}), [name, called])

  useEffect(() => {
    const abort = new AbortController()
    loadCompiled(host, page, abort.signal).then(
      ({ page: shown, result }) => {
        const { permission } = shown.bundle.page
        if (permission && !host.can(permission)) setFailure(<Missing permission={permission} />)
        else if (result.ok && result.model.kind === 'form') setLoaded({ model: result.model, page: shown })
        else setFailure(result.ok ? t('failedToLoad') : (result.problems[0]?.message[host.locale] ?? t('failedToLoad')))
      },
      (error: unknown) => {
        if (!isAborted(error)) setFailure(toFailure(error, host.locale).message)
      },
    )
    return () => abort.abort()
    // the page is loaded once for this dialog
  }, [host, page, t])

  const close = (): void => {
    void (handle.current?.mayClose() ?? Promise.resolve(true)).then((sure) => sure && onClose())
  }

  return (
    <div role="presentation" onSubmit={keep} onKeyDown={keep} onBlur={keep}>
      <Modal open title={title} width={560} footer={null} maskClosable={false} onCancel={close}>
        {!loaded && !failure ? <Skeleton active /> : null}
        {failure ? <Alert type="warning" showIcon message={failure} /> : null}
        {loaded ? (
          <>
            <EarlierNotice page={loaded.page} />
            <Form
              model={loaded.model}
              scope={scope}
              values={values}
              brief
              handle={handle}
              onCancel={onClose}
              onDone={({ answer }) => {
                const id = idOf(answer)
                if (id) onCreated(id)
                else onClose()
              }}
            />
          </>
        ) : null}
      </Modal>
    </div>
  )
}

export default CreateInPlace
