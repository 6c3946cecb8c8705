import { asciiAddress, isMailAddress } from '../../../../src/headless/mail'
import type { EntityService } from '../../../entities'
import { can } from '../../../platform/http'
import type { KeptSecrets } from '../../../platform/secrets'
import { ensureFolders } from '../accounts'
import { logMail } from '../log'

/** Whoever keeps mailboxes of others. */
const KEEPER = 'setModule:email:account'
const SECURITIES = ['imapSecurity', 'smtpSecurity'] as const
const HOSTS = { imapSecurity: 'imapHost', smtpSecurity: 'smtpHost' } as const
const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[?::1\]?)$/u

/**
 * A mailbox: its address as servers write it, its password beside it and never in it, folders and rights from the beginning. One that the portal delivers to works at
 * once, one of a server when it has answered.
 */
export const accountService = (secrets: () => KeptSecrets): EntityService => ({
  inputs: ['secret'],
  beforeSave: ({ record, before, inputs, context, fail }) => {
    if (!before && record.kind === 'personal' && context.kind === 'staff') {
      record.ownerId ??= context.user.staffId
      if (record.ownerId !== context.user.staffId && !can(context, KEEPER))
        fail({ field: 'ownerId', message: { zh: '只能绑定自己的邮箱。', en: 'One binds one’s own mailbox.' } })
    }
    const address = typeof record.address === 'string' ? record.address.trim() : ''
    if (!isMailAddress(address))
      return fail({
        field: 'address',
        message: { zh: '输入邮箱格式有误，请更正', en: 'The e-mail address is not valid: please correct it.' },
      })
    record.address = asciiAddress(address)
    if (!before && record.kind !== 'personal' && context.kind === 'staff' && !can(context, KEEPER))
      fail({ field: 'kind', message: { zh: '共享邮箱由管理员建立。', en: 'Shared mailboxes are made by whoever keeps them.' } })
    for (const name of SECURITIES)
      if (record[name] === 'none' && !LOOPBACK.test(String(record[HOSTS[name]] ?? '')))
        fail({ field: name, message: { zh: '不加密只允许用于本机。', en: 'Without security only on this machine.' } })
    const secret: unknown = inputs.secret
    if (secret !== undefined && (typeof secret !== 'string' || secret === '' || secret.length > 4_000))
      fail({ field: 'secret', message: { zh: '请填写密码或授权码。', en: 'Enter the password.' } })
    if (!before && record.transport === 'imapSmtp' && secret === undefined)
      fail({ field: 'secret', message: { zh: '请填写密码或授权码。', en: 'Enter the password.' } })
  },
  afterSave: async ({ record, before, inputs, tx, now, context, entities }) => {
    const accountId = String(record.id)
    const staffId = context.user.staffId || null
    const entry = { accountId, staffId, peer: String(record.address) }
    if (typeof inputs.secret === 'string') {
      await secrets().keep(tx, accountId, inputs.secret, now)
      await logMail(tx, [{ ...entry, action: 'secretChanged' }], now)
      await tx.query('update mail_account set retry_at = null, failures = 0 where id = $1', [accountId])
    }
    if (before) return
    await ensureFolders(tx, accountId, now)
    await logMail(tx, [{ ...entry, action: 'bound' }], now)
    if (record.kind !== 'personal' && staffId !== null)
      await entities.save('mail.accountStaff', { accountId, staffId, right: 'manage', isDefault: false })
  },
  afterEffect: async ({ transition, record, tx, now, context }) => {
    if (transition.id !== 'unbind') return
    const about = { accountId: String(record.id), staffId: context.user.staffId || null, peer: String(record.address) }
    await secrets().forget(tx, about.accountId)
    await logMail(tx, [{ ...about, action: 'unbound' }], now)
  },
})
