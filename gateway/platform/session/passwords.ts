import { hash, verify } from '@node-rs/argon2'
import type { Executor } from '../database'
import type { Text } from '../http'
import { isGuessable } from './guessable'

/** argon2id as @node-rs/argon2 has it by default: 19 MiB, two passes. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Compared against when there is no such person, so that time does not tell. */
const NOBODY = hash('nobody has this password', OPTIONS)

/** Shapes of the sign-in form (R280-R282). */
export const NAME_SHAPE = /^[\p{L}\p{N}._@+-]{2,64}$/u
export const PASSWORD_SHAPE = /^[\x21-\x7e]{6,64}$/
export const VERIFICATION_SHAPE = /^[A-Za-z0-9]{4}$/

/** What a password has at least; a second factor would allow less. */
const SHORTEST = 12
/** Passwords of before that do not come back. */
const REMEMBERED = 5

export interface PasswordOwner {
  name: string
  nameEn: string | null
  jobNumber: string
  email: string | null
}

/** Why a new password is refused, or undefined: 12 to 64 visible characters, a letter and a digit, nothing of the person in it, on no list of common ones. */
export function passwordProblem(password: string, owner: PasswordOwner): Text | undefined {
  if (password.length < SHORTEST || password.length > 64 || !PASSWORD_SHAPE.test(password)) {
    return {
      zh: '密码须为 12 至 64 个可见字符，不能有空格。',
      en: 'The password needs 12 to 64 visible characters without spaces.',
    }
  }
  if (!/[A-Za-z]/.test(password) || !/\d/.test(password)) {
    return { zh: '密码须同时含有字母和数字。', en: 'The password needs at least one letter and one digit.' }
  }
  const lower = password.toLowerCase()
  const parts = [owner.jobNumber, owner.email?.split('@')[0], ...(owner.nameEn?.split(/\s+/) ?? [])]
  if (parts.some((part) => part !== undefined && part.length >= 4 && lower.includes(part.toLowerCase()))) {
    return { zh: '密码不能含有姓名、工号或邮箱。', en: 'The password must not contain your name, job number or e-mail.' }
  }
  const own = parts.filter((part) => part !== undefined)
  if (isGuessable(password, own)) {
    return {
      zh: '该密码过于常见或容易猜到（常用密码、键盘顺序、重复、年份），请换一个，例如几个不相关的词。',
      en: 'This password is too common or easy to guess (known passwords, neighbouring keys, repetitions, years). Please choose another one, such as a few words that do not belong together.',
    }
  }
  return undefined
}

/** Refusal of a password that was one's own not long ago. */
export const usedBeforeText: Text = {
  zh: `不能使用最近 ${REMEMBERED} 次用过的密码，请换一个。`,
  en: `This is one of your last ${REMEMBERED} passwords. Please choose another one.`,
}

/** Whether a password is one of the last that somebody chose for himself. */
export async function wasUsedBefore(executor: Executor, staffId: string, password: string): Promise<boolean> {
  const { rows } = await executor.query<{ passwordHash: string }>(
    `select password_hash as "passwordHash" from auth_past_password where staff_id = $1
     union select password_hash from auth_credential where staff_id = $1 and not one_time`,
    [staffId],
  )
  for (const { passwordHash } of rows) if (await verify(passwordHash, password)) return true
  return false
}

/** `right`, `wrong`, or `expired` for a one-time password that was not used in time. */
export async function checkPassword(
  executor: Executor,
  staffId: string | null,
  password: string,
  now: Date,
): Promise<{ result: 'right' | 'wrong' | 'expired'; oneTime: boolean }> {
  const { rows } = await executor.query<{ passwordHash: string; oneTime: boolean; expiresAt: string | null }>(
    'select password_hash as "passwordHash", one_time as "oneTime", expires_at as "expiresAt" from auth_credential where staff_id = $1',
    [staffId ?? ''],
  )
  const row = rows[0]
  const right = await verify(row?.passwordHash ?? (await NOBODY), password)
  if (!row || !right) return { result: 'wrong', oneTime: false }
  const expired = row.expiresAt !== null && new Date(row.expiresAt) <= now
  return { result: expired ? 'expired' : 'right', oneTime: row.oneTime }
}

/** Stores one password for some people (the demo world gives everybody the same). */
export async function storePassword(
  executor: Executor,
  staffIds: readonly string[],
  password: string,
  options: { now: Date; oneTimeUntil?: Date },
): Promise<void> {
  const passwordHash = await hash(password, OPTIONS)
  await executor.query(
    `insert into auth_credential (staff_id, password_hash, changed_at, one_time, expires_at)
     select staff_id, $2, $3::timestamptz, $4::boolean, $5::timestamptz from unnest($1::text[]) as staff_id
     on conflict (staff_id) do update set password_hash = excluded.password_hash, changed_at = excluded.changed_at,
       one_time = excluded.one_time, expires_at = excluded.expires_at`,
    [
      staffIds,
      passwordHash,
      options.now.toISOString(),
      options.oneTimeUntil !== undefined,
      options.oneTimeUntil?.toISOString() ?? null,
    ],
  )
  if (options.oneTimeUntil !== undefined) return
  await executor.query(
    `insert into auth_past_password (staff_id, at, password_hash) select staff_id, $3::timestamptz, $2 from unnest($1::text[]) as staff_id
     on conflict (staff_id, at) do update set password_hash = excluded.password_hash`,
    [staffIds, passwordHash, options.now.toISOString()],
  )
  await executor.query(
    `delete from auth_past_password p where p.staff_id = any($1::text[]) and p.at not in
       (select o.at from auth_past_password o where o.staff_id = p.staff_id order by o.at desc limit ${REMEMBERED})`,
    [staffIds],
  )
}
