import { Alert, App, Form, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RequestError } from '../../headless/host'
import { usePortal } from '../portal/portal'
import { TOAST_SECONDS } from '../portal/Reactions'
import { Dialog } from '../../runtime/dialog/Dialog'

interface Values {
  oldPassword: string
  newPassword: string
  repeat: string
}

/** 12 to 64 characters with a letter and a digit (the wording of R281 when it is not). */
const FORMAT = /^(?=.*[A-Za-z])(?=.*\d)[\x20-\x7e]{12,64}$/

/** Change password (R080). */
export default function PasswordDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { http } = usePortal()
  const { message } = App.useApp()
  const [form] = Form.useForm<Values>()
  const [saving, setSaving] = useState(false)
  const [error, setError] = useState<string | null>(null)

  async function save({ oldPassword, newPassword }: Values) {
    setSaving(true)
    setError(null)
    try {
      await http.request({ method: 'POST', path: '/v2/sys/staff/user/changePassword', body: { oldPassword, newPassword } })
      void message.success(t('password.done'), TOAST_SECONDS)
      onClose()
    } catch (failure) {
      setError(failure instanceof RequestError ? failure.message : t('error.network'))
      setSaving(false)
    }
  }

  const required = { required: true, message: t('password.required') }
  return (
    <Dialog
      open
      title={t('password.title')}
      okText={t('password.submit')}
      cancelText={t('cancel')}
      confirmLoading={saving}
      onOk={form.submit}
      onCancel={onClose}
      width={420}
      destroyOnHidden
    >
      {error !== null && <Alert type="error" showIcon message={error} role="alert" style={{ marginBlockEnd: 16 }} />}
      <Form form={form} layout="vertical" onFinish={(values) => void save(values)} requiredMark={false}>
        <Form.Item name="oldPassword" label={t('password.old')} rules={[required]}>
          <Input.Password autoComplete="current-password" autoFocus />
        </Form.Item>
        <Form.Item
          name="newPassword"
          label={t('password.new')}
          extra={t('password.help')}
          dependencies={['oldPassword']}
          rules={[
            required,
            { pattern: FORMAT, message: t('password.wrongFormat') },
            ({ getFieldValue }) => ({
              validator: (_rule, value) =>
                value && value === getFieldValue('oldPassword')
                  ? Promise.reject(new Error(t('password.same')))
                  : Promise.resolve(),
            }),
          ]}
        >
          <Input.Password autoComplete="new-password" />
        </Form.Item>
        <Form.Item
          name="repeat"
          label={t('password.repeat')}
          dependencies={['newPassword']}
          rules={[
            required,
            ({ getFieldValue }) => ({
              validator: (_rule, value) =>
                !value || value === getFieldValue('newPassword')
                  ? Promise.resolve()
                  : Promise.reject(new Error(t('password.mismatch'))),
            }),
          ]}
        >
          <Input.Password autoComplete="new-password" />
        </Form.Item>
      </Form>
    </Dialog>
  )
}
