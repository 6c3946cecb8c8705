import { sql } from 'drizzle-orm'
import type { EntityService } from '../../../entities'
import { can } from '../../../platform/http'

const SEA = 'crm:client-partner:open-sea'

/** Stays and ownership of a customer that lies in the sea are open to whoever may open the sea: they end disputes. */
export const seaHistoryService: EntityService = {
  alsoVisible: ({ context, alias }) =>
    can(context, SEA)
      ? sql`exists (select from crm_customer sea where sea.id = ${sql.identifier(alias)}.customer_id and sea.holding = 'sea' and sea.deleted_at is null)`
      : undefined,
}
