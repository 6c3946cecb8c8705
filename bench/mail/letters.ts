/** The letters of the bench: the same for the same number, as uneven as in life. */
const ONSETS = [
  'b',
  'br',
  'c',
  'ch',
  'd',
  'dr',
  'f',
  'fl',
  'g',
  'gr',
  'h',
  'j',
  'k',
  'l',
  'm',
  'n',
  'p',
  'pl',
  'qu',
  'r',
  's',
  'sh',
  'st',
  't',
  'tr',
  'v',
  'w',
  'z',
]
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'ou', 'io']
const CODAS = ['', 'n', 'r', 's', 't', 'ck', 'ld', 'm', 'ng', 'x', 'ph', 'nd']
/** Words of telecom business that most letters have. */
const PHRASES = [
  '客户',
  '短信',
  '报价',
  '通道',
  '路由',
  '费率',
  '账单',
  '付款',
  '合同',
  '测试',
  '线路',
  '质量',
  '号码',
  '语音',
  '流量',
  '结算',
  '对账',
  '发票',
  '会议',
  '确认',
  '回复',
  '谢谢',
  '附件',
  '更新',
  '价格',
]
const COMMON = [
  'rate',
  'route',
  'please',
  'traffic',
  'invoice',
  'payment',
  'quality',
  'test',
  'number',
  'update',
  'regards',
  'price',
  'the',
  'and',
  'for',
]

/** A number that looks random, from two others. */
const mixed = (number: number, salt: number): number => {
  let value = Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(salt + 7, 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d)
  return (value ^ (value >>> 13)) >>> 0
}
const one = <Item>(items: readonly Item[], number: number): Item => items[number % items.length]!

/** A word of 20,000, few of them often. */
export function wordOf(number: number): string {
  if (number % 3 !== 0) return one(COMMON, number >>> 2)
  const rank = (number >>> 4) % 20_000
  const syllable = (at: number): string => one(ONSETS, mixed(at, 11)) + one(VOWELS, mixed(at, 12)) + one(CODAS, mixed(at, 13))
  return syllable(rank) + syllable(rank * 7 + 3)
}
/** Two or four characters: a usual word, or one of the 6,000 that are seldom together. */
const hanOf = (number: number): string =>
  number % 2 === 0
    ? one(PHRASES, number >>> 3)
    : String.fromCharCode(0x4e00 + ((number >>> 3) % 6_000), 0x4e00 + ((number >>> 9) % 6_000))

/** What stands in a letter. */
export interface BenchLetter {
  messageId: string
  subject: string
  sender: { email: string; name: string }
  text: string
  /** Seconds before now. */
  age: number
  seen: boolean
}

/** The letter with a number: about 1.2 kB of both languages from one of 3,000 people, the older the higher the number. */
export function letterOf(number: number): BenchLetter {
  const who = mixed(number, 1) % 3_000
  const words = Array.from({ length: 110 }, (_, at) => wordOf(mixed(number, 100 + at)))
  const han = Array.from({ length: 30 }, (_, at) => hanOf(mixed(number, 300 + at)))
  return {
    messageId: `<${number}.bench@carrier.example>`,
    subject: `${one(['Rates', '报价', 'Invoice', '对账', 'Route test'], mixed(number, 2))} ${wordOf(mixed(number, 3))} ${hanOf(mixed(number, 4))} PO-${100_000 + number}`,
    sender: {
      email: `${wordOf(who * 3)}.${who}@${one(['carrier', 'operator', 'bank', 'trader'], who)}${who % 40}.example`,
      name: `${wordOf(who * 48)} ${hanOf(mixed(who, 5)).slice(0, 3)}`,
    },
    text: `${words.slice(0, 60).join(' ')}\n${han.join('，')}。\n${words.slice(60).join(' ')}`,
    age: number * 1_600 + (mixed(number, 6) % 1_000),
    seen: number > 40 && mixed(number, 8) % 10 !== 0,
  }
}

/** What people search for: rare and common words, two and four Chinese characters, a name, an address, a number, two words. */
export function searchesOf(number: number): string {
  const letter = letterOf(mixed(number, 9) % 100_000)
  const rare = letter.text.split(' ').find((word) => !COMMON.includes(word) && word.length > 6) ?? 'karento'
  const han = letter.text.split('\n')[1]!
  const kinds = [
    rare,
    one(COMMON, number),
    han.split('，')[number % 2]!,
    `${han.split('，')[2]!}，${han.split('，')[3]!}`,
    letter.sender.name.split(' ')[0]!,
    letter.sender.email,
    letter.subject.split(' ').pop()!,
    `${one(COMMON, number)} ${rare}`,
  ]
  return kinds[number % kinds.length]!
}

/** A letter as it comes from a server. */
export function rawOf(number: number, to: string, now: number, more = ''): string {
  const { messageId, subject, sender, text, age } = letterOf(number)
  const at = new Date(now - age * 1_000)
  const encoded = (value: string): string => `=?utf-8?B?${Buffer.from(value).toString('base64')}?=`
  const hop = (at_: number): string =>
    `Received: from mx${at_}.carrier.example (mx${at_}.carrier.example [192.0.2.${at_}]) by mx.company.example with ESMTPS id ${mixed(number, at_).toString(36)}; ${at.toUTCString()}`
  return [
    `Return-Path: <${sender.email}>`,
    ...[1, 2, 3].map(hop),
    `DKIM-Signature: v=1; a=rsa-sha256; d=carrier.example; s=key; h=from:to:subject:date; bh=${'A'.repeat(44)}; b=${'B'.repeat(344)}`,
    `Authentication-Results: mx.company.example; spf=pass smtp.mailfrom=${sender.email}; dkim=pass; dmarc=pass`,
    `From: ${encoded(sender.name)} <${sender.email}>`,
    `To: <${to}>`,
    `Subject: ${encoded(subject)}`,
    `Message-ID: ${messageId}`,
    ...(number % 3 === 0 ? [] : [`References: <${number - (number % 3)}.bench@carrier.example>`]),
    `Date: ${at.toUTCString()}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    ...(more === '' ? [] : [more]),
    '',
    text.replace(/\n/gu, '\r\n'),
    '',
  ].join('\r\n')
}

/** An HTML letter of about so many bytes, as a newsletter or a long exchange is: tables, links, quotes. */
export function longHtml(bytes: number): string {
  const parts: string[] = []
  for (let at = 0, size = 0; size < bytes; at += 1) {
    const words = Array.from({ length: 30 }, (_, word) => wordOf(mixed(at, word))).join(' ')
    const part = `<table border="1" cellpadding="4" style="border-collapse:collapse;width:600px"><tr><td style="color:#333"><b>${hanOf(at)}</b></td><td><a href="https://carrier.example/${at}">${wordOf(at)}</a></td></tr><tr><td colspan="2"><p>${words}</p></td></tr></table><p style="margin:4px 0">${words}</p>`
    parts.push(part)
    size += part.length
  }
  return parts.join('')
}
