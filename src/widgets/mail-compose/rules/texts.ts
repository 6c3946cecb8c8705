import type { Locale } from '../../../schema/problem'

const zh = {
  title: '试算：这封邮件归谁跟进',
  mailbox: '邮箱',
  sender: '发件人地址',
  subject: '主题',
  noMailbox: '您不在任何邮箱里，不能试算：规则由邮箱成员试算。',
  tryIt: '试算',
  none: '没有规则匹配：邮件留在收件箱，无人跟进。',
  taken: (staff: string, rule: string, value: string) => `由 ${staff} 跟进，命中规则：${rule}${value ? `“${value}”` : ''}`,
  matches: {
    sender: '发件人地址',
    senderDomain: '发件人域名',
    customerOwner: '客户或供应商负责人',
    country: '客户国家/地区',
    subjectWord: '主题含词',
    all: '全部',
  } as Readonly<Record<string, string>>,
}

const en: typeof zh = {
  title: 'Try it: who would follow this mail up',
  mailbox: 'Mailbox',
  sender: 'Address of the sender',
  subject: 'Subject',
  noMailbox: 'You are in no mailbox: rules are tried by members of theirs.',
  tryIt: 'Try',
  none: 'No rule takes it: it stays in the inbox, and nobody follows it up.',
  taken: (staff, rule, value) => `${staff} follows it up, by the rule: ${rule}${value ? ` "${value}"` : ''}`,
  matches: {
    sender: 'address of the sender',
    senderDomain: 'domain of the sender',
    customerOwner: 'owner of the customer or supplier',
    country: 'country of the customer',
    subjectWord: 'word in the subject',
    all: 'everything',
  },
}

/** What the trial of follow rules says. */
export const rulesTexts: Readonly<Record<Locale, typeof zh>> = { zh, en }
