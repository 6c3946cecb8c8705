import type { Executor } from '../../../../platform/database'
import {
  ENTRIES,
  matchesAmong,
  plainPhone,
  withoutFreeMail,
  type BlacklistEntry,
  type BlacklistIdentity,
  type BlacklistMatch,
} from './match'

/** The entries of the blacklist that any of many customers may meet, read at once (CRM rule 9.6). */
export class BlacklistOfMany {
  /** A kind and a text of an entry -> the entries that have it. */
  private readonly byText = new Map<string, BlacklistEntry[]>()

  static async read(db: Executor, identities: readonly BlacklistIdentity[], now: Date): Promise<BlacklistOfMany> {
    const texts = (of: (identity: BlacklistIdentity) => readonly string[] | undefined): string[] => [
      ...new Set(identities.flatMap((identity) => of(identity) ?? [])),
    ]
    const names = texts(({ nameKey }) => (nameKey ? [nameKey] : []))
    const { rows } = await db.query<BlacklistEntry>(
      `${ENTRIES} and (reg_nos ?| $2::text[] or domains ?| $3::text[] or emails ?| $4::text[] or phones ?| $5::text[]
         or left(name_key, 2) = any($6::text[]) or right(name_key, 2) = any($7::text[]))`,
      [
        now.toISOString(),
        texts(({ regNos }) => regNos),
        texts(({ domains }) => domains),
        texts(({ emails }) => emails),
        texts(({ phones }) => phones?.map(plainPhone)),
        [...new Set(names.map(start))],
        [...new Set(names.map(end))],
      ],
    )
    return new BlacklistOfMany(rows)
  }

  private constructor(entries: readonly BlacklistEntry[]) {
    for (const entry of entries) {
      for (const text of textsIn(entry)) {
        const known = this.byText.get(text)
        if (known) known.push(entry)
        else this.byText.set(text, [entry])
      }
    }
  }

  /** The same as a search for the one identity. */
  matches(
    identity: BlacklistIdentity,
    { similarWarn, freeMailDomains }: { similarWarn: number; freeMailDomains: readonly string[] },
  ): BlacklistMatch[] {
    const phones = identity.phones?.map(plainPhone)
    const wanted = withoutFreeMail({ ...identity, ...(phones ? { phones } : {}) }, freeMailDomains)
    const near = new Set(textsIn({ ...wanted, nameKey: wanted.nameKey ?? '' }).flatMap((text) => this.byText.get(text) ?? []))
    return matchesAmong([...near], wanted, similarWarn)
  }
}

/** Active entries that an identity meets, the surest first (CRM rule 9.6). Free-mail domains prove nothing and are left out. */
export async function findBlacklisted(
  db: Executor,
  identity: BlacklistIdentity,
  rules: { similarWarn: number; freeMailDomains: readonly string[] },
  now: Date,
): Promise<BlacklistMatch[]> {
  return (await BlacklistOfMany.read(db, [identity], now)).matches(identity, rules)
}

type Texts = { nameKey: string } & { [Kind in 'regNos' | 'domains' | 'emails' | 'phones']?: readonly string[] | null }

function textsIn({ nameKey, regNos, domains, emails, phones }: Texts): string[] {
  const kinds = Object.entries({ regNos, domains, emails, phones })
  return [
    `start ${start(nameKey)}`,
    `end ${end(nameKey)}`,
    ...kinds.flatMap(([kind, texts]) => (texts ?? []).map((text) => `${kind} ${text}`)),
  ]
}

/** By letters, as the database counts them. */
const start = (name: string): string => [...name].slice(0, 2).join('')
const end = (name: string): string => [...name].slice(-2).join('')
