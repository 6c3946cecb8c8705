import { Form, Input } from 'antd'
import { Dialog } from '../../../runtime/dialog/Dialog'
import { useHost } from '../../../runtime/hostContext'
import { accountTexts } from './texts'

/** Asks for the e-mail by which somebody signs in from now on. */
export const EmailDialog = ({ name, onEmail, onClose }: { name: string; onEmail(email: string): void; onClose(): void }) => {
  const texts = accountTexts[useHost().locale]
  const [form] = Form.useForm<{ email: string }>()
  return (
    <Dialog
      open
      title={texts.emailTitle(name)}
      okText={texts.email}
      cancelText={texts.cancel}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Form form={form} name="account-email" layout="vertical" onFinish={({ email }) => onEmail(email.trim())}>
        <Form.Item
          name="email"
          label={texts.emailLabel}
          rules={[{ required: true, type: 'email', message: texts.emailRequired, transform: (value: string) => value.trim() }]}
        >
          <Input autoFocus maxLength={200} />
        </Form.Item>
      </Form>
    </Dialog>
  )
}
