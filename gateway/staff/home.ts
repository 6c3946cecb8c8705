import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Card, ModuleDocument } from '../../src/schema/generated/module'
import type { PageDocument } from '../../src/schema/generated/page'
import type { BilingualText } from '../../src/schema/problem'
import type { RouteFactsTable } from '../../src/schema/routes'
import type { Database } from '../platform/database'
import { can, contextOf, ok, ServiceError, type Locale } from '../platform/http'
import type { Directory } from './directory'

/** The documents that the home page is made of, as they stand now. */
export interface HomeSchemas {
  readonly modules: readonly ModuleDocument[]
  readonly routes: RouteFactsTable
  page(name: string): { document: PageDocument } | undefined
}

/** A card that the caller may have. */
interface OfferedCard extends Pick<Card, 'page' | 'view' | 'columns' | 'rows' | 'block'> {
  /** module.id */
  id: string
  kind: 'list' | 'report'
  title: string
  /** The page that it is a part of; null where that has no address of its own. */
  address: string | null
  span: number
  /** On his home without his having arranged it, in this order; the others he may add. */
  shown: boolean
}

const EVERYBODY = '*'
/** Whoever designs pages decides what a role finds on its home. */
const RELEASE = 'setModule:pages'
const MOST_CARDS = 40

interface HomeParts {
  database: Database
  directory: Directory
  schemasFor: (request: FastifyRequest) => HomeSchemas
}

/** The home of one role as it was released. */
interface RoleHome {
  role: string
  cards: readonly { id: string; span: number }[]
  version: number
}

/** Whose home it is. */
interface Person {
  locale: Locale
  /** His roles, in their order. */
  roles: readonly string[]
  may(permission: string): boolean
}

const roleCode = { type: 'string', minLength: 1, maxLength: 30 } as const

/** What the home page of the caller can show, and what designers of pages release for a role. */
export function registerHome(app: FastifyInstance, { database, directory, schemasFor }: HomeParts): void {
  /** Somebody who holds the role and nothing else. Throws notFound. */
  const holder = async (role: string, locale: Locale): Promise<Person> => {
    const view = (await directory.roleViews()).find(({ code }) => code === role)
    if (!view) throw new ServiceError('notFound')
    return { locale, roles: [role], may: (permission) => view.permissions.has(permission) }
  }

  app.get('/v2/sys/staff/home', { schema: { summary: 'The cards of the home page of the person' } }, async (request) => {
    const context = contextOf(request)
    const { locale, user } = context
    const person = { locale, roles: user.roleCodes, may: (permission: string) => can(context, permission) }
    return ok({ cards: cardsOf(schemasFor(request), person, await releasedFor(database, user.roleCodes)) })
  })

  app.get<{ Querystring: { role: string } }>(
    '/v2/sys/staff/home/role',
    {
      config: { permission: RELEASE },
      schema: {
        summary: 'The home of a role: the cards that its holders may have, those on it first, and the version of its release',
        querystring: { type: 'object', required: ['role'], additionalProperties: false, properties: { role: roleCode } },
      },
    },
    async (request) => {
      const { role } = request.query
      const person = await holder(role, contextOf(request).locale)
      const released = await releasedFor(database, [role])
      return ok({ cards: cardsOf(schemasFor(request), person, released), version: released[0]?.version ?? 0 })
    },
  )

  app.post<{ Body: { role: string; version: number; cards: { id: string; span: number }[] | null } }>(
    '/v2/sys/staff/home/release',
    {
      config: { permission: RELEASE },
      schema: {
        summary: 'Releases the home of a role for all who have not arranged their own; without cards it is the shipped one again',
        body: {
          type: 'object',
          required: ['role', 'version', 'cards'],
          additionalProperties: false,
          properties: {
            role: roleCode,
            version: { type: 'integer', minimum: 0 },
            cards: {
              type: ['array', 'null'],
              maxItems: MOST_CARDS,
              items: {
                type: 'object',
                required: ['id', 'span'],
                additionalProperties: false,
                properties: { id: { type: 'string', maxLength: 120 }, span: { type: 'integer', minimum: 1, maximum: 4 } },
              },
            },
          },
        },
      },
    },
    async (request) => {
      const context = contextOf(request)
      const { role, version, cards } = request.body
      const offered = new Set(cardsOf(schemasFor(request), await holder(role, context.locale), []).map(({ id }) => id))
      const foreign = cards?.find(({ id }, at) => !offered.has(id) || cards.findIndex((one) => one.id === id) !== at)
      if (foreign)
        throw new ServiceError('badRequest', {
          message: {
            zh: `卡片“${foreign.id}”重复，或该权限组看不到它，首页没有保存。`,
            en: `The card "${foreign.id}" stands there twice, or the role may not see it; the home was not saved.`,
          },
        })
      return ok({ version: await release(database, { role, cards, version }, context.user.staffId) })
    },
  )
}

async function releasedFor(database: Database, roles: readonly string[]): Promise<RoleHome[]> {
  const { rows } = await database.query<RoleHome>('select role, cards, version from staff_home where role = any($1::text[])', [
    [...roles],
  ])
  return rows
}

/** Throws stale when somebody else released that home in between. */
async function release(
  database: Database,
  { role, cards, version }: { role: string; cards: RoleHome['cards'] | null; version: number },
  staffId: string,
): Promise<number> {
  const { rowCount } =
    cards === null
      ? await database.query('delete from staff_home where role = $1 and version = $2', [role, version])
      : version === 0
        ? await database.query(
            `insert into staff_home (role, cards, version, released_by_id, released_at) values ($1, $2::jsonb, 1, $3, now())
             on conflict (role) do nothing`,
            [role, JSON.stringify(cards), staffId],
          )
        : await database.query(
            `update staff_home set cards = $2::jsonb, version = version + 1, released_by_id = $3, released_at = now()
              where role = $1 and version = $4`,
            [role, JSON.stringify(cards), staffId, version],
          )
  if (rowCount === 0)
    throw new ServiceError('stale', {
      message: {
        zh: '这个权限组的首页已在别处被修改，请重新打开后再改。',
        en: 'The home of this role was changed elsewhere in between. Open it again and change it then.',
      },
      data: { changes: [], by: null, at: null },
    })
  return cards === null ? 0 : version + 1
}

/** The cards whose pages a person may open: those of his roles in their order, then the others. */
function cardsOf(schemas: HomeSchemas, { locale, roles, may }: Person, released: readonly RoleHome[]): OfferedCard[] {
  const permissions = new Map(schemas.routes.routes.map(({ path, permission }) => [path, permission]))
  const homes = new Map(released.map(({ role, cards }) => [role, cards]))
  // what everybody has is part of each released home, or was taken off it
  const asking = homes.size > 0 ? roles : [...roles, EVERYBODY]
  const placesOf = (id: string, card: Card): { place: number; span?: number }[] =>
    asking.flatMap((role): { place: number; span?: number }[] => {
      const home = homes.get(role)
      if (!home) return card.for?.[role] === undefined ? [] : [{ place: card.for[role] }]
      const at = home.findIndex((one) => one.id === id)
      return at < 0 ? [] : [{ place: at, span: home[at]!.span }]
    })
  const offered = schemas.modules.flatMap(({ name, cards = [] }) =>
    cards.flatMap((card) => {
      const document = schemas.page(card.page)?.document
      const part = document && partOf(document, card)
      if (!document || !part) return []
      const path = document.path ?? null
      const needed = [
        document.permission ?? (path === null ? undefined : permissions.get(path)),
        part.permission,
        card.permission,
      ]
      if (!needed.every((key) => key === undefined || may(key))) return []
      const id = `${name}.${card.id}`
      const [first] = placesOf(id, card).sort((one, other) => one.place - other.place)
      const { page, view, columns, rows, block = part.block } = card
      return [
        {
          place: first?.place ?? Infinity,
          card: {
            ...{ id, kind: part.kind, page, view, columns, rows, block },
            title: (card.title ?? part.title)[locale],
            address: path === null || view === undefined ? path : `${path}?view=${view}`,
            span: first?.span ?? card.span ?? 2,
            shown: first !== undefined,
          },
        },
      ]
    }),
  )
  return offered.sort((one, other) => (one.place === other.place ? 0 : one.place - other.place)).map(({ card }) => card)
}

interface Part {
  kind: 'list' | 'report'
  title: BilingualText
  block?: string
  permission?: string | undefined
}

/** The tab or block that a card shows; null where an admin took it away. */
function partOf(document: PageDocument, { view, block }: Card): Part | null {
  if (document.kind === 'list') {
    const tab = document.views?.find(({ id }) => id === view)
    if (view !== undefined && !tab) return null
    return { kind: 'list', title: document.title, permission: tab?.permission }
  }
  if (document.kind !== 'report') return null
  const found = block === undefined ? document.blocks[0] : document.blocks.find(({ id }) => id === block)
  return found ? { kind: 'report', title: found.title, block: found.id } : null
}
