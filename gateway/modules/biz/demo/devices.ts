import type { DemoRecord, DemoWorld } from '../../../demo'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Country, network and how numbers begin; kind, model, slots; what is particular. */
const DEVICES = [
  ['PH', '51502', '+63917', 'goip', 'GoIP-8', 8, 'online'],
  ['PH', '51503', '+63918', 'goip', 'GoIP-8', 8, 'locks'],
  ['ID', '51010', '+62812', 'goip', 'GoIP-16', 8, 'online'],
  ['NG', '62130', '+234803', 'simBank', 'SMB-32', 8, 'partial'],
  ['VN', '45204', '+8498', 'modem', 'MP-8', 6, 'online'],
  ['BR', '72405', '+55119', 'goip', 'GoIP-8', 6, 'gone'],
  ['IN', '40410', '+9198', 'gatewayBox', 'VGB-4', 4, 'locked'],
  ['TH', '52003', '+6681', 'goip', 'GoIP-4', 4, 'retired'],
] as const
type Story = (typeof DEVICES)[number][6]
const CURRENCY: Readonly<Record<string, string>> = { PH: 'PHP', ID: 'IDR', NG: 'NGN', VN: 'VND', BR: 'BRL', IN: 'INR', TH: 'THB' }
const STATUS: Readonly<Record<Story, string>> = {
  online: 'online',
  locks: 'partial',
  partial: 'partial',
  gone: 'offline',
  locked: 'locked',
  retired: 'retired',
}

const iso = (time: number): string => new Date(time).toISOString()

/** Devices with their ports, and what people did to them: one port locked itself after 20 failures, one device is silent for three days. */
export function makeDevices(world: DemoWorld): void {
  const { rows, now, random, staff } = world
  const chance = random.fork('devices')
  const suppliers = (rows['srm.supplierAccount'] ?? []).filter(({ status }) => status === 'active')
  const keepers = staff.filter(({ position, status }) => position === 'noc' && status === 'active')
  const devices: DemoRecord[] = []
  const ports: DemoRecord[] = []
  const log: DemoRecord[] = []
  const note = (device: DemoRecord, op: string, row: Record<string, unknown>, hoursAgo: number): void => {
    const at = iso(now.getTime() - hoursAgo * HOUR)
    const result = op === 'lock' && row.byId === null ? 'done' : 'recorded'
    log.push({
      id: `dl-${log.length + 1}`,
      createdAt: at,
      createdBy: '',
      deviceId: device.id,
      op,
      at,
      portId: null,
      result,
      ...row,
    })
  }
  for (const [index, [country, mccmnc, begin, kind, model, slots, story]] of DEVICES.entries()) {
    const id = `dv-${index + 1}`
    const keeper = keepers[index % Math.max(1, keepers.length)] ?? staff[index]!
    const mine = Array.from({ length: slots }, (_, at): DemoRecord => {
      const broken = story === 'locks' && at === 2
      const idle = story === 'gone' || story === 'retired' || (story === 'partial' && at >= 5)
      const status = broken
        ? 'locked'
        : idle
          ? 'offline'
          : at === 5 && story === 'online'
            ? 'noSim'
            : chance.happens(0.4)
              ? 'busy'
              : 'idle'
      const simStatus = broken
        ? 'blocked'
        : status === 'offline' && at % 2 === 1
          ? 'unregistered'
          : at === 4
            ? 'noBalance'
            : 'normal'
      const serial = String(index * 100 + at).padStart(4, '0')
      return {
        ...{
          id: `${id}-${at + 1}`,
          createdAt: iso(now.getTime() - 120 * 24 * HOUR),
          createdBy: '',
          deviceId: id,
          portNo: at + 1,
        },
        ...{ number: status === 'noSim' ? null : `${begin}${String(chance.integer(1_000_000, 9_999_999))}`, mccmnc },
        ...{ imei: `35693803564${serial}`, iccid: status === 'noSim' ? null : `8963020000000${serial}17`, imsi: null },
        ...{
          signal: idle || status === 'noSim' ? 0 : chance.integer(7, 31),
          simStatus,
          status,
          reported: broken ? 'idle' : status,
        },
        ...{ sentToday: idle ? 0 : chance.integer(20, 180), dailyCap: 200, failedInRow: broken ? 20 : chance.integer(0, 12) },
        ...{ asr: kind === 'gatewayBox' ? '44.50' : null, acd: kind === 'gatewayBox' ? 96 : null },
        ...{ balance: String(chance.integer(5, 400)), currency: CURRENCY[country] },
      }
    })
    ports.push(...mine)
    const count = (some: readonly string[]): number => mine.filter(({ status }) => some.includes(String(status))).length
    const device: DemoRecord = {
      ...{ id, createdAt: iso(now.getTime() - 130 * 24 * HOUR), createdBy: '', sn: `SN${String(26_001_000 + index * 37)}` },
      ...{ mac: `00:1A:2B:3C:4D:${(16 + index).toString(16).toUpperCase()}`, model, kind, country, ports: slots },
      ...{
        supplierId: suppliers[(index * 3) % Math.max(1, suppliers.length)]?.supplierId ?? null,
        location: `${country} rack ${index + 1}`,
      },
      ...{ ip: `10.20.${index + 1}.5`, firmware: 'GST1610-1.01-64', ownerId: keeper.id, monitored: story === 'gone' },
      ...{ onlinePorts: count(['idle', 'busy']), lockedPorts: count(['locked']) },
      sentToday: mine.reduce((sum, { sentToday }) => sum + Number(sentToday), 0),
      lastHeartbeat: iso(now.getTime() - (story === 'gone' ? 72 * HOUR : story === 'retired' ? 900 * HOUR : 2 * MINUTE)),
      status: STATUS[story],
    }
    devices.push(device)
    const by = { byId: keeper.id }
    note(device, 'restart', { ...by, before: 'online', after: 'online', reason: 'Monthly maintenance' }, 400 + index)
    note(
      device,
      'changeSim',
      { ...by, portId: mine[0]!.id, before: '', after: mine[0]!.iccid, reason: 'SIM used up' },
      200 + index,
    )
    if (story === 'locks') note(device, 'lock', { byId: null, portId: mine[2]!.id, before: 'idle', after: 'locked' }, 5)
    if (story === 'locked')
      note(device, 'lock', { ...by, before: 'online', after: 'locked', reason: 'Returned to the supplier' }, 26)
    if (story === 'partial')
      note(device, 'closePort', { ...by, portId: mine[6]!.id, before: 'idle', after: 'offline', reason: 'No signal' }, 30)
  }
  rows['biz.device'] = devices
  rows['biz.devicePort'] = ports
  rows['biz.deviceLog'] = log.toSorted((a, b) => String(a.at).localeCompare(String(b.at)))
}
