/** What is passed over, in words (dictionary `mailSkip`). */
const SKIPS_ZH = {
  duplicate: '重复',
  invalid: '邮箱无效',
  unsubscribed: '已退订',
  blacklisted: '黑名单',
  cap7d: '7天内已收两封',
  notConnected: '发件箱发不到',
} as const
type Skip = keyof typeof SKIPS_ZH

export const campaignTexts = {
  zh: {
    reach: (count: number) => `将发给 ${count} 人`,
    nobody: '还没有收件人：请放宽范围',
    skipped: (count: number) => `跳过 ${count} 人`,
    skips: SKIPS_ZH satisfies Record<Skip, string>,
    ends: (moment: string) => `预计 ${moment} 发完`,
    limit: (share: number, limit: number) => `发件箱每天 ${limit} 封，营销最多用 ${share} 封`,
    sender: '请选择发件箱，才能算出何时发完',
    untracked: '门户没有对外地址（PUBLIC_URL）：打开和点击不会被跟踪，退订通过回信进行。',
    sample: '例如',
    count: '收件人',
    preview: '预览',
    chineseReaders: '中文收件人',
    otherReaders: '其他语言收件人',
    subject: '主题',
    frame: '预览正文',
    made: '范围内没有这种语言的收件人，用示例姓名显示。',
    test: '给我发测试邮件',
    tested: (to: string, mails: number) => `测试邮件（${mails} 封）已发往 ${to}`,
    empty: '填写主题和正文后可以预览。',
  },
  en: {
    reach: (count: number) => `Goes to ${count} people`,
    nobody: 'Nobody is reached yet: widen the audience',
    skipped: (count: number) => `${count} passed over`,
    skips: {
      duplicate: 'duplicate',
      invalid: 'invalid',
      unsubscribed: 'unsubscribed',
      blacklisted: 'blacklisted',
      cap7d: 'two in 7 days already',
      notConnected: 'not reached from this mailbox',
    } satisfies Record<Skip, string>,
    ends: (moment: string) => `Through at about ${moment}`,
    limit: (share: number, limit: number) => `The mailbox sends ${limit} a day; campaigns take ${share} of them at most`,
    sender: 'Choose a mailbox to see when it will be through',
    untracked:
      'The portal has no public address (PUBLIC_URL): opens and clicks are not tracked, and people unsubscribe by answering.',
    sample: 'For instance',
    count: 'Recipients',
    preview: 'Preview',
    chineseReaders: 'Reads Chinese',
    otherReaders: 'Reads something else',
    subject: 'Subject',
    frame: 'Text of the preview',
    made: 'Nobody in the audience reads this language: shown with a made-up name.',
    test: 'Send me a test',
    tested: (to: string, mails: number) => `${mails === 1 ? 'A test' : `${mails} tests`} went to ${to}`,
    empty: 'Write a subject and a body to see the preview.',
  },
} as const

export type CampaignTexts = (typeof campaignTexts)['zh' | 'en']
export const isSkip = (reason: string): reason is Skip => reason in SKIPS_ZH
