/** One alias change as a target system is told of it. */
export interface AliasOrder {
  action: 'apply' | 'undo'
  system: string
  recordCode: string
  subjectType: string
  subjectCode: string
  oldAlias: string
  newAlias: string
  /** The same for every attempt at the same task, so that the system can tell a repetition. */
  key: string
}

/** Carries an order to its system; rejects with the reason in words. */
export type AliasConnector = (order: AliasOrder) => Promise<void>

const TIMEOUT = 30_000

/** Posts the order as JSON; every 2xx answer means done. */
export function httpConnector(url: string): AliasConnector {
  return async (order) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': order.key },
      body: JSON.stringify(order),
      signal: AbortSignal.timeout(TIMEOUT),
    })
    if (response.ok) return
    const text = (await response.text()).trim().slice(0, 200)
    throw new Error(`HTTP ${response.status}${text ? `: ${text}` : ''}`)
  }
}

/** Connectors by system, from addresses by system. A system without one knows our records only through the portal itself. */
export function connectorsFrom(addresses: Readonly<Record<string, string>>): Map<string, AliasConnector> {
  return new Map(Object.entries(addresses).map(([system, url]) => [system, httpConnector(url)]))
}
