import { randomBytes } from 'node:crypto'

/** Digits before letters, all in ASCII order, so that text order is number order (under every collation we meet). */
const ALPHABET = '0123456789abcdefghijklmnopqrstuv'
const TIME_DIGITS = 10
const RANDOM_DIGITS = 10
const RANDOM_LIMIT = 32n ** BigInt(RANDOM_DIGITS)
const PATTERN = /^[0-9a-v]{20}$/

let lastTime = 0
let lastRandom = 0n

/**
 * A new identity: 20 lower-case characters, ten of time (milliseconds) and ten of chance, so that rows sort by the
 * moment they were made. Two ids of one process are always in the order of the calls, also within a millisecond and
 * when the clock is set back.
 */
export function newId(now: number = Date.now()): string {
  if (now > lastTime) {
    lastTime = now
    lastRandom = chance()
  } else {
    lastRandom += 1n + (chance() >> 20n)
    if (lastRandom >= RANDOM_LIMIT) {
      lastTime += 1
      lastRandom = chance()
    }
  }
  return encode(BigInt(lastTime), TIME_DIGITS) + encode(lastRandom, RANDOM_DIGITS)
}

export function isId(value: unknown): value is string {
  return typeof value === 'string' && PATTERN.test(value)
}

/** Milliseconds since 1970 at which the id was made (approximate after the clock was set back). */
export function idTime(id: string): number {
  let time = 0
  for (const character of id.slice(0, TIME_DIGITS)) time = time * 32 + ALPHABET.indexOf(character)
  return time
}

/** Random bytes for many ids: asking the system for each of them takes longer than the rest of an id. */
let pool = Buffer.alloc(0)
let used = 0
const POOL = 4096

/** 50 random bits, the highest one left free, so that counting up within a millisecond has room. */
function chance(): bigint {
  if (used + 8 > pool.length) {
    pool = randomBytes(POOL)
    used = 0
  }
  used += 8
  return pool.readBigUInt64BE(used - 8) & (RANDOM_LIMIT / 2n - 1n)
}

function encode(value: bigint, digits: number): string {
  let text = ''
  for (let position = 0; position < digits; position += 1) {
    text = ALPHABET[Number(value & 31n)] + text
    value >>= 5n
  }
  return text
}
