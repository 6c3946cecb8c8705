import type { EntityEngine } from '../../entities'
import type { Database } from '../../platform/database'
import { ServiceError, type Text } from '../../platform/http'
import type { Directory } from '../directory'
import { namesOf } from '../keyNames'
import type { Lacking } from './rights'

/** What is asked for: a one-time password, another e-mail, sign-in opened again, a role. */
export type AccessKind = 'reset' | 'email' | 'enable' | 'grant'

export const KINDS: Readonly<Record<AccessKind, Text>> = {
  reset: { zh: '重置密码', en: 'password reset' },
  email: { zh: '修改登录邮箱', en: 'change of the sign-in e-mail' },
  enable: { zh: '恢复登录', en: 'opening of sign-in' },
  grant: { zh: '授予权限组', en: 'grant of a role' },
}

/** Names of rights that a sentence or a row has room for. */
const MOST_NAMED = 5

/** What is lacking, as people know it: names of the menu, of entities and fields; the first few with the number of the others. */
export async function lackingInWords(
  { database, directory, engine }: { database: Database; directory: Directory; engine: EntityEngine },
  { keys, entities, fields, departments }: Lacking,
): Promise<Text> {
  const [zh, en, all] = await Promise.all([
    namesOf(database, directory, keys, 'zh'),
    namesOf(database, directory, keys, 'en'),
    directory.allDepartments(),
  ])
  const known = entities.filter((name) => engine.names().includes(name))
  const led = all.filter(({ id }) => departments.includes(id))
  const named = {
    zh: [
      ...zh,
      ...known.map((name) => `${engine.model(name).label.zh}的数据`),
      ...fields,
      ...led.map(({ name }) => `负责“${name}”`),
    ],
    en: [
      ...en,
      ...known.map((name) => `rows of ${engine.model(name).label.en}`),
      ...fields,
      ...led.map(({ name, nameEn }) => `leads "${nameEn ?? name}"`),
    ],
  }
  const total = keys.length + entities.length + fields.length + departments.length
  const more = Math.max(0, total - MOST_NAMED)
  return {
    zh: named.zh.slice(0, MOST_NAMED).join('、') + (more > 0 ? ` 等共 ${total} 项` : ''),
    en: named.en.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : ''),
  }
}

/** Refuses what would need a confirmation that nobody can give. */
export const nobodyConfirms = (): ServiceError =>
  new ServiceError('limitRefused', {
    message: {
      zh: '对方拥有您没有的权限，须由另一位拥有这些权限的同事或权限管理员确认，但目前没有这样的人。请先指定一位权限管理员。',
      en: 'The person has rights that you have not, so that somebody else who has them, or an administrator of roles, has to confirm this; there is nobody. Name an administrator of roles first.',
    },
    data: { reason: 'nobodyConfirms' },
  })
