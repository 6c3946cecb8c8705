import { macOf, type ScannedUnit } from '../../schema/formats'
import type { Host } from '../../headless/host'
import type { KnownPiece } from './pieces'

/** Pieces that one call asks about; two keys each, and a page of rows holds at most 1,000. */
const AT_ONCE = 400
/** Calls under way at a time. */
const LANES = 3

type Row = Readonly<Record<string, unknown>>
interface Page {
  records: Row[]
  refs?: Readonly<Record<string, Readonly<Record<string, { title: string }>>>>
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

function pieceOf(row: Row, refs: Page['refs']): KnownPiece {
  const title = (id: string | null): string =>
    (id !== null && Object.values(refs ?? {}).find((titles) => id in titles)?.[id]?.title) || ''
  const [productId, warehouseId] = [text(row.productId), text(row.warehouseId)]
  return {
    ...{ serialNo: text(row.serialNo) ?? '', macAddress: text(row.macAddress), status: text(row.status) ?? '' },
    ...{ productId, warehouseId, product: title(productId), warehouse: title(warehouseId) },
  }
}

async function ask(host: Host, path: string, units: readonly ScannedUnit[], found: Map<string, KnownPiece>): Promise<void> {
  const macs = units.flatMap(({ serialNo, mac }) => [mac, macOf(serialNo)]).filter((mac) => mac !== null)
  const bySerial = { field: 'serialNo', operator: 'in', value: units.map(({ serialNo }) => serialNo) }
  const or = macs.length > 0 ? [bySerial, { field: 'macAddress', operator: 'in', value: macs }] : [bySerial]
  const page = await host.request<Page>({
    method: 'POST',
    path: `${path}/queryPage`,
    body: { pageNo: 1, pageSize: 1_000, countUpTo: 1, where: [{ or }] },
  })
  for (const row of page.records) {
    const piece = pieceOf(row, page.refs)
    found.set(piece.serialNo, piece)
    if (piece.macAddress !== null) found.set(piece.macAddress, piece)
  }
}

/** What the gateway knows of pieces, by serial number and by MAC; `done` is told the part that is answered, 0 to 1. */
export async function lookUp(
  host: Host,
  path: string,
  units: readonly ScannedUnit[],
  done: (part: number) => void = () => undefined,
): Promise<(unit: ScannedUnit) => KnownPiece | undefined> {
  const found = new Map<string, KnownPiece>()
  const parts: (readonly ScannedUnit[])[] = []
  for (let start = 0; start < units.length; start += AT_ONCE) parts.push(units.slice(start, start + AT_ONCE))
  let next = 0
  let answered = 0
  const lane = async (): Promise<void> => {
    for (let part = parts[next++]; part; part = parts[next++]) {
      await ask(host, path, part, found)
      answered += 1
      done(answered / parts.length)
    }
  }
  await Promise.all(Array.from({ length: Math.min(LANES, parts.length) }, lane))
  return ({ serialNo, mac }) =>
    found.get(serialNo) ?? (mac === null ? undefined : found.get(mac)) ?? found.get(macOf(serialNo) ?? '')
}
