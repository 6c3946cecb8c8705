import type { MailAddress } from '../../../../src/headless/mail'
import { DAY, HOUR, paragraphs as p, type DemoFile, type Letter } from './letters'
import { mailDate } from './raw'

const SPAM = [
  ['发票代开 点数低', '各行业发票，点数优惠，先验后付。', 'fapiao', 'cheap-leads.example'],
  ['Boost your ranking in 7 days', 'Thousand back links for 99 dollars.', 'seo', 'rank-fast.example'],
  ['You won the lucky draw', 'Claim your prize within 24 hours.', 'win', 'lucky-draw.example'],
  ['精准客户名单 1 万条', '最新采购负责人手机邮箱，欢迎试用。', 'data', 'cheap-leads.example'],
  ['Unsecured business loan', 'No papers, money within a day.', 'loan', 'quick-funds.example'],
  ['会议邀请：增长黑客训练营', '限时免费，名额有限。', 'event', 'growth-camp.example'],
  ['Cheap watches, best quality', 'All brands, shipping for free.', 'shop', 'watch-mall.example'],
  ['Re: your unpaid parcel', 'A small fee has to be paid before delivery.', 'post', 'parcel-info.example'],
] as const

/** Mail that nobody asked for, in the folder for it. */
export const spam = (to: readonly MailAddress[], now: number, count: number): Letter[] =>
  Array.from({ length: to.length === 0 ? 0 : count }, (_, index) => {
    const [subject, text, name, domain] = SPAM[index % SPAM.length]!
    const isListed = domain === 'cheap-leads.example'
    return {
      ...{
        at: now - (1 + ((index * 11) % 58)) * DAY - index * 60_000,
        from: { email: `${name}@${domain}`, name: name.toUpperCase() },
      },
      ...{
        to: [to[index % to.length]!],
        subject,
        html: p(text, '退订 / unsubscribe'),
        junk: isListed ? '公司黑名单 / company blacklist: cheap-leads.example' : 'X-Spam',
      },
      ...{ auth: { spf: 'none', dmarc: 'none', dkim: [] }, warnings: ['firstTimeSender'], unread: index % 3 === 0 },
    }
  })

const FORM: DemoFile = { name: 'form.pdf.exe', type: 'application/octet-stream', content: Buffer.from('MZ (nothing that runs)') }
/** The head of an archive that says that its first file is encrypted. */
const LOCKED: DemoFile = {
  name: '安全控件.zip',
  type: 'application/zip',
  content: Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4, 20, 0, 1, 0, 0, 0]), Buffer.alloc(20)]),
}

/** Mail that wants something by pretending; what is wrong with it is told. */
export function phishing(to: readonly MailAddress[], now: number): Letter[] {
  const link = (shown: string, target: string): string => `<a href="${target}">${shown}</a>`
  const cases: readonly (readonly [string, string, string, string, readonly string[], string?, DemoFile?])[] = [
    [
      'Microsoft 365 <security@microsoft.example>',
      'alert@m365-verify.example',
      '您的邮箱即将停用',
      p('密码将在今天过期，请立即验证：', link('https://login.microsoft.example', 'https://m365-verify.example/login')),
      ['displayNameIsOtherAddress', 'linkTextDiffers', 'firstTimeSender'],
      'displayNameIsOtherAddress, linkTextDiffers',
    ],
    [
      'Switchboard IT',
      'it@switchb0ard.example',
      'VPN 证书更新',
      p('请点击更新证书：', link('https://vpn.switchboard.example', 'https://switchb0ard.example/vpn')),
      ['linkTextDiffers', 'lookalikeDomain', 'firstTimeSender'],
      'linkTextDiffers, lookalikeDomain',
    ],
    [
      'Finance',
      'cfo@mail-relay.example',
      'Urgent transfer',
      p('I am in a meeting. Please pay the attached invoice today and do not call me.'),
      ['replyToDiffers', 'firstTimeSender'],
      undefined,
    ],
    [
      'DHL Express',
      'notice@parcel-info.example',
      'Parcel on hold',
      p('Open the attached form to release your parcel.'),
      ['executableAttachment', 'firstTimeSender'],
      undefined,
      FORM,
    ],
    [
      'Bank of China',
      'service@boc-online.example',
      '账户异常提醒',
      p('您的对公账户异常，请下载安全控件。'),
      ['passwordProtectedArchive', 'firstTimeSender'],
      undefined,
      LOCKED,
    ],
    [
      'Accounts',
      'billing@brightwave-teIecom.example',
      'New bank account',
      p('Please note that our bank account has changed, effective today.'),
      ['lookalikeDomain', 'firstTimeSender'],
      undefined,
    ],
  ]
  return cases.flatMap(([name, email, subject, html, warnings, junk, file], index) => {
    const one = to[index % Math.max(1, to.length)]
    if (!one) return []
    const letter: Letter = {
      at: now - (index * 6 + 1) * DAY - 2 * HOUR,
      from: { email, name },
      to: [one],
      subject,
      html,
      warnings,
      auth: { spf: 'softfail', dmarc: 'fail', dkim: [] },
      ...(file ? { files: [file] } : {}),
    }
    return [junk === undefined ? letter : { ...letter, junk, unread: true }]
  })
}

/** Bytes of a text as they came, the charset that their header names (null: none), and what they say. */
export const CHARSETS = [
  ['xPq6w6Osx+uy6crVuL28/tbQtcS21NXLtaWhow==', 'GB18030', '您好，请查收附件中的对账单。'],
  ['vNu48dLRuPzQwqOsx+uwtNDCvNu48b3hy+Ohow==', 'gb2312', '价格已更新，请按新价格结算。'],
  ['vdCp86W7tmekratlpl7C0KFBwcLBwqFD', 'Big5', '請於本週五前回覆，謝謝。'],
  ['GyRCTWg9NSROQkckQTlnJG8kOyRON28kRyQ5ISMbKEI=', 'ISO-2022-JP', '来週の打ち合わせの件です。'],
  ['UHJpeCCTc3DpY2lhbJQgcG91ciBskul06SCWIDIwIIA=', 'iso-8859-1', 'Prix “spécial” pour l’été – 20 €'],
  ['R3LDvMOfZSBhdXMgTcO8bmNoZW4sIG9obmUgS2VubnplaWNobnVuZy4=', null, 'Grüße aus München, ohne Kennzeichnung.'],
  ['vsiz58fPvLy/5CwgsN/A+8C7ILq4s7sgwda8vL/kLg==', 'KS_C_5601-1987', '안녕하세요, 견적을 보내 주세요.'],
  ['+sTSwdfT1NfVytTFLCDQ0snbzMnUxSDUwdLJxi4=', 'KOI8-R', 'Здравствуйте, пришлите тариф.'],
  ['VGX+ZWtr/HJsZXIsIGZpeWF0bGFyIHV5Z3VuZHVyLg==', 'ISO-8859-9', 'Teşekkürler, fiyatlar uygundur.'],
  ['ysfRyrTVpMPRuiCizeO64Mq5zcPSpNI=', 'TIS-620', 'สวัสดีครับ ขอใบเสนอราคา'],
  ['RG9icv0gZGVuLCBk7Gt1amVtZSB6YSBuYWLtZGt1Lg==', 'windows-1250', 'Dobrý den, děkujeme za nabídku.'],
  [
    '1eK33bGovNvDu9PQserD97HgwuujrMfrxPrRodTx1f3It7XEseDC67rz1Nm2wdK7semhow==',
    null,
    '这份报价没有标明编码，请您选择正确的编码后再读一遍。',
  ],
] as const

/** The twelve charsets that mail comes in, as bytes. */
export const oddCharsets = (to: MailAddress | undefined, now: number): Letter[] =>
  to === undefined
    ? []
    : CHARSETS.map(([coded, named], index) => {
        const at = now - (index + 2) * DAY - HOUR
        const from = { email: `writer${index + 1}@legacy-mail.example`, name: `Legacy ${named ?? 'unnamed'}` }
        const subject = `Charset ${named ?? '(none)'}`
        const head = [
          `From: ${from.name} <${from.email}>`,
          `To: ${to.email}`,
          `Subject: ${subject}`,
          `Date: ${mailDate(at)}`,
          `Message-ID: <charset.${index + 1}@legacy-mail.example>`,
          'MIME-Version: 1.0',
          `Content-Type: text/plain${named === null ? '' : `; charset="${named}"`}`,
          'Content-Transfer-Encoding: 8bit',
        ].join('\r\n')
        return {
          at,
          from,
          to: [to],
          subject,
          html: '',
          auth: null,
          raw: Buffer.concat([Buffer.from(`${head}\r\n\r\n`), Buffer.from(coded, 'base64')]),
        }
      })
