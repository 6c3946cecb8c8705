import type { ModuleOutsideVerb } from '../../module'
import { crmSettings } from '../configuration'

/**
 * `crm.tellAlias`: tells a system of an alias change, as JSON to its address; every 2xx answer means done. A system without an address is ours alone:
 * there is nobody to tell.
 */
export const outside: ModuleOutsideVerb = async ({ configuration, with: order, recordId, attempt, signal }) => {
  const url = configuration.of(crmSettings).aliasSyncUrls[String(order.system)]
  if (url === undefined) return { attempts: attempt }
  // a task that is told anew is the same to its system
  const key = `${recordId}:${String(order.action)}`
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ ...order, key }),
    signal,
  })
  if (response.ok) return { attempts: attempt }
  const text = (await response.text()).trim().slice(0, 200)
  throw new Error(`HTTP ${response.status}${text ? `: ${text}` : ''}`)
}
