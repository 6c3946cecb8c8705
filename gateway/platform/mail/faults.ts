import { PrivateAddressError } from '../outside'
import type { Text } from '../http'

interface Fault {
  code?: string
  message?: string
  authenticationFailed?: boolean
  responseText?: string
  responseCode?: number
  response?: string
  serverResponseCode?: string
  /** What the server said when it closed the connection. */
  reason?: string
}

/** A server that brings next to nothing. */
export class SlowServerError extends Error {
  readonly code = 'ESLOW'
  constructor() {
    super('the server is too slow')
  }
}

const KNOWN: readonly (readonly [(fault: Fault, words: string) => boolean, Text])[] = [
  [
    ({ code }) => code === 'EGRANT',
    {
      zh: '邮箱服务商的授权已过期或被撤销，请重新授权，并在邮箱设置中更新刷新令牌。',
      en: 'The provider’s consent has run out or was withdrawn: give it anew, and enter the new refresh token in the settings of the mailbox.',
    },
  ],
  [
    ({ code }) => code === 'ECLIENT',
    {
      zh: '该服务商的 OAuth 应用未配置或被拒绝，请运维检查 MAIL_OAUTH_CLIENTS。',
      en: 'The OAuth client of this provider is not configured, or refused: an operator checks MAIL_OAUTH_CLIENTS.',
    },
  ],
  [
    ({ code }) => code === 'ENOSPC' || code === 'EDQUOT',
    {
      zh: '本系统的文件存储已满，邮件留在服务器上，稍后自动重取；请通知运维。',
      en: 'The file store of the portal is full: the mail stays on its server and is fetched later by itself. Tell an operator.',
    },
  ],
  [
    ({ code = '' }) => /TooLarge$/u.test(code),
    {
      zh: '服务器发来的数据过长（超过 50 MB），稍后自动重试。',
      en: 'The server sends something that is too long (over 50 MB); it is tried again by itself.',
    },
  ],
  [
    (_fault, words) => /application-specific|app password|授权码|authorization code/iu.test(words),
    {
      zh: '该服务商要求使用授权码（应用专用密码），请在其网页邮箱中生成后填写。',
      en: 'This provider asks for an app password: make one in its web mail and enter it here.',
    },
  ],
  [
    ({ authenticationFailed, code, responseCode }) => authenticationFailed === true || code === 'EAUTH' || responseCode === 535,
    { zh: '登录名或密码不正确。', en: 'The login or the password is wrong.' },
  ],
  [
    (_fault, words) => /too many (?:simultaneous )?connections|connection limit/iu.test(words),
    { zh: '该邮箱的连接数已满，稍后自动重试。', en: 'The mailbox has too many connections; it is tried again by itself.' },
  ],
  [
    ({ serverResponseCode }, words) => serverResponseCode === 'OVERQUOTA' || /over ?quota|mailbox (?:is )?full/iu.test(words),
    { zh: '邮箱已满，请清理后重试。', en: 'The mailbox is full: make room and try again.' },
  ],
  [
    ({ code }) => code === 'ENOTFOUND' || code === 'EDNS' || code === 'EAI_AGAIN',
    { zh: '找不到服务器，请检查主机名。', en: 'There is no such server: check the host name.' },
  ],
  [
    ({ code = '' }, words) => /^CERT_|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS_CERT/u.test(code) || /certificate/iu.test(words),
    { zh: '服务器证书不受信任或已过期。', en: 'The certificate of the server is not trusted, or has expired.' },
  ],
  [
    ({ code }) => code === 'ECONNREFUSED',
    { zh: '服务器拒绝连接，请检查端口。', en: 'The server refuses the connection: check the port.' },
  ],
  [
    ({ code = '' }) => /TIMEOUT|ETIMEDOUT/iu.test(code),
    { zh: '服务器没有回答，稍后自动重试。', en: 'The server does not answer; it is tried again by itself.' },
  ],
  [
    ({ code }) => code === 'ESLOW',
    {
      zh: '服务器过慢或中途停止回答，稍后自动重试。',
      en: 'The server is too slow or stopped in the middle; it is tried again by itself.',
    },
  ],
  [
    ({ code = '' }) => /^(?:EConnectionClosed|NoConnection|ECONNRESET|EPIPE|ClosedAfterConnectT)/u.test(code),
    { zh: '服务器中断了连接，稍后自动重试。', en: 'The server broke the connection off; it is tried again by itself.' },
  ],
  [
    ({ code = '' }, words) => code === 'ESOCKET' || code === 'ETLS' || /wrong version number|ssl/iu.test(words),
    { zh: '加密方式不匹配，请检查 TLS/STARTTLS 与端口。', en: 'The security does not fit: check TLS, STARTTLS and the port.' },
  ],
]

/** What is wrong with a connection, in words that say what to do. */
export function faultInWords(error: unknown): Text {
  if (error instanceof PrivateAddressError)
    return {
      zh: '该主机在内网中，需由运维在 MAIL_PRIVATE_HOSTS 中允许。',
      en: 'This host lies in a private network: an operator allows it with MAIL_PRIVATE_HOSTS.',
    }
  const fault = error as Fault
  const words = [fault.message, fault.responseText, fault.response, fault.reason].filter(Boolean).join(' ')
  const known = KNOWN.find(([fits]) => fits(fault, words))?.[1]
  return known ?? { zh: `连接失败：${words.slice(0, 200)}`, en: `The connection failed: ${words.slice(0, 200)}` }
}
