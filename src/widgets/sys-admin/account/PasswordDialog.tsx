import { CopyOutlined } from '@ant-design/icons'
import { Button, Flex, Modal, Typography } from 'antd'
import { useHost } from '../../../runtime/hostContext'
import { momentText } from '../../../runtime/reading/moment'
import { accountTexts } from './texts'

/** Answer of POST /v2/sys/staff/user/resetPassword; the gateway does not keep the password. */
export interface OneTimePassword {
  password: string
  /** ISO 8601. */
  expiresAt: string
}

/** Shows a one-time password once. A click beside the dialog does not close it: there is no second look. */
export const PasswordDialog = ({ password, onClose }: { password: OneTimePassword; onClose(): void }) => {
  const host = useHost()
  const texts = accountTexts[host.locale]
  return (
    <Modal
      open
      title={texts.passwordTitle}
      maskClosable={false}
      keyboard={false}
      closable={false}
      onCancel={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          {texts.done}
        </Button>
      }
    >
      <Flex vertical gap={12}>
        <span>{texts.passwordHelp(momentText(host, password.expiresAt))}</span>
        <Flex gap={8} align="center" wrap>
          <Typography.Text code style={{ fontSize: 20 }} data-password="">
            {password.password}
          </Typography.Text>
          <Button icon={<CopyOutlined />} onClick={() => void host.copy(password.password)}>
            {texts.copy}
          </Button>
        </Flex>
      </Flex>
    </Modal>
  )
}
