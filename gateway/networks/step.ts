import type { SqlStep } from '../platform/database'
import { LIST_SOURCE, networkList } from './list'

/** The list of mobile networks stands in every database once; what was changed of it stays. */
export const networkStep: SqlStep = {
  id: '2026-11-operator-networks',
  run: async (tx) => {
    const rows = networkList().map((network) => ({ id: `net-${network.mcc}${network.mnc}`, ...network }))
    await tx.query(
      `insert into sys_operator_network (id, mcc, mnc, mccmnc, country, operator, brand, bands, status, note, source, created_at, updated_at, version)
       select g.id, g.mcc, g.mnc, g.mcc || g.mnc, g.country, g.operator, g.brand, g.bands, g.status, g.note, $2, now(), now(), 1
       from jsonb_to_recordset($1::jsonb) as g(id text, mcc text, mnc text, country text, operator text, brand text, bands text, status text, note text)
       on conflict do nothing`,
      [JSON.stringify(rows), LIST_SOURCE],
    )
  },
}
