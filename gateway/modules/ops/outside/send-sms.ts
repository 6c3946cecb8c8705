import type { ModuleOutsideVerb } from '../../module'
import { connectorsOf } from '../connectors'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** `ops.sendSms`: submits one test message. */
export const outside: ModuleOutsideVerb = async ({ engine, configuration, with: { to, sender, content, channel }, signal }) => {
  const { sms } = connectorsOf(engine, configuration)
  if (!sms)
    throw new Error(
      '短信网关未连接，请由管理员在配置中填写地址 / The SMS gateway is not connected: an administrator has to configure its address',
    )
  const order = { to: text(to), sender: text(sender), content: text(content), channel: text(channel) || null }
  const { accepted, messageId, errorCode } = await sms.ask(order, signal)
  return { submitState: accepted ? 'accepted' : 'refused', messageId, errorCode, sentAt: new Date().toISOString() }
}
