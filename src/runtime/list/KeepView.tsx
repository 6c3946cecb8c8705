import { Alert, Checkbox, Form, Input, Radio, Select } from 'antd'
import { useEffect, useState } from 'react'
import { isAborted, toFailure } from '../../headless/failure'
import type { SavedView } from '../../schema/model'
import type { ListTexts } from '../../headless/list/texts'
import { useHost } from '../hostContext'
import { Dialog } from '../dialog/Dialog'
import type { ListController } from './controller'
import { askRoles } from './savedViews'

interface KeepViewProps {
  list: ListController
  /** The saved view that is shown, if the person may change it. */
  view: SavedView | undefined
  /** Name and sharing of that view are changed; else what is shown is kept. */
  rename: boolean
  texts: ListTexts
  onClose(): void
}

/** Whoever designs pages decides with which view a list opens; the gateway checks it. */
const KEEPER = 'setModule:pages'

interface Values {
  title: string
  roles: string[]
  /** Asked of designers of pages alone. */
  opensFirst?: boolean
  as: 'this' | 'new'
}

/** Keeps what a list shows under a name, for oneself or for roles as well. */
const KeepView = ({ list, view, rename, texts, onClose }: KeepViewProps) => {
  const host = useHost()
  const words = texts.saved
  const [form] = Form.useForm<Values>()
  const [roles, setRoles] = useState<readonly { code: string; title: string }[] | null>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const as = Form.useWatch('as', form) ?? (view ? 'this' : 'new')
  const shared = Form.useWatch('roles', form) ?? view?.roles ?? []

  useEffect(() => {
    const abort = new AbortController()
    askRoles(host, abort.signal).then(setRoles, (error: unknown) => {
      if (!isAborted(error)) setFailure(toFailure(error, host.locale).message)
    })
    return () => abort.abort()
  }, [host])

  const submit = async ({ title, roles: codes, opensFirst }: Values): Promise<void> => {
    if (busy) return
    setBusy(true)
    setFailure(null)
    const kept = { title: title.trim(), roles: codes, opensFirst: (opensFirst ?? view?.opensFirst ?? false) && codes.length > 0 }
    try {
      await list.keepView({ ...kept, ...(view && as === 'this' ? { view } : {}), ...(view && rename ? { from: view } : {}) })
      host.notify('success', words.done(kept.title))
      onClose()
    } catch (error) {
      setBusy(false)
      if (!isAborted(error)) setFailure(toFailure(error, host.locale).message)
    }
  }
  const titles = new Map(roles?.map(({ code, title }) => [code, title]))
  const codes = [...new Set([...titles.keys(), ...(view?.roles ?? [])])]
  return (
    <Dialog
      open
      title={rename ? words.change : words.keep}
      okText={words.submit}
      cancelText={texts.exporting.cancel}
      confirmLoading={busy}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Form<Values>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{
          title: view?.title ?? '',
          roles: [...(view?.roles ?? [])],
          opensFirst: view?.opensFirst ?? false,
          as: view ? 'this' : 'new',
        }}
        onFinish={(values) => void submit(values)}
      >
        {view && !rename && (
          <Form.Item name="as">
            <Radio.Group
              aria-label={words.as}
              options={[
                { value: 'this', label: words.asThis(view.title) },
                { value: 'new', label: words.asNew },
              ]}
            />
          </Form.Item>
        )}
        <Form.Item name="title" label={words.name} rules={[{ required: true, whitespace: true, message: words.nameMissing }]}>
          <Input maxLength={60} autoComplete="off" />
        </Form.Item>
        <Form.Item name="roles" label={words.roles} extra={words.rolesHelp}>
          <Select
            mode="multiple"
            allowClear
            optionFilterProp="label"
            loading={roles === null && failure === null}
            placeholder={words.onlyMe}
            options={codes.map((code) => ({ value: code, label: titles.get(code) ?? code }))}
          />
        </Form.Item>
        {host.can(KEEPER) && (
          <Form.Item name="opensFirst" valuePropName="checked">
            <Checkbox disabled={shared.length === 0}>{words.opensFirst}</Checkbox>
          </Form.Item>
        )}
        <button type="submit" hidden />
      </Form>
      {failure !== null && <Alert type="error" showIcon message={failure} />}
    </Dialog>
  )
}
export default KeepView
