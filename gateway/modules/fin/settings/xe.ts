/** Where the XE Currency Data API answers, and who asks. */
export interface XeConnection {
  url: string
  account: string
  key: string
}

/**
 * What one unit of some currencies is worth in another one now: `GET /v1/convert_to.json?to=CNY&from=USD,EUR&amount=1` of the XE
 * Currency Data API. The texts of the answer are kept as they are, so that no digit is lost.
 * @throws Error with the status and the words of the service
 */
export async function fetchRates(
  { url, account, key }: XeConnection,
  { to, from, signal }: { to: string; from: readonly string[]; signal: AbortSignal },
): Promise<ReadonlyMap<string, string>> {
  const response = await fetch(`${url}/v1/convert_to.json?to=${to}&from=${from.join(',')}&amount=1&decimal_places=8`, {
    headers: { authorization: `Basic ${Buffer.from(`${account}:${key}`).toString('base64')}` },
    signal,
  })
  const body: unknown = await response.json().catch(() => null)
  const answer = (body ?? {}) as { from?: { quotecurrency?: string; mid?: number }[]; message?: string }
  if (!response.ok || !Array.isArray(answer.from))
    throw new Error(`HTTP ${response.status}${answer.message ? `: ${answer.message}` : ''}`)
  return new Map(
    answer.from.flatMap(({ quotecurrency, mid }) =>
      typeof quotecurrency === 'string' && typeof mid === 'number' && mid > 0 ? [[quotecurrency, mid.toFixed(8)] as const] : [],
    ),
  )
}
