/** How a server is reached. */
export interface MailServers {
  imapHost: string
  imapPort: number
  smtpHost: string
  smtpPort: number
}

const servers = (imapHost: string, smtpHost: string, smtpPort = 465): MailServers => ({
  imapHost,
  imapPort: 993,
  smtpHost,
  smtpPort,
})

const GOOGLE = servers('imap.gmail.com', 'smtp.gmail.com')
const MICROSOFT = servers('outlook.office365.com', 'smtp.office365.com', 587)
const TENCENT = servers('imap.qq.com', 'smtp.qq.com')
const APPLE = servers('imap.mail.me.com', 'smtp.mail.me.com', 587)

/** Settings that providers publish, by the domain of their addresses. */
const PROVIDERS: Readonly<Record<string, MailServers>> = {
  ...{ 'gmail.com': GOOGLE, 'googlemail.com': GOOGLE },
  ...{ 'outlook.com': MICROSOFT, 'hotmail.com': MICROSOFT, 'live.com': MICROSOFT, 'msn.com': MICROSOFT },
  ...{ 'qq.com': TENCENT, 'foxmail.com': TENCENT, 'icloud.com': APPLE, 'me.com': APPLE },
  '163.com': servers('imap.163.com', 'smtp.163.com'),
  '126.com': servers('imap.126.com', 'smtp.126.com'),
  'yeah.net': servers('imap.yeah.net', 'smtp.yeah.net'),
  'sina.com': servers('imap.sina.com', 'smtp.sina.com'),
  'aliyun.com': servers('imap.aliyun.com', 'smtp.aliyun.com'),
  'yahoo.com': servers('imap.mail.yahoo.com', 'smtp.mail.yahoo.com'),
  'zoho.com': servers('imap.zoho.com', 'smtp.zoho.com'),
  'gmx.de': servers('imap.gmx.net', 'mail.gmx.net'),
  'gmx.net': servers('imap.gmx.net', 'mail.gmx.net'),
  'web.de': servers('imap.web.de', 'smtp.web.de', 587),
  'yandex.com': servers('imap.yandex.com', 'smtp.yandex.com'),
  'fastmail.com': servers('imap.fastmail.com', 'smtp.fastmail.com'),
}

/** The servers of an address: those that its provider publishes, else the names that most have. `known` says which. */
export function serversOf(email: string): MailServers & { known: boolean } {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  const published = PROVIDERS[domain]
  return published ? { ...published, known: true } : { ...servers(`imap.${domain}`, `smtp.${domain}`), known: false }
}
