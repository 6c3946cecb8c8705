import type { ActOf } from './model'

const SHORT = 'Your parcel waits for you.'
const TWO_PARTS = 'a'.repeat(161)
const CHINESE = '您的包裹已到'

type Sms = ActOf<'sms'>

/** Messages: time is that of the record, not of a report. The moments lie on both sides of midnight of the account's or the supplier's zone. */
const SMS: Sms[] = [
  // Sydney, where clocks went forward on 4 October at 02:00: 3 Oct 23:59:50 +10, 4 Oct 00:00:20, 4 Oct 23:59:50 +11, 5 Oct 00:00:20.
  sms('b1-a', 'B1', '2026-10-03T13:59:50.000Z', 30, 2, 'AU', SHORT, 'delivered', [['ch4', 'delivered', 2]]),
  sms('b1-b', 'B1', '2026-10-04T12:59:50.000Z', 30, 2, 'AU', TWO_PARTS, 'unknown', [['ch4', 'unknown', 2]]),
  // The first half of October ends: 15 Oct 23:59:45, 16 Oct 00:00:15.
  sms('b1-c', 'B1', '2026-10-15T12:59:45.000Z', 30, 2, 'AU', SHORT, 'failed', [['ch3', 'failed', 2]]),
  // Kolkata: 9 Oct 23:59:55, 10 Oct 00:00:10.
  sms('d1-a', 'D1', '2026-10-09T18:29:55.000Z', 15, 4, 'IN', SHORT, 'delivered', [['ch2', 'delivered', 3]]),
  sms('d1-b', 'D1', '2026-10-12T04:00:00.000Z', 60, 3, 'IN', SHORT, 'unknown', [['ch2', 'unknown', 3]]),
  // The price of A1 changes on 15 October 12:00 UTC: three before, three after.
  sms('a1-a', 'A1', '2026-10-15T11:59:57.000Z', 1, 6, 'US', TWO_PARTS, 'delivered', [['ch1', 'delivered', 4]]),
  sms('a1-b', 'A1', '2026-10-16T15:00:00.000Z', 20, 5, 'US', SHORT, 'delivered', [['ch2', 'delivered', 4]], '310260'),
  sms('a1-c', 'A1', '2026-10-16T16:10:00.000Z', 20, 4, 'US', SHORT, 'failed', [['ch1', 'failed', 4]]),
  // Failover: from one channel to another of the same supplier, and to another supplier whose day is another.
  sms('a1-d', 'A1', '2026-10-18T14:00:00.000Z', 20, 6, 'US', SHORT, 'delivered', [
    ['ch1', 'failed', 3],
    ['ch2', 'delivered', 12],
  ]),
  // Berlin, where clocks went back on 25 October: 25 Oct 23:59:30 +1 with the first try, 26 Oct 00:00:10 with the second.
  sms('a1-e', 'A1', '2026-10-25T22:59:20.000Z', 5, 3, 'US', TWO_PARTS, 'delivered', [
    ['ch3', 'failed', 2],
    ['ch4', 'delivered', 50],
  ]),
  // New York: 31 Oct 23:59:40 -4, 1 Nov 00:00:10 -4; clocks go back; 1 Nov 23:59:40 -5, 2 Nov 00:00:10 -5.
  sms('a1-f', 'A1', '2026-11-01T03:59:40.000Z', 30, 2, 'US', SHORT, 'delivered', [['ch3', 'delivered', 4]]),
  sms('a1-g', 'A1', '2026-11-02T04:59:40.000Z', 30, 2, 'US', SHORT, 'delivered', [['ch1', 'delivered', 4]]),
  sms('a1-x', 'A1', '2026-10-20T13:00:00.000Z', 1, 3, 'US', SHORT, 'rejected', []),
  // Shanghai, prepaid until 15 November, post-paid from 16 November: 15 Nov 23:59:50, 16 Nov 00:00:20.
  sms('c1-a', 'C1', '2026-10-21T02:00:00.000Z', 60, 8, 'CN', CHINESE, 'failed', [['ch1', 'failed', 5]]),
  sms('c1-b', 'C1', '2026-11-15T15:59:50.000Z', 30, 2, 'CN', CHINESE, 'delivered', [['ch1', 'delivered', 5]]),
  sms('c1-c', 'C1', '2026-11-23T02:00:00.000Z', 60, 7, 'CN', CHINESE, 'delivered', [['ch1', 'delivered', 5]]),
  sms('c1-d', 'C1', '2026-12-12T02:00:00.000Z', 60, 5, 'CN', CHINESE, 'delivered', [['ch1', 'delivered', 5]]),
  // Receipts that come in time, and after the day is locked.
  sms('a1-h', 'A1', '2026-11-20T15:00:00.000Z', 60, 4, 'US', SHORT, 'unknown', [['ch2', 'unknown', 4]]),
  sms('b1-d', 'B1', '2026-11-10T03:00:00.000Z', 60, 5, 'AU', SHORT, 'delivered', [['ch4', 'delivered', 3]]),
  // The supplier S2 counts in Shanghai days from 16 December: 10 Dec 23:30 in Berlin, 20 Dec 00:30 in Shanghai.
  sms('a1-i', 'A1', '2026-12-10T22:30:00.000Z', 10, 3, 'US', SHORT, 'delivered', [['ch4', 'delivered', 3]]),
  sms('a1-j', 'A1', '2026-12-19T16:30:00.000Z', 10, 3, 'US', SHORT, 'delivered', [['ch4', 'delivered', 3]]),
  // ch1 has no cost for India: ch2, of the same account, has.
  sms('d1-c', 'D1', '2026-12-20T05:00:00.000Z', 60, 2, 'IN', SHORT, 'delivered', [['ch1', 'delivered', 3]]),
  // After the last bill.
  sms('a1-k', 'A1', '2027-01-02T15:00:00.000Z', 60, 2, 'US', SHORT, 'delivered', [['ch1', 'delivered', 3]]),
]

type Other = ActOf<'call'> | ActOf<'whatsapp'> | ActOf<'mail'> | ActOf<'otp'>

const OTHERS: Other[] = [
  call('a2-a', 'A2', '2026-10-10T14:00:00.000Z', 300, 6, '442079460000', 'gw1', 61_000),
  call('a2-b', 'A2', '2026-10-11T14:00:00.000Z', 300, 4, '447400123456', 'gw2', 125_000),
  call('a2-c', 'A2', '2026-10-11T16:00:00.000Z', 300, 2, '447400123456', 'gw2', 0),
  // New York: 31 Oct 23:59:30, 1 Nov 00:00:30.
  call('a2-d', 'A2', '2026-11-01T03:59:30.000Z', 60, 2, '442079460000', 'gw2', 30_400),
  call('a2-e', 'A2', '2026-12-05T14:00:00.000Z', 60, 3, '447400123456', 'gw1', 60_001),
  call('c2-a', 'C2', '2026-10-04T15:58:00.000Z', 180, 2, '8613800138000', 'gw1', 185_000),
  call('c2-b', 'C2', '2026-11-30T03:00:00.000Z', 60, 4, '8613800138000', 'gw2', 3_000),
  call('c2-c', 'C2', '2026-11-30T05:00:00.000Z', 60, 4, '8613800138000', 'gw2', 4_000),
  call('c2-d', 'C2', '2026-12-02T03:00:00.000Z', 60, 5, '8613800138000', 'gw1', 90_000),
  wa('b2-a', '2026-10-14T06:00:00.000Z', 10, 'marketing', 'delivered'),
  wa('b2-b', '2026-10-14T07:00:00.000Z', 4, 'marketing', 'failed'),
  wa('b2-c', '2026-10-31T18:29:30.000Z', 2, 'utility', 'read'),
  wa('b2-d', '2026-11-14T06:00:00.000Z', 6, 'utility', 'delivered'),
  wa('b2-e', '2026-12-14T06:00:00.000Z', 3, 'service', 'delivered'),
  mail('a1-m', '2026-10-22T14:00:00.000Z', 10, 'delivered'),
  mail('a1-n', '2026-10-22T15:00:00.000Z', 2, 'hardBounce'),
  mail('a1-o', '2026-12-22T14:00:00.000Z', 5, 'delivered'),
  otp('c3-a', '2026-10-24T02:00:00.000Z', 8, 'verified'),
  otp('c3-b', '2026-10-24T03:00:00.000Z', 3, 'expired'),
  otp('c3-c', '2026-11-24T02:00:00.000Z', 3, 'verified'),
]

/** All that customers send and call, in the order of time. */
export const TRAFFIC = [...SMS, ...OTHERS]

/** How one batch becomes known: five minutes after its last record. */
function known(first: string, every: number, count: number): string {
  return new Date(Date.parse(first) + (every * (count - 1) + 300) * 1000).toISOString()
}

function sms(
  id: string,
  account: string,
  first: string,
  every: number,
  count: number,
  country: string,
  text: string,
  state: Sms['state'],
  tries: Sms['tries'],
  network?: string,
): Sms {
  const to = { US: '+12025550143', AU: '+61491570156', IN: '+919812345678', CN: '+8613800138000' }[country] ?? ''
  return {
    act: 'sms',
    at: known(first, every, count),
    id,
    account,
    first,
    every,
    count,
    country,
    network,
    to,
    text,
    state,
    tries,
  }
}

function call(
  id: string,
  account: string,
  first: string,
  every: number,
  count: number,
  callee: string,
  gateway: string,
  ms: number,
): Other {
  const country = callee.startsWith('44') ? 'GB' : 'CN'
  const end = ms > 0 ? 'normal' : 'busy'
  return { act: 'call', at: known(first, every, count), id, account, first, every, count, callee, country, gateway, ms, end }
}

function wa(id: string, first: string, count: number, category: string, state: 'delivered' | 'read' | 'failed'): Other {
  const to = '+919812345678'
  const at = known(first, 60, count)
  return { act: 'whatsapp', at, id, account: 'B2', first, every: 60, count, country: 'IN', to, category, state, supplier: 'S4' }
}

function mail(id: string, first: string, count: number, state: 'delivered' | 'hardBounce'): Other {
  return { act: 'mail', at: known(first, 60, count), id, account: 'A1', first, every: 60, count, state, supplier: 'S6' }
}

function otp(id: string, first: string, count: number, state: 'verified' | 'expired'): Other {
  const at = known(first, 60, count)
  return {
    act: 'otp',
    at,
    id,
    account: 'C3',
    first,
    every: 60,
    count,
    country: 'CN',
    to: '+8613800138000',
    state,
    supplier: 'S7',
  }
}
