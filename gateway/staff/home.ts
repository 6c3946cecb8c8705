import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Card, ModuleDocument } from '../../src/schema/generated/module'
import type { PageDocument } from '../../src/schema/generated/page'
import type { BilingualText } from '../../src/schema/problem'
import type { RouteFactsTable } from '../../src/schema/routes'
import { can, contextOf, ok, type RequestContext } from '../platform/http'

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

/** What the home page of the caller can show: the cards of all modules whose pages he may open, those of his roles first. */
export function registerHome(app: FastifyInstance, schemasFor: (request: FastifyRequest) => HomeSchemas): void {
  app.get('/v2/sys/staff/home', { schema: { summary: 'The cards of the home page of the person' } }, (request) => {
    const context = contextOf(request)
    return ok({ cards: cardsOf(schemasFor(request), context) })
  })
}

function cardsOf(schemas: HomeSchemas, context: RequestContext): OfferedCard[] {
  const roles = [...context.user.roleCodes, EVERYBODY]
  const permissions = new Map(schemas.routes.routes.map(({ path, permission }) => [path, permission]))
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
      if (!needed.every((key) => key === undefined || can(context, key))) return []
      const places = roles.flatMap((role) => card.for?.[role] ?? [])
      const { page, view, columns, rows, block = part.block } = card
      return [
        {
          place: places.length > 0 ? Math.min(...places) : Infinity,
          card: {
            ...{ id: `${name}.${card.id}`, kind: part.kind, page, view, columns, rows, block },
            title: (card.title ?? part.title)[context.locale],
            address: path === null || view === undefined ? path : `${path}?view=${view}`,
            span: card.span ?? 2,
            shown: places.length > 0,
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
