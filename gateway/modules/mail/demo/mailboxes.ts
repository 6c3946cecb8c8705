import type { DemoRecord, DemoStaff, DemoWorld } from '../../../demo'
import { paragraphs } from './letters'

/** Who has a mailbox: a sales director, seven who sell, two who buy, one of finance, one of service. */
const PEOPLE = ['0003', '0006', '0007', '0011', '0016', '0022', '0036', '0038', '0045', '0046', '0052', '0063']
/** Mailboxes that are no person's, with who works in them. */
const OTHERS = [
  {
    ...{ id: 'ma-sales', address: 'sales@switchboard.example', displayName: 'Switchboard Sales', kind: 'shared' },
    members: {
      '0003': 'manage',
      '0006': 'write',
      '0007': 'write',
      '0011': 'write',
      '0016': 'write',
      '0022': 'write',
      '0063': 'read',
    },
  },
  {
    ...{ id: 'ma-billing', address: 'billing@switchboard.example', displayName: 'Switchboard Billing', kind: 'shared' },
    members: { '0052': 'manage', '0063': 'write', '0003': 'read' },
  },
  {
    ...{ id: 'ma-quotes', address: 'quotes@cloudbridge.example', displayName: 'Cloudbridge Quotes', kind: 'system' },
    members: { '0046': 'manage', '0045': 'read' },
  },
] as const

export const FOLDERS = {
  inbox: 'INBOX',
  sent: 'Sent',
  drafts: 'Drafts',
  junk: 'Junk',
  trash: 'Trash',
  archive: 'Archive',
} as const
export type FolderName = keyof typeof FOLDERS

export const staffId = (number: string): string => `st-s${number}`
export const accountOf = (staff: string): string => `ma-${staff.slice(3)}`
export const folderId = (accountId: string, role: FolderName): string => `mf-${accountId.slice(3)}-${role}`

/** The people of the world who have a mailbox. */
export const ownersOf = ({ staff }: DemoWorld): DemoStaff[] =>
  PEOPLE.flatMap((number) => staff.find(({ id }) => id === staffId(number)) ?? [])

const HIRED = 400 * 86_400_000

/** Mailboxes with members, folders and rules, and what stands beside them: marks, signatures, templates, address book, lists, trust. */
export function makeMailboxes(world: DemoWorld): void {
  const { rows, now } = world
  const owners = ownersOf(world)
  const keeper = owners[0]
  if (!keeper) return
  const before = new Date(now.getTime() - HIRED).toISOString()
  const by = { createdAt: before, createdBy: keeper.id }
  const add = (entity: string, ...records: DemoRecord[]): void => void (rows[entity] ??= []).push(...records)
  const usual = {
    ...{ transport: 'local', authKind: 'password', timeZone: 'Asia/Shanghai', state: 'active', dailyLimit: 500, sentToday: 0 },
    ...{ pushEnabled: true, failures: 0, lastSyncAt: now.toISOString(), lagSec: 0 },
  }
  const open = (account: DemoRecord, members: readonly (readonly [string, string])[]): void => {
    add('mail.account', { ...usual, ...account })
    members.forEach(([member, right]) =>
      add('mail.accountStaff', {
        ...by,
        ...{ id: `mm-${account.id.slice(3)}-${member.slice(3)}`, accountId: account.id, staffId: member, right },
        isDefault: account.ownerId === member,
      }),
    )
    for (const [role, path] of Object.entries(FOLDERS))
      add('mail.folder', {
        ...by,
        ...{ id: folderId(account.id, role as FolderName), accountId: account.id, role, path, uidNext: 1, total: 0, unread: 0 },
      })
  }
  add('mail.signature', ...owners.map((one) => signatureOf(one, before)))
  for (const one of owners) {
    const address = one.email
    const signature = { signatureId: `ms-${one.id.slice(3)}`, replySignatureId: null }
    const own = { createdAt: before, createdBy: one.id, ownerId: one.id, ...signature }
    open({ ...own, id: accountOf(one.id), address, displayName: `${one.name} ${one.nameEn}`, kind: 'personal' }, [
      [one.id, 'manage'],
    ])
  }
  for (const { members, ...account } of OTHERS) {
    const there = Object.entries(members).map(([number, right]) => [staffId(number), right] as const)
    open(
      { ...by, ...account, ownerId: null },
      there.filter(([id]) => owners.some((one) => one.id === id)),
    )
  }
  rules(add, by)
  beside(add, by, owners, now)
}

type Add = (entity: string, ...records: DemoRecord[]) => void
type Stamp = Record<'createdAt' | 'createdBy', string>

const signatureOf = ({ id, name, nameEn, phone, position }: DemoStaff, createdAt: string): DemoRecord => ({
  ...{ id: `ms-${id.slice(3)}`, createdAt, createdBy: id, name: '默认签名 / Default', scope: 'mine', departmentIds: [] },
  language: null,
  bodyHtml: paragraphs(`${name} ${nameEn}`, `Switchboard · ${position} · ${phone}`),
})

function rules(add: Add, by: Stamp): void {
  const rule = (accountId: string, order: number, match: string, more: object): void =>
    add('mail.followRule', {
      ...{ ...by, id: `mr-${accountId.slice(3)}-${order}`, accountId, order, match, value: null, followStaffId: null },
      ...{ role: null, enabled: true, ...more },
    })
  rule('ma-sales', 1, 'customerOwner', {})
  rule('ma-sales', 2, 'subjectWord', { value: 'WhatsApp', followStaffId: staffId('0022') })
  rule('ma-sales', 3, 'country', { value: 'CN', followStaffId: staffId('0007') })
  rule('ma-sales', 4, 'all', { followStaffId: staffId('0006') })
  rule('ma-billing', 1, 'all', { followStaffId: staffId('0052') })
}

function beside(add: Add, by: Stamp, owners: readonly DemoStaff[], now: Date): void {
  const marks = [
    ['mk-important', null, '重要 Important', '#f5222d'],
    ['mk-quote', null, '报价 Quote', '#1677ff'],
    ['mk-money', null, '账款 Money', '#52c41a'],
    ['mk-sales-hot', 'ma-sales', '热线索 Hot', '#fa8c16'],
  ] as const
  add('mail.mark', ...marks.map(([id, accountId, name, colour]) => ({ ...by, id, accountId, name, colour })))
  const shared = { ...by, scope: 'company', departmentIds: [], attachments: [] }
  add(
    'mail.template',
    {
      ...{
        ...shared,
        id: 'mt-quote-zh',
        name: '报价跟进',
        kind: 'quote',
        language: 'zh-CN',
        subject: '关于给{{customer.name}}的报价',
      },
      bodyHtml: paragraphs(
        '{{contact.name}}，您好：',
        '附件为最新报价，请查收。如有疑问请随时联系我。',
        '{{me.name}} {{me.mobile}}',
      ),
    },
    {
      ...{ ...shared, id: 'mt-quote-en', name: 'Quote follow-up', kind: 'quote', language: 'en-US' },
      subject: 'Our rates for {{customer.name}}',
      bodyHtml: paragraphs('Dear {{contact.name}},', 'Please find our latest rates attached.', 'Best regards<br>{{me.name}}'),
    },
    {
      ...{ ...shared, id: 'mt-bill', name: '账单 Bill', kind: 'bill', language: 'en-US', subject: 'Your bill of {{today}}' },
      bodyHtml: paragraphs('Dear {{contact.name}},', 'Please find your bill attached.', 'Switchboard Billing'),
    },
    {
      ...{
        ...shared,
        id: 'mt-mine',
        scope: 'mine',
        createdBy: staffId('0006'),
        name: '测试账号',
        kind: 'general',
        language: 'zh-CN',
      },
      ...{ subject: '测试账号已开通', bodyHtml: paragraphs('{{contact.name}}，您好：', '测试账号已开通，请查收。') },
    },
  )
  const book = (id: string, name: string, email: string, company: string, scope: string, owner: string): DemoRecord => ({
    ...{ ...by, id, name, email, company, scope, staffId: owner, createdBy: owner },
    ...{ groupNames: [scope === 'company' ? '合作伙伴 Partners' : '常用 Often'], remark: null, lastUsedAt: null },
  })
  const [first] = owners
  if (!first) return
  add(
    'mail.addressBook',
    book('mb-1', 'Lawson & Partners', 'office@lawson-partners.example', 'Lawson & Partners', 'company', first.id),
    book('mb-2', '速达快递', 'pickup@suda-express.example', '速达快递', 'company', first.id),
    book('mb-3', 'MWC Barcelona', 'exhibitors@mwc-fair.example', 'MWC', 'company', first.id),
    book('mb-4', 'Hotel Marina', 'booking@hotel-marina.example', 'Hotel Marina', 'mine', staffId('0006')),
  )
  const listed = { ...by, staffId: first.id, hits: 0, lastHitAt: null }
  add('mail.whitelist', { ...listed, id: 'mw-1', value: 'mwc-fair.example', scope: 'company', reason: '展会通知 / fair' })
  add(
    'mail.blacklist',
    { ...listed, id: 'mx-1', value: 'cheap-leads.example', scope: 'company', reason: '群发 / bulk mail' },
    { ...listed, id: 'mx-2', value: 'win@lucky-draw.example', scope: 'mine', staffId: staffId('0006'), reason: null },
  )
  add('mail.imageTrust', {
    ...{ ...by, id: 'mi-1', staffId: staffId('0006'), createdBy: staffId('0006'), value: 'mwc-fair.example' },
    grantedAt: new Date(now.getTime() - 20 * 86_400_000).toISOString(),
  })
  add('mail.chatNotice', {
    ...{ ...by, id: 'mc-1', staffId: staffId('0006'), createdBy: staffId('0006'), enabled: false },
    ...{ from: '08:00', to: '20:00', onlyFollowed: true, accounts: ['ma-sales'] },
  })
}
